/** What processes know of a Retry-After: each what it was told itself, and all what a channel has brought. */

interface Note {
  readonly arrivesAt: number;
  readonly asked: number;
}

/** Until when the service is left alone, and the longest time that it asked for, in ms. */
export interface Pause {
  readonly until: number;
  readonly asked: number;
}

// As the library does: a crowd's refusals are one note.
const WORTH_TELLING = 0.1;

export class Pauses {
  readonly #untils: Float64Array;
  readonly #askeds: Float64Array;
  readonly #transit: number | undefined;
  readonly #longest: number;
  // Under way, in the order of their arrival.
  #notes: Note[] = [];

  /** @param transit how long a note is under way, `undefined` = no channel; `longest`: `maxRetryAfter` */
  constructor(processes: number, transit: number | undefined, longest: number) {
    // One more, for what the channel has brought.
    this.#untils = new Float64Array(processes + 1);
    this.#askeds = new Float64Array(processes + 1);
    this.#transit = transit;
    this.#longest = longest;
  }

  /** The process was asked to stay away for `asked` ms. */
  share(process: number, asked: number, now: number): void {
    const before = Math.max(now, this.#heardUntil(now), this.#untils[process] as number);
    this.#hold(process, asked, now);
    const growth = (this.#untils[process] as number) - before;
    if (this.#transit !== undefined && growth > WORTH_TELLING * asked) this.#notes.push({ arrivesAt: now + this.#transit, asked });
  }

  /** The pause that is on for the process. */
  get(process: number, now: number): Pause | undefined {
    const heard = this.#heardUntil(now);
    const own = this.#untils[process] as number;
    const until = Math.max(own, heard);
    if (until <= now) return undefined;
    const askedOf = (place: number, end: number): number => (end > now ? (this.#askeds[place] as number) : 0);
    return { until, asked: Math.max(askedOf(process, own), askedOf(this.#askeds.length - 1, heard)) };
  }

  // Notes take effect when they arrive. The clock of a simulation never goes back.
  #heardUntil(now: number): number {
    const arrived = this.#notes.filter(({ arrivesAt }) => arrivesAt <= now);
    if (arrived.length > 0) this.#notes = this.#notes.filter(({ arrivesAt }) => arrivesAt > now);
    const place = this.#untils.length - 1;
    for (const { arrivesAt, asked } of arrived) this.#hold(place, asked, arrivesAt);
    return this.#untils[place] as number;
  }

  // Never shortens a pause that is on.
  #hold(place: number, asked: number, now: number): void {
    const before = this.#untils[place] as number;
    const ms = Math.min(asked, this.#longest);
    this.#askeds[place] = Math.max(ms, before > now ? (this.#askeds[place] as number) : 0);
    this.#untils[place] = Math.max(before, now + ms);
  }
}
