/** What each reason means, and what would change it. */
import type { StopReason } from '../watch/events';

/** The sentence after the reason word. */
export const REASONS: Readonly<Record<StopReason, string>> = {
  'not-retryable': 'waiting does not fix this failure; `statuses` and `shouldRetry` say which failures are retried',
  method: 'the server may have acted on the request, and repeating this method may repeat the effect; `idempotencyKey` makes it safe, `methods` allows the method',
  body: 'the body can be read only once; `body` gives a fresh one for every attempt',
  exhausted: 'all retries were used; `retries` allows more',
  'retry-after': 'the server asked for a longer wait than is allowed; `maxRetryAfter` allows more',
  deadline: 'the next wait or attempt would not have ended in time; `totalTimeout` allows more',
  'dry-run': 'nothing is sent again while `dryRun` is on',
  budget: 'so many calls to this origin failed that its retry budget is empty; `budget` sets its capacity',
  'circuit-open': 'the circuit breaker of this origin let nothing through; `circuitBreaker` sets when it does',
  aborted: 'the caller gave up; its signal or cancel token decides that, no option does',
  'hook-failed': 'a function among the options threw or returned a wrong value; its error is in `hookError` of the report',
  detached: 'axios-jitter was detached from the instance during the call',
};

/** Whether a text from a log is one of the reasons. */
export const isReason = (value: unknown): value is StopReason => typeof value === 'string' && Object.hasOwn(REASONS, value);
