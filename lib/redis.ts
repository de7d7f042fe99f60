/** Shared Retry-After between processes over Redis, with a client of `redis` or `ioredis`. */
import { isFunction, isText } from './checks/checks';
import { connectionOf, type Connection, type RedisClient } from './redis/clients';
import { Disturbance, toConsole, type ErrorListener } from './redis/disturbance';
import type { RetryAfterChannel, RetryAfterNote } from './options/retry-options';
import { Hearing, type Hearer } from './redis/hearing';
import { MAX_TIMER, monotonicNow } from './time/clock';

export type { RetryAfterChannel, RetryAfterNote } from './options/retry-options';
export type { RedisClient } from './redis/clients';

export interface RedisChannelOptions {
  /** Told once per disturbance what went wrong with Redis; calls go on as without a channel. @default a line to console.error */
  onError?: ErrorListener | undefined;
}

type Listener = Parameters<RetryAfterChannel['addEventListener']>[1];

const MAX_LENGTH = 4_096;
/** Notes that Redis has not answered: beyond them nothing is written, so that a frozen Redis costs no memory. */
const MAX_UNANSWERED = 100;

// The key first: who subscribes between the two finds the note in one of them.
function write({ client, name }: Hearer, text: string, note: RetryAfterNote): Promise<unknown> {
  const ms = Math.ceil(Math.min(MAX_TIMER, note.retryAfter));
  return Promise.all([client.send('SET', name, text, 'PX', String(ms)), client.send('PUBLISH', name, text)]);
}

class RedisChannel implements RetryAfterChannel {
  readonly #hearer: Hearer;
  readonly #listeners = new Set<Listener>();
  #hearing: Hearing | undefined;
  #unanswered = 0;

  constructor(client: Connection, name: string, disturbance: Disturbance) {
    this.#hearer = { client, name, disturbance, sent: new Map(), hear: (text, left) => this.#hear(String(text), left) };
  }

  async postMessage(note: RetryAfterNote): Promise<void> {
    const { client, disturbance, sent } = this.#hearer;
    // A client that is not ready would keep it for later.
    if (!client.isReady() || this.#unanswered >= MAX_UNANSWERED) return;
    this.#unanswered++;
    const text = JSON.stringify(note);
    sent.set(text, monotonicNow());
    try {
      await write(this.#hearer, text, note);
      disturbance.ends('writing');
    } catch (error) {
      disturbance.begins('writing', error);
    }
    this.#unanswered--;
  }

  addEventListener(_type: 'message', listener: Listener): void {
    this.#listeners.add(listener);
    this.#hearing ??= new Hearing(this.#hearer);
  }

  removeEventListener(_type: 'message', listener: Listener): void {
    if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return;
    this.#hearing?.close();
    this.#hearing = undefined;
    this.#hearer.disturbance.ends('hearing');
  }

  // Whoever may publish may publish anything: what is no note is left to the listeners, what is no JSON is nobody's, and
  // what a listener throws must not look like a fault of Redis.
  #hear(json: string, left: number | undefined): void {
    if (json.length > MAX_LENGTH) return;
    try {
      const note = JSON.parse(json) as RetryAfterNote;
      const { sent } = this.#hearer;
      // Its own note, come back: a slow Redis must not begin the pause anew.
      const own = sent.get(json);
      sent.delete(json);
      const rest = own === undefined ? left : note.retryAfter - (monotonicNow() - own);
      const data = rest === undefined ? note : { ...note, left: rest };
      this.#listeners.forEach((listener) => listener({ data }));
    } catch {
      return;
    }
  }
}

/**
 * A channel for the option `retryAfterChannel`: carries each Retry-After to all processes that share the name.
 *
 * It writes on the given client, and only while that is ready; it hears on a connection of its own, which reconnects by
 * itself and does not keep the process alive. With Redis down, slow or away, calls go on as without a channel.
 *
 * @param client of `redis` 6 or `ioredis` 6, for one server; never closed.
 * @param name what shares a quota: one API key, one name. In Redis it begins with `axios-jitter:`.
 * @throws TypeError for anything but such a client, for an empty name and for an unknown option.
 */
export function redisChannel(client: RedisClient, name: string, options: RedisChannelOptions = {}): RetryAfterChannel {
  const connection = connectionOf(client);
  if (!connection) throw wrong('the client must be one of redis or ioredis, no cluster or pool');
  if (!isText(name)) throw wrong('the name must be a text that is not blank');
  const { onError = toConsole, ...others } = Object(options) as RedisChannelOptions;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw wrong(`unknown option "${unknown}"; known is onError`);
  if (!isFunction(onError)) throw wrong(`option "onError" must be a function; got ${typeof onError}`);
  return new RedisChannel(connection, `axios-jitter:${name}`, new Disturbance(onError));
}

const wrong = (text: string): TypeError => new TypeError(`axios-jitter: redisChannel: ${text}`);
