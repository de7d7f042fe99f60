/** What can be seen of a call: the words, the event that observers get, the report on its result. */
import type { AxiosError, AxiosResponse, InternalAxiosRequestConfig } from 'axios';

/**
 * What a failed attempt was: a closed set. Everything that decides uses the kind, never a message.
 *
 * - `unsent`: it never reached the server: refused, no such host, no route, TLS never stood; replayed for every method
 * - `network`: the connection broke: the server may or may not have acted
 * - `timeout`: axios' own timeout
 * - `status`: a response with a transient status
 * - `response`: an accepted response that `shouldRetryResponse` asks for again; replayed for every method
 * - `cancelled`: the caller (or the browser) gave up; never replayed
 * - `permanent`: not transient, or not axios' error; never replayed
 */
export type FailureKind = 'unsent' | 'network' | 'timeout' | 'status' | 'response' | 'cancelled' | 'permanent';

/**
 * Why retrying stopped.
 *
 * - `not-retryable`: the failure is not transient, or `shouldRetry` said no
 * - `method`: a write that may have arrived; `idempotencyKey` or `methods` would let it be repeated
 * - `body`: the body can be read only once; the option `body` makes a fresh one
 * - `exhausted`: all `retries` are used up
 * - `retry-after`: the server asked for more than `maxRetryAfter`
 * - `deadline`: the next attempt would not begin before the end of `totalTimeout`
 * - `dry-run`: it would have been retried
 * - `budget`: no token is left for this origin
 * - `circuit-open`: the circuit breaker refused the attempt
 * - `aborted`: the caller's signal or cancel token
 * - `hook-failed`: an option that decides threw, or returned what it may not; `hookError` has the error
 * - `detached`: `detach()` during a wait
 */
export type StopReason =
  | 'not-retryable'
  | 'method'
  | 'body'
  | 'exhausted'
  | 'retry-after'
  | 'deadline'
  | 'dry-run'
  | 'budget'
  | 'circuit-open'
  | 'aborted'
  | 'hook-failed'
  | 'detached';

/** What hooks and observers are told of an attempt that has just ended. All times are in ms. */
export interface RetryEvent {
  /** The attempt that has just ended, counted from 1. */
  readonly attempt: number;
  /** How many retries the call may have. */
  readonly retries: number;
  /** What the failure was; in `onRecover`, what the last failure was. */
  readonly kind: FailureKind;
  /** The key of budget and breaker: scheme, host and port, or what the `origin` option says. */
  readonly origin: string;
  /** Time since the call began. */
  readonly elapsed: number;
  readonly error?: AxiosError;
  readonly response?: AxiosResponse;
  /** The config of the attempt. */
  readonly config: InternalAxiosRequestConfig;
  /** How long the wait before the next attempt is. */
  readonly delay?: number;
  /** What the server asked for with Retry-After or one of its relatives. */
  readonly retryAfter?: number;
  /** Why retrying stopped. */
  readonly reason?: StopReason;
  /** In observers: another attempt follows. In `shouldRetry`: what the plugin would do by itself. */
  readonly willRetry: boolean;
  /** What a hook threw, with reason `hook-failed`. */
  readonly hookError?: unknown;
}

/** The event of `onRetry`: a wait of `delay` ms begins. */
export interface RetryWaitEvent extends RetryEvent {
  readonly delay: number;
}

/** The event of `onGiveUp`. */
export interface GiveUpEvent extends RetryEvent {
  readonly reason: StopReason;
}

/** One failed attempt, as plain data: no config, header or body. */
export interface FailedAttempt {
  attempt: number;
  kind: FailureKind;
  status?: number;
  code?: string;
  /** What the server asked for with Retry-After or one of its relatives, in ms. */
  retryAfter?: number;
  /** The wait that followed, in ms. */
  delay?: number;
}

/** The story of a call, on its error or response as `retry` (non-enumerable). All times are in ms. */
export interface RetryReport {
  /** How many requests were sent. */
  attempts: number;
  /** Why retrying stopped; absent when the call succeeded. */
  reason?: StopReason;
  elapsed: number;
  /** The sum of the waits. */
  totalDelay: number;
  /** The last Retry-After that the server sent. */
  retryAfter?: number;
  hookError?: unknown;
  /** The failed attempts, the last 100. */
  history: FailedAttempt[];
}
