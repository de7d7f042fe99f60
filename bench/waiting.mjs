// One subject, many calls that wait at once. A child process for each, so that none inherits another's heap or code.
// `node --expose-gc waiting.mjs '{"name":…,"count":…,"delay":…}'` prints one line of JSON. In this order:
// 1. calls without a signal: bytes per waiting call, event loop lag while they begin to wait and while they settle, time to settle
// 2. calls with a signal each, aborted one after another: bytes, wall-clock and CPU time until all have settled, lag;
// 3. calls with one signal for all, aborted once: the same.
// Where the delay was too short for all to wait at once, it ends after 1.
import { setMaxListeners } from 'node:events';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { fail, makeSubject, succeed } from './subjects.mjs';

const { name, count, delay } = JSON.parse(process.argv[2]);
const BATCH = 1_000;
const RESOLUTION = 1; // ms
const PATIENCE = 5_000; // ms; where no call has settled by then, an abort does not end the wait
const TEN_MINUTES = 600_000;

let isDown = true;
const adapter = (config) => (isDown ? fail(config) : succeed(config));
const heap = () => {
  globalThis.gc();
  return process.memoryUsage().heapUsed;
};

/** CPU time and event loop lag in ms while `work` runs. */
async function withLag(work) {
  const monitor = monitorEventLoopDelay({ resolution: RESOLUTION });
  monitor.enable();
  await sleep(RESOLUTION * 3); // a lag is counted from one tick to the next
  const cpu = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  await sleep(RESOLUTION * 3);
  monitor.disable();
  const ms = (ns) => ns / 1e6;
  return { cpu: (user + system) / 1_000, lag: { p50: ms(monitor.percentile(50)), p99: ms(monitor.percentile(99)), max: ms(monitor.max) } };
}

/** Makes `count` calls fail and wait, in batches, a turn of the event loop for each. */
async function makeWait(api, signalOf) {
  isDown = true;
  const wait = { ends: {}, settled: 0, firstEnd: undefined, lastEnd: undefined, promises: [] };
  const end = (how) => {
    wait.ends[how] = (wait.ends[how] ?? 0) + 1;
    wait.settled += 1;
    wait.firstEnd ??= performance.now();
    wait.lastEnd = performance.now();
  };
  const before = heap();
  const { lag } = await withLag(async () => {
    for (let i = 0; i < count; i++) {
      wait.promises.push(api.get('/orders', { signal: signalOf?.(i) }).then(() => end('ok'), (error) => end(error.code)));
      if (i % BATCH === BATCH - 1) await nextTurn();
    }
    await nextTurn();
  });
  wait.began = performance.now();
  isDown = false;
  return Object.assign(wait, { lag, bytes: (heap() - before) / count, allAtOnce: wait.settled === 0 });
}

async function settleAll() {
  const wait = await makeWait(makeSubject(name, { adapter }, delay));
  // What the last call that began to wait takes beyond its delay.
  const { lag } = await withLag(() => Promise.all(wait.promises));
  const { bytes, allAtOnce, ends, began, lastEnd } = wait;
  return { bytes, allAtOnce, lagBegin: wait.lag, lagSettle: lag, settle: lastEnd - began - delay, ends };
}

async function abortAll(signalOf, abort) {
  const wait = await makeWait(makeSubject(name, { adapter }, TEN_MINUTES), signalOf);
  const start = performance.now();
  const { lag, cpu } = await withLag(async () => {
    abort();
    const all = Promise.all(wait.promises);
    await Promise.race([all, sleep(PATIENCE)]);
    if (wait.settled > 0) await all;
  });
  const { bytes, settled, lastEnd, ends } = wait;
  return settled > 0 ? { bytes, abort: lastEnd - start, cpu, lag, ends } : { bytes, ends };
}

const settled = await settleAll();
if (!settled.allAtOnce) {
  console.log(JSON.stringify({ settled }));
  process.exit(0);
}
const controllers = Array.from({ length: count }, () => new globalThis.AbortController());
const own = await abortAll((i) => controllers[i].signal, () => controllers.forEach((controller) => controller.abort()));
controllers.length = 0;
const shared = new globalThis.AbortController();
setMaxListeners(0, shared.signal);
const one = await abortAll(() => shared.signal, () => shared.abort());
console.log(JSON.stringify({ name, count, delay, settled, own, one }));
process.exit(0);
