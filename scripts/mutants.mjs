// Breaks lib/ in small ways and asks whether a test notices: `npm run mutants`, `npm run mutants -- backoff decide --concurrency 4`.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { Stryker } from '@stryker-mutator/core';

/** Each file needs this share of its mutants killed, in percent. */
const bar = 90;

/** File of lib/ → the tests that know it best: all others would only make the run long. */
const tests = {
  backoff: ['backoff'],
  'retry-after': ['retry-after'],
  budget: ['budget', 'budget-model'],
  eligibility: ['eligibility', 'eligibility-causes'],
  decide: ['decide'],
  retry: ['behaviour/call-end', 'behaviour/events', 'behaviour/give-up'],
  replay: [
    'behaviour/attach-instances',
    'behaviour/attach-tampered',
    'behaviour/fail-closed-resend',
    'behaviour/held-back',
    'behaviour/interrupted-replays',
    'behaviour/layers',
    'behaviour/layers-request',
    'behaviour/replay',
  ],
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
  const mutants = await new Stryker({
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
    // A broken loop never ends; a busy machine is slow.
    timeoutMS: 30_000,
    ignorePatterns: ['bench', 'dist', 'coverage', 'reports'],
    tempDirName: '.stryker-tmp',
    reporters: ['clear-text', 'html'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    htmlReporter: { fileName: `reports/mutants/${name}.html` },
    // Below the bar the exit code is 1.
    thresholds: { high: 100, low: bar, break: bar },
    warnings: { slow: false },
  }).runMutationTest();
  const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const [killed, survived] = [count('Killed', 'Timeout'), count('Survived', 'NoCoverage')];
  scores.push({ file: `lib/${name}.ts`, killed, survived, score: `${((100 * killed) / (killed + survived)).toFixed(1)} %` });
}
console.table(scores);
