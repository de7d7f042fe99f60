/** Hearing what is published: one connection of our own, made anew when it is lost. */
import { later } from '../time/later';
import type { Connection } from './clients';
import type { Disturbance } from './disturbance';

const FIRST_DELAY = 500;
const MAX_DELAY = 30_000;

/** Who hears what, and where. `left`: how long what was read late still holds, in ms. */
export interface Hearer {
  readonly client: Connection;
  readonly name: string;
  readonly disturbance: Disturbance;
  /** What was sent and has not come back yet, and when. */
  readonly sent: Map<string, number>;
  readonly hear: (text: unknown, left?: number) => void;
}

/** Hears from its making until `close`. */
export class Hearing {
  readonly #hearer: Hearer;
  #subscriber: Connection | undefined;
  #cancelRetry: (() => void) | undefined;
  #failures = 0;

  constructor(hearer: Hearer) {
    this.#hearer = hearer;
    void this.#open();
  }

  close(): void {
    const subscriber = this.#subscriber;
    this.#subscriber = undefined;
    this.#cancelRetry?.();
    subscriber?.close();
  }

  async #open(): Promise<void> {
    const { client, name, hear, sent, disturbance } = this.#hearer;
    let subscriber: Connection | undefined;
    // What comes after the end of a connection is nobody's.
    const isOn = (): boolean => this.#subscriber === subscriber;
    const onEnd = (error?: unknown): void => {
      if (isOn()) this.#retry(error);
    };
    try {
      this.#subscriber = subscriber = client.duplicate(onEnd);
      await subscriber.open();
      if (!isOn()) return;
      sent.clear();
      void this.#readLast(subscriber);
      await subscriber.subscribe(name, (text) => isOn() && hear(text));
      this.#failures = 0;
      disturbance.ends('hearing');
    } catch (error) {
      onEnd(error);
    }
  }

  // Before the subscription: once it is subscribed, a connection of RESP2 reads no more. Both are sent in one go, so that
  // no note falls between. A key that cannot be read does not hinder; none, or one without expiry, is no note.
  async #readLast(subscriber: Connection): Promise<void> {
    const { name, hear, disturbance } = this.#hearer;
    try {
      const [text, left] = await Promise.all([subscriber.send('GET', name), subscriber.send('PTTL', name)]);
      if (Number(left) > 0) hear(text, Number(left));
    } catch (error) {
      if (this.#subscriber === subscriber) disturbance.begins('hearing', error);
    }
  }

  #retry(error: unknown = new Error('the connection ended')): void {
    this.close();
    // What is lost comes back no more.
    this.#hearer.sent.clear();
    this.#hearer.disturbance.begins('hearing', error);
    const bound = Math.min(MAX_DELAY, FIRST_DELAY * 2 ** this.#failures++);
    this.#cancelRetry = later(bound * (1 - Math.random() / 2), () => void this.#open());
  }
}
