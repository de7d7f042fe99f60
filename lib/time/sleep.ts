/** Waiting, until the time is over or an interrupt comes. */
import { MAX_TIMER, monotonicNow } from './clock';
import { unlessInterrupted, type Interrupt } from './interrupt';

// Those of the time when this was loaded: it is no wait, so fake timers must not hold it.
const soon: (run: () => void) => unknown = (globalThis as { setImmediate?: (run: () => void) => unknown }).setImmediate ?? setTimeout;

/** Lets the event loop turn: timers fire, sockets are read, an abort can be heard. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    soon(resolve);
  });
}

/** Resolves after `ms`, never earlier, or as soon as the interrupt comes. */
export function pause(ms: number, interrupt: Interrupt): Promise<void> {
  const endsAt = monotonicNow() + ms;
  // A short wait that ends early cannot be told from a fake timer: it gets a ms more.
  let left = ms > 1 ? ms : ms + 1;
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
    if (interrupt.cause) return finish();
    interrupt.onWake(finish);
    tick();
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
