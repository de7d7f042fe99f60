/** What users may ask for. The defaults and checks stand in `rules.ts`. */
import type { InternalAxiosRequestConfig } from 'axios';
import type { Jitter } from '../policy/backoff';
import type { RetryBudget, RetryBudgetOptions } from '../policy/retry-budget';
import type { RetryEvent } from '../watch/events';
import type { RetryObserver } from '../watch/observer';

/** What can refuse to send an attempt. A policy of cockatiel fits as it is. */
export interface CircuitBreaker {
  /** Calls `send` once and settles as it does; or rejects without having called it: refused. */
  execute<T>(send: () => Promise<T>): Promise<T>;
}
/** Called once per origin; what it returns is kept in a bounded table. */
export type CircuitBreakerFactory = (origin: string) => CircuitBreaker;

/** A status, or a range with both ends included. */
export type StatusRange = number | readonly [from: number, to: number];

/** What tells other processes, threads or tabs of a Retry-After: plain data. Times are in ms. */
export interface RetryAfterNote {
  /** The version. */
  'axios-jitter': 1;
  /** The key of the pause: scheme, host and port, or what the `origin` option says; at most 1,024 characters. */
  origin: string;
  /** What the server asked for, > 0. */
  retryAfter: number;
  /** What is left of it, where the note comes late, > 0. */
  left?: number;
}

/** Carries notes to others. A `BroadcastChannel` and a `MessagePort` fit as they are. */
export interface RetryAfterChannel {
  postMessage(message: RetryAfterNote): unknown;
  /* eslint-disable @typescript-eslint/no-explicit-any -- what the types of DOM and Node say of an event has nothing in common */
  addEventListener(type: 'message', listener: (event: any) => void): void;
  removeEventListener(type: 'message', listener: (event: any) => void): void;
  /* eslint-enable @typescript-eslint/no-explicit-any */
}

/**
 * The options of `attachRetry`, of a request's `retry` and of `instance.defaults.retry`. Order:
 * built-in < `attachRetry` < instance defaults < request, field by field; `undefined` means "not given".
 * A wrong value is a `TypeError` or `RangeError`: thrown by `attachRetry`, or rejected before the request is sent.
 */
export interface RetryOptions extends Pick<RetryObserver, 'onRetry' | 'onGiveUp' | 'onRecover'> {
  /** Retries after the first attempt: a whole number >= 0, or `Infinity`. @default 3 */
  retries?: number | undefined;
  /** Upper bound of the first delay, in ms. @default 500 */
  baseDelay?: number | undefined;
  /** Growth of the delay per retry, >= 1. @default 2 */
  factor?: number | undefined;
  /** Cap on the computed delay, in ms; a Retry-After may exceed it. @default 10_000 */
  maxDelay?: number | undefined;
  /** How chance spreads the delays. @default 'full' */
  jitter?: Jitter | undefined;
  /** Own function for the delay in ms, instead of the formulas; `undefined` = the formulas. Retry-After stays a floor under its result. */
  delay?: ((event: RetryEvent) => number | undefined) | undefined;
  /** Methods that may be repeated, in any letter case. Takes the place of the default list. @default GET HEAD OPTIONS PUT DELETE TRACE QUERY */
  methods?: readonly string[] | undefined;
  /** Transient statuses: numbers, `[from, to]` ranges (`[[500, 599]]`), or a predicate. Takes the place of the default list. @default `DEFAULT_STATUSES` */
  statuses?: readonly StatusRange[] | ((status: number) => boolean) | undefined;
  /** Overrides the verdict on status, code and method; `undefined` keeps it. Hard stops stay. */
  shouldRetry?: ((event: RetryEvent) => boolean | undefined | Promise<boolean | undefined>) | undefined;
  /** Retry although the response was accepted. When attempts run out, the last response resolves. */
  shouldRetryResponse?: ((response: RetryEvent['response'] & object) => boolean | Promise<boolean>) | undefined;
  /**
   * How to read what the server asks for, in ms: `false` = not at all; a function, for APIs that say it in the body or in headers of
   * their own. Where it gives `undefined`, the headers count. Its value is a floor under the delay, like the header's. @default the headers
   */
  retryAfter?: false | ((response: RetryEvent['response'] & object) => number | undefined) | undefined;
  /** The longest Retry-After that is waited for, in ms; beyond it the call ends with the server's response. @default 60_000 */
  maxRetryAfter?: number | undefined;
  /** Share of Retry-After over which the return is spread, >= 0. @default 0.5 */
  retryAfterSpread?: number | undefined;
  /** A Retry-After holds for other calls to its origin too: their waits, or with `'all'` also first attempts. @default false */
  shareRetryAfter?: boolean | 'all' | undefined;
  /** Carries a shared Retry-After to other processes, threads or tabs. For `attachRetry` alone, beside `shareRetryAfter`. @default off */
  retryAfterChannel?: RetryAfterChannel | undefined;
  /**
   * Which request interceptors a retry passes: `'inner'` = those inside, from the request as it was at the plugin's
   * place in the order; `'all'` = every one, from the request as the caller made it. Response interceptors are layers
   * in both. For `attachRetry` alone. @default 'inner'
   */
  requestInterceptors?: 'inner' | 'all' | undefined;
  /** Limit for the whole call in ms, > 0, waits included. axios' `timeout` stays per attempt. @default off */
  totalTimeout?: number | undefined;
  /** A fresh body for every attempt, the first included. Synchronous. */
  body?: (() => unknown) | undefined;
  /** A key that makes a write safe to repeat: `true` = a UUID per call, a string, or a function; 1 to 255 printable ASCII characters. @default off */
  idempotencyKey?: boolean | string | ((config: InternalAxiosRequestConfig) => string) | undefined;
  /** The header of the key. @default 'Idempotency-Key' */
  idempotencyHeader?: string | undefined;
  /** A header that carries the resend count: absent at first, then 1, 2, … `false` = off. @default off */
  attemptHeader?: string | false | undefined;
  /** Retry budget per origin: `false`, settings (in `attachRetry` only), or a `RetryBudget` to share. @default on */
  budget?: false | RetryBudgetOptions | RetryBudget | undefined;
  /** Anything with `execute`, a factory per origin, or `false`. @default off */
  circuitBreaker?: false | CircuitBreaker | CircuitBreakerFactory | undefined;
  /** The key of budget and breaker. @default scheme + host + port */
  origin?: ((config: InternalAxiosRequestConfig) => string) | undefined;
  /** Awaited after the wait: may edit or return the next attempt's config. A throw stops with the last error. */
  beforeRetry?:
    | ((
        config: InternalAxiosRequestConfig,
        event: RetryEvent,
      ) => InternalAxiosRequestConfig | undefined | void | Promise<InternalAxiosRequestConfig | undefined | void>)
    | undefined;
  /** More observers. A list in a request replaces the instance's. @default [] */
  observers?: readonly RetryObserver[] | undefined;
  /** Told once for what an observer throws or rejects, with the event where there was one. @default console.error */
  onObserverError?: ((error: unknown, event?: RetryEvent) => unknown) | undefined;
  /** Decide and report, but replay nothing. @default false */
  dryRun?: boolean | undefined;
  /** Source of chance in [0, 1). @default Math.random */
  random?: (() => number) | undefined;
  /** Waits `ms`; `signal` is aborted when the wait is over early. @default a timer */
  sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** Monotonic clock in ms. @default performance.now */
  now?: (() => number) | undefined;
}

/** Options of one request, or of `instance.defaults.retry`: a bucket made from a literal would be cloned by axios for each request. */
export type RequestRetryOptions = Omit<RetryOptions, 'budget' | 'requestInterceptors' | 'retryAfterChannel'> & {
  /** Retry budget per origin: `false`, or a `RetryBudget`. @default that of `attachRetry` */
  budget?: false | RetryBudget | undefined;
};

/** What `retry` of a request may be: options, a number (`retries`), or `false` (off). */
export type RequestRetry = RequestRetryOptions | number | false;
