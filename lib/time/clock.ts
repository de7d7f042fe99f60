/** The monotonic clock, and how far timers reach. */

/** The longest delay that timers take; a longer one would fire at once. */
export const MAX_TIMER = 2 ** 31 - 1;

/** The monotonic clock in ms, looked up late, so that fake clocks work; where a platform has none, the system's clock. */
export const monotonicNow = (): number => ((globalThis as { performance?: typeof performance }).performance ?? Date).now();
