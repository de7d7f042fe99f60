/** What `stats()` tells. */
import type { StopReason } from './events';

/** Counts since this `attachRetry`. All times are in ms. */
export interface RetryStats {
  /** Calls begun. */
  calls: number;
  /** Requests sent. */
  attempts: number;
  /** Requests sent again. */
  retries: number;
  /** Calls that succeeded after at least one retry. */
  recovered: number;
  /** Calls that failed, by reason. */
  gaveUp: Record<StopReason, number>;
  /** Calls that wait right now. */
  waiting: number;
  /** The origins whose budget is below capacity. */
  budgets: { origin: string; tokens: number; capacity: number }[];
  /** The circuits that are not closed, where the breakers of `attachRetry` have a `state` in these words. */
  circuits: { origin: string; state: 'open' | 'half-open' }[];
  /** The origins that asked to be left alone, with `shareRetryAfter`. */
  pauses: { origin: string; timeLeft: number }[];
}
