/** The attempt, and its mark on the request config. */
import type { AxiosResponse } from 'axios';
import { memberOf } from '../checks/checks';
import type { Call, Config } from './call';
import type { RetryReport } from '../watch/events';
import type { Stop } from '../verdict/decide';
import type { RequestRetry } from '../options/retry-options';

/** What an attempt came to, at our response interceptor. */
export type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };

const PENDING: Outcome = { ok: true, value: undefined };

/**
 * How far an attempt has come: made; past our request interceptor, where inner ones may still keep it; held by what
 * lies around its adapter; on its way to the server; or refused at its adapter, with nothing sent.
 */
export type Phase = 'prepared' | 'inside' | 'held' | 'sent' | 'refused';

/** One send. */
export class Attempt {
  /** Absent until the request side has seen the attempt, and for calls that are not ours to retry. */
  call: Call | undefined;
  phase: Phase = 'prepared';
  /** Why it was refused. */
  refusal: Stop | undefined;
  /** With `requestInterceptors: 'all'`: the request of a first attempt before any interceptor has seen it. */
  asCalled: Config | undefined;
  /** The idempotency key without which it is not safe to send. */
  neededKey: string | undefined;
  /** The idempotency key of the call before on the same config, whose operation is undecided. */
  keptKey: string | undefined;
  /** The config that the attempt is sent with. */
  config: Config | undefined;
  /** An answer that is being read, or could not be. */
  unread: AxiosResponse | undefined;
  /** What it came to at our response interceptor. */
  outcome: Outcome = PENDING;
  /** Its mark on a config. */
  readonly state: RetryState;

  constructor(
    /** Counted from 1. */
    readonly number: number,
    call?: Call,
  ) {
    this.call = call;
    this.state = new RetryState(this);
  }

  /** It leaves for the server, and is counted. */
  leave(): void {
    if (this.phase === 'sent') return;
    this.phase = 'sent';
    if (!this.call) return;
    const { counters } = this.call.attachment;
    this.call.sent += 1;
    counters.attempts += 1;
    if (this.number > 1) counters.retries += 1;
  }

  /** It does not leave, and will not. */
  refuse(stop: Stop): void {
    this.phase = 'refused';
    this.refusal = stop;
  }

  /** Notes what it came to; the first to know is right: what outer layers make of it is theirs. */
  end(outcome: Outcome): void {
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

/** The call that a config was sent for. */
export const callOf = (config: unknown): Call | undefined => RetryState.attemptOf(memberOf(config, 'retryState'))?.call;

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
