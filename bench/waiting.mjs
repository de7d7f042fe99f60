// One subject, many calls that wait at once: bytes per waiting call, time to abort them all, time until all settle.
// Run as a child process, so that no subject inherits another's heap.
import { setTimeout as sleep } from 'node:timers/promises';
import { performance } from 'node:perf_hooks';
import axios from 'axios';
import { makeSubjects, succeed } from './subjects.mjs';

const [name, count] = [process.argv[2], Number(process.argv[3])];
let isDown = true;
const adapter = (config) =>
  isDown
    ? Promise.reject(
        new axios.AxiosError('503', 'ERR_BAD_RESPONSE', config, {}, { data: '', status: 503, headers: {}, config }),
      )
    : succeed(config);
const { [name]: api } = makeSubjects([name], () => adapter, () => 60_000);

async function waitAll(makeConfig) {
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  const calls = Array.from({ length: count }, () => api.get('/orders', makeConfig()).then(() => 'ok', (error) => error.code));
  await sleep(500);
  globalThis.gc();
  return { calls, bytes: (process.memoryUsage().heapUsed - before) / count };
}

const controllers = [];
const { calls, bytes } = await waitAll(() => {
  const controller = new globalThis.AbortController();
  controllers.push(controller);
  return { signal: controller.signal };
});
isDown = false;
const start = performance.now();
for (const controller of controllers) controller.abort();
const results = new Set(await Promise.all(calls));
console.log(JSON.stringify({ name, bytes, abortAll: performance.now() - start, results: [...results] }));
process.exit(0);
