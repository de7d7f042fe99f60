/** What is kept, for how long: per `attachRetry` (attachment), per user's call. */
import type { AxiosError, InternalAxiosRequestConfig } from 'axios';
import { isOneShotItself, onceClosed } from '../axios/body';
import { answered } from '../checks/checks';
import type { FailedAttempt } from '../watch/events';
import type { CircuitBreaker, CircuitBreakerFactory } from '../options/retry-options';
import type { Instance, Registration } from '../axios/instance';
import { originOf } from '../axios/origin';
import type { CallObserver } from '../watch/observer';
import type { RetryStats } from '../watch/stats';
import type { Pause, Waited } from '../policy/pause';
import { type OriginTable } from '../policy/origin-table';
import type { ResolvedRetryOptions } from '../options/resolve';
import { Interrupt } from '../time/interrupt';

export type Config = InternalAxiosRequestConfig;

export type Counters = Pick<RetryStats, 'calls' | 'attempts' | 'retries' | 'recovered' | 'gaveUp' | 'waiting'>;

/** What one `attachRetry` made. Running calls keep theirs when a later one replaces it. */
export interface Attachment {
  readonly registration: Registration;
  /** The calls that wait, those of earlier attachments to the same instance among them. */
  readonly waiting: Set<Call>;
  readonly options: ResolvedRetryOptions;
  readonly counters: Counters;
  readonly breakers: WeakMap<CircuitBreakerFactory, OriginTable<CircuitBreaker>>;
  /** The origins that asked to be left alone. */
  readonly pauses: OriginTable<Pause>;
  /** Ends what listens for this attachment. */
  release?: () => void;
}

const MAX_HISTORY = 100;
const NOTHING: never[] = [];

/** What the user awaits: one call, one or more attempts. */
export class Call {
  readonly startedAt: number;
  /** How many attempts were sent. */
  sent = 0;
  totalDelay = 0;
  hasEnded = false;
  previousBackoff: number | undefined;
  retryAfter: number | undefined;
  /** Of the attempt before the running one. */
  lastError: AxiosError | undefined;
  /** The origin whose budget paid for the running retry. */
  paidBy: string | undefined;
  interrupt: Interrupt | undefined;
  callerSignal: Config['signal'];
  /** The idempotency key that was made for this call. */
  key: string | undefined;
  /** What it asked for, where it failed and the server may have acted upon an attempt: asked for again, it is the same operation. */
  undecided: readonly unknown[] | undefined;
  /** What the `body` option made for the running attempt. */
  body: unknown;
  /** What it made for earlier ones and can be read only once. */
  usedBodies: WeakSet<object> | undefined;
  /** Those who watch this very call. */
  observers: readonly CallObserver[] = NOTHING;
  /** Whether anything lies around the adapters of its attempts. */
  isWrapped = false;
  /** Where a shared Retry-After may come on top: what the next attempt has waited. */
  waited: Waited | undefined;
  history: FailedAttempt[] = NOTHING;
  #origin: { address: string; key: string } | undefined;

  constructor(
    readonly attachment: Attachment,
    readonly options: ResolvedRetryOptions,
    private snapshot: (() => Config) | undefined,
    /** Whether what is inside may edit values of the config in place. */
    readonly isEditable: boolean,
  ) {
    this.startedAt = options.now();
  }

  get instance(): Instance {
    return this.attachment.registration.instance;
  }

  /** The request that each attempt starts from. To be read, not edited. */
  get request(): Config {
    return (this.snapshot as () => Config)();
  }

  get elapsed(): number {
    return this.options.now() - this.startedAt;
  }

  /** The interrupt, following the caller's signal from now on. */
  watch(): Interrupt {
    if (!this.interrupt) {
      const { request } = this;
      this.interrupt = new Interrupt();
      this.callerSignal = request.signal;
      this.interrupt.watch(request);
    }
    return this.interrupt;
  }

  /** The key of budget and breaker. @throws what the `origin` option throws. */
  originOf(config: Config): string {
    const { origin } = this.options;
    if (origin) return answered('origin', 'a string', (key) => typeof key === 'string', origin(config));
    // Mostly that of the attempt before: reading one takes longer than all else that a retry does.
    const address = [config.url, config.baseURL, config.socketPath, config.allowAbsoluteUrls].join('\n');
    if (this.#origin?.address !== address) this.#origin = { address, key: originOf(config, this.instance) };
    return this.#origin.key;
  }

  /** Gives back the token of a retry that succeeded or was not sent. */
  refund(): void {
    const { budget, now } = this.options;
    if (budget && this.paidBy !== undefined) budget.refund(this.paidBy, now());
    this.paidBy = undefined;
  }

  beginWaiting(): void {
    const { waiting, counters } = this.attachment;
    if (!waiting.has(this)) counters.waiting += 1;
    waiting.add(this);
  }

  endWaiting(): void {
    const { waiting, counters } = this.attachment;
    if (waiting.delete(this)) counters.waiting -= 1;
  }

  remember(failed: FailedAttempt): void {
    this.history = [...this.history.slice(1 - MAX_HISTORY), failed];
  }

  /** From here on the config may start a new call. `stream`: what the caller gets, if it is one that may still be read. */
  end(stream?: unknown): void {
    this.hasEnded = true;
    this.endWaiting();
    // Who keeps the error or the response keeps the call.
    this.snapshot = this.body = this.lastError = this.#origin = undefined;
    const { interrupt } = this;
    // Where the caller's signal reaches the answer's stream through the interrupt's, it must go on doing so.
    if (interrupt && this.options.totalTimeout !== undefined && isOneShotItself(stream)) {
      interrupt.endDeadline();
      if (!onceClosed(stream, () => interrupt.release())) interrupt.releaseWithListeners();
    } else interrupt?.release();
    if (this.options.totalTimeout === undefined) this.interrupt = undefined;
  }
}
