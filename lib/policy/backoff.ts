/** How long to wait before a retry: pure arithmetic. What the server asks for is not known here. */

/** How chance spreads the delays. `{ plusMinus }` is in ms. */
export type Jitter = 'full' | 'equal' | 'decorrelated' | 'none' | { plusMinus: number };

export interface BackoffOptions {
  readonly baseDelay: number;
  readonly factor: number;
  readonly maxDelay: number;
  readonly jitter: Jitter;
  readonly random: () => number;
}

/** Uniform in [low, high). */
export function uniform(low: number, high: number, random: () => number): number {
  return low + (high - low) * random();
}

/**
 * The delay in ms before retry `retry` (1, 2, …), at most `maxDelay`. The cap is applied before the
 * draw, so that no strategy piles clients up on one value.
 *
 * `previous` is the backoff before this one (decorrelated jitter only); at first there is none.
 *
 * Sources: Exponential Backoff And Jitter (AWS Architecture Blog); Timeouts, retries and backoff with
 * jitter (Amazon Builders' Library).
 */
export function computeBackoff(retry: number, previous: number | undefined, options: BackoffOptions): number {
  const { baseDelay, factor, maxDelay, jitter, random } = options;
  // 0 * Infinity is NaN: a large retry number overflows, a base of 0 stays 0.
  const bound = baseDelay === 0 ? 0 : Math.min(maxDelay, baseDelay * factor ** (retry - 1));
  switch (jitter) {
    case 'none':
      return bound;
    case 'full':
      return uniform(0, bound, random);
    case 'equal':
      return uniform(bound / 2, bound, random);
    case 'decorrelated': {
      const high = Math.min(maxDelay, 3 * (previous ?? baseDelay));
      // Where the cap leaves no room above the base, all the room below it: never a heap of clients on the cap.
      return uniform(high > baseDelay ? baseDelay : 0, high, random);
    }
    default: {
      const spread = jitter.plusMinus;
      const centre = Math.max(0, Math.min(bound, maxDelay - spread));
      return uniform(Math.max(0, centre - spread), Math.min(maxDelay, centre + spread), random);
    }
  }
}

export interface SpreadOptions extends BackoffOptions {
  readonly retryAfterSpread: number;
}

/**
 * A wait in ms of at least `retryAfter`, spread so that a crowd that was told the same does not come back in the
 * same instant; the spread is measured by what was asked, also where less is left of it. No spread with `jitter: 'none'` or `retryAfterSpread: 0`. Source: Envoy spreads over 50 %.
 */
export function spreadRetryAfter(retryAfter: number, options: SpreadOptions, asked = retryAfter): number {
  const { baseDelay, maxDelay, jitter, retryAfterSpread, random } = options;
  if (retryAfterSpread === 0 || jitter === 'none') return retryAfter;
  return uniform(retryAfter, retryAfter + Math.min(maxDelay, Math.max(baseDelay, retryAfterSpread * asked)), random);
}
