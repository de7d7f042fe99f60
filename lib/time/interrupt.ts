/** The early end of a call: what can cause it, and racing against it. */
import type { InternalAxiosRequestConfig } from 'axios';
import { MAX_TIMER } from './clock';

/** Why a wait, a hook or an attempt was cut short. */
export type InterruptCause = 'aborted' | 'deadline' | 'detached';

/**
 * What can end a call early: the caller's signal or cancel token, the deadline, a detach. The first cause stays.
 */
export class Interrupt {
  cause: InterruptCause | undefined;
  // A wait, and around it at most a few races: the first slot is enough for all that wait in great numbers.
  #wake: (() => void) | undefined;
  #races: Set<() => void> | undefined;
  #reason: unknown;
  #controller: AbortController | undefined;
  #release: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Whether anything but a detach can end the call. */
  get isArmed(): boolean {
    return this.#release !== undefined || this.#timer !== undefined;
  }

  /** Aborted together with this interrupt. Made only for those who ask. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.cause) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  interrupt(cause: InterruptCause, reason?: unknown): void {
    if (this.cause) return;
    this.cause = cause;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#wake?.();
    this.#races?.forEach((wake) => wake());
  }

  /** Follows the caller's signal and cancel token until `release`. */
  watch({ signal, cancelToken }: InternalAxiosRequestConfig): void {
    if (!signal && !cancelToken) return;
    const onAbort = (): void => this.interrupt('aborted', signal && 'reason' in signal ? signal.reason : undefined);
    if (signal?.aborted || cancelToken?.reason) return onAbort();
    signal?.addEventListener?.('abort', onAbort, { once: true });
    // `subscribe` is public, but not in axios' types.
    const token = cancelToken as { subscribe?(f: () => void): void; unsubscribe?(f: () => void): void } | undefined;
    token?.subscribe?.(onAbort);
    this.#release = () => {
      // Removed by itself once it was called: thousands of removals from one signal take their time.
      if (!signal?.aborted) signal?.removeEventListener?.('abort', onAbort);
      token?.unsubscribe?.(onAbort);
    };
  }

  /** Interrupts with cause `deadline` after `ms`: rounded up, at least 1. */
  startDeadline(ms: number): void {
    const step = Math.min(MAX_TIMER, Math.max(1, Math.ceil(ms)));
    const onStep = (): void => (ms > step ? this.startDeadline(ms - step) : this.interrupt('deadline'));
    this.#timer = setTimeout(onStep, step);
  }

  /** From here on the time may pass. */
  endDeadline(): void {
    clearTimeout(this.#timer);
  }

  /** Follows the caller until somebody stops listening to `signal`: an adapter does when its answer was read. */
  releaseWithListeners(): void {
    const { signal } = this;
    const remove = signal.removeEventListener.bind(signal);
    signal.removeEventListener = (...given: Parameters<typeof remove>) => {
      this.release();
      remove(...given);
    };
  }

  /** Leaves no listener and no timer behind. */
  release(): void {
    this.endDeadline();
    this.#release?.();
    this.#release = undefined;
  }

  /** @internal The sleeper; `undefined` takes it away. */
  onWake(wake: (() => void) | undefined): void {
    this.#wake = wake;
  }

  /** @internal Calls `wake` at the interrupt, at once if it has come; until the returned function is called. */
  race(wake: () => void): () => void {
    if (this.cause) wake();
    const races = (this.#races ??= new Set());
    races.add(wake);
    return () => void races.delete(wake);
  }
}

export const INTERRUPTED = Symbol('interrupted');

/** Settles as `work` does, or resolves with INTERRUPTED as soon as the interrupt comes. */
export function unlessInterrupted<T>(work: PromiseLike<T>, interrupt: Interrupt): Promise<T | typeof INTERRUPTED> {
  let leave: (() => void) | undefined;
  return new Promise<T | typeof INTERRUPTED>((resolve, reject) => {
    leave = interrupt.race(() => resolve(INTERRUPTED));
    // Attached also when the interrupt came first: a late rejection is nobody's business any more.
    work.then(resolve, reject);
  }).finally(() => leave?.());
}
