/** A policy on paper: its delays, its worst case, what it does to a service that is down, and what looks wrong. */
import { completeScenario } from './complete';
import { decideFailure, number, check, resolvePolicy, type ResolvedRetryOptions, type RetryOptions } from './library';
import { PRESETS } from './presets';
import { createRandom, type Random } from './random';
import { runPolicy } from './run';
import type { Policy } from './scenario';

export interface DelayRow {
  /** 1, 2, … */
  retry: number;
  /** In ms. `mean` and `p99` are of 10,000 draws. */
  min: number;
  mean: number;
  p99: number;
  max: number;
}

export interface Plan {
  delays: DelayRow[];
  /** Longest time of a call in ms, if every attempt times out and every delay is the longest. */
  worstCase: number;
  /** Requests per call in a full outage; with budget: of one process that makes `calls` calls at once. */
  amplification: { withoutBudget: number; withBudget: number };
  warnings: string[];
}

export interface PlanOptions {
  /** axios' `timeout` of an attempt, in ms, > 0. @default 2_000 */
  timeout?: number | undefined;
  /** Calls of one process that fail at once, a whole number >= 1. @default 10_000 */
  calls?: number | undefined;
  /** @default 1 */
  seed?: number | undefined;
}

const SAMPLES = 10_000;
const MAX_ROWS = 10;
const COMMON_RETRY_AFTER = 60_000;
const RULES = {
  timeout: number('a finite number > 0', (value) => value > 0 && value < Infinity),
  calls: number('a whole number from 1 to 1000000', (value) => Number.isInteger(value) && value >= 1 && value <= 1_000_000),
  seed: number('a whole number', Number.isSafeInteger),
};
const HIGHEST = 1 - 2 ** -32;

type Draw = (retry: number, previous: number | undefined) => number;

// Through the ladder, so that a policy's own `delay` counts too.
function drawFrom(policy: Policy, random: Random): Draw {
  const options = { ...resolve(policy, random), retries: Infinity, totalTimeout: undefined, dryRun: false, statuses: () => true };
  const failure = { kind: 'status' as const, status: 503, elapsed: 0, retryAfter: undefined, budget: undefined, now: 0 };
  return (attempt, previousBackoff) => {
    const verdict = decideFailure({ ...failure, attempt, previousBackoff }, options);
    if (verdict.retry) return verdict.backoff;
    throw verdict.hookError;
  };
}

function resolve(policy: Policy, random: Random): ResolvedRetryOptions {
  return resolvePolicy(toOptions(policy, random), random);
}

function toOptions(policy: Policy, random: Random): RetryOptions {
  const make = typeof policy === 'string' ? PRESETS[policy] : policy;
  return typeof make === 'function' ? make(random) : make;
}

function chain(draw: Draw, rows: number): number[] {
  let previous: number | undefined;
  return Array.from({ length: rows }, (_, index) => (previous = draw(index + 1, previous)));
}

function delayRows(policy: Policy, rows: number, seed: number): DelayRow[] {
  const lowest = chain(drawFrom(policy, () => 0), rows);
  const highest = chain(drawFrom(policy, () => HIGHEST), rows);
  const draw = drawFrom(policy, createRandom(seed));
  const samples = Array.from({ length: rows }, () => new Float64Array(SAMPLES));
  for (let sample = 0; sample < SAMPLES; sample++) {
    chain(draw, rows).forEach((delay, row) => ((samples[row] as Float64Array)[sample] = delay));
  }
  return samples.map((values, row) => {
    const p99 = values.sort()[Math.ceil(0.99 * SAMPLES) - 1] as number;
    const mean = values.reduce((total, value) => total + value, 0) / SAMPLES;
    return { retry: row + 1, min: Math.round(lowest[row] as number), mean: Math.round(mean), p99: Math.round(p99), max: Math.round(highest[row] as number) };
  });
}

function amplificationOf(policy: RetryOptions, { calls, timeout, seed }: { calls: number; timeout: number; seed: number }): number {
  if (policy.retries === Infinity && policy.totalTimeout === undefined && policy.budget === false) return Infinity;
  const outage = { length: 86_400_000 };
  const scenario = { clients: calls, clientsPerProcess: calls, service: { capacity: 1 }, outage, timeout, seed, maxRequests: calls * 100 };
  const run = runPolicy('plan', policy, completeScenario(scenario));
  let step = run.next();
  while (step.done !== true) step = run.next();
  return step.value.truncated ? Infinity : step.value.amplification;
}

function warn(options: ResolvedRetryOptions, delays: readonly DelayRow[]): string[] {
  const { baseDelay, maxDelay, jitter, retries, totalTimeout, maxRetryAfter, retryAfterSpread, budget } = options;
  const first = delays[0];
  const ownDelay = options.delay !== undefined;
  const checks: readonly (readonly [applies: boolean, warning: string])[] = [
    [!ownDelay && retries > 1 && maxDelay <= baseDelay, `the cap is reached at once: maxDelay (${maxDelay}) is not above baseDelay (${baseDelay}), so delays never grow`],
    [totalTimeout !== undefined && first !== undefined && totalTimeout <= first.max, `totalTimeout (${totalTimeout ?? 0}) is not longer than the first delay can be (${first?.max ?? 0}): some calls end before their first retry`],
    [!ownDelay && jitter === 'none', 'jitter is none: clients that failed together come back together'],
    [ownDelay && first?.min === first?.max, 'the own delay has no jitter: clients that failed together come back together'],
    [jitter !== 'none' && retryAfterSpread === 0, 'retryAfterSpread is 0: a crowd that was told the same Retry-After comes back in the same instant'],
    [maxRetryAfter < COMMON_RETRY_AFTER, `maxRetryAfter (${maxRetryAfter}) is below common values of Retry-After (30 to 60 s): such calls give up at once`],
    [budget === false && retries > 0, `budget is off: in a full outage the service gets ${retries + 1} times its load`],
    [retries === Infinity && totalTimeout === undefined, 'retries is Infinity without totalTimeout: a call may never end'],
  ];
  return checks.filter(([applies]) => applies).map(([, warning]) => warning);
}

/**
 * What a policy promises on paper.
 *
 * @throws TypeError or RangeError for options out of range.
 */
export function planPolicy(policy: Policy, given: PlanOptions = {}): Plan {
  const { timeout = 2_000, calls = 10_000, seed = 1 } = check(given, RULES, 'plan option');
  const random = createRandom(seed);
  const options = resolve(policy, random);
  const own = toOptions(policy, random);
  const delays = delayRows(policy, Math.min(options.retries, MAX_ROWS), seed);
  const waits = delays.reduce((total, { max }) => total + max, 0) + (options.retries - delays.length) * (delays.at(-1)?.max ?? 0);
  const worst = options.retries === Infinity ? Infinity : waits + (options.retries + 1) * timeout;
  const scale = { calls, timeout, seed };
  return {
    delays,
    worstCase: Math.min(worst, options.totalTimeout ?? Infinity),
    amplification: {
      withoutBudget: amplificationOf({ ...own, budget: false }, scale),
      withBudget: amplificationOf({ ...own, budget: own.budget === false ? undefined : own.budget }, scale),
    },
    warnings: warn(options, delays),
  };
}
