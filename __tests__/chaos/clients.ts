// The axios instances of a run: adapters, layers, budgets and pools in many combinations.
import { getEventListeners, setMaxListeners } from 'node:events';
import type { AxiosInstance, InternalAxiosRequestConfig } from 'axios';
import axios, { isAtLeast } from '../helpers/axios';
import { attachRetry, RetryBudget, type Jitter, type RetryEvent, type RetryHandle, type RetryOptions } from '../../lib/index';
import { stamp } from './bodies';
import type { Dice } from './dice';
import type { CallRecord } from './record';
import type { Violations } from './violations';
import { fetchWire, httpWire, type Wire } from './wires';

export const MAX_DELAY = 8;
export const RETRIES = 3;

interface Setting {
  readonly adapter: 'http' | 'fetch';
  /** Interceptors registered before the plugin, which count and edit. */
  readonly hasInner: boolean;
  readonly budget: 'off' | 'own' | 'shared';
  readonly options?: RetryOptions;
  /** Attempts may be refused before they are sent. */
  readonly mayHoldBack?: boolean;
}

// Without redirects axios 1.2 to 1.7 leave a request that timed out open, and its place in the pool is lost.
const mayForgoRedirects = isAtLeast('1.13');
const fetchAdapter = isAtLeast('1.7') ? 'fetch' : 'http';
const SETTINGS: readonly Setting[] = [
  { adapter: 'http', hasInner: true, budget: 'off' },
  { adapter: 'http', hasInner: false, budget: 'off' },
  { adapter: 'http', hasInner: true, budget: 'own' },
  { adapter: 'http', hasInner: false, budget: 'shared' },
  { adapter: fetchAdapter, hasInner: true, budget: 'shared' },
  { adapter: fetchAdapter, hasInner: false, budget: 'off' },
  { adapter: fetchAdapter, hasInner: true, budget: 'off' },
  { adapter: fetchAdapter, hasInner: false, budget: 'own' },
  { adapter: 'http', hasInner: true, budget: 'off', options: { attemptHeader: 'X-Resend', shareRetryAfter: true, maxRetryAfter: 20 } },
  { adapter: fetchAdapter, hasInner: false, budget: 'off', mayHoldBack: true, options: { shareRetryAfter: 'all', maxRetryAfter: 20 } },
];

export const CLIENTS = SETTINGS.length;
export const isFetch = (client: number): boolean => SETTINGS[client]?.adapter === 'fetch';
export const isStamped = (client: number): boolean => SETTINGS[client]?.hasInner === true;

/** Where clients find the records of their calls. */
export type Lookup = (call: number) => CallRecord | undefined;

const callOf = (config: Pick<InternalAxiosRequestConfig, 'headers'> | undefined): number => Number(config?.headers['x-call']);

function sharedSignal(): AbortSignal {
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  return signal;
}

/** One instance with its pool of sockets. */
export class Client {
  readonly api: AxiosInstance;
  readonly handle: RetryHandle;
  /** Shared by many calls and never aborted. */
  readonly signal = sharedSignal();
  /** `maxRedirects: 0`. */
  readonly forgoesRedirects: boolean;
  #listeners = 0;

  private constructor(
    readonly setting: Setting,
    readonly budget: RetryBudget | undefined,
    private readonly wire: Wire,
    url: string,
    dice: Dice,
    private readonly lookup: Lookup,
    private readonly violations: Violations,
  ) {
    this.forgoesRedirects = mayForgoRedirects && dice.chance(0.3);
    this.api = axios.create({ baseURL: url, proxy: false, ...wire.config, ...(this.forgoesRedirects && { maxRedirects: 0 }) });
    if (setting.hasInner) this.api.interceptors.request.use((config) => this.#onInner(config));
    const refuse = { execute: <T>(send: () => Promise<T>): Promise<T> => (dice.chance(0.05) ? Promise.reject(new Error('open')) : send()) };
    this.handle = attachRetry(this.api, {
      retries: RETRIES,
      baseDelay: dice.int(1, 5),
      maxDelay: MAX_DELAY,
      jitter: dice.pick<Jitter>(['full', 'equal', 'decorrelated', 'none', { plusMinus: 2 }]),
      budget: budget ?? false,
      ...(setting.mayHoldBack && { circuitBreaker: refuse }),
      onRetry: (event) => this.#onRetry(event),
      onGiveUp: (event) => this.#count(event, 'giveUpEvents'),
      onRecover: (event) => this.#count(event, 'recoverEvents'),
      ...setting.options,
    });
    if (setting.hasInner) this.#countOutcomes();
  }

  static async open(index: number, url: string, dice: Dice, shared: RetryBudget, lookup: Lookup, violations: Violations): Promise<Client> {
    const setting = SETTINGS[index] as Setting;
    // The first one has few calls: one at a time takes long.
    const sockets = index === 0 ? 1 : index === 1 ? 50 : dice.int(5, 50);
    const onRequest = (call: number): void => {
      const record = lookup(call);
      if (!record) return violations.add('attempts', 'a request left for a call that is not there', call);
      record.left += 1;
      if (!setting.hasInner) checkTime(record, violations);
    };
    const wire = setting.adapter === 'fetch' ? await fetchWire(sockets, onRequest) : httpWire(sockets, dice.chance(0.5), onRequest);
    const budget = { off: undefined, own: new RetryBudget({ capacity: 20 }), shared }[setting.budget];
    return new Client(setting, budget, wire, url, dice, lookup, violations);
  }

  /** Listeners on the shared signal that were not there when last asked. */
  newListeners(): number {
    const known = this.#listeners;
    this.#listeners = getEventListeners(this.signal, 'abort').length;
    return this.#listeners - known;
  }

  close(): Promise<void> | void {
    this.handle.detach();
    return this.wire.close();
  }

  #onInner(config: InternalAxiosRequestConfig): InternalAxiosRequestConfig {
    const record = this.lookup(callOf(config));
    if (record) {
      record.inner += 1;
      checkTime(record, this.violations);
    }
    stamp(config.data);
    return config;
  }

  #countOutcomes(): void {
    const count = (config: InternalAxiosRequestConfig | undefined): void => {
      const record = this.lookup(callOf(config));
      if (record) record.outer += 1;
    };
    this.api.interceptors.response.use(
      (response) => {
        count(response.config);
        return response;
      },
      (error) => {
        count(error.config);
        throw error;
      },
    );
  }

  #count({ config }: RetryEvent, counter: 'giveUpEvents' | 'recoverEvents'): void {
    const record = this.lookup(callOf(config));
    if (record) record[counter] += 1;
  }

  #onRetry({ config, delay = 0, retryAfter = 0 }: RetryEvent): void {
    const record = this.lookup(callOf(config));
    if (!record) return;
    record.retryEvents += 1;
    record.notBefore = performance.now() + delay;
    if (delay < retryAfter) this.violations.add('delay', `${delay} ms, Retry-After ${retryAfter}`, record.plan.id);
    const isShared = this.setting.options?.shareRetryAfter !== undefined;
    if (retryAfter === 0 && !isShared && delay > MAX_DELAY) this.violations.add('delay', `${delay} ms`, record.plan.id);
    if (record.plan.abort?.when === 'in-wait') abortInWait(record, delay);
  }
}

/** As the wait begins, or a little later: then only a long wait is sure to be under way. */
function abortInWait(record: CallRecord, delay: number): void {
  const ms = record.plan.abort?.ms ?? 0;
  if (ms % 2 === 0) record.abort(true);
  else setTimeout(() => record.abort(delay > 10_000), ms / 10);
}

function checkTime(record: CallRecord, violations: Violations): void {
  const early = record.notBefore - performance.now();
  if (early > 0) violations.add('delay', `${early} ms early`, record.plan.id);
}
