/** The service: places that serve in the order of arrival, what happens when there is none, and the outage. */
import type { CompleteScenario } from './complete';

/** What a request meets at the service. */
export const Outcome = { served: 1, refused: 2, unavailable: 3, limited: 4, silent: 5, rejected: 6, timedOut: 7 } as const;
export type Outcome = (typeof Outcome)[keyof typeof Outcome];

const OUTAGE = { refused: Outcome.refused, '503': Outcome.unavailable, '429': Outcome.limited, timeout: Outcome.silent } as const;

/** What the service can serve at best, in requests per second. */
export function capacityOf({ capacity, concurrency, latency }: CompleteScenario['service']): number {
  return latency === 0 ? capacity : Math.min(capacity, (concurrency * 1_000) / latency);
}

/**
 * Every request takes the same time, so places become free in the order in which they were taken: a ring of the
 * times at which that happens is all there is to keep, and an answer's time is known when its request arrives.
 */
export class Service {
  /** When the request that was served last is done, also while it waits in line. */
  doneAt = 0;
  readonly #outage: CompleteScenario['outage'];
  readonly #latency: number;
  readonly #gap: number;
  readonly #canQueue: boolean;
  readonly #freeAt: Float64Array;
  #place = 0;
  // The times at which the last requests left the line, one for each place in it.
  readonly #starts: Float64Array;
  #line = 0;

  constructor({ service, outage, clients }: CompleteScenario) {
    const { capacity, concurrency, latency, overload, queueLimit } = service;
    this.#outage = outage;
    this.#latency = latency;
    // More places than the capacity can fill: then the capacity sets the pace.
    this.#gap = capacityOf(service) < (concurrency * 1_000) / latency ? 1_000 / capacity : 0;
    this.#canQueue = overload === 'queue' && queueLimit > 0;
    this.#freeAt = new Float64Array(concurrency);
    this.#starts = new Float64Array(queueLimit < clients ? queueLimit : 0);
  }

  /** A request arrives: what becomes of it. If it is served, `doneAt` says when. */
  arrive(now: number): Outcome {
    const { start, length, kind } = this.#outage;
    if (now >= start && now < start + length) return OUTAGE[kind];
    const free = this.#freeAt[this.#place] as number;
    if (free > now && !this.#canWait(now)) return Outcome.rejected;
    const begin = Math.max(now, free);
    this.doneAt = Math.max(begin + this.#latency, this.doneAt + this.#gap);
    this.#freeAt[this.#place] = this.doneAt;
    this.#place = (this.#place + 1) % this.#freeAt.length;
    if (this.#starts.length > 0) {
      this.#starts[this.#line] = begin;
      this.#line = (this.#line + 1) % this.#starts.length;
    }
    return Outcome.served;
  }

  // The line is full as long as the request that came `queueLimit` places earlier still stands in it.
  #canWait(now: number): boolean {
    return this.#canQueue && !(this.#starts.length > 0 && (this.#starts[this.#line] as number) > now);
  }
}
