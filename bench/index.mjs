// `npm run bench [-- --json file]`: axios-jitter beside bare axios and its peers, as ratios within one run.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import axios from 'axios';
import { build } from 'esbuild';
import { measureBytes, measureTime } from './rounds.mjs';
import { failThrice, makeSubjects, succeed } from './subjects.mjs';

const RETRIES = 3;
const peers = ['axios-retry', 'retry-axios', 'axios-jitter'];
const here = (file) => fileURLToPath(new URL(file, import.meta.url));
const us = (ns) => `${(ns / 1_000).toFixed(2)} µs`;

function table(title, rows) {
  console.log(`\n${title}`);
  console.table(Object.fromEntries(rows.map(({ name, ...rest }) => [name, rest])));
}

const ratioRows = (results, base, format) =>
  Object.entries(results).map(([name, { median, low, high }]) => ({
    name,
    median: format(median),
    quartiles: `${format(low)} to ${format(high)}`,
    ratio: Number((median / results[base].median).toFixed(3)),
  }));

async function successPath(concurrency) {
  const results = await measureTime(makeSubjects(['bare', ...peers], () => succeed), { concurrency });
  table(`Success path in memory, concurrency ${concurrency}: time per call`, ratioRows(results, 'bare', us));
  return results;
}

// What a retry costs: the call less what a call that succeeds at once costs, by the retries.
const perRetry = (results, bare) =>
  Object.fromEntries(
    Object.entries(results).map(([name, values]) => [
      name,
      Object.fromEntries(Object.entries(values).map(([key, value]) => [key, (value - bare.median) / RETRIES])),
    ]),
  );

async function retryPath() {
  const names = ['floor', ...peers.filter((name) => name !== 'retry-axios')];
  const bare = makeSubjects(['bare'], () => succeed);
  const subjects = makeSubjects(names, failThrice);
  const time = perRetry(await measureTime(subjects, { calls: 128 }), (await measureTime(bare, { rounds: 40 })).bare);
  const bytes = perRetry(await measureBytes(subjects, {}), (await measureBytes(bare, {})).bare);
  table('Retry path, 3 retries with delay 0: time per retry', ratioRows(time, 'floor', us));
  table('Retry path, 3 retries with delay 0: bytes per retry', ratioRows(bytes, 'floor', (value) => Math.round(value)));
  return { time, bytes };
}

function waiting(count) {
  const results = ['axios-retry', 'axios-jitter'].map((name) =>
    JSON.parse(execFileSync(process.execPath, ['--expose-gc', here('waiting.mjs'), name, String(count)], { encoding: 'utf8' })),
  );
  table(
    `${count} calls that wait at once`,
    results.map(({ name, bytes, abortAll, results: ends }) => ({
      name,
      'bytes per call': Math.round(bytes),
      'abort all (ms)': Math.round(abortAll),
      ends: ends.join(),
    })),
  );
  return results;
}

async function bundleSize(source) {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: here('.') },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    external: ['axios'],
    write: false,
  });
  return gzipSync(outputFiles[0].contents, { level: 9 }).length;
}

console.log(`axios ${axios.VERSION}, Node ${process.version}, ${os.cpus().length} cores, ${os.arch()}, ${new Date().toISOString().slice(0, 10)}`);
const results = {
  success1: await successPath(1),
  success64: await successPath(64),
  retry: await retryPath(),
  waiting: waiting(Number(process.env.BENCH_WAITING ?? 100_000)),
  size: {
    'axios-jitter': await bundleSize("export * from '../dist/index.js'"),
    'axios-retry': await bundleSize("export * from 'axios-retry'"),
    'retry-axios': await bundleSize("export * from 'retry-axios'"),
  },
};
table('Bundle, minified and gzipped: bytes', Object.entries(results.size).map(([name, bytes]) => ({ name, bytes })));
const json = process.argv.indexOf('--json');
if (json > 0) writeFileSync(process.argv[json + 1], `${JSON.stringify(results, undefined, 2)}\n`);
