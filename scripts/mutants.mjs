// Breaks lib/ in small ways and asks whether a test notices: `npm run mutants`, `npm run mutants -- backoff decide --concurrency 4`.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { Stryker } from '@stryker-mutator/core';

/** Each file needs this share of its mutants killed, in percent. */
const bar = 90;

/** File of lib/ → the tests that know it best: all others would only make the run long. */
const tests = {
  backoff: ['backoff', 'backoff.properties'],
  'retry-after': ['retry-after'],
  budget: ['budget'],
  eligibility: ['eligibility'],
  decide: ['decide'],
  retry: ['behaviour/give-up', 'behaviour/events', 'behaviour/deadline', 'behaviour/abort', 'behaviour/breaker'],
  replay: ['behaviour/layers', 'behaviour/layers-request', 'behaviour/attach-tampered', 'behaviour/abort', 'behaviour/abort-hooks'],
};

const { values, positionals } = parseArgs({
  options: { concurrency: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const wanted = positionals.length > 0 ? positionals : Object.keys(tests);
for (const name of wanted) {
  if (!tests[name] || !existsSync(`lib/${name}.ts`)) {
    throw new Error(`No mutants of "${name}" are known; known are ${Object.keys(tests).join(', ')}`);
  }
}

const scores = [];
for (const name of wanted) {
  const results = await new Stryker({
    mutate: [`lib/${name}.ts`],
    testRunner: 'jest',
    plugins: ['@stryker-mutator/jest-runner'],
    jest: {
      configFile: 'scripts/jest.mutants.mjs',
      enableFindRelatedTests: false,
      config: { testMatch: tests[name].map((test) => `<rootDir>/__tests__/${test}.test.ts`) },
    },
    coverageAnalysis: 'perTest',
    concurrency: Number(values.concurrency),
    ignorePatterns: ['bench', 'dist', 'coverage', 'reports'],
    tempDirName: '.stryker-tmp',
    reporters: ['clear-text', 'html'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    htmlReporter: { fileName: `reports/mutants/${name}.html` },
    thresholds: { high: 100, low: bar, break: bar },
  }).runMutationTest();
  scores.push({ file: `lib/${name}.ts`, mutants: results.length });
}
console.table(scores);
