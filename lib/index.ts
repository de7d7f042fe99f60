/** axios-jitter: retries that are right for the caller and kind to the service. The public face. */
export { attachRetry } from './attach';
export type { RetryDisposable, RetryHandle, RetryStats, RetryableInstance } from './attach';
export type { Jitter } from './policy/backoff';
export { RetryBudget } from './policy/retry-budget';
export type { RetryBudgetOptions } from './policy/retry-budget';
export type {
  FailedAttempt,
  FailureKind,
  RetryEvent,
  RetryObserver,
  RetryReport,
  StopReason,
} from './watch/events';
export { logRetries } from './watch/log-retries';
export type { RetryLogger } from './watch/log-retries';
export { DEFAULT_STATUSES } from './options/rules';
export type { CircuitBreaker, CircuitBreakerFactory, RequestRetry, RetryOptions, StatusRange } from './options/retry-options';
export { getRetryReport } from './call/report';
export { RetryState } from './call/attempt';
