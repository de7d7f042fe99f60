/** The service: places that serve in the order of arrival, what happens when there is none, and the outage. */
import type { CompleteScenario } from './complete';
import { Outcome } from './outcome';
import type { QuotaOptions } from './scenario';

const OUTAGE = { refused: Outcome.refused, '503': Outcome.unavailable, '429': Outcome.limited, timeout: Outcome.silent } as const;

/** What the service can serve at best, in requests per second. */
export function capacityOf({ capacity, concurrency, latency }: CompleteScenario['service']): number {
  return latency === 0 ? capacity : Math.min(capacity, (concurrency * 1_000) / latency);
}

/** So many requests in each window; a window ends where the next begins. */
class Quota {
  readonly #requests: number;
  readonly #window: number;
  #current = -1;
  #count = 0;

  constructor({ requests, window }: QuotaOptions) {
    this.#requests = requests;
    this.#window = window;
  }

  /** 0: the request is within the quota. Otherwise what its 429 says, in ms: whole seconds, as the header has it. */
  refusal(now: number): number {
    const current = Math.floor(now / this.#window);
    if (current !== this.#current) this.#count = 0;
    this.#current = current;
    return ++this.#count <= this.#requests ? 0 : Math.ceil(((current + 1) * this.#window - now) / 1_000) * 1_000;
  }
}

/**
 * Places and a processor. A request that is served holds a place for `latency`, and costs the processor its share of the
 * capacity; one that is turned away costs a little too. Requests are answered in the order of arrival, so a ring of the
 * times at which places become free is all there is to keep, and an answer's time is known when its request arrives.
 */
export class Service {
  /** When the answer to the request that arrived last goes out, and the Retry-After that it says; 0 = none. */
  answerAt = 0;
  retryAfter = 0;
  /** Whether it was turned away over capacity or over the quota. */
  isOver = false;
  readonly #outage: CompleteScenario['outage'];
  readonly #retryAfter: number;
  readonly #quota: Quota | undefined;
  readonly #latency: number;
  readonly #work: number;
  readonly #rejectWork: number;
  readonly #canQueue: boolean;
  readonly #patience: number;
  // Until when the processor has work.
  #busyUntil = 0;
  readonly #freeAt: Float64Array;
  #place = 0;
  // When the last requests left the line, one entry for each place in it.
  readonly #starts: Float64Array;
  #line = 0;

  constructor({ service, outage, clients, timeout }: CompleteScenario) {
    const { capacity, concurrency, latency, overload, queueLimit, rejectCost, retryAfter, quota } = service;
    this.#outage = outage;
    this.#retryAfter = retryAfter;
    this.#quota = quota && new Quota(quota);
    this.#latency = latency;
    this.#work = 1_000 / capacity;
    this.#rejectWork = rejectCost * this.#work;
    this.#canQueue = overload === 'queue' && queueLimit > 0;
    this.#patience = timeout;
    this.#freeAt = new Float64Array(concurrency);
    this.#starts = new Float64Array(queueLimit < clients ? queueLimit : 0);
  }

  /** A request arrives: what becomes of it. `answerAt` says when its client's answer goes out. */
  arrive(now: number): Outcome {
    this.answerAt = now;
    this.retryAfter = 0;
    this.isOver = false;
    const { start, length, kind, retryAfter } = this.#outage;
    if (now >= start && now < start + length) return this.#refuse(OUTAGE[kind], kind === '429' ? retryAfter : 0);
    const left = this.#quota?.refusal(now) ?? 0;
    this.isOver = left > 0;
    if (left > 0) return this.#refuse(Outcome.limited, left);
    const free = this.#freeAt[this.#place] as number;
    return free > now && !this.#canWait(now) ? this.#reject(now) : this.#serve(now, Math.max(now, free));
  }

  #refuse(outcome: Outcome, retryAfter: number): Outcome {
    this.retryAfter = retryAfter;
    return outcome;
  }

  #serve(now: number, begin: number): Outcome {
    const previous = this.#freeAt[(this.#place || this.#freeAt.length) - 1] as number;
    this.#busyUntil = Math.max(now, this.#busyUntil) + this.#work;
    this.answerAt = Math.max(begin + this.#latency, this.#busyUntil, previous);
    this.#freeAt[this.#place] = this.answerAt;
    this.#place = (this.#place + 1) % this.#freeAt.length;
    if (this.#starts.length > 0) {
      this.#starts[this.#line] = begin;
      this.#line = (this.#line + 1) % this.#starts.length;
    }
    return Outcome.served;
  }

  // Turning away is work. Where even that would take longer than clients wait, nobody answers.
  #reject(now: number): Outcome {
    if (this.#busyUntil - now > this.#patience) return Outcome.silent;
    this.#busyUntil = Math.max(now, this.#busyUntil) + this.#rejectWork;
    this.answerAt = this.#busyUntil;
    this.isOver = true;
    return this.#refuse(Outcome.rejected, this.#retryAfter);
  }

  // The line is full as long as the request that came `queueLimit` places earlier still stands in it.
  #canWait(now: number): boolean {
    return this.#canQueue && !(this.#starts.length > 0 && (this.#starts[this.#line] as number) > now);
  }
}
