/** The clients: each sends, hears what became of it, asks the policy, and sends again. State in typed arrays. */
import type { CompleteScenario } from './complete';
import { decideFailure, resolvePolicy, settleBudget, type Failure, type ResolvedPolicy } from './library';
import { optionsOf } from './presets';
import { Processes } from './processes';
import { createRandom, normal, type Random } from './random';
import type { Policy } from './scenario';
import { KINDS, Outcome } from './outcome';
import { Service } from './service';
import type { Tally } from './tally';

// LOOKING: about to send, it looks first whether a pause is on.
const [TRAVELLING, LOOKING] = [0, 255];
// The streams of chance: what the scenario draws does not depend on the policy.
const [ARRIVALS, NETWORK, POLICY] = [1, 2, 3];

const NOT_SIMULATED = ['shouldRetryResponse', 'beforeRetry', 'circuitBreaker', 'dryRun'] as const;

export class Clients {
  readonly notes: string[];
  readonly #scenario: CompleteScenario;
  readonly #tally: Tally;
  readonly #service: Service;
  readonly #options: ResolvedPolicy;
  readonly #processes: Processes;
  readonly #arrivals: Random;
  readonly #network: Random;
  readonly #startedAt: Float64Array;
  readonly #sentAt: Float64Array;
  readonly #backoff: Float64Array;
  /** The Retry-After of the last answer, and since when the client waits, in ms. */
  readonly #told: Float64Array;
  readonly #waitsSince: Float64Array;
  readonly #attempt: Int32Array;
  readonly #outcome: Uint8Array;

  constructor(policy: Policy, scenario: CompleteScenario, tally: Tally) {
    const { clients, seed, retries, timeout } = scenario;
    const random = createRandom(seed, POLICY);
    const given = optionsOf(policy, random, timeout);
    this.notes = NOT_SIMULATED.filter((name) => Boolean(given[name])).map((name) => `"${name}" is not simulated`);
    this.#options = resolvePolicy(retries === undefined ? given : { ...given, retries }, random);
    this.#processes = new Processes(this.#options, scenario);
    this.#scenario = scenario;
    this.#tally = tally;
    this.#service = new Service(scenario);
    this.#arrivals = createRandom(seed, ARRIVALS);
    this.#network = createRandom(seed, NETWORK);
    this.#startedAt = new Float64Array(clients);
    this.#sentAt = new Float64Array(clients);
    this.#backoff = new Float64Array(clients).fill(NaN);
    this.#told = new Float64Array(clients);
    this.#waitsSince = new Float64Array(this.#options.shareRetryAfter === 'all' ? clients : 0);
    this.#attempt = new Int32Array(clients);
    this.#outcome = new Uint8Array(clients);
  }

  /** How many retries the policy allows a call. */
  get maxRetries(): number {
    return this.#options.retries;
  }

  /** When the client's first request reaches the service. */
  start(client: number): number {
    const { rate, clients } = this.#scenario;
    const at = rate === Infinity ? 0 : (clients / rate) * 1_000 * this.#arrivals();
    this.#startedAt[client] = at;
    return this.#sendAt(client, at, at);
  }

  /** The client's event: its request arrives, or it hears of the outcome. Gives the time of its next one, if any. */
  handle(client: number, now: number): number | undefined {
    const state = this.#outcome[client];
    if (state === LOOKING) return this.#look(client, now);
    return state === TRAVELLING ? this.#arrive(client, now) : this.#hear(client, now);
  }

  // With `'all'` a client looks at the moment of sending, not before.
  #sendAt(client: number, at: number, since: number): number {
    if (this.#waitsSince.length === 0) return this.#send(client, at);
    this.#waitsSince[client] = since;
    this.#outcome[client] = LOOKING;
    return at;
  }

  #look(client: number, now: number): number | undefined {
    const wait = this.#processes.waitLeft(client, this.#waitsSince[client] as number, now);
    if (wait === 0) return this.#send(client, now);
    const { totalTimeout = Infinity } = this.#options;
    if (now + wait < (this.#startedAt[client] as number) + totalTimeout) return now + wait;
    this.#tally.giveUp('deadline');
    return undefined;
  }

  #send(client: number, at: number): number {
    this.#sentAt[client] = at;
    this.#attempt[client] = (this.#attempt[client] as number) + 1;
    this.#outcome[client] = TRAVELLING;
    return at + this.#leg();
  }

  #leg(): number {
    return Math.max(0, normal(this.#scenario.network.delay, this.#scenario.network.jitter, this.#network));
  }

  // The answer, or the client's own timeout if that comes first.
  #arrive(client: number, now: number): number {
    const tally = this.#tally;
    tally.request(now, this.#attempt[client] as number);
    const outcome = this.#service.arrive(now);
    tally.rejected += Number(this.#service.isOver);
    const patience = this.#patience(client);
    const answer = outcome === Outcome.silent ? Infinity : this.#service.answerAt + this.#leg();
    if (outcome === Outcome.served && answer > patience) tally.wasted++;
    this.#outcome[client] = answer > patience ? Outcome.timedOut : outcome;
    this.#told[client] = answer > patience ? 0 : this.#service.retryAfter;
    return Math.max(now, Math.min(answer, patience));
  }

  // Until when the client waits for this attempt.
  #patience(client: number): number {
    const { totalTimeout = Infinity } = this.#options;
    return Math.min((this.#sentAt[client] as number) + this.#scenario.timeout, (this.#startedAt[client] as number) + totalTimeout);
  }

  #hear(client: number, now: number): number | undefined {
    const outcome = this.#outcome[client] as Outcome;
    const attempt = this.#attempt[client] as number;
    const elapsed = now - (this.#startedAt[client] as number);
    const budget = this.#processes.budgetOf(client);
    if (outcome === Outcome.served) {
      this.#tally.success(now, elapsed, attempt);
      if (budget) settleBudget(budget, attempt, now);
      return undefined;
    }
    const [kind, status] = KINDS[outcome];
    const previous = this.#backoff[client] as number;
    const previousBackoff = Number.isNaN(previous) ? undefined : previous;
    const retryAfter = this.#processes.retryAfter(client, this.#told[client] as number, now);
    const failure: Failure = { kind, status, attempt, elapsed, ...retryAfter, previousBackoff, budget, now };
    const verdict = decideFailure(failure, this.#options);
    if (verdict.retry) {
      this.#backoff[client] = verdict.backoff;
      return this.#sendAt(client, now + verdict.delay, now);
    }
    if (verdict.reason === 'hook-failed') throw verdict.hookError;
    this.#tally.giveUp(verdict.reason);
    return undefined;
  }
}
