/** axios-jitter: retries that are right for the caller and kind to the service. The public face. */
export { attachRetry } from './attach';
export type { RetryDisposable, RetryHandle, RetryStats, RetryableInstance } from './attach';
export type { Jitter } from './backoff';
export { RetryBudget } from './budget';
export type { RetryBudgetOptions } from './budget';
export type {
  FailedAttempt,
  FailureKind,
  RetryEvent,
  RetryObserver,
  RetryReport,
  StopReason,
} from './events';
export { logRetries } from './log';
export type { RetryLogger } from './log';
export type { CircuitBreaker, CircuitBreakerFactory, RequestRetry, RetryOptions, StatusRange } from './options';
export { getRetryReport } from './report';
export { RetryState } from './state';
