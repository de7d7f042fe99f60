import type { RetryObserver, RetryOptions } from '../../lib/index';

/** Waits take no time. */
export const instant = { sleep: () => Promise.resolve() } satisfies RetryOptions;

/** A `sleep` that lasts until somebody lets it end. */
export interface HeldSleep {
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Resolves when a wait has begun. */
  readonly begun: Promise<void>;
  release(): void;
}

export function holdSleep(): HeldSleep {
  let begin = (): void => undefined;
  let release = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  return {
    sleep: () => {
      begin();
      return released;
    },
    begun,
    release: () => release(),
  };
}

/** An observer that writes down what it is told, e.g. `retry 1`, `give-up exhausted`, `recover 2`. */
export function keepLog(): { lines: string[]; observer: RetryObserver } {
  const lines: string[] = [];
  const observer: RetryObserver = {
    onRetry: ({ attempt }) => lines.push(`retry ${attempt}`),
    onGiveUp: ({ reason }) => lines.push(`give-up ${reason}`),
    onRecover: ({ attempt }) => lines.push(`recover ${attempt}`),
  };
  return { lines, observer };
}

/** What a promise rejects with. Fails when it resolves. */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`Expected a rejection, got ${String(value)}`);
}
