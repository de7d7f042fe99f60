/** Policies to compare with. They keep trying (`retries: Infinity`), so that all are measured on the same goal. */
import type { Random, RetryOptions } from './library';
import type { PresetName } from './scenario';

const own = { retries: Infinity, baseDelay: 500, factor: 2, maxDelay: 10_000, budget: false } as const;
// The peers wait for Retry-After as it stands, without a spread.
const peer = { retries: Infinity, budget: false, retryAfterSpread: 0 } as const;

/**
 * Each preset's options. The peers' are the default formulas of their published sources, for the delay alone (not
 * for what they retry, nor their default of 3 retries):
 *
 * - axios-retry 4.5.0, `retryDelay: noDelay` (its default): 0, or Retry-After.
 * - axios-retry 4.5.0, `exponentialDelay`: `2^n * 100`, or Retry-After if that is longer, plus 0 to 20 %; no cap.
 * - retry-axios 4.0.3, `backoffType: 'exponential'` (its default): `(2^n - 1) / 2 * 100`, or Retry-After up to 5 minutes; no cap.
 */
export const PRESETS: Readonly<Record<PresetName, (random: Random) => RetryOptions>> = {
  fixed: () => ({ ...own, baseDelay: 1_000, factor: 1, jitter: 'none' }),
  exponential: () => ({ ...own, jitter: 'none' }),
  full: () => ({ ...own, jitter: 'full' }),
  equal: () => ({ ...own, jitter: 'equal' }),
  decorrelated: () => ({ ...own, jitter: 'decorrelated' }),
  'axios-retry': () => ({ ...peer, maxRetryAfter: Infinity, delay: () => 0 }),
  'axios-retry-exponential': (random) => ({
    ...peer,
    maxRetryAfter: Infinity,
    delay: ({ attempt, retryAfter = 0 }) => finite(Math.max(2 ** attempt * 100, retryAfter) * (1 + 0.2 * random())),
  }),
  'retry-axios': () => ({
    ...peer,
    maxRetryAfter: 300_000,
    delay: ({ attempt, retryAfter = 0 }) => (retryAfter > 0 ? retryAfter : finite(((2 ** attempt - 1) / 2) * 100)),
  }),
};

/** The presets whose delays chance spreads. */
export const JITTERED: readonly PresetName[] = ['full', 'equal', 'decorrelated', 'axios-retry-exponential'];

// A timer of the peers would overflow long before.
function finite(delay: number): number {
  return Math.min(delay, Number.MAX_SAFE_INTEGER);
}
