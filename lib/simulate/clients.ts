/** The clients: each sends, hears what became of it, asks the policy, and sends again. State in typed arrays. */
import type { CompleteScenario } from './complete';
import {
  decideFailure, resolvePolicy, RetryBudget, settleBudget, type Failure, type FailureKind, type ResolvedRetryOptions,
} from './library';
import { optionsOf } from './presets';
import { createRandom, normal, type Random } from './random';
import type { Policy } from './scenario';
import { Outcome, Service } from './service';
import type { Tally } from './tally';

const TRAVELLING = 0;
// The streams of chance: what the scenario draws does not depend on the policy.
const [ARRIVALS, NETWORK, POLICY] = [1, 2, 3];

const KINDS: Readonly<Record<Outcome, readonly [kind: FailureKind, status?: number]>> = {
  [Outcome.served]: ['response'],
  [Outcome.refused]: ['unsent'],
  [Outcome.unavailable]: ['status', 503],
  [Outcome.limited]: ['status', 429],
  [Outcome.silent]: ['timeout'],
  [Outcome.rejected]: ['status', 503],
  [Outcome.timedOut]: ['timeout'],
};
const NOT_SIMULATED = ['shouldRetryResponse', 'beforeRetry', 'circuitBreaker', 'shareRetryAfter', 'dryRun'] as const;

export class Clients {
  readonly notes: string[];
  readonly #scenario: CompleteScenario;
  readonly #tally: Tally;
  readonly #service: Service;
  readonly #options: ResolvedRetryOptions;
  readonly #arrivals: Random;
  readonly #network: Random;
  readonly #budgets: (RetryBudget | undefined)[] = [];
  readonly #startedAt: Float64Array;
  readonly #sentAt: Float64Array;
  readonly #backoff: Float64Array;
  readonly #attempt: Int32Array;
  readonly #outcome: Uint8Array;

  constructor(policy: Policy, scenario: CompleteScenario, tally: Tally) {
    const { clients, seed, retries, timeout } = scenario;
    const random = createRandom(seed, POLICY);
    const given = optionsOf(policy, random, timeout);
    this.notes = NOT_SIMULATED.filter((name) => Boolean(given[name])).map((name) => `"${name}" is not simulated`);
    this.#options = resolvePolicy(retries === undefined ? given : { ...given, retries }, random);
    this.#scenario = scenario;
    this.#tally = tally;
    this.#service = new Service(scenario);
    this.#arrivals = createRandom(seed, ARRIVALS);
    this.#network = createRandom(seed, NETWORK);
    this.#startedAt = new Float64Array(clients);
    this.#sentAt = new Float64Array(clients);
    this.#backoff = new Float64Array(clients).fill(NaN);
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
    return this.#send(client, at);
  }

  /** The client's event: its request arrives, or it hears of the outcome. Gives the time of its next one, if any. */
  handle(client: number, now: number): number | undefined {
    return this.#outcome[client] === TRAVELLING ? this.#arrive(client, now) : this.#hear(client, now);
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
    if (outcome === Outcome.rejected) tally.rejected++;
    const patience = this.#patience(client);
    const answer = outcome === Outcome.silent ? Infinity : this.#service.answerAt + this.#leg();
    if (outcome === Outcome.served && answer > patience) tally.wasted++;
    this.#outcome[client] = answer > patience ? Outcome.timedOut : outcome;
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
    const budget = this.#budgetOf(client);
    if (outcome === Outcome.served) {
      this.#tally.success(now, elapsed, attempt);
      if (budget) settleBudget(budget, attempt, now);
      return undefined;
    }
    const [kind, status] = KINDS[outcome];
    const previous = this.#backoff[client] as number;
    const previousBackoff = Number.isNaN(previous) ? undefined : previous;
    const failure: Failure = { kind, status, attempt, elapsed, retryAfter: this.#retryAfter(outcome), previousBackoff, budget, now };
    const verdict = decideFailure(failure, this.#options);
    if (verdict.retry) {
      this.#backoff[client] = verdict.backoff;
      return this.#send(client, now + verdict.delay);
    }
    if (verdict.reason === 'hook-failed') throw verdict.hookError;
    this.#tally.giveUp(verdict.reason);
    return undefined;
  }

  #retryAfter(outcome: Outcome): number | undefined {
    const { outage, service } = this.#scenario;
    const asked = outcome === Outcome.limited ? outage.retryAfter : outcome === Outcome.rejected ? service.retryAfter : 0;
    return asked === 0 ? undefined : asked;
  }

  // One budget for each process. A budget that its clients cannot empty is left out: it would change nothing.
  #budgetOf(client: number): RetryBudget | undefined {
    const { budget, retries } = this.#options;
    const { clientsPerProcess } = this.#scenario;
    if (budget === false || clientsPerProcess * retries * budget.cost <= budget.capacity) return undefined;
    return (this.#budgets[Math.floor(client / clientsPerProcess)] ??= new RetryBudget(budget));
  }
}
