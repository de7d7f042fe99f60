/** A clock that stands still until it is told to move, and a `sleep` that follows it. */
export class VirtualTime {
  #now: number;
  #waits: { at: number; resolve: () => void }[] = [];
  /** Every wait that was begun, in ms. */
  readonly begun: number[] = [];

  constructor(start = 0) {
    this.#now = start;
  }

  readonly now = (): number => this.#now;

  readonly sleep = (ms: number, signal: AbortSignal): Promise<void> => {
    this.begun.push(ms);
    return new Promise((resolve) => {
      const wait = { at: this.#now + ms, resolve };
      this.#waits.push(wait);
      signal.addEventListener('abort', () => {
        this.#waits = this.#waits.filter((other) => other !== wait);
        resolve();
      });
    });
  };

  /** How many wait right now. */
  get waiting(): number {
    return this.#waits.length;
  }

  /** Moves the clock, and wakes those whose time has come. */
  advance(ms: number): void {
    this.#now += ms;
    const due = this.#waits.filter(({ at }) => at <= this.#now);
    this.#waits = this.#waits.filter(({ at }) => at > this.#now);
    for (const { resolve } of due) resolve();
  }
}

/** Moves what `Date.now` and `performance.now` say, and nothing else: timers and sockets stay real. */
export function fakeClocks(): { advance(ms: number): void } {
  let passed = 0;
  const [date, monotonic] = [Date.now(), performance.now()];
  jest.spyOn(Date, 'now').mockImplementation(() => date + passed);
  jest.spyOn(performance, 'now').mockImplementation(() => monotonic + passed);
  return {
    advance(ms) {
      passed += ms;
    },
  };
}

/** Lets I/O go on until the condition holds; a test that waits in vain ends its loop as well. */
export async function until(condition: () => boolean): Promise<void> {
  const givesUpAt = process.hrtime.bigint() + 45_000_000_000n;
  while (!condition()) {
    if (process.hrtime.bigint() > givesUpAt) throw new Error(`waited in vain for ${condition.toString()}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Chance that can be repeated (mulberry32), in [0, 1). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
