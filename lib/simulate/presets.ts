/** Policies to compare with: the plugin's own defaults, its peers as they come, and formulas that keep trying. */
import type { PolicyOptions, Random, RetryOptions } from './library';
import type { Policy, PresetName } from './scenario';

type Preset = (random: Random, timeout?: number) => RetryOptions;

// They keep trying, so that formulas are measured on the same goal.
const endless = { retries: Infinity, baseDelay: 500, factor: 2, maxDelay: 10_000, budget: false } as const;
// The peers wait for Retry-After as it stands, without a spread.
const peer = { retries: 3, budget: false, retryAfterSpread: 0 } as const;

/**
 * Without `shouldResetTimeout` all attempts of a call share one timeout, waits included; the code of a timeout,
 * ECONNABORTED, is not repeated.
 */
const axiosRetry = (timeout = Infinity) => ({
  ...peer,
  statuses: [429, [500, 599]] as const,
  maxRetryAfter: Infinity,
  totalTimeout: timeout === Infinity ? undefined : timeout,
  shouldRetry: ({ kind }: { kind: string }) => (kind === 'timeout' ? false : undefined),
});

/**
 * Each preset's options; `timeout` is axios' own, of an attempt. `default` is `attachRetry(api)`. The peers as they come, by their
 * published sources:
 *
 * - axios-retry 4.5.0: 3 retries, `retryDelay: noDelay`: 0, or Retry-After.
 * - axios-retry 4.5.0 with its `exponentialDelay`: `2^n * 100`, or Retry-After if that is longer, plus 0 to 20 %; no cap.
 * - retry-axios 4.0.3: 3 retries, `backoffType: 'exponential'`: `(2^n - 1) / 2 * 100`, or Retry-After up to 5 minutes; no cap.
 *
 * The rest is unlike them: formulas alone, without an end and without a budget.
 */
export const PRESETS: Readonly<Record<PresetName, Preset>> = {
  default: () => ({}),
  'axios-retry': (_, timeout) => ({ ...axiosRetry(timeout), delay: () => 0 }),
  'axios-retry-exponential': (random, timeout) => ({
    ...axiosRetry(timeout),
    delay: ({ attempt, retryAfter = 0 }) => finite(Math.max(2 ** attempt * 100, retryAfter) * (1 + 0.2 * random())),
  }),
  'retry-axios': () => ({
    ...peer,
    statuses: [[100, 199], 429, [500, 599]],
    maxRetryAfter: 300_000,
    delay: ({ attempt, retryAfter = 0 }) => (retryAfter > 0 ? retryAfter : finite(((2 ** attempt - 1) / 2) * 100)),
  }),
  full: () => ({ ...endless, jitter: 'full' }),
  equal: () => ({ ...endless, jitter: 'equal' }),
  decorrelated: () => ({ ...endless, jitter: 'decorrelated' }),
  exponential: () => ({ ...endless, jitter: 'none' }),
  fixed: () => ({ ...endless, baseDelay: 1_000, factor: 1, jitter: 'none' }),
};

/** The presets whose delays chance spreads. */
export const JITTERED: readonly PresetName[] = ['default', 'full', 'equal', 'decorrelated', 'axios-retry-exponential'];

/** The options that a policy stands for. */
export function optionsOf(policy: Policy, random: Random, timeout: number): PolicyOptions {
  if (typeof policy === 'string') return PRESETS[policy](random, timeout);
  return typeof policy === 'function' ? policy(random) : policy;
}

// A timer of the peers would overflow long before.
function finite(delay: number): number {
  return Math.min(delay, Number.MAX_SAFE_INTEGER);
}
