// Many concurrent calls over a network that breaks in every way, and the promises that must hold all the same.
import { setTimeout as sleep } from 'node:timers/promises';
import { ABORT_WAYS } from '../helpers/abort-ways';
import { isAtLeast } from '../helpers/axios';
import { RetryBudget } from '../../lib/index';
import { Application, type Received } from './application';
import { bodyComplaint, prepareBody } from './bodies';
import { runCall } from './caller';
import { Client, CLIENTS, isFetch, isStamped } from './clients';
import { Dice } from './dice';
import { FaultProxy } from './fault-proxy';
import { addTo, checkCall, checkClient, noSums, type Sums } from './invariants';
import { drawPlan, type Answer, type Fault } from './plan';
import { CallRecord } from './record';
import { Violations } from './violations';

const CONCURRENCY = 64;
/** How long nothing at all may settle, and how long the wire may take to come to rest: in ms; a busy machine is slow. */
const PATIENCE = 60_000;

const abilities = { clients: CLIENTS, webForms: isAtLeast('1.3'), isFetch };

function activeResources(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Polls until it holds; false when patience is at an end. */
async function comesTrue(holds: () => boolean): Promise<boolean> {
  const until = performance.now() + PATIENCE;
  while (!holds()) {
    if (performance.now() > until) return false;
    await sleep(5);
  }
  return true;
}

const WATCHED = ['Timeout', 'TCPSocketWrap', 'TCPServerWrap', 'TCPConnectWrap'] as const;

export class Chaos {
  readonly violations: Violations;
  readonly application = new Application((received) => this.#onReceived(received));
  readonly outcomes: Record<string, number> = {};
  /** Calls that succeeded after a retry, by what was sent. */
  readonly recoveredBodies: Record<string, number> = {};
  calls = 0;
  proxy!: FaultProxy;
  clients: Client[] = [];
  readonly #baseline = activeResources();
  readonly #records = new Map<number, CallRecord>();
  readonly #keys = new Map<string, number>();
  readonly #sums: Sums[] = Array.from({ length: CLIENTS }, noSums);
  readonly #shared = new RetryBudget({ capacity: 200, deposit: 0.5 });
  readonly #dice: Dice;
  readonly #onCrash = (error: unknown): void => this.violations.add('crash', error instanceof Error ? (error.stack ?? error.message) : String(error));

  private constructor(readonly seed: number) {
    this.violations = new Violations(seed);
    this.#dice = new Dice(seed);
  }

  /** Servers, proxy and clients; they last for all rounds. */
  static async open(seed: number): Promise<Chaos> {
    const chaos = new Chaos(seed);
    process.on('unhandledRejection', chaos.#onCrash);
    process.on('uncaughtException', chaos.#onCrash);
    await chaos.application.listen();
    chaos.proxy = new FaultProxy(chaos.application.port, (call) => chaos.#faultFor(call));
    await chaos.proxy.listen();
    const url = `http://${chaos.proxy.host}:${chaos.proxy.port}`;
    const lookup = (call: number): CallRecord | undefined => chaos.#records.get(call);
    for (let index = 0; index < CLIENTS; index++) {
      chaos.clients.push(await Client.open(index, url, chaos.#dice, chaos.#shared, lookup, chaos.violations));
    }
    return chaos;
  }

  get attempts(): number {
    return this.#sums.reduce((sum, { attempts }) => sum + attempts, 0);
  }

  /** So many calls, and then the checks. False: some did not settle, and there is no point in going on. */
  async round(calls: number): Promise<boolean> {
    let settled = 0;
    let begun = 0;
    const work = async (): Promise<void> => {
      while (begun < calls) {
        begun += 1;
        this.#maybeRefuse();
        const record = this.#prepare();
        await runCall(record, this.#clientOf(record), this.violations);
        settled += 1;
      }
    };
    void Promise.all(Array.from({ length: CONCURRENCY }, work));
    let before = -1;
    while (settled < calls && settled !== before) {
      before = settled;
      await comesTrue(() => settled === calls || settled > before + 500);
    }
    await this.#rest();
    this.#check();
    return settled === calls;
  }

  async close(): Promise<void> {
    for (const client of this.clients) await client.close();
    await this.proxy.close();
    await this.application.close();
    const surplus = (): string[] => {
      const now = activeResources();
      return WATCHED.filter((name) => (now[name] ?? 0) > (this.#baseline[name] ?? 0)).map((name) => `${name} ${String(now[name])}`);
    };
    // A poll of its own would be a timer.
    for (let turn = 0; turn < 1_000 && surplus().length > 0; turn++) await new Promise((resolve) => setImmediate(resolve));
    for (const name of surplus()) this.violations.add('resources', `${name} instead of ${JSON.stringify(this.#baseline)}`);
    process.off('unhandledRejection', this.#onCrash);
    process.off('uncaughtException', this.#onCrash);
  }

  #clientOf({ plan }: CallRecord): Client {
    return this.clients[plan.client] as Client;
  }

  #prepare(): CallRecord {
    this.calls += 1;
    const dice = new Dice(this.seed, this.calls);
    const plan = drawPlan(dice, this.calls, abilities);
    const way = plan.abort && ABORT_WAYS[plan.abort.way]?.[1]();
    const record = new CallRecord(plan, prepareBody(plan, isStamped(plan.client), dice), way);
    this.#records.set(plan.id, record);
    return record;
  }

  #maybeRefuse(): void {
    if (this.#dice.chance(0.004)) this.proxy.refuseFor(this.#dice.int(2, 12));
  }

  #faultFor(call: number): Fault {
    const record = this.#records.get(call);
    if (!record) {
      this.violations.add('attempts', 'a request on the wire for a call that is not there', call);
      return { kind: 'none', at: 0, isReset: false };
    }
    record.seen += 1;
    const { faults } = record.plan;
    return faults[Math.min(record.seen, faults.length) - 1] as Fault;
  }

  #onReceived(received: Received): Answer {
    const record = this.#records.get(received.call);
    if (!record) {
      this.violations.add('attempts', 'reached the application for a call that is not there', received.call);
      return { status: 500, headers: {}, padding: 0, isChunked: false, after: 0 };
    }
    const { plan, body, keys } = record;
    keys.push(received.key);
    if (received.key !== undefined) this.#checkKey(received.key, plan.id);
    const complaint = bodyComplaint(body, received);
    if (complaint) this.violations.add('body', `${complaint}; ${record.describe()}`, plan.id);
    if (received.method !== plan.method || received.url !== `/calls/${plan.id}`) {
      this.violations.add('body', `${received.method} ${received.url} instead of ${plan.method}`, plan.id);
    }
    if (plan.abort?.when === 'in-flight') record.abort();
    return plan.answers[Math.min(keys.length, plan.answers.length) - 1] as Answer;
  }

  #checkKey(key: string, call: number): void {
    if ((this.#keys.get(key) ?? call) !== call) this.violations.add('key', `the key of call ${String(this.#keys.get(key))}`, call);
    this.#keys.set(key, call);
  }

  /** No request is under way, nothing is left to come. */
  async #rest(): Promise<void> {
    for (const record of this.#records.values()) {
      if (record.end === undefined) this.violations.add('settles', record.describe(), record.plan.id);
    }
    await comesTrue(() => this.proxy.open.length === 0);
    for (const call of this.proxy.open) this.violations.add('sockets', this.#records.get(call)?.describe() ?? '', call);
    await comesTrue(() => [...this.#records.values()].every(({ body }) => body.made.every(({ destroyed }) => destroyed)));
    const hasTimers = (): boolean => (activeResources()['Timeout'] ?? 0) > (this.#baseline['Timeout'] ?? 0) + 1;
    if (!(await comesTrue(() => !hasTimers()))) this.violations.add('resources', `timers after the calls: ${String(activeResources()['Timeout'])}`);
  }

  #check(): void {
    for (const record of this.#records.values()) {
      const client = this.#clientOf(record);
      checkCall(record, client, this.violations);
      addTo(this.#sums[record.plan.client] as Sums, record);
      const outcome = record.end === 'resolved' ? (record.hasReport ? 'recovered' : 'succeeded at once') : (record.reason ?? 'not begun');
      this.outcomes[outcome] = (this.outcomes[outcome] ?? 0) + 1;
      if (outcome === 'recovered') this.recoveredBodies[record.plan.body] = (this.recoveredBodies[record.plan.body] ?? 0) + 1;
    }
    this.clients.forEach((client, index) => checkClient(client, this.#sums[index] as Sums, `client ${index}`, this.violations));
    this.#checkBudgets();
    this.#records.clear();
    this.#keys.clear();
  }

  #checkBudgets(): void {
    for (const budget of new Set(this.clients.map((client) => client.budget))) {
      if (!budget) continue;
      const users = this.#sums.filter((_, index) => this.clients[index]?.budget === budget);
      const failed = users.reduce((sum, { failedRetries }) => sum + failedRetries, 0);
      const tokens = budget.capacity + budget.deposit * users.reduce((sum, { successes }) => sum + successes, 0);
      if (failed > tokens) this.violations.add('budget', `${failed} failed retries for ${tokens} tokens`);
    }
  }
}
