// Every option changed once from its default, and what that changes. See `base` for what happens without.
import type { AxiosInstance, AxiosRequestConfig, AxiosResponse } from 'axios';
import { attachRetry, type RetryOptions } from '../../../lib/index';
import axios from '../../helpers/axios';
import nock from '../../helpers/nock';
import { recorder, rejectionOf, serve, SERVICE, timeless, type Answer, type Seen, type Told } from '../../helpers/observed';

interface Ran {
  seen: Seen[];
  waits: number[];
  told: Told[];
  response?: AxiosResponse;
  error?: unknown;
}

/** Prepares the instance after retries were attached. */
type Prepare = (api: AxiosInstance) => void;

async function run(answers: Answer[], retry: RetryOptions, config: AxiosRequestConfig = {}, prepare: Prepare = () => undefined): Promise<Ran> {
  nock.cleanAll();
  const seen = serve(answers);
  const { waits, options } = timeless();
  const { told, observer } = recorder();
  const api = axios.create({ baseURL: SERVICE });
  attachRetry(api, { ...options, observers: [observer], ...retry });
  prepare(api);
  try {
    return { seen, waits, told, response: await api.request({ url: '/orders', ...config }) };
  } catch (error) {
    return { seen, waits, told, error };
  }
}

const headersOf = ({ seen }: Ran, name: string): unknown[] => seen.map(({ headers }) => headers[name]);
const reasonsOf = ({ told }: Ran): unknown[] => told.map(({ event }) => event.reason ?? 'retry');
const askLater: Answer = { status: 429, headers: { 'Retry-After': '10' } };

/** What happens with nothing but the defaults, for each of the cases below. */
describe('without options', () => {
  it('a GET is retried three times, with full jitter', async () => {
    const { seen, waits } = await run([500], {});
    expect(seen).toHaveLength(4);
    expect(waits).toEqual([250, 500, 1_000]);
  });

  it.each<[string, Answer, AxiosRequestConfig]>([
    ['a POST that failed', 500, { method: 'post' }],
    ['a GET without an answer to find', 404, {}],
    ['a GET that was accepted', { status: 200, body: 'pending' }, {}],
  ])('%s is sent once', async (_what, answer, config) => {
    expect((await run([answer], {}, config)).seen).toHaveLength(1);
  });

  it('Retry-After is waited for, and half of it is what the return is spread over', async () => {
    expect((await run([askLater, 200], {})).waits).toEqual([12_500]);
  });

  it('no header is added', async () => {
    const { seen } = await run([500, 200], {});
    expect(Object.keys(seen[1]?.headers ?? {}).sort()).toEqual(Object.keys(seen[0]?.headers ?? {}).sort());
  });
});

// The compiler asks for every option here.
const flips: Record<keyof Required<RetryOptions>, () => Promise<void>> = {
  async retries() {
    expect((await run([500], { retries: 1 })).seen).toHaveLength(2);
  },
  async requestInterceptors() {
    const sign: Prepare = (api) => {
      let made = 0;
      api.interceptors.request.use((config) => {
        config.headers.set('X-Signature', String(++made));
        return config;
      });
    };
    expect(headersOf(await run([500, 200], {}, {}, sign), 'x-signature')).toEqual(['1', '1']);
    expect(headersOf(await run([500, 200], { requestInterceptors: 'all' }, {}, sign), 'x-signature')).toEqual(['1', '2']);
  },
  async baseDelay() {
    expect((await run([500, 200], { baseDelay: 100 })).waits).toEqual([50]);
  },
  async factor() {
    expect((await run([500], { factor: 3 })).waits).toEqual([250, 750, 2_250]);
  },
  async maxDelay() {
    expect((await run([500], { maxDelay: 600 })).waits).toEqual([250, 300, 300]);
  },
  async jitter() {
    expect((await run([500], { jitter: 'none' })).waits).toEqual([500, 1_000, 2_000]);
  },
  async delay() {
    expect((await run([500], { delay: ({ attempt }) => attempt })).waits).toEqual([1, 2, 3]);
  },
  async methods() {
    expect((await run([500, 200], { methods: ['post'] }, { method: 'post' })).seen).toHaveLength(2);
  },
  async statuses() {
    expect((await run([404, 500], { statuses: [404] })).seen).toHaveLength(2);
  },
  async shouldRetry() {
    expect((await run([404, 200], { shouldRetry: () => true })).seen).toHaveLength(2);
  },
  async shouldRetryResponse() {
    const retry: RetryOptions = { shouldRetryResponse: ({ data }) => data === 'pending' };
    expect((await run([{ status: 200, body: 'pending' }, 200], retry)).seen).toHaveLength(2);
  },
  async retryAfter() {
    expect((await run([askLater, 200], { retryAfter: false })).waits).toEqual([250]);
    expect((await run([askLater, 200], { retryAfter: () => 20_000 })).waits).toEqual([25_000]);
  },
  async maxRetryAfter() {
    expect(reasonsOf(await run([askLater, 200], { maxRetryAfter: 9_999 }))).toEqual(['retry-after']);
  },
  async retryAfterSpread() {
    expect((await run([askLater, 200], { retryAfterSpread: 0 })).waits).toEqual([10_000]);
  },
  async shareRetryAfter() {
    serve([askLater, 500, 200]);
    const { waits, options } = timeless();
    const api = axios.create({ baseURL: SERVICE });
    attachRetry(api, { ...options, shareRetryAfter: true });
    await rejectionOf(api.get('/orders', { retry: 0 }));
    await api.get('/orders');
    expect(waits).toEqual([12_500]);
  },
  async retryAfterChannel() {
    serve([askLater]);
    const notes: object[] = [];
    const channel = { postMessage: (note: object) => notes.push(note), addEventListener: () => undefined, removeEventListener: () => undefined };
    const api = axios.create({ baseURL: SERVICE });
    attachRetry(api, { ...timeless().options, retries: 0, shareRetryAfter: true, retryAfterChannel: channel });
    await rejectionOf(api.get('/orders'));
    expect(notes).toEqual([{ 'axios-jitter': 1, origin: SERVICE, retryAfter: 10_000 }]);
  },
  async totalTimeout() {
    expect(reasonsOf(await run([500], { totalTimeout: 249 }))).toEqual(['deadline']);
  },
  async body() {
    let made = 0;
    const { seen } = await run([500, 200], { body: () => `body ${++made}` }, { method: 'put', data: 'given' });
    expect(seen.map(({ body }) => body)).toEqual(['body 1', 'body 2']);
  },
  async idempotencyKey() {
    const ran = await run([500, 200], { idempotencyKey: 'order-1' }, { method: 'post' });
    expect(headersOf(ran, 'idempotency-key')).toEqual(['order-1', 'order-1']);
  },
  async idempotencyHeader() {
    const ran = await run([500, 200], { idempotencyHeader: 'X-Key' }, { method: 'post', headers: { 'x-key': 'order-1' } });
    expect(headersOf(ran, 'x-key')).toEqual(['order-1', 'order-1']);
  },
  async attemptHeader() {
    expect(headersOf(await run([500, 500, 200], { attemptHeader: 'X-Resend' }), 'x-resend')).toEqual([undefined, '1', '2']);
  },
  async budget() {
    expect(reasonsOf(await run([500], { budget: { capacity: 1 } }))).toEqual(['retry', 'budget']);
  },
  async circuitBreaker() {
    const ran = await run([200], { circuitBreaker: { execute: () => Promise.reject(new Error('open')) } });
    expect(ran.error).toMatchObject({ code: 'ERR_CIRCUIT_OPEN' });
    expect(ran.seen).toEqual([]);
  },
  async origin() {
    const { told } = await run([500, 200], { origin: ({ url }) => `shard of ${url}` });
    expect(told.map(({ event }) => event.origin)).toEqual(['shard of /orders', 'shard of /orders']);
  },
  async beforeRetry() {
    const ran = await run([500, 200], { beforeRetry: (config) => void (config.headers['X-Token'] = 'new') });
    expect(headersOf(ran, 'x-token')).toEqual([undefined, 'new']);
  },
  async onRetry() {
    const onRetry = jest.fn();
    await run([500, 500, 200], { onRetry });
    expect(onRetry).toHaveBeenCalledTimes(2);
  },
  async onGiveUp() {
    const onGiveUp = jest.fn();
    await run([500], { onGiveUp });
    expect(onGiveUp).toHaveBeenCalledTimes(1);
  },
  async onRecover() {
    const onRecover = jest.fn();
    await run([500, 200], { onRecover });
    expect(onRecover).toHaveBeenCalledTimes(1);
  },
  async observers() {
    const onRetry = jest.fn();
    await run([500, 200], { observers: [{ onRetry }, { onRetry }] });
    expect(onRetry).toHaveBeenCalledTimes(2);
  },
  async onObserverError() {
    const [broken, onObserverError] = [new Error('logger broke'), jest.fn()];
    await run([500, 200], { onRetry: () => Promise.reject(broken), onObserverError });
    expect(onObserverError.mock.calls).toEqual([[broken, expect.objectContaining({ attempt: 1 })]]);
  },
  async dryRun() {
    const ran = await run([500, 200], { dryRun: true });
    expect(reasonsOf(ran)).toEqual(['dry-run']);
    expect(ran.seen).toHaveLength(1);
  },
  async random() {
    expect((await run([500], { random: () => 0.1 })).waits).toEqual([50, 100, 200]);
  },
  async sleep() {
    const sleep = jest.fn(() => Promise.resolve());
    await run([500, 200], { sleep });
    expect(sleep.mock.calls).toEqual([[250, expect.any(AbortSignal)]]);
  },
  async now() {
    let time = 0;
    const { told } = await run([500, 200], { now: () => (time += 10) });
    expect(told.every(({ event }) => event.elapsed > 0 && event.elapsed % 10 === 0)).toBe(true);
  },
};

describe('R46 changes what happens', () => {
  it.each(Object.entries(flips))('%s', async (_name, flip) => {
    expect.hasAssertions();
    await flip();
  });
});
