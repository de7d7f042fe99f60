/** What one `attachRetry` has counted, and what it knows right now. */
import type { CircuitBreaker } from '../options/retry-options';
import type { StopReason } from '../watch/events';
import type { RetryStats } from '../watch/stats';
import type { Attachment, Counters } from './call';

const NOTHING_GIVEN_UP: Readonly<Record<StopReason, number>> = {
  'not-retryable': 0,
  method: 0,
  body: 0,
  exhausted: 0,
  'retry-after': 0,
  deadline: 0,
  'dry-run': 0,
  budget: 0,
  'circuit-open': 0,
  aborted: 0,
  'hook-failed': 0,
  detached: 0,
};

export const newCounters = (): Counters => ({
  calls: 0,
  attempts: 0,
  retries: 0,
  recovered: 0,
  waiting: 0,
  gaveUp: { ...NOTHING_GIVEN_UP },
});

/** The state of a circuit that is not closed. `state` is no part of what a breaker must have. */
export function stateOf(breaker: CircuitBreaker): 'open' | 'half-open' | undefined {
  const { state } = breaker as { state?: unknown };
  return state === 'open' || state === 'half-open' ? state : undefined;
}

function openCircuits({ breakers, options }: Attachment, now: number): RetryStats['circuits'] {
  const table = options.circuitBreaker && breakers.get(options.circuitBreaker);
  return [...(table ? table.list(now) : [])].flatMap(([origin, breaker]) => {
    const state = stateOf(breaker);
    return state ? { origin, state } : [];
  });
}

export function readStats(attachment: Attachment): RetryStats {
  const { counters, options, pauses } = attachment;
  const now = options.now();
  return {
    ...counters,
    gaveUp: { ...counters.gaveUp },
    budgets: options.budget ? options.budget.list(now) : [],
    circuits: openCircuits(attachment, now),
    pauses: Array.from(pauses.list(now), ([origin, { until }]) => ({ origin, timeLeft: until - now })).filter(({ timeLeft }) => timeLeft > 0),
  };
}
