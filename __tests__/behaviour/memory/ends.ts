// Every way in which a call can end, with what its attempts brought along noted by name.
import { AxiosError, type AxiosInstance, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import { circuitBreaker } from '../../../lib/cockatiel';
import { attachRetry, type RequestRetry, type RetryOptions } from '../../../lib/index';
import axios from '../../helpers/axios';
import { collectGarbage, Mortals } from '../../helpers/garbage';

/** What the adapter does with an attempt: a status, no answer at all, or one that never comes. */
type Answer = number | 'reset' | 'hang';

export interface End {
  readonly name: string;
  readonly answers: Answer[];
  readonly options?: RetryOptions;
  readonly retry?: RequestRetry;
  readonly headers?: Record<string, string>;
  readonly method?: string;
  /** What happens from outside, once so many attempts are under way or over. */
  readonly meanwhile?: (run: Run) => void;
  /** What the caller gets keeps the failure before the last, too: as its cause. */
  readonly hasCause?: boolean;
}

export interface Run {
  readonly abort: () => void;
  readonly detach: () => void;
}

const boom = (): never => {
  throw new Error('boom');
};
const abort = ({ abort: now }: Run): void => now();
const inWait = { sleep: (_ms: number, signal: AbortSignal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())) };

export const ENDS: End[] = [
  { name: 'success at once', answers: [200] },
  { name: 'recovered', answers: [503, 'reset', 200] },
  { name: 'exhausted', answers: [503, 503, 503, 503] },
  { name: 'not-retryable', answers: [503, 404] },
  { name: 'method', answers: [503], method: 'post' },
  { name: 'retry-after', answers: [503], headers: { 'retry-after': '1000' } },
  { name: 'deadline: no time for another wait', answers: [503], options: { totalTimeout: 1_000, baseDelay: 5_000, jitter: 'none' } },
  { name: 'deadline: an attempt is cut short', answers: [503, 'hang'], options: { totalTimeout: 60 }, hasCause: true },
  { name: 'dry-run', answers: [503], options: { dryRun: true } },
  { name: 'budget', answers: [503, 503], options: { budget: { capacity: 1 } } },
  { name: 'circuit-open', answers: [503, 503], options: { circuitBreaker: circuitBreaker({ minimumAttempts: 2 }) } },
  { name: 'aborted in the wait', answers: [503], options: inWait, meanwhile: abort },
  { name: 'aborted in flight', answers: [503, 'hang'], meanwhile: abort },
  { name: 'hook-failed', answers: [503, 503], options: { delay: ({ attempt }) => (attempt < 2 ? 0 : boom()) } },
  { name: 'detached', answers: [503], options: inWait, meanwhile: ({ detach }) => detach() },
  { name: 'accepted, but wanted again', answers: [200, 200], options: { retries: 1, shouldRetryResponse: () => true } },
];

function answer(config: InternalAxiosRequestConfig, status: number, data: object, headers: Record<string, string>): AxiosResponse {
  return { status, statusText: '', headers, data, config };
}

/** A client of its own, whose adapter answers by the script; what each attempt brings is noted by its number. */
export class Client {
  readonly api: AxiosInstance = axios.create({ baseURL: 'https://api.example.com' });
  readonly handle: ReturnType<typeof attachRetry>;
  sent = 0;
  readonly #mortals: Mortals;
  readonly #end: End;

  constructor(end: End, mortals: Mortals, options: RetryOptions = {}) {
    this.#end = end;
    this.#mortals = mortals;
    // Inside, so that what inner layers may edit is copied.
    this.api.interceptors.request.use((config) => config);
    this.handle = attachRetry(this.api, { baseDelay: 0, shareRetryAfter: true, ...end.options, ...options });
  }

  /** Runs one call to its end, and gives what the caller gets. */
  async run(signal?: AbortSignal, abortNow: () => void = () => undefined): Promise<unknown> {
    const { meanwhile, method = 'put', retry } = this.#end;
    this.sent = 0;
    const config = { method, url: '/orders', adapter: (sent: InternalAxiosRequestConfig) => this.#send(sent), ...(signal && { signal }), ...(retry !== undefined && { retry }) };
    const body = (): object => this.#mortals.note(`body`, { id: 7, text: 'x'.repeat(1_000) });
    const call = this.api.request({ ...config, data: body() }).catch((error: unknown) => error);
    if (meanwhile) {
      while (this.sent < this.#end.answers.length || this.#isBusy()) await new Promise((resolve) => setImmediate(resolve));
      meanwhile({ abort: abortNow, detach: () => this.handle.detach() });
    }
    return call;
  }

  #isBusy(): boolean {
    return this.#end.answers.at(-1) !== 'hang' && this.handle.stats().waiting === 0;
  }

  async #send(config: InternalAxiosRequestConfig): Promise<AxiosResponse> {
    const number = (this.sent += 1);
    const now = this.#end.answers[number - 1] ?? 200;
    await Promise.resolve();
    if (now === 'hang') return new Promise<AxiosResponse>(() => undefined);
    const name = `attempt ${number}`;
    if (now === 'reset') throw this.#mortals.note(name, new AxiosError('reset', 'ECONNRESET', config, {}));
    const data = this.#mortals.note(name, { number, text: 'y'.repeat(1_000) });
    const response = answer(config, now, data, this.#end.headers ?? {});
    if (now < 300) return response;
    throw new AxiosError(`answered ${now}`, 'ERR_BAD_RESPONSE', config, {}, response);
  }
}

export interface Ran {
  readonly client: Client;
  readonly kept: unknown;
}

/** One call to its end. */
async function runTo(end: End, mortals: Mortals, options?: RetryOptions): Promise<Ran> {
  const controller = new AbortController();
  const client = new Client(end, mortals, options);
  const kept = await client.run(controller.signal, () => controller.abort());
  return { client, kept };
}

export interface Kept {
  readonly end: End;
  /** What `keep` chose of the run. */
  readonly kept: unknown;
  /** The names of what has survived with it. */
  readonly survivors: string[];
}

/** One call to each end, each with its own notes, and then one collection for all. */
export async function runToAll(keep: (ran: Ran) => unknown, options?: RetryOptions): Promise<Kept[]> {
  const rans: { end: End; kept: unknown; mortals: Mortals }[] = [];
  for (const end of ENDS) {
    const mortals = new Mortals();
    rans.push({ end, mortals, kept: await runTo(end, mortals, options).then(keep) });
  }
  await collectGarbage(() => rans.every(({ mortals }) => mortals.alive().length === 0));
  return rans.map(({ end, kept, mortals }) => ({ end, kept, survivors: mortals.alive() }));
}

/** The names of what has survived, with the end where it was. */
export async function survivorsOfAll(keep: (ran: Ran) => unknown, options?: RetryOptions): Promise<string[]> {
  const all = await runToAll(keep, options);
  expect(all.map(({ kept }) => typeof kept)).toEqual(ENDS.map(() => 'object'));
  return all.flatMap(({ end, survivors }) => survivors.map((survivor) => `${end.name}: ${survivor}`));
}
