/** What happens next: a heap of one event per client, in typed arrays. */

export interface EventQueue {
  readonly size: number;
  /** The time of the next event. */
  readonly time: number;
  /** The client whose event is next. */
  readonly client: number;
  push(time: number, client: number): void;
  /** Moves the next event of the client at the top to `time`. */
  replaceTop(time: number): void;
  removeTop(): void;
}

const WIDTH = 4;

/** A 4-ary heap: flatter than a binary one, so that a million clients cost fewer cache misses. */
export class ClientHeap implements EventQueue {
  readonly #times: Float64Array;
  readonly #clients: Int32Array;
  #size = 0;

  constructor(capacity: number) {
    this.#times = new Float64Array(capacity);
    this.#clients = new Int32Array(capacity);
  }

  get size(): number {
    return this.#size;
  }

  get time(): number {
    return this.#times[0] as number;
  }

  get client(): number {
    return this.#clients[0] as number;
  }

  push(time: number, client: number): void {
    let place = this.#size++;
    while (place > 0) {
      const parent = ((place - 1) / WIDTH) | 0;
      if ((this.#times[parent] as number) <= time) break;
      this.#move(parent, place);
      place = parent;
    }
    this.#set(place, time, client);
  }

  replaceTop(time: number): void {
    this.#sink(time, this.client);
  }

  removeTop(): void {
    const last = --this.#size;
    if (last > 0) this.#sink(this.#times[last] as number, this.#clients[last] as number);
  }

  #sink(time: number, client: number): void {
    let place = 0;
    for (;;) {
      const least = this.#leastChild(place);
      if (least < 0 || (this.#times[least] as number) >= time) break;
      this.#move(least, place);
      place = least;
    }
    this.#set(place, time, client);
  }

  #leastChild(place: number): number {
    const times = this.#times;
    const first = place * WIDTH + 1;
    const end = Math.min(first + WIDTH, this.#size);
    let least = first < end ? first : -1;
    for (let child = first + 1; child < end; child++) {
      if ((times[child] as number) < (times[least] as number)) least = child;
    }
    return least;
  }

  #move(from: number, to: number): void {
    this.#times[to] = this.#times[from] as number;
    this.#clients[to] = this.#clients[from] as number;
  }

  #set(place: number, time: number, client: number): void {
    this.#times[place] = time;
    this.#clients[place] = client;
  }
}
