/** A policy's delays on paper: from, to, and what chance makes of them. */
import { backoffOf, decideFailure, resolvePolicy, type ResolvedRetryOptions } from './library';
import { optionsOf } from './presets';
import { createRandom, type Random } from './random';
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

const SAMPLES = 10_000;
const MAX_ROWS = 10;
// No retry that is counted one by one comes later; those after it wait as long as the last of all.
const MAX_SUMMED = 1_000;
export const HIGHEST = 1 - 2 ** -32;

interface Wait {
  readonly delay: number;
  readonly backoff: number;
}
type Draw = (retry: number, previous: number | undefined) => Wait;

/** The policy's waits, whatever else would stop it; through the ladder where its own `delay` or a Retry-After counts. */
function drawFrom(given: ResolvedRetryOptions, random: Random, retryAfter?: number): Draw {
  if (!given.delay && retryAfter === undefined) return drawBackoff({ ...given, random });
  const own = { retries: Infinity, totalTimeout: undefined, dryRun: false, shouldRetry: undefined, statuses: () => true };
  const options = { ...given, ...own, random };
  const failure = { kind: 'status' as const, status: 503, elapsed: 0, retryAfter, budget: undefined, now: 0 };
  return (attempt, previousBackoff) => {
    const verdict = decideFailure({ ...failure, attempt, previousBackoff }, options);
    if (verdict.retry) return verdict;
    throw verdict.hookError;
  };
}

function drawBackoff(options: ResolvedRetryOptions): Draw {
  return (retry, previous) => {
    const backoff = backoffOf(retry, previous, options);
    return { delay: backoff, backoff };
  };
}

export function resolve(policy: Policy, random: Random, timeout: number): ResolvedRetryOptions {
  return resolvePolicy(optionsOf(policy, random, timeout), random);
}

function chain(draw: Draw, rows: number): Wait[] {
  let previous: number | undefined;
  return Array.from({ length: rows }, (_, index) => {
    const wait = draw(index + 1, previous);
    previous = wait.backoff;
    return wait;
  });
}

const backoffs = (draw: Draw, rows: number): number[] => chain(draw, rows).map(({ backoff }) => backoff);

/** For each retry what chance gives. */
function sample(draw: Draw, rows: number): Float64Array[] {
  const samples = Array.from({ length: rows }, () => new Float64Array(SAMPLES));
  for (let index = 0; index < SAMPLES; index++) {
    let previous: number | undefined;
    samples.forEach((values, row) => (values[index] = previous = draw(row + 1, previous).backoff));
  }
  return samples;
}

/** One row for each retry, ten at most. */
export function delayRows(policy: Policy, timeout: number, seed: number): DelayRow[] {
  const drawWith = (random: Random): Draw => drawFrom(resolve(policy, random, timeout), random);
  const rows = Math.min(resolve(policy, () => 0, timeout).retries, MAX_ROWS);
  const lowest = backoffs(drawWith(() => 0), rows);
  const highest = backoffs(drawWith(() => HIGHEST), rows);
  const samples = sample(drawWith(createRandom(seed)), rows);
  return samples.map((values, row) => {
    const p99 = values.sort()[Math.ceil(0.99 * SAMPLES) - 1] as number;
    const mean = values.reduce((total, value) => total + value, 0) / SAMPLES;
    return { retry: row + 1, min: Math.round(lowest[row] as number), mean: Math.round(mean), p99: Math.round(p99), max: Math.round(highest[row] as number) };
  });
}

/** The longest that all waits of a call can take together, in whole ms as timers have them, if every answer asks for `retryAfter` (`undefined` = none does). */
export function longestWaits(policy: Policy, timeout: number, retryAfter: number | undefined): number {
  const highest: Random = () => HIGHEST;
  const options = resolve(policy, highest, timeout);
  const { retries } = options;
  if (retries > 0 && (retries === Infinity || retryAfter === Infinity)) return Infinity;
  const draw = drawFrom(options, highest, retryAfter);
  const summed = Math.min(retries, MAX_SUMMED);
  const total = chain(draw, summed).reduce((sum, { delay }) => sum + Math.ceil(delay), 0);
  return retries === summed ? total : total + (retries - summed) * Math.ceil(draw(retries, Infinity).delay);
}
