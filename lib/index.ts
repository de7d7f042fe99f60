/** axios-jitter: retries that are right for the caller and kind to the service. The public face. */
export { attachRetry } from './attach';
export type { RetryDisposable, RetryHandle, RetryableInstance } from './attach';
export type { Jitter } from './policy/backoff';
export { RetryBudget } from './policy/retry-budget';
export type { RetryBudgetOptions } from './policy/retry-budget';
export type {
  FailedAttempt,
  FailureKind,
  GiveUpEvent,
  RetryEvent,
  RetryReport,
  RetryWaitEvent,
  StopReason,
} from './watch/events';
export type { CallEnd, CallObserver, CallStart, EventObserver, RetryObserver } from './watch/observer';
export type { RetryStats } from './watch/stats';
export { logRetries } from './watch/log-retries';
export type { LogOptions, RetryLogger } from './watch/log-retries';
export { DEFAULT_STATUSES } from './options/rules';
export type {
  CircuitBreaker,
  CircuitBreakerFactory,
  RequestRetry,
  RequestRetryOptions,
  RetryAfterChannel,
  RetryAfterNote,
  RetryOptions,
  StatusRange,
} from './options/retry-options';
export { getRetryReport } from './call/report';
export { RetryState } from './call/attempt';
