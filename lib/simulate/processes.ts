/** What the clients of one process share: a retry budget, and a Retry-After. */
import type { CompleteScenario } from './complete';
import { RetryBudget, waitFor, type Failure, type ResolvedPolicy } from './library';
import { Pauses } from './pauses';

export class Processes {
  readonly #options: ResolvedPolicy;
  readonly #clientsPerProcess: number;
  readonly #budgets: (RetryBudget | undefined)[] = [];
  readonly #pauses: Pauses | undefined;

  constructor(options: ResolvedPolicy, { clients, clientsPerProcess }: CompleteScenario) {
    const { shareRetryAfter, transit, maxRetryAfter } = options;
    this.#options = options;
    this.#clientsPerProcess = clientsPerProcess;
    const processes = Math.ceil(clients / clientsPerProcess);
    this.#pauses = shareRetryAfter === false ? undefined : new Pauses(processes, transit, maxRetryAfter);
  }

  // A budget that its clients cannot empty is left out: it would change nothing.
  budgetOf(client: number): RetryBudget | undefined {
    const { budget, retries } = this.#options;
    if (budget === false || this.#clientsPerProcess * retries * budget.cost <= budget.capacity) return undefined;
    return (this.#budgets[this.#processOf(client)] ??= new RetryBudget(budget));
  }

  /** How long the client is to stay away, from what its answer said and what it knows from others. */
  retryAfter(client: number, told: number, now: number): Pick<Failure, 'retryAfter' | 'asked'> {
    const process = this.#processOf(client);
    if (told > 0) this.#pauses?.share(process, told, now);
    const pause = this.#pauses?.get(process, now);
    if (pause) return { retryAfter: Math.max(told, pause.until - now), asked: pause.asked };
    return { retryAfter: told > 0 ? told : undefined };
  }

  /** How much longer a client waits that has done so since then; 0 = it may send. `maxRetryAfter` and one spread at most. */
  waitLeft(client: number, since: number, now: number): number {
    const pause = this.#pauses?.get(this.#processOf(client), now);
    const left = pause ? Math.min(pause.until, since + this.#options.maxRetryAfter) - now : 0;
    return pause && left > 0 ? waitFor(left, pause.asked, this.#options) : 0;
  }

  #processOf(client: number): number {
    return Math.floor(client / this.#clientsPerProcess);
  }
}
