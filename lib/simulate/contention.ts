/** The classic contention experiment: clients that write one row under optimistic concurrency control. */
import { ClientHeap } from './event-queue';
import { backoffOf, check, number, resolvePolicy, type Jitter, type Random, type ResolvedRetryOptions } from './library';
import { createRandom, normal } from './random';

/** `exponential` is backoff without jitter; `none` is no backoff at all. */
export type ContentionPolicy = 'none' | 'exponential' | 'equal' | 'full' | 'decorrelated';
export const CONTENTION_POLICIES: readonly ContentionPolicy[] = ['none', 'exponential', 'equal', 'full', 'decorrelated'];

export interface ContentionOptions {
  /** Clients that want to write, a whole number >= 1. */
  clients: number;
  policy: ContentionPolicy;
  /** In ms. @default 5 */
  baseDelay?: number | undefined;
  /** In ms. @default 2_000 */
  maxDelay?: number | undefined;
  /** One way, in ms, with its standard deviation. @default 10 and 2 */
  network?: { delay: number; jitter: number } | undefined;
  /** Results are means over so many runs. @default 100 */
  runs?: number | undefined;
  /** @default 1 */
  seed?: number | undefined;
}

export interface ContentionResult {
  /** Writes tried until every client has written once: the mean of the runs. */
  calls: number;
  /** Time in ms until then: the mean of the runs. */
  time: number;
}

const wholeFrom1 = number('a whole number >= 1', (value) => Number.isInteger(value) && value >= 1);
const finiteFrom0 = number('a finite number >= 0', (value) => value >= 0 && value < Infinity);
const RULES = {
  clients: wholeFrom1,
  policy: [`one of ${CONTENTION_POLICIES.join(', ')}`, (value: unknown) => CONTENTION_POLICIES.includes(value as ContentionPolicy)],
  baseDelay: finiteFrom0,
  maxDelay: finiteFrom0,
  network: ['{ delay, jitter }', (value: unknown) => typeof value === 'object' && value !== null],
  runs: wholeFrom1,
  seed: number('a whole number', Number.isSafeInteger),
} as const;

const NETWORK = { delay: 10, jitter: 2 };
const [READ, WRITE, ANSWER] = [0, 1, 2];

/** What one client does: reads the row's version, writes if it is unchanged, else backs off and starts again. */
class Contest {
  calls = 0;
  #version = 0;
  readonly #step: Uint8Array;
  readonly #seen: Int32Array;
  readonly #attempt: Int32Array;
  readonly #backoff: Float64Array;

  constructor(
    clients: number,
    private readonly leg: () => number,
    private readonly policy: ResolvedRetryOptions | undefined,
  ) {
    this.#step = new Uint8Array(clients).fill(READ);
    this.#seen = new Int32Array(clients);
    this.#attempt = new Int32Array(clients);
    this.#backoff = new Float64Array(clients).fill(NaN);
  }

  /** The client's event at `now`: the time of its next one, or undefined once it has written. */
  handle(client: number, now: number): number | undefined {
    const step = this.#step[client];
    this.#step[client] = step === ANSWER ? READ : (step ?? READ) + 1;
    if (step === READ) {
      this.#seen[client] = this.#version;
      // The way back with the version, and the way to the service with the write.
      return now + this.leg() + this.leg();
    }
    if (step === WRITE) return this.#write(client, now);
    return this.#seen[client] === -1 ? undefined : now + this.#delay(client) + this.leg();
  }

  #write(client: number, now: number): number {
    this.calls++;
    if (this.#seen[client] === this.#version) {
      this.#version++;
      this.#seen[client] = -1;
    }
    return now + this.leg();
  }

  #delay(client: number): number {
    if (this.policy === undefined) return 0;
    const retry = (this.#attempt[client] as number) + 1;
    const previous = this.#backoff[client] as number;
    // The published experiment counts from 2: its first bound is already `2 * base`.
    const delay = backoffOf(retry + 1, Number.isNaN(previous) ? undefined : previous, this.policy);
    this.#attempt[client] = retry;
    this.#backoff[client] = delay;
    return delay;
  }
}

function runOnce(clients: number, leg: () => number, policy: ResolvedRetryOptions | undefined): ContentionResult {
  const queue = new ClientHeap(clients);
  const contest = new Contest(clients, leg, policy);
  for (let client = 0; client < clients; client++) queue.push(leg(), client);
  let time = 0;
  while (queue.size > 0) {
    time = queue.time;
    const next = contest.handle(queue.client, time);
    if (next === undefined) queue.removeTop();
    else queue.replaceTop(next);
  }
  return { calls: contest.calls, time };
}

function policyOf({ policy, baseDelay = 5, maxDelay = 2_000 }: ContentionOptions, random: Random): ResolvedRetryOptions | undefined {
  if (policy === 'none') return undefined;
  const jitter: Jitter = policy === 'exponential' ? 'none' : policy;
  return resolvePolicy({ baseDelay, maxDelay, jitter, budget: false }, random);
}

/**
 * All clients start at once; each needs one successful write. Source: Exponential Backoff And Jitter (AWS Architecture
 * Blog), whose network is N(10, 2) ms a way, base 5 ms and cap 2,000 ms. "Calls" are writes, as there.
 *
 * @throws TypeError or RangeError for options out of range.
 */
export function simulateContention(options: ContentionOptions): ContentionResult {
  const { clients, runs = 100, seed = 1, network = NETWORK } = check(options, RULES, 'contention option');
  const random = createRandom(seed, 1);
  const chance = createRandom(seed, 2);
  const policy = policyOf(options, chance);
  const leg = (): number => Math.abs(normal(network.delay, network.jitter, random));
  let calls = 0;
  let time = 0;
  for (let run = 0; run < runs; run++) {
    const result = runOnce(clients, leg, policy);
    calls += result.calls;
    time += result.time;
  }
  return { calls: calls / runs, time: time / runs };
}
