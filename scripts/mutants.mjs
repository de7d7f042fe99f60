// Breaks lib/ in small ways and asks whether a test notices: `npm run mutants`, `npm run mutants -- policy call/judge --concurrency 4`.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { Stryker } from '@stryker-mutator/core';

const root = path.resolve(import.meta.dirname, '..');

/** Each file needs this share of its mutants killed, in percent. */
const bar = 90;

const endings = ['real-error/call-end', 'real-error/events', 'real-error/give-up', 'real-error/hooks', 'real-error/report', 'real-error/stats'];
const layers = ['one-pass/*', 'fail-closed/*', 'cancel/interrupted-replays'];
const verdicts = ['safe-writes/*', 'real-error/give-up', 'real-error/hooks'];

/**
 * Folder → what of `__tests__/behaviour/` knows its files best: all others would only make the run long. `all`: of a file
 * that has no unit test of its name; `files`: of this one, beside its unit tests.
 */
const knownBy = {
  policy: { all: ['delays/*', 'protection/*'], files: { 'retry-after': ['delays/retry-after'] } },
  verdict: { all: ['safe-writes/*', 'wire/*'], files: { 'idempotency-key': ['safe-writes/idempotency'] } },
  axios: {
    all: ['same-request/*', 'one-pass/*'],
    files: {
      body: ['bodies/*', 'cancel/leftovers'],
      errors: ['cancel/*', 'delays/deadline', 'real-error/give-up'],
      headers: ['same-request/*', 'safe-writes/idempotency'],
      origin: ['protection/budget*', 'protection/breaker'],
      recognize: ['safe-writes/eligibility*', 'real-error/*', 'cancel/abort'],
      send: layers,
      snapshot: ['same-request/*', 'bodies/bodies-fresh'],
    },
  },
  call: {
    all: [...endings, 'cancel/*', 'same-request/*'],
    files: {
      'around-attempt': ['protection/*', 'cancel/leftovers'],
      attempt: [...endings, 'one-pass/layers*'],
      begin: ['options/*', 'same-request/*', 'safe-writes/idempotency', 'cancel/abort', 'bodies/bodies-fresh'],
      failure: [...verdicts, 'fail-closed/fail-closed', 'wire/wire-permanent'],
      finish: [...endings, 'cancel/abort', 'delays/deadline', 'protection/budget'],
      judge: [...verdicts, 'delays/*', 'protection/shared-retry-after'],
      'prepare-retry': ['same-request/before-retry', 'bodies/*', 'cancel/abort*', 'delays/*', ...endings],
      replay: ['same-request/replay', ...layers],
      'shared-retry-after': ['protection/shared-retry-after*'],
    },
  },
};

/** Unit tests that bear another name than their file. */
const moreUnits = { 'verdict/failure-kind': ['verdict/known-failures'] };

/** Paths without the ending of the tests that a pattern with `*` names. */
function expand(pattern) {
  const [folder, name] = [path.dirname(pattern), path.basename(pattern)];
  const where = path.join(root, '__tests__', folder);
  const matches = new RegExp(`^${name.replaceAll('*', '.*')}\\.test\\.ts$`);
  return existsSync(where) ? readdirSync(where).filter((file) => matches.test(file)).map((file) => path.posix.join(folder, file)) : [];
}

/** @param file `call/judge` */
function testsOf(file) {
  const [folder, name] = file.split('/');
  const { all, files } = knownBy[folder];
  const units = [file, `${file}-*`, ...(moreUnits[file] ?? [])].flatMap(expand);
  const behaviour = (files[name] ?? (units.length > 0 ? [] : all)).map((pattern) => `behaviour/${pattern}`);
  const unknown = behaviour.filter((pattern) => expand(pattern).length === 0);
  if (unknown.length > 0) throw new Error(`lib/${file}.ts: there is no __tests__/${unknown.join(', ')}`);
  return [...new Set([...units, ...behaviour.flatMap(expand)])];
}

const filesOf = (folder) => readdirSync(path.join(root, 'lib', folder)).map((file) => `${folder}/${path.basename(file, '.ts')}`);
const everything = Object.keys(knownBy).flatMap(filesOf);

const { values, positionals } = parseArgs({
  options: { concurrency: { type: 'string', default: '1' }, list: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const wanted = positionals.length > 0 ? positionals.flatMap((name) => (name in knownBy ? filesOf(name) : [name])) : everything;
const strange = wanted.filter((name) => !everything.includes(name));
if (strange.length > 0) throw new Error(`No mutants of ${strange.join(', ')} are known; known are ${everything.join(', ')}`);
for (const [folder, { files }] of Object.entries(knownBy)) {
  const gone = Object.keys(files).filter((name) => !everything.includes(`${folder}/${name}`));
  if (gone.length > 0) throw new Error(`lib/${folder}/ has no ${gone.join(', ')}`);
}

async function mutate(file, tests) {
  const mutants = await new Stryker({
    mutate: [`lib/${file}.ts`],
    testRunner: 'jest',
    plugins: ['@stryker-mutator/jest-runner'],
    jest: {
      configFile: 'scripts/jest.mutants.mjs',
      enableFindRelatedTests: false,
      config: { testMatch: tests.map((test) => `<rootDir>/__tests__/${test}`) },
    },
    coverageAnalysis: 'perTest',
    concurrency: Number(values.concurrency),
    // A broken loop never ends; a busy machine is slow.
    timeoutMS: 30_000,
    ignorePatterns: ['bench', 'dist', 'coverage', 'reports'],
    tempDirName: '.stryker-tmp',
    reporters: ['clear-text', 'html'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    htmlReporter: { fileName: `reports/mutants/${file.replace('/', '-')}.html` },
    // Below the bar the exit code is 1.
    thresholds: { high: 100, low: bar, break: bar },
    warnings: { slow: false },
  }).runMutationTest();
  const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const [killed, survived] = [count('Killed', 'Timeout'), count('Survived', 'NoCoverage')];
  const share = killed + survived === 0 ? 100 : (100 * killed) / (killed + survived);
  return { file: `lib/${file}.ts`, killed, survived, score: `${share.toFixed(1)} %` };
}

const plan = wanted.map((file) => ({ file, tests: testsOf(file) }));
for (const { file, tests } of plan) {
  if (tests.length === 0) throw new Error(`lib/${file}.ts: no test is known`);
  if (values.list) console.log(`${file}: ${tests.join(' ')}`);
}
if (!values.list) {
  const scores = [];
  for (const { file, tests } of plan) scores.push(await mutate(file, tests));
  console.table(scores);
}
