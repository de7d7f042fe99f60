/** A policy without running it: its delays, its worst case, what it does to a service that is down, and likely mistakes. */
import { completeScenario } from './complete';
import { delayRows, longestWaits, resolve, type DelayRow } from './delays';
import { check, number, type PolicyOptions, type ResolvedRetryOptions } from './library';
import { optionsOf } from './presets';
import { createRandom } from './random';
import { runPolicy } from './run';
import type { Policy } from './scenario';
import { warn } from './warnings';

/** What the figures of a plan rest on. */
export interface PlanAssumptions {
  /** axios' `timeout` of an attempt, in ms; Infinity = none. */
  timeout: number;
  /** Of the policy, in ms; `undefined` = none. */
  totalTimeout: number | undefined;
  /** Whether the policy has a retry budget. */
  hasBudget: boolean;
  /** Calls of one process that fail at once. */
  calls: number;
  /** The longest Retry-After that is waited for, in ms; `undefined` = it is not read. */
  retryAfter: number | undefined;
}

export interface Plan {
  delays: DelayRow[];
  /**
   * Longest time of a call in ms; Infinity = no end. Every response arrives just before the timeout and asks for the longest
   * Retry-After that is waited for, and every delay is the longest.
   */
  worstCase: number;
  /** The same, if no response has a Retry-After. */
  worstCaseWithoutRetryAfter: number;
  /** Requests per call in a full outage; with budget: of one process that makes `calls` calls at once. */
  amplification: { withoutBudget: number; withBudget: number };
  assumptions: PlanAssumptions;
  warnings: string[];
}

export interface PlanOptions {
  /** axios' `timeout` of an attempt, in ms, >= 0; 0 = none, as in axios. @default 2_000 */
  timeout?: number | undefined;
  /** Calls of one process that fail at once, a whole number >= 1. @default 10_000 */
  calls?: number | undefined;
  /** @default 1 */
  seed?: number | undefined;
}

const RULES = {
  timeout: number('a finite number >= 0', (value) => value >= 0 && value < Infinity),
  calls: number('a whole number from 1 to 1000000', (value) => Number.isInteger(value) && value >= 1 && value <= 1_000_000),
  seed: number('a whole number', Number.isSafeInteger),
};

// With `shareRetryAfter` it may be another call that was told.
function longestRetryAfter({ retryAfter, shareRetryAfter, maxRetryAfter }: ResolvedRetryOptions): number | undefined {
  return retryAfter === false && shareRetryAfter === false ? undefined : maxRetryAfter;
}

// Attempts, and the waits before them: with 'all' a first attempt waits for what others were told, too.
function longestCall(policy: Policy, options: ResolvedRetryOptions, timeout: number, retryAfter: number | undefined): number {
  const attempts = (options.retries + 1) * timeout;
  const waits = longestWaits(policy, timeout, retryAfter);
  const isHeld = options.shareRetryAfter === 'all' && retryAfter !== undefined;
  const first = isHeld ? longestWaits({ ...optionsOf(policy, () => 0, timeout), retries: 1, delay: () => 0 }, timeout, retryAfter) : 0;
  return Math.min(attempts + first + waits, options.totalTimeout ?? Infinity);
}

function amplificationOf(policy: PolicyOptions, { calls, seed }: { calls: number; seed: number }): number {
  if (policy.retries === Infinity && policy.totalTimeout === undefined && policy.budget === false) return Infinity;
  const outage = { length: 86_400_000 };
  const scenario = { clients: calls, clientsPerProcess: calls, service: { capacity: 1 }, outage, seed, maxRequests: calls * 100 };
  const run = runPolicy('plan', policy, completeScenario(scenario));
  let step = run.next();
  while (step.done !== true) step = run.next();
  return step.value.truncated ? Infinity : step.value.amplification;
}

/**
 * The figures of a policy, without running it.
 *
 * @throws TypeError or RangeError for options out of range.
 */
export function planPolicy(policy: Policy, given: PlanOptions = {}): Plan {
  const { timeout: asked = 2_000, calls = 10_000, seed = 1 } = check(given, RULES, 'plan option');
  const timeout = asked === 0 ? Infinity : asked;
  const random = createRandom(seed);
  const options = resolve(policy, random, timeout);
  const own = optionsOf(policy, random, timeout);
  const delays = delayRows(policy, timeout, seed);
  const retryAfter = longestRetryAfter(options);
  const assumptions = { timeout, totalTimeout: options.totalTimeout, hasBudget: options.budget !== false, calls, retryAfter };
  return {
    delays,
    worstCase: longestCall(policy, options, timeout, retryAfter),
    worstCaseWithoutRetryAfter: longestCall(policy, options, timeout, undefined),
    amplification: {
      withoutBudget: amplificationOf({ ...own, budget: false }, { calls, seed }),
      withBudget: amplificationOf({ ...own, budget: own.budget === false ? undefined : own.budget }, { calls, seed }),
    },
    assumptions,
    warnings: warn(options, delays, timeout),
  };
}
