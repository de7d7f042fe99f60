import type { RetryEvent, RetryOptions, StopReason } from '../../lib/index';

/** Options that wait for nothing and write down what happens. */
export interface WatchedPolicy {
  /** `random` is 0.5: the delays are 250, 500, 1000, … */
  readonly options: RetryOptions;
  /** What `sleep` was asked for. */
  readonly waits: number[];
  readonly retried: RetryEvent[];
  readonly gaveUp: RetryEvent[];
  readonly recovered: RetryEvent[];
  /** Why each call stopped. */
  readonly reasons: (StopReason | undefined)[];
}

export function watchedPolicy(options: RetryOptions = {}): WatchedPolicy {
  const waits: number[] = [];
  const retried: RetryEvent[] = [];
  const gaveUp: RetryEvent[] = [];
  const recovered: RetryEvent[] = [];
  return {
    options: {
      random: () => 0.5,
      sleep: (ms) => {
        waits.push(ms);
        return Promise.resolve();
      },
      onRetry: (event) => retried.push(event),
      onGiveUp: (event) => gaveUp.push(event),
      onRecover: (event) => recovered.push(event),
      ...options,
    },
    waits,
    retried,
    gaveUp,
    recovered,
    get reasons() {
      return gaveUp.map(({ reason }) => reason);
    },
  };
}

/** What the promise rejects with; fails when it does not. */
export async function failureOf<T = Error>(promise: Promise<unknown>): Promise<T> {
  const outcome = await promise.then(
    (value: unknown) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome) return outcome.error as T;
  throw new Error(`Resolved, but should have rejected: ${String(outcome.value)}`);
}

/** A few turns of the event loop: time for what should not happen to happen. */
export async function settled(turns = 10): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** A hook that never settles; `entered` resolves when it is asked. */
export function pendingHook(): { hook: jest.Mock<Promise<never>, []>; entered: Promise<void> } {
  let enter = (): void => undefined;
  const entered = new Promise<void>((resolve) => (enter = resolve));
  const hook = jest.fn(() => {
    enter();
    return new Promise<never>(() => undefined);
  });
  return { hook, entered };
}
