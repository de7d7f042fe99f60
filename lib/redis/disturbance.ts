/** Telling of errors once, and not with each failing note. */

export type ErrorListener = (error: unknown) => unknown;
type Part = 'hearing' | 'writing';

/** What failed, in one line: the error itself may hold what a client sent, a password included. */
export function toConsole(error: unknown): void {
  const { message, code } = Object(error) as { message?: unknown; code?: unknown };
  // An AggregateError has no message of its own.
  console.error(`axios-jitter: redisChannel: ${String(message || code)}`);
}

/** It begins when something fails, and ends when all that had failed works again. */
export class Disturbance {
  readonly #onError: ErrorListener;
  readonly #failing = new Set<Part>();

  constructor(onError: ErrorListener) {
    this.#onError = onError;
  }

  begins(part: Part, error: unknown): void {
    // What the listener throws or rejects is its own business.
    if (this.#failing.size === 0) void Promise.resolve(error).then(this.#onError).catch(() => undefined);
    this.#failing.add(part);
  }

  ends(part: Part): void {
    this.#failing.delete(part);
  }
}
