// Bytes allocated per call and per retry. A process of its own, whose new generation is so large that nothing is
// collected between the two looks at the heap; a round in which something was collected does not count.
import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { perRetry, retrySubjects } from './paths.mjs';
import { compare, makeCalls, runRounds } from './rounds.mjs';
import { all, makeSubject, succeed } from './subjects.mjs';

const ATTEMPTS = 5;
const TOLD = 5; // ms, until a collection has been told of

let collections = 0;
new PerformanceObserver((list) => {
  collections += list.getEntries().length;
}).observe({ entryTypes: ['gc'] });

function measureBytes(calls) {
  return async (subject) => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      globalThis.gc();
      await sleep(TOLD);
      const [seen, before] = [collections, process.memoryUsage().heapUsed];
      await makeCalls(subject, calls, 8);
      const bytes = (process.memoryUsage().heapUsed - before) / calls;
      await sleep(TOLD);
      if (collections === seen) return { bytes };
    }
    throw new Error('The new generation is too small for that many calls');
  };
}

const { rounds, calls } = JSON.parse(process.argv[2]);
const onSuccess = Object.fromEntries(all.map((name) => [name, { api: makeSubject(name, { adapter: succeed }) }]));
const onRetry = retrySubjects();
// Optimised code allocates less: warm up well.
for (let i = 0; i < 10; i++) for (const subject of [...Object.values(onSuccess), ...Object.values(onRetry)]) await makeCalls(subject, calls * 4, 8);

const options = { rounds, warmUp: 3 };
const success = compare(await runRounds(onSuccess, measureBytes(calls), options), 'bare', (round, name) => round[name].bytes);
const retry = compare(await runRounds(onRetry, measureBytes(calls), options), 'floor', perRetry('bytes'));
console.log(JSON.stringify({ success, retry }));
process.exit(0);
