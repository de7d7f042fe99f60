/** A bounded table by origin. */

/** How many origins are kept at most. */
export const MAX_ORIGINS = 1_000;
/** How long an origin that nobody asks for is kept, in ms. */
export const MAX_IDLE = 600_000;

interface Entry<T> {
  value: T;
  usedAt: number;
}

/**
 * A table by origin that cannot grow without limit: at most 1,000 entries, the least recently used
 * goes first, but what `protects` goes last; an entry idle for 10 minutes is gone. No timer: what is stale is dropped when the table is used.
 * A Map keeps the order of insertion, so the first entry is always the one that was used longest ago.
 */
export class OriginTable<T> {
  readonly #entries = new Map<string, Entry<T>>();

  /** `protects`: whether the value keeps load off its origin now, so that other origins must not push it out. */
  constructor(readonly protects: (value: T, now: number) => boolean = () => false) {}

  get size(): number {
    return this.#entries.size;
  }

  /** The value kept for the origin; it counts as used now. `now` in ms, monotonic. */
  get(origin: string, now: number): T | undefined {
    this.#dropIdle(now);
    const entry = this.#entries.get(origin);
    if (!entry) return undefined;
    this.#entries.delete(origin);
    this.#entries.set(origin, entry);
    entry.usedAt = now;
    return entry.value;
  }

  set(origin: string, value: T, now: number): void {
    this.#entries.delete(origin);
    this.#dropIdle(now);
    if (this.#entries.size >= MAX_ORIGINS) this.#entries.delete(this.#leastNeeded(now));
    this.#entries.set(origin, { value, usedAt: now });
  }

  delete(origin: string): void {
    this.#entries.delete(origin);
  }

  /** Origins and values, the one used longest ago first. Reading does not count as use. */
  *list(now: number): Iterable<[string, T]> {
    this.#dropIdle(now);
    for (const [origin, entry] of this.#entries) yield [origin, entry.value];
  }

  #leastNeeded(now: number): string {
    for (const [origin, { value }] of this.#entries) if (!this.protects(value, now)) return origin;
    return this.#entries.keys().next().value as string;
  }

  #dropIdle(now: number): void {
    for (const [origin, entry] of this.#entries) {
      if (now - entry.usedAt < MAX_IDLE) return;
      this.#entries.delete(origin);
    }
  }
}
