/** Counting while a simulation runs: requests by time, and how calls ended. */
import type { StopReason } from './library';

/** Width of the counts that peaks are read from, in ms. */
export const TICK = 100;

/** A count per 100 ms that grows with time. */
export class Series {
  readonly counts: number[] = [];

  add(now: number): void {
    const tick = Math.floor(now / TICK);
    while (this.counts.length <= tick) this.counts.push(0);
    this.counts[tick] = (this.counts[tick] as number) + 1;
  }
}

export class Tally {
  /** As they reach the service. */
  readonly requests = new Series();
  /** Those of them that are not a call's first. */
  readonly retries = new Series();
  /** Answered in time with a success, by the time at which the client hears it. */
  readonly served = new Series();
  /** When each served call was answered, and how long it took. */
  readonly servedAt: Float64Array;
  readonly waits: Float64Array;
  readonly gaveUp: Partial<Record<StopReason, number>> = {};
  total = 0;
  successes = 0;
  recovered = 0;
  settled = 0;
  rejected = 0;
  /** Served after their client had stopped waiting. */
  wasted = 0;
  /** When the last request arrived. */
  lastAt = 0;

  constructor(clients: number) {
    this.servedAt = new Float64Array(clients);
    this.waits = new Float64Array(clients);
  }

  request(now: number, attempt: number): void {
    this.total++;
    this.lastAt = now;
    this.requests.add(now);
    if (attempt > 1) this.retries.add(now);
  }

  success(now: number, wait: number, attempt: number): void {
    this.served.add(now);
    this.servedAt[this.successes] = now;
    this.waits[this.successes++] = wait;
    this.settled++;
    if (attempt > 1) this.recovered++;
  }

  giveUp(reason: StopReason): void {
    this.settled++;
    this.gaveUp[reason] = (this.gaveUp[reason] ?? 0) + 1;
  }
}
