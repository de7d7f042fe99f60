/**
 * Many calls over a network that breaks in every way; fails when a promise of the plugin does not hold.
 *
 *     npx tsx scripts/soak.ts --calls 200000 --seed 7 --minutes 30
 */
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Chaos } from '../__tests__/chaos/chaos';
import { renderTable } from '../lib/cli/table';

const MB = 2 ** 20;
/** What a heap may grow by for reasons of its own, and per call: in bytes. */
const HEAP_NOISE = 3 * MB;
const HEAP_PER_CALL = 16;

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '200000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    minutes: { type: 'string', default: '30' },
    /** Calls between two looks at everything. */
    round: { type: 'string', default: '5000' },
  },
});
const [calls, seed, minutes, size] = [Number(values.calls), Number(values.seed), Number(values.minutes), Number(values.round)];
if (![calls, seed, minutes, size - 1].every((value) => value >= 0)) {
  throw new RangeError('--calls, --seed and --minutes take numbers >= 0, --round takes one >= 1');
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes in use once everything that can go has gone: finalizers and streams need a few turns. */
async function heapInUse(): Promise<number> {
  for (let turn = 0; turn < 5; turn++) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return process.memoryUsage().heapUsed;
}

const count = (value: number): string => Math.round(value).toLocaleString('en-US');
const megabytes = (bytes: number): string => `${(bytes / MB).toFixed(1)} MB`;
const sorted = (counts: Record<string, number>): [string, string][] =>
  Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([name, value]) => [name, count(value)]);

const startedAt = performance.now();
const seconds = (): number => Math.round((performance.now() - startedAt) / 1_000);
const chaos = await Chaos.open(seed);
const heap: number[] = [];
let isRunning = true;
let shown = 0;

console.log(`seed ${seed}: ${count(calls)} calls`);
while (isRunning && chaos.calls < calls && seconds() < minutes * 60) {
  isRunning = await chaos.round(Math.min(size, calls - chaos.calls));
  heap.push(await heapInUse());
  const { examples } = chaos.violations;
  for (; shown < examples.length; shown++) console.error(examples[shown]);
  if (heap.length % 2 === 0) {
    console.log(`${count(chaos.calls)} calls, ${seconds()} s, heap ${megabytes(heap.at(-1) ?? 0)}, ${chaos.violations.total} violations`);
  }
}

// The first rounds warm up: code, pools, tables.
const [before = 0, after = 0] = [heap[Math.min(1, heap.length - 1)], heap.at(-1)];
const growth = after - before;
if (growth > HEAP_NOISE + HEAP_PER_CALL * chaos.calls) chaos.violations.add('heap', `grew by ${megabytes(growth)} in ${chaos.calls} calls`);
if (isRunning) await chaos.close();

const { proxy, application, violations } = chaos;
const rows: [string, string][] = [
  ['seed', String(seed)],
  ['seconds', count(seconds())],
  ['calls', chaos.calls < calls ? `${count(chaos.calls)} of ${count(calls)}` : count(chaos.calls)],
  ['attempts', count(chaos.attempts)],
  ['received in full', count(application.received)],
  ['received in part', count(application.cut)],
  ['connections', count(proxy.accepted)],
  ['outages of the listener', count(proxy.outages)],
  ['heap after the second round', megabytes(before)],
  ['heap at the end', megabytes(after)],
  ['violated invariants', count(violations.total)],
];
console.log(`\n${renderTable(['run', ''], rows)}`);
console.log(`\n${renderTable(['fault', 'requests'], sorted(proxy.faults))}`);
console.log(`\n${renderTable(['outcome', 'calls'], sorted(chaos.outcomes))}`);
console.log(`\n${renderTable(['body', 'recovered'], sorted(chaos.recoveredBodies))}`);
if (violations.total > 0) {
  console.log(`\n${renderTable(['invariant', 'violations'], sorted(Object.fromEntries(violations.counts)))}`);
  for (; shown < violations.examples.length; shown++) console.error(violations.examples[shown]);
}
process.exit(violations.total > 0 ? 1 : chaos.calls < calls ? 2 : 0);
