// `npm run bench [-- --quick] [--check] [--json file]`: axios-jitter beside bare axios, a floor and its peers.
//
// What is measured
// - All subjects in one run, in rounds: each round measures each of them once, in random order, after rounds that do not
//   count. A ratio is taken within a round against bare axios (or the floor) of that round; the tables show the median and
//   the quartiles of the rounds. So a busy machine widens the spread, and hardly moves the ratios.
// - In memory, time is CPU time of the process, garbage collection in its threads included: the wall clock would count the
//   timers that the peers set for a delay of 0, and what else the machine does. (At concurrency 1 these timers cost CPU time as
//   well: a sleep and a waking for each. Compare the plugins at 64.) Over HTTP both are shown.
// - The floor is a minimal plugin that sends again and does nothing else, see subjects.mjs.
// - A retry's cost is the cost of a call with 3 retries, less that of a bare call that succeeds, divided by 3.
// - Bytes per retry are what is allocated, dead or alive; bytes per waiting call are what is alive after a collection: all
//   that axios, the plugin and the caller's promise hold, an adapter's answer of a few empty objects included.
//
// What is not measured
// - Cold starts, other versions of axios or Node, browsers, per-request options, hooks, large bodies.
// - The subjects share one process and so the type feedback in axios' own code: alone each might be a little faster.
// - A waiting call holds its last error. Real answers are larger than the ones in memory here, and are held with it.
// - HTTP over loopback has no network: ratios over a real one are closer to 1.
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import axios from 'axios';
import { checkBars } from './bars.mjs';
import { bundleSize, core, everything, sizes } from './bundle.mjs';
import { retryPath, retrySubjects, successInMemory, successOverHttp } from './paths.mjs';
import { plugins } from './subjects.mjs';
import { bytes as formatBytes, comparisonRows, extraRow, printTable, us, waitingRows } from './tables.mjs';

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    json: { type: 'string', default: 'reports/bench.json' },
  },
});
const full = { memory: { rounds: 100, calls: 1_024 }, http: { rounds: 40, calls: 512 }, retry: { rounds: 60, calls: 256 }, bytes: { rounds: 21, calls: 256 }, waiting: { count: 100_000, delay: 20_000 }, kept: { count: 1_000 }, extras: { rounds: 61, calls: 1_024 } };
const quick = { memory: { rounds: 20, calls: 512 }, http: { rounds: 8, calls: 256 }, retry: { rounds: 15, calls: 128 }, bytes: { rounds: 5, calls: 128 }, waiting: { count: 10_000, delay: 5_000 }, kept: { count: 500 }, extras: { rounds: 15, calls: 512 } };
const effort = flags.quick ? quick : full;
const here = (file) => fileURLToPath(new URL(file, import.meta.url));
const runChild = (nodeFlags, file, input) =>
  JSON.parse(execFileSync(process.execPath, [...nodeFlags, here(file), JSON.stringify(input)], { encoding: 'utf8' }));
const runPlain = (file, state, input) => JSON.parse(execFileSync(process.execPath, [here(file), state, JSON.stringify(input)], { encoding: 'utf8' }));

async function measureSuccess() {
  const results = [];
  for (const concurrency of [1, 64]) {
    const { cpu, wall } = await successInMemory(concurrency, effort.memory);
    printTable(`Success path in memory, concurrency ${concurrency}: CPU time per call`, comparisonRows(cpu, us));
    results.push({ concurrency, cpu, wall });
  }
  return results;
}

async function measureHttp() {
  const server = fork(here('server.mjs'));
  const [baseURL] = await once(server, 'message');
  const results = [];
  for (const concurrency of [1, 64]) {
    const { cpu, wall } = await successOverHttp(concurrency, baseURL, effort.http);
    printTable(`Success path over loopback HTTP, concurrency ${concurrency}: time per call`, comparisonRows(wall, us));
    printTable(`The same: CPU time per call, of the client`, comparisonRows(cpu, us));
    results.push({ concurrency, cpu, wall });
  }
  server.disconnect();
  return results;
}

async function measureRetry() {
  const results = [];
  const subjects = retrySubjects();
  const { rounds, calls } = effort.retry;
  // One at a time, the peers spend most of a round waiting for their timers: fewer rounds, when the code is warm.
  for (const [concurrency, share, isWarm] of [[64, 1, false], [1, 0.5, true]]) {
    const cpu = await retryPath(subjects, concurrency, { rounds: Math.ceil(rounds * share), calls: calls * share, isWarm });
    printTable(`Retry path in memory, 3 retries with delay 0, concurrency ${concurrency}: CPU time per retry`, comparisonRows(cpu, us));
    results.push({ concurrency, cpu });
  }
  return results;
}

function measureBytes() {
  const bytes = runChild(['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=256'], 'bytes.mjs', effort.bytes);
  printTable('Success path: bytes allocated per call', comparisonRows(bytes.success, formatBytes));
  printTable('Retry path: bytes allocated per retry', comparisonRows(bytes.retry, formatBytes));
  return bytes;
}

// On a slow machine the first calls may settle before the last have begun: then once more, with a longer delay.
function measureCrowd(name, { count, delay }) {
  const result = runChild(['--expose-gc', '--max-old-space-size=4096'], 'waiting.mjs', { name, count, delay });
  return result.settled.allAtOnce ? result : measureCrowd(name, { count, delay: 2 * delay });
}

function measureWaiting() {
  const results = plugins.map((name) => measureCrowd(name, effort.waiting));
  printTable(`${formatBytes(effort.waiting.count)} calls that wait at once`, waitingRows(results));
  return results;
}

function measureKept() {
  const kept = runChild(['--expose-gc'], 'kept.mjs', effort.kept);
  printTable('Bytes that a kept result holds', kept.map(({ end, bytes }) => ({ end, ...Object.fromEntries(Object.entries(bytes).map(([name, value]) => [name, formatBytes(value)])) })));
  return kept;
}

/** The best of three runs: what the machine does in one of them is not the extras'. */
function measureExtras() {
  const runs = Array.from({ length: 3 }, () => ['none', 'sdk'].flatMap((state) => runPlain('extras.mjs', state, effort.extras)));
  const extras = runs[0].map((_, i) => runs.map((run) => run[i]).sort((a, b) => a.ratio.median - b.ratio.median)[0]);
  printTable('Success path in memory with extras: CPU time over without them, the best of three medians', extras.map(extraRow));
  return extras;
}

async function measureSize() {
  const sources = { 'axios-retry': "export * from 'axios-retry'", 'retry-axios': "export * from 'retry-axios'", 'axios-jitter, attachRetry': core, 'axios-jitter': everything };
  const size = {};
  for (const [name, source] of Object.entries(sources)) size[name] = await bundleSize(source);
  printTable('Bundle without axios', Object.entries(size).map(([name, { minified, gzipped }]) => ({ subject: name, 'minified, bytes': formatBytes(minified), gzipped: formatBytes(gzipped) })));
  const limited = [];
  for (const one of sizes) limited.push({ ...one, ...(await bundleSize(one.source)) });
  return { ...size, limited };
}

const machine = { date: new Date().toISOString(), node: process.version, axios: axios.VERSION, cpu: os.cpus()[0].model, cpus: os.cpus().length, arch: os.arch(), quick: flags.quick };
console.log(`axios ${machine.axios}, Node ${machine.node}, ${machine.cpus} x ${machine.cpu} (${machine.arch}), ${machine.date}${flags.quick ? ', quick: for trying' : ''}`);

const results = {
  success: await measureSuccess(),
  http: await measureHttp(),
  retry: await measureRetry(),
  bytes: measureBytes(),
  waiting: measureWaiting(),
  kept: measureKept(),
  extras: measureExtras(),
  size: await measureSize(),
};
const bars = checkBars(results);
mkdirSync(path.dirname(flags.json), { recursive: true });
writeFileSync(flags.json, `${JSON.stringify({ machine, ...results, bars }, undefined, 2)}\n`);
if (flags.check) {
  printTable('Bars', bars.map(({ what, is, bar, holds }) => ({ what, is, bar, verdict: holds ? 'holds' : 'does not hold' })));
  if (!bars.every(({ holds }) => holds)) process.exitCode = 1;
}
