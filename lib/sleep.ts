/** Waiting, and its early end: the only timers and the only hand-made promises. */
import type { InternalAxiosRequestConfig } from 'axios';

/** Why a wait, a hook or an attempt was cut short. */
export type InterruptCause = 'aborted' | 'deadline' | 'detached';

/** The longest delay that timers take; a longer one would fire at once. */
const MAX_TIMER = 2 ** 31 - 1;

/** The monotonic clock in ms, looked up late, so that fake clocks work. */
export const monotonicNow = (): number => performance.now();

/**
 * What can end a call early: the caller's signal or cancel token, the deadline, a detach. A call waits
 * for one thing at a time, so one listener is enough; the first cause stays.
 */
export class Interrupt {
  cause: InterruptCause | undefined;
  #wake: (() => void) | undefined;
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
      if (this.cause) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  interrupt(cause: InterruptCause): void {
    if (this.cause) return;
    this.cause = cause;
    this.#controller?.abort();
    this.#wake?.();
  }

  /** Follows the caller's signal and cancel token until `release`. */
  watch({ signal, cancelToken }: InternalAxiosRequestConfig): void {
    if (!signal && !cancelToken) return;
    const onAbort = (): void => this.interrupt('aborted');
    if (signal?.aborted || cancelToken?.reason) onAbort();
    signal?.addEventListener?.('abort', onAbort);
    // `subscribe` is public, but not in axios' types.
    const token = cancelToken as { subscribe?(f: () => void): void; unsubscribe?(f: () => void): void } | undefined;
    token?.subscribe?.(onAbort);
    this.#release = () => {
      signal?.removeEventListener?.('abort', onAbort);
      token?.unsubscribe?.(onAbort);
    };
  }

  /** Interrupts with cause `deadline` after `ms`: rounded up, at least 1. */
  startDeadline(ms: number): void {
    this.#timer = setTimeout(() => this.interrupt('deadline'), Math.min(MAX_TIMER, Math.max(1, Math.ceil(ms))));
  }

  /** Leaves no listener and no timer behind. */
  release(): void {
    clearTimeout(this.#timer);
    this.#release?.();
    this.#release = undefined;
  }

  /** @internal The one listener; `undefined` takes it away. */
  onWake(wake: (() => void) | undefined): void {
    this.#wake = wake;
    if (this.cause) wake?.();
  }
}

export const INTERRUPTED = Symbol('interrupted');

/** Settles as `work` does, or resolves with INTERRUPTED as soon as the interrupt comes. */
export function unlessInterrupted<T>(work: PromiseLike<T>, interrupt: Interrupt): Promise<T | typeof INTERRUPTED> {
  return new Promise<T | typeof INTERRUPTED>((resolve, reject) => {
    interrupt.onWake(() => resolve(INTERRUPTED));
    // Attached also when the interrupt came first: a late rejection is nobody's business any more.
    work.then(resolve, reject);
  }).finally(() => interrupt.onWake(undefined));
}

/** Resolves after `ms`, never earlier, or as soon as the interrupt comes. */
export function pause(ms: number, interrupt: Interrupt): Promise<void> {
  const endsAt = monotonicNow() + ms;
  let left = ms;
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const finish = (): void => {
      clearTimeout(timer);
      interrupt.onWake(undefined);
      resolve();
    };
    const tick = (): void => {
      // A timer counts from the start of its event loop turn, so after a long turn it fires early. Where the
      // clock says that hardly any time has passed, only the timers are fake: then believe them.
      const early = endsAt - monotonicNow();
      if (left <= 0 && early > 0 && early < ms / 2) left = early;
      if (left <= 0) return finish();
      const step = Math.min(left, MAX_TIMER);
      left -= step;
      timer = setTimeout(tick, Math.ceil(step));
    };
    interrupt.onWake(finish);
    if (!interrupt.cause) tick();
  });
}

/** Waits with the `sleep` option where there is one, else with a timer. Ends early when the interrupt comes. */
export async function sleep(ms: number, options: SleepOptions, interrupt: Interrupt): Promise<void> {
  if (options.sleep) await unlessInterrupted(options.sleep(ms, interrupt.signal), interrupt);
  else if (ms > 0) await pause(ms, interrupt);
}
interface SleepOptions {
  readonly sleep: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}
