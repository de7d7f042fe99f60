/** The attempt, and its mark on the request config. */
import type { Call, Config, Outcome } from './call';
import type { RetryReport } from '../watch/events';
import type { Stop } from '../verdict/decide';
import type { RequestRetry } from '../options/retry-options';

const PENDING: Outcome = { ok: true, value: undefined };

/** One send. */
export class Attempt {
  /** Absent until the request side has seen the attempt, and for calls that are not ours to retry. */
  call: Call | undefined;
  /** A replay whose config has come back to our layer. */
  hasEntered = false;
  /** A replay that an inner layer may still hold back. */
  isInside = false;
  /** The config that the attempt is sent with. */
  config: Config | undefined;
  /** What it came to at our layer. */
  outcome: Outcome = PENDING;
  /** Why it was not let through to its adapter. */
  refusal: Stop | undefined;
  /** Nothing left: not yet, or it was refused, or held back. */
  isUnsent = true;

  constructor(
    /** Counted from 1. */
    readonly number: number,
    call?: Call,
  ) {
    this.call = call;
  }

  /** It leaves; with -1, it did not leave after all. */
  count(step: 1 | -1): void {
    this.isUnsent = step < 0;
    if (!this.call) return;
    const { counters } = this.call.attachment;
    this.call.sent += step;
    counters.attempts += step;
    if (this.number > 1) counters.retries += step;
  }

  /** It did not leave after all, though it was counted. */
  takeBack(): void {
    this.count(-1);
  }

  /** Notes what it came to; the first to know is right: what outer layers make of it is theirs. */
  settle(outcome: Outcome): void {
    if (this.outcome === PENDING) this.outcome = outcome;
  }
}

/**
 * What stands under `config.retryState`: a class instance, because axios passes those on by reference
 * (it clones plain objects, and older versions drop symbols). What leads to the call is private, so
 * that logs and `JSON.stringify(error)` show the number alone.
 */
export class RetryState {
  /** The attempt that this config is, or was, sent as, counted from 1. */
  readonly attempt: number;
  readonly #attempt: Attempt;

  constructor(attempt: Attempt) {
    this.attempt = attempt.number;
    this.#attempt = attempt;
  }

  toJSON(): { attempt: number } {
    return { attempt: this.attempt };
  }

  /** @internal The attempt behind a `config.retryState`, or undefined when the value is not ours. */
  static attemptOf(value: unknown): Attempt | undefined {
    return typeof value === 'object' && value !== null && #attempt in value ? value.#attempt : undefined;
  }
}

declare module 'axios' {
  interface AxiosRequestConfig {
    /** Options of axios-jitter for this request; a number is `retries`, `false` is off. */
    retry?: RequestRetry | undefined;
    /** What axios-jitter knows of the attempt. Read only. */
    retryState?: RetryState | undefined;
  }
  interface AxiosError {
    /** The story of the call, where axios-jitter judged it. */
    readonly retry?: RetryReport | undefined;
  }
  interface AxiosResponse {
    /** The story of the call, where it was retried. */
    readonly retry?: RetryReport | undefined;
  }
}
