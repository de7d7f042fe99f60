/** Those who watch: of single events, of whole calls, of an attachment. Nothing that they throw or reject can change an outcome. */
import type { AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import type { FailureKind, GiveUpEvent, RetryEvent, RetryWaitEvent, StopReason } from './events';
import type { RetryStats } from './stats';

/** A call that begins. */
export interface CallStart {
  /** The config of the first attempt, as it is where the plugin sits. To be read, not edited. */
  readonly config: InternalAxiosRequestConfig;
  /** How many retries the call may have. */
  readonly retries: number;
  /** The key of budget and breaker; computed when it is read. Empty where the `origin` option throws. */
  readonly origin: string;
}

/** A call that has ended. */
export interface CallEnd {
  readonly isSuccess: boolean;
  /** How many requests were sent. */
  readonly attempts: number;
  /** Time since the call began, waits included, in ms. */
  readonly elapsed: number;
  /** Why retrying stopped; absent for a success. */
  readonly reason?: StopReason;
  /** What the last failure was; absent for a success. */
  readonly kind?: FailureKind;
  /** What the call rejects with. */
  readonly error?: unknown;
  /** What the call resolves with, where no inner layer has unwrapped it. */
  readonly response?: AxiosResponse;
}

/** Watches one call. */
export interface CallObserver {
  /**
   * An attempt is about to be sent: the place to enter a context. Run `send` once, synchronously. It is run exactly
   * once whatever this does: at its return where it has not been run. The first observer of the list is outermost.
   */
  onAttempt?: ((attempt: number, send: () => void) => void) | undefined;
  /** A wait begins, after it another attempt. */
  onRetry?: ((event: RetryWaitEvent) => unknown) | undefined;
  /** Once per call, whatever its end. */
  onEnd?: ((end: CallEnd) => unknown) | undefined;
}

/** Watches calls. */
export interface RetryObserver {
  /** Once for each `attachRetry` that lists it. What it returns is called at `detach()`, or when a later `attachRetry` replaces this one. */
  onAttach?: ((handle: { stats(): RetryStats }) => (() => void) | void) | undefined;
  /** A call begins; not told of `retry: false`. Returns what watches this call, or nothing: that costs nothing further. */
  onCall?: ((call: CallStart) => CallObserver | undefined | void) | undefined;
  /** A wait begins, after it another attempt. */
  onRetry?: ((event: RetryWaitEvent) => unknown) | undefined;
  /** A call failed for good: once for each, whatever the reason. */
  onGiveUp?: ((event: GiveUpEvent) => unknown) | undefined;
  /** A call succeeded after at least one retry. */
  onRecover?: ((event: RetryEvent) => unknown) | undefined;
}

/** What may also be an option of its own. */
export type EventObserver = Pick<RetryObserver, 'onRetry' | 'onGiveUp' | 'onRecover'>;
