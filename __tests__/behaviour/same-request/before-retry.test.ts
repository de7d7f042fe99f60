// `beforeRetry`: the one hook that may change the next attempt, and nothing else.
import { setTimeout as wait } from 'node:timers/promises';
import type { AxiosInstance, InternalAxiosRequestConfig } from 'axios';
import { attachRetry, getRetryReport, type RetryEvent, type RetryHandle, type RetryOptions } from '../../../lib/index';
import axios from '../../helpers/axios';
import nock from '../../helpers/nock';
import { recorder, rejectionOf, serve, SERVICE, timeless, type Seen, type Told } from '../../helpers/observed';

type BeforeRetry = NonNullable<RetryOptions['beforeRetry']>;

function makeApi(beforeRetry: BeforeRetry, more: RetryOptions = {}): { api: AxiosInstance; retry: RetryHandle; told: Told[] } {
  const { told, observer } = recorder();
  const api = axios.create({ baseURL: SERVICE });
  const retry = attachRetry(api, { ...timeless().options, jitter: 'none', observers: [observer], beforeRetry, ...more });
  return { api, retry, told };
}

const header = (seen: Seen[], name: string): unknown[] => seen.map(({ headers }) => headers[name]);
const toText = (value: unknown): string => (value instanceof URLSearchParams ? String(value) : JSON.stringify(value));
const setToken = (config: InternalAxiosRequestConfig, token: string): void => void (config.headers['X-Token'] = token);

describe('beforeRetry', () => {
  it('is given the next attempt’s config and the event of the failed one', async () => {
    serve([500, 503, 200]);
    const given: [number | undefined, RetryEvent][] = [];
    const { api, told } = makeApi((config, event) => void given.push([config.retryState?.attempt, event]));
    await api.get('/orders');
    expect(given.map(([attempt]) => attempt)).toEqual([2, 3]);
    expect(given.map(([, event]) => event)).toMatchObject([
      { attempt: 1, kind: 'status', delay: 500, willRetry: true, error: { response: { status: 500 } } },
      { attempt: 2, kind: 'status', delay: 1_000, willRetry: true, error: { response: { status: 503 } } },
    ]);
    expect(given.map(([, { config }]) => config)).toEqual(told.slice(0, 2).map(({ event }) => event.config));
  });

  it('runs after the wait, once per retry, and not before the first attempt', async () => {
    const seen = serve([500, 500, 200]);
    const order: string[] = [];
    const sleep = async (): Promise<void> => void order.push(`wait after ${seen.length}`);
    const { api } = makeApi(() => void order.push(`hook after ${seen.length}`), { sleep });
    await api.get('/orders');
    expect(order).toEqual(['wait after 1', 'hook after 1', 'wait after 2', 'hook after 2']);
  });

  it('may edit the config in place', async () => {
    const seen = serve([500, 200]);
    const { api } = makeApi((config) => {
      setToken(config, 'new');
      config.params = { page: 2 };
      config.url = '/invoices';
    });
    await api.get('/orders', { headers: { 'X-Token': 'old' }, params: { page: 1 } });
    expect(seen.map(({ path }) => path)).toEqual(['/orders?page=1', '/invoices?page=2']);
    expect(header(seen, 'x-token')).toEqual(['old', 'new']);
  });

  it('may return another config', async () => {
    const seen = serve([500, 200]);
    const { api } = makeApi((config) => ({ ...config, method: 'post', url: '/other', data: 'again' }));
    await api.get('/orders');
    expect(seen.map(({ method, path, body }) => `${method} ${path} ${String(body)}`)).toEqual(['GET /orders ', 'POST /other again']);
  });

  it('may return a config without the plugin’s state: the count goes on all the same', async () => {
    const seen = serve([500]);
    const { api } = makeApi(({ retryState: _state, ...config }) => config as InternalAxiosRequestConfig, { retries: 2 });
    expect(await rejectionOf(api.get('/orders'))).toMatchObject({ retry: { attempts: 3, reason: 'exhausted' } });
    expect(seen).toHaveLength(3);
  });

  it('R92 is awaited when it is asynchronous', async () => {
    const seen = serve([500, 200]);
    const { api } = makeApi(async (config) => {
      await wait(20);
      setToken(config, 'fetched');
    });
    await api.get('/orders');
    expect(header(seen, 'x-token')).toEqual([undefined, 'fetched']);
  });

  it('R92 can send a request of its own through the same instance', async () => {
    nock(SERVICE).get('/token').reply(200, 'fetched');
    const seen = serve([500, 200]);
    const { api } = makeApi(async (config) => setToken(config, String((await api.get('/token')).data)));
    await api.get('/orders');
    expect(header(seen, 'x-token')).toEqual([undefined, 'fetched']);
  });

  it('R91 may go to another host, which gets the next attempt and its origin', async () => {
    nock('http://a.test').get('/orders').replyWithError(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    const seen = serve([500, 200], 'http://b.test');
    const { api, told } = makeApi((config) => void (config.baseURL = 'http://b.test'));
    await api.get('/orders', { baseURL: 'http://a.test' });
    expect(seen.map(({ host }) => host)).toEqual(['b.test', 'b.test']);
    expect(told.map(({ event }) => event.origin)).toEqual(['http://a.test', 'http://b.test', 'http://b.test']);
  });

  it('R91 does not leak into later calls', async () => {
    const [first, second] = [serve([500], 'http://a.test'), serve([200], 'http://b.test')];
    const { api } = makeApi((config) => {
      config.baseURL = 'http://b.test';
      setToken(config, 'new');
    });
    api.defaults.baseURL = 'http://a.test';
    await api.get('/orders');
    await api.get('/orders');
    expect([first.length, second.length]).toEqual([2, 2]);
    expect(header(first, 'x-token')).toEqual([undefined, undefined]);
    expect(api.defaults.baseURL).toBe('http://a.test');
    expect(JSON.stringify(api.defaults.headers)).not.toContain('X-Token');
  });

  it('starts at each attempt from the request as it was, not from its last edit', async () => {
    const seen = serve([500, 500, 200]);
    const { api } = makeApi((config, { attempt }) => {
      config.url += '/again';
      if (attempt === 1) setToken(config, 'once');
    });
    await api.get('/orders');
    expect(seen.map(({ path }) => path)).toEqual(['/orders', '/orders/again', '/orders/again']);
    expect(header(seen, 'x-token')).toEqual([undefined, 'once', undefined]);
  });

  it('starts from query and body as they were, even when it edits them in place', async () => {
    const seen = serve([500, 500, 200]);
    const { api } = makeApi((config) => {
      (config.params as { tags: string[] }).tags.push('again');
      (config.data as { count: number }).count += 1;
    });
    await api.put('/orders', { count: 1 }, { params: { tags: ['first'] } });
    expect(seen.map(({ body }) => body)).toEqual([{ count: 1 }, { count: 2 }, { count: 2 }]);
    expect(seen.map(({ path }) => path.split('=').length - 1)).toEqual([1, 2, 2]);
  });

  it.each<[string, () => { params: unknown; data: unknown }]>([
    ['plain objects', () => ({ params: { tags: ['first'] }, data: { lines: [1] } })],
    ['an array', () => ({ params: { tags: ['first'] }, data: [{ line: 1 }] })],
    ['URLSearchParams', () => ({ params: new URLSearchParams('a=1'), data: new URLSearchParams('b=2') })],
  ])('leaves what the caller passed as it was: %s', async (_what, make) => {
    serve([500, 200]);
    const edit = (value: unknown): void => {
      if (value instanceof URLSearchParams) value.append('again', '1');
      else if (Array.isArray(value)) value.forEach(edit);
      else Object.assign(value as object, { again: 1 });
    };
    const { api } = makeApi((config) => [config.params, config.data].forEach(edit));
    const [given, untouched] = [make(), make()];
    await api.put('/orders', given.data, { params: given.params });
    expect([given.params, given.data].map(toText)).toEqual([untouched.params, untouched.data].map(toText));
  });
});

describe('beforeRetry that fails', () => {
  const broken = new Error('token service is down');

  it('stops with the last error, with its own in hookError, and gives the token back', async () => {
    const seen = serve([500]);
    const { api, retry, told } = makeApi(() => Promise.reject(broken));
    const error = await rejectionOf(api.get('/orders'));
    expect(error).toMatchObject({ response: { status: 500 }, retry: { reason: 'hook-failed', attempts: 1, totalDelay: 500 } });
    expect(getRetryReport(error)?.hookError).toBe(broken);
    expect(told.map(({ name }) => name)).toEqual(['onRetry', 'onGiveUp']);
    expect(told[1]?.event.hookError).toBe(broken);
    expect(seen).toHaveLength(1);
    expect(retry.stats()).toMatchObject({ retries: 0, attempts: 1, budgets: [] });
  });

  it.each([null, true, 0, 'http://b.test', [], {}, { url: '/orders' }])('is one that returns nonsense: %p', async (answer) => {
    const seen = serve([500, 200]);
    const { api } = makeApi((() => answer) as unknown as BeforeRetry);
    const { reason, hookError } = getRetryReport(await rejectionOf(api.get('/orders'))) ?? {};
    expect([reason, seen.length]).toEqual(['hook-failed', 1]);
    expect(hookError).toMatchObject({
      name: 'TypeError',
      message: expect.stringMatching(/^axios-jitter: option "beforeRetry" must return a request config or nothing; got /),
    });
  });

  it('is one that is aborted while it runs, whatever it returns: nothing is sent', async () => {
    const seen = serve([500, 200]);
    const controller = new AbortController();
    const { api, retry } = makeApi((config) => {
      controller.abort();
      return config;
    });
    const error = await rejectionOf(api.get('/orders', { signal: controller.signal }));
    expect(axios.isCancel(error)).toBe(true);
    expect(seen).toHaveLength(1);
    expect(retry.stats()).toMatchObject({ retries: 0, budgets: [], gaveUp: { aborted: 1 } });
  });
});
