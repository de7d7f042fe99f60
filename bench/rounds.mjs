// Interleaved rounds in one process: each round measures every subject once, in random order, so that what the machine
// does to one it does to all. Ratios are taken within a round, against the base of the same round.
import { performance } from 'node:perf_hooks';
import { median, quantile, shuffle } from 'd3-array';

/** Median and quartiles. */
export const summarize = (values) => ({
  median: median(values),
  low: quantile(values, 0.25),
  high: quantile(values, 0.75),
});

/** `calls` calls, `concurrency` of them at a time. */
export async function makeCalls({ api, makeConfig = () => undefined }, calls, concurrency) {
  const worker = async (count) => {
    for (let i = 0; i < count; i++) await api.get('/orders', makeConfig());
  };
  await Promise.all(Array.from({ length: concurrency }, () => worker(Math.ceil(calls / concurrency))));
}

/** Wall-clock time and CPU time (of all threads: garbage collection counts) per call, in µs. */
export async function timeCalls(subject, calls, concurrency) {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await makeCalls(subject, calls, concurrency);
  const wall = (performance.now() - start) * 1_000;
  const { user, system } = process.cpuUsage(cpu);
  return { wall: wall / calls, cpu: (user + system) / calls };
}

/**
 * @param measure async (subject) => { metric: number }
 * @returns the rounds: [{ name: { metric: number } }]
 */
export async function runRounds(subjects, measure, { rounds, warmUp }) {
  const results = [];
  for (let round = -warmUp; round < rounds; round++) {
    const names = Object.keys(subjects);
    // Each gets its place first: the tables keep the order of the subjects.
    const values = Object.fromEntries(names.map((name) => [name, undefined]));
    for (const name of shuffle(names)) values[name] = await measure(subjects[name]);
    if (round >= 0) results.push(values);
  }
  return results;
}

/** Per subject: its value, and its ratio to `base` in the same round. */
export function compare(rounds, base, valueOf) {
  const names = Object.keys(rounds[0]).filter((name) => valueOf(rounds[0], name) !== undefined);
  return names.map((name) => ({
    name,
    value: summarize(rounds.map((round) => valueOf(round, name))),
    ratio: summarize(rounds.map((round) => valueOf(round, name) / valueOf(round, base))),
  }));
}
