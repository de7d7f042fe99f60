/**
 * What the retry budget costs when failures are rare, and saves when they are not: `npx tsx bench/outage.ts [seed [rate …]]`.
 *
 * Calls one after another to one origin, 3 retries, no real waiting. Each attempt fails with a given chance, apart from
 * all others; in a full outage every attempt fails. Chance comes from a seeded generator: the same seed, the same table.
 */
import axios from 'axios';
import { attachRetry } from '../lib/index';

const CALLS = 10_000;
const DEFAULT_SEED = 20_260_101;
const RATES = [0.1, 0.2, 0.3, 1];

/** mulberry32: in [0, 1), the same for the same seed. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Result {
  /** Share of the calls that fail in the end. */
  readonly failed: number;
  /** Requests per call. */
  readonly load: number;
}

/** `budget: undefined` is the default budget. */
async function simulate(rate: number, budget: false | undefined, seed: number): Promise<Result> {
  const fails = seededRandom(seed);
  const api = axios.create({
    // Nobody waits for I/O: only the policy is looked at.
    adapter: (config) =>
      Promise.resolve({ status: fails() < rate ? 503 : 200, statusText: '', headers: {}, data: '', config }),
    validateStatus: () => true,
  });
  const retry = attachRetry(api, { retries: 3, budget, sleep: () => Promise.resolve(), random: seededRandom(seed + 1) });
  let failed = 0;
  for (let i = 0; i < CALLS; i++) {
    const { status } = await api.get('https://api.example.com/orders');
    if (status !== 200) failed += 1;
  }
  const { attempts } = retry.stats();
  retry.detach();
  return { failed: failed / CALLS, load: attempts / CALLS };
}

const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;
const times = (load: number): string => `${load.toFixed(2)}x`;

async function main(): Promise<void> {
  const [given, ...rates] = process.argv.slice(2).map(Number);
  const seed = given ?? DEFAULT_SEED;
  const lines = [
    `${CALLS} calls one after another, 3 retries, seed ${seed}. "Fail" is the share of calls that fail in the end, "load" the requests per call.`,
    '',
    '| failures of single requests | fail, default budget | load, default budget | fail, `budget: false` | load, `budget: false` |',
    '| --- | ---: | ---: | ---: | ---: |',
  ];
  for (const rate of rates.length > 0 ? rates : RATES) {
    const [bounded, unbounded] = [await simulate(rate, undefined, seed), await simulate(rate, false, seed)];
    const name = rate === 1 ? 'all (outage)' : `${Math.round(rate * 100)}%, at random`;
    lines.push(`| ${name} | ${percent(bounded.failed)} | ${times(bounded.load)} | ${percent(unbounded.failed)} | ${times(unbounded.load)} |`);
  }
  console.log(lines.join('\n'));
}

await main();
