import { getEventListeners } from 'node:events';
import type { CancelTokenSource, InternalAxiosRequestConfig } from 'axios';
import axios, { AxiosHeaders } from 'axios';
import fc from 'fast-check';
import { INTERRUPTED, Interrupt, unlessInterrupted, type InterruptCause } from '../../lib/time/interrupt';
import { monotonicNow } from '../../lib/time/clock';
import { pause, sleep } from '../../lib/time/sleep';

/** The longest delay that timers take. */
const MAX_TIMER = 2 ** 31 - 1;

function configWith(given: Partial<InternalAxiosRequestConfig>): InternalAxiosRequestConfig {
  return { headers: new AxiosHeaders(), ...given };
}

/** What becomes of a promise, to be looked at without waiting for it. */
function watch(promise: Promise<unknown>): { state: string } {
  const seen = { state: 'pending' };
  promise.then(
    () => (seen.state = 'resolved'),
    () => (seen.state = 'rejected'),
  );
  return seen;
}

const never = (): Promise<never> => new Promise<never>(() => undefined);

// In this order: a spy would put the fake timer back.
function restoreTimers(): void {
  jest.restoreAllMocks();
  jest.useRealTimers();
}

describe('pause, under fake timers', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(restoreTimers);

  it.each([2, 250, 60_000, MAX_TIMER])('ends after %d ms, not before', async (ms) => {
    const seen = watch(pause(ms, new Interrupt()));
    await jest.advanceTimersByTimeAsync(ms - 1);
    expect(seen.state).toBe('pending');
    await jest.advanceTimersByTimeAsync(1);
    expect(seen.state).toBe('resolved');
  });

  it('rounds a fraction of a ms up: never early', async () => {
    const seen = watch(pause(10.2, new Interrupt()));
    await jest.advanceTimersByTimeAsync(10);
    expect(seen.state).toBe('pending');
    await jest.advanceTimersByTimeAsync(1);
    expect(seen.state).toBe('resolved');
  });

  it('waits for more than timers can take, in steps', async () => {
    const setTimer = jest.spyOn(globalThis, 'setTimeout');
    const seen = watch(pause(2 * MAX_TIMER + 5, new Interrupt()));
    await jest.advanceTimersByTimeAsync(2 * MAX_TIMER + 4);
    expect(seen.state).toBe('pending');
    await jest.advanceTimersByTimeAsync(1);
    expect(seen.state).toBe('resolved');
    expect(setTimer.mock.calls.map(([, ms]) => ms)).toEqual([MAX_TIMER, MAX_TIMER, 5]);
  });

  it('ends at once when the interrupt comes, and leaves no timer', async () => {
    const interrupt = new Interrupt();
    const seen = watch(pause(1_000, interrupt));
    await jest.advanceTimersByTimeAsync(100);
    expect(jest.getTimerCount()).toBe(1);
    interrupt.interrupt('aborted');
    await Promise.resolve();
    expect(seen.state).toBe('resolved');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('ends at once when the interrupt came before, without a timer', async () => {
    const interrupt = new Interrupt();
    interrupt.interrupt('deadline');
    await pause(1_000, interrupt);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('never gives a timer more than it takes, whatever the delay', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: Number.MAX_SAFE_INTEGER, noNaN: true }), (ms) => {
        const setTimer = jest.spyOn(globalThis, 'setTimeout').mockClear();
        const interrupt = new Interrupt();
        void pause(ms, interrupt);
        const given = setTimer.mock.calls[0]?.[1] ?? NaN;
        interrupt.interrupt('aborted');
        return given >= Math.min(ms, MAX_TIMER) && given <= MAX_TIMER;
      }),
    );
  });
});

describe('pause, with real timers', () => {
  it.each([0.9, 1, 1.5, 1.9])('does not end before %d ms, in a loop that never sleeps', async (ms) => {
    let isSpinning = true;
    const spin = (): void => void (isSpinning && setImmediate(spin));
    spin();
    const left: number[] = [];
    for (let turn = 0; turn < 100; turn++) {
      const endsAt = performance.now() + ms;
      await pause(ms, new Interrupt());
      left.push(endsAt - performance.now());
    }
    isSpinning = false;
    expect(left.filter((early) => early > 0)).toEqual([]);
  });

  it('is never shorter than asked, also when the event loop was busy', async () => {
    const startedAt = performance.now();
    const waiting = pause(40, new Interrupt());
    while (performance.now() - startedAt < 20);
    await waiting;
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(40);
  });

  it('keeps the process alive', async () => {
    const setTimer = jest.spyOn(globalThis, 'setTimeout');
    const interrupt = new Interrupt();
    const waiting = pause(10_000, interrupt);
    const timer = setTimer.mock.results[0]?.value as NodeJS.Timeout;
    expect(timer.hasRef()).toBe(true);
    interrupt.interrupt('aborted');
    await waiting;
  });
});

describe('an interrupt', () => {
  it.each<InterruptCause>(['aborted', 'deadline', 'detached'])('remembers its first cause: %s', (cause) => {
    const interrupt = new Interrupt();
    expect(interrupt.cause).toBeUndefined();
    interrupt.interrupt(cause);
    interrupt.interrupt('aborted');
    interrupt.interrupt('deadline');
    expect(interrupt.cause).toBe(cause);
  });

  it('aborts the signal that was asked for before', () => {
    const interrupt = new Interrupt();
    const { signal } = interrupt;
    expect(signal.aborted).toBe(false);
    interrupt.interrupt('deadline');
    expect(signal.aborted).toBe(true);
    expect(interrupt.signal).toBe(signal);
  });

  it('gives an aborted signal to those who ask late', () => {
    const interrupt = new Interrupt();
    interrupt.interrupt('aborted');
    expect(interrupt.signal.aborted).toBe(true);
  });

  it('follows a signal, and leaves no listener when it is released', () => {
    const controller = new AbortController();
    const interrupt = new Interrupt();
    interrupt.watch(configWith({ signal: controller.signal }));
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
    expect(interrupt.isArmed).toBe(true);
    interrupt.release();
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    controller.abort();
    expect(interrupt.cause).toBeUndefined();
  });

  it('comes when the signal is aborted', () => {
    const controller = new AbortController();
    const interrupt = new Interrupt();
    interrupt.watch(configWith({ signal: controller.signal }));
    controller.abort();
    expect(interrupt.cause).toBe('aborted');
    interrupt.release();
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  it('comes at once for a signal that is aborted already', () => {
    const interrupt = new Interrupt();
    const signal = AbortSignal.abort();
    interrupt.watch(configWith({ signal }));
    expect(interrupt.cause).toBe('aborted');
    interrupt.release();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  describe('with a cancel token', () => {
    const make = (): { source: CancelTokenSource; interrupt: Interrupt } => {
      const source = axios.CancelToken.source();
      const interrupt = new Interrupt();
      interrupt.watch(configWith({ cancelToken: source.token }));
      return { source, interrupt };
    };

    it('comes when it is cancelled', async () => {
      const { source, interrupt } = make();
      source.cancel();
      await Promise.resolve();
      expect(interrupt.cause).toBe('aborted');
    });

    it('comes at once when it was cancelled before', () => {
      const source = axios.CancelToken.source();
      source.cancel();
      const interrupt = new Interrupt();
      interrupt.watch(configWith({ cancelToken: source.token }));
      expect(interrupt.cause).toBe('aborted');
    });

    it('hears nothing more after its release', async () => {
      const { source, interrupt } = make();
      interrupt.release();
      source.cancel();
      await Promise.resolve();
      expect(interrupt.cause).toBeUndefined();
    });
  });

  it('is not armed by a config with neither signal nor token', () => {
    const interrupt = new Interrupt();
    interrupt.watch(configWith({}));
    expect(interrupt.isArmed).toBe(false);
  });
});

describe('the deadline of an interrupt, under fake timers', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(restoreTimers);

  it.each([
    [300, 300],
    [10.2, 11],
    [0.001, 1],
  ])('of %d ms comes after %d ms: whole ms, at least 1', async (ms, expected) => {
    const interrupt = new Interrupt();
    interrupt.startDeadline(ms);
    expect(interrupt.isArmed).toBe(true);
    await jest.advanceTimersByTimeAsync(expected - 1);
    expect(interrupt.cause).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(interrupt.cause).toBe('deadline');
  });

  it('does not come after the release', async () => {
    const interrupt = new Interrupt();
    interrupt.startDeadline(300);
    interrupt.release();
    expect(jest.getTimerCount()).toBe(0);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(interrupt.cause).toBeUndefined();
  });

  it.each([MAX_TIMER + 1_000, Infinity])('of %d ms does not come early, although no timer takes that much', async (ms) => {
    const setTimer = jest.spyOn(globalThis, 'setTimeout');
    const interrupt = new Interrupt();
    interrupt.startDeadline(ms);
    await jest.advanceTimersByTimeAsync(MAX_TIMER);
    expect(interrupt.cause).toBeUndefined();
    expect(Math.max(0, ...setTimer.mock.calls.map(([, given]) => given ?? NaN))).toBeLessThanOrEqual(MAX_TIMER);
    interrupt.release();
  });
});

describe('work that an interrupt may cut short', () => {
  it('resolves as it does', async () => {
    await expect(unlessInterrupted(Promise.resolve(7), new Interrupt())).resolves.toBe(7);
  });

  it('rejects as it does', async () => {
    await expect(unlessInterrupted(Promise.reject(new Error('no')), new Interrupt())).rejects.toThrow('no');
  });

  it('is no longer waited for once the interrupt comes', async () => {
    const interrupt = new Interrupt();
    const result = unlessInterrupted(never(), interrupt);
    interrupt.interrupt('aborted');
    await expect(result).resolves.toBe(INTERRUPTED);
  });

  it('is not waited for at all when the interrupt came before; its late rejection troubles nobody', async () => {
    const interrupt = new Interrupt();
    interrupt.interrupt('aborted');
    await expect(unlessInterrupted(Promise.reject(new Error('late')), interrupt)).resolves.toBe(INTERRUPTED);
  });
});

describe('sleep', () => {
  it('uses the sleep option where there is one', async () => {
    const own = jest.fn(() => Promise.resolve());
    const interrupt = new Interrupt();
    await sleep(1_234, { sleep: own }, interrupt);
    expect(own.mock.calls).toEqual([[1_234, interrupt.signal]]);
  });

  it('ends with the interrupt, whatever the sleep option does, and aborts its signal', async () => {
    const signals: AbortSignal[] = [];
    const own = (_ms: number, signal: AbortSignal): Promise<void> => {
      signals.push(signal);
      return never();
    };
    const interrupt = new Interrupt();
    const sleeping = sleep(1_000, { sleep: own }, interrupt);
    interrupt.interrupt('detached');
    await sleeping;
    expect(signals[0]?.aborted).toBe(true);
  });

  it('passes on what the sleep option rejects', async () => {
    const own = () => Promise.reject(new Error('insomnia'));
    await expect(sleep(1, { sleep: own }, new Interrupt())).rejects.toThrow('insomnia');
  });

  it('sets no timer for 0 ms', async () => {
    const setTimer = jest.spyOn(globalThis, 'setTimeout');
    await sleep(0, { sleep: undefined }, new Interrupt());
    expect(setTimer).not.toHaveBeenCalled();
  });
});

it('the monotonic clock is looked up late, so that fake clocks work', () => {
  jest.spyOn(performance, 'now').mockReturnValue(4_711);
  expect(monotonicNow()).toBe(4_711);
});
