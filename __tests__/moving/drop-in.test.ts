// The drop-ins beside each other, beside attachRetry, and on mocks.
import axios, { AxiosError, type AxiosInstance } from 'axios';
import { attachRetry } from 'axios-jitter';
import axiosRetry from 'axios-jitter/axios-retry';
import * as rax from 'axios-jitter/retry-axios';
import { startService, answers, type LocalService } from '../helpers/local-service';

async function failing(): Promise<{ api: AxiosInstance; service: LocalService }> {
  const service = await startService(answers(503));
  return { api: axios.create({ baseURL: service.url, proxy: false }), service };
}
async function count({ api, service }: { api: AxiosInstance; service: LocalService }): Promise<number> {
  const before = service.received.length;
  await api.get('/').catch(() => undefined);
  return service.received.length - before;
}
const fast = { backoffType: 'static', retryDelay: 0 } as const;

describe('attached more than once, the later replaces the earlier', () => {
  it('axios-retry twice', async () => {
    const one = await failing();
    let told = 0;
    axiosRetry(one.api, { retries: 5, onRetry: () => void told++ });
    axiosRetry(one.api, { retries: 2 });
    expect([await count(one), told]).toEqual([3, 0]);
  });

  it('a hundred times', async () => {
    const one = await failing();
    for (let times = 0; times < 100; times++) axiosRetry(one.api, { retries: 2 });
    let handlers = 0;
    (one.api.interceptors.response as unknown as { forEach(visit: () => void): void }).forEach(() => handlers++);
    expect([await count(one), handlers]).toEqual([3, 3]);
  });

  it('the ids of the replaced one eject nothing', async () => {
    const one = await failing();
    const old = axiosRetry(one.api, { retries: 5 });
    axiosRetry(one.api, { retries: 2 });
    one.api.interceptors.request.eject(old.requestInterceptorId);
    one.api.interceptors.response.eject(old.responseInterceptorId);
    expect(await count(one)).toBe(3);
  });

  it('retry-axios twice', async () => {
    const one = await failing();
    one.api.defaults.raxConfig = { ...fast, retry: 2 };
    rax.attach(one.api);
    rax.attach(one.api);
    expect(await count(one)).toBe(3);
  });

  it('axios-retry, then retry-axios', async () => {
    const one = await failing();
    axiosRetry(one.api, { retries: 5 });
    rax.attach(one.api);
    one.api.defaults.raxConfig = { ...fast, retry: 1 };
    expect(await count(one)).toBe(2);
  });

  it('retry-axios, then axios-retry: `raxConfig` says nothing any more', async () => {
    const one = await failing();
    one.api.defaults.raxConfig = { ...fast, retry: 5 };
    rax.attach(one.api);
    axiosRetry(one.api, { retries: 1 });
    expect(await count(one)).toBe(2);
  });

  it('axios-retry, then attachRetry: the key `axios-retry` says nothing any more', async () => {
    const one = await failing();
    axiosRetry(one.api, { retries: 5, validateResponse: () => false });
    attachRetry(one.api, { retries: 1, baseDelay: 0 });
    expect(await count(one)).toBe(2);
    one.service.answer = answers(200);
    const { config } = await one.api.get('/');
    expect(config['axios-retry']).toBeUndefined();
  });

  it('attachRetry, then axios-retry', async () => {
    const one = await failing();
    attachRetry(one.api, { retries: 5, baseDelay: 0 });
    axiosRetry(one.api, { retries: 1 });
    expect(await count(one)).toBe(2);
  });

  it('a call that runs keeps the rules it began with', async () => {
    const one = await failing();
    axiosRetry(one.api, {
      retries: 3,
      onRetry: (retry) => {
        if (retry === 1) axiosRetry(one.api, { retries: 0 });
      },
    });
    expect(await count(one)).toBe(4);
    expect(await count(one)).toBe(1);
  });

  it('works again after `interceptors.clear()`', async () => {
    const one = await failing();
    axiosRetry(one.api, { retries: 5 });
    one.api.interceptors.request.clear();
    one.api.interceptors.response.clear();
    expect(await count(one)).toBe(1);
    axiosRetry(one.api, { retries: 1 });
    expect(await count(one)).toBe(2);
  });

  it('errors of an inner interceptor\'s own make are seen by the later one too', async () => {
    const one = await failing();
    one.api.interceptors.response.use(undefined, (error: { config: unknown }) => Promise.reject(Object.assign(new Error('api'), { config: error.config })));
    axiosRetry(one.api, { retries: 5, retryCondition: () => true });
    axiosRetry(one.api, { retries: 2, retryCondition: () => true });
    expect(await count(one)).toBe(3);
    await expect(one.api.get('/')).rejects.toThrow('api');
  });

  it('ejected, it leaves an inner interceptor\'s errors as they are', async () => {
    const one = await failing();
    const own = Object.assign(new Error('api'), { config: {} });
    one.api.interceptors.response.use(undefined, () => Promise.reject(own));
    const { responseInterceptorId } = axiosRetry(one.api);
    one.api.interceptors.response.eject(responseInterceptorId);
    await expect(one.api.get('/')).rejects.toBe(own);
  });
});

describe('what tests put in the place of an instance', () => {
  it('a mock made by hand: both interceptors are registered, once', () => {
    const use = (): jest.Mock => jest.fn().mockReturnValueOnce(7);
    const mock = { interceptors: { request: { use: use() }, response: { use: use() } }, defaults: {} };
    expect(axiosRetry(mock as never)).toEqual({ requestInterceptorId: 7, responseInterceptorId: 7 });
    expect([mock.interceptors.request.use.mock.calls.length, mock.interceptors.response.use.mock.calls.length]).toEqual([1, 1]);
    const other = { interceptors: { response: { use: use() } } };
    expect(rax.attach(other as never)).toBe(7);
  });

  it('an automock of axios', () => {
    const mock = jest.createMockFromModule<typeof axios>('axios');
    expect(() => axiosRetry(mock)).not.toThrow();
    expect(() => rax.attach(mock)).not.toThrow();
  });

  it('an automock of the drop-in, as `jest.mock` makes it', () => {
    const mock = jest.createMockFromModule<{ default: typeof axiosRetry; namespace: string }>('axios-jitter/axios-retry');
    expect(mock.default(axios)).toBeUndefined();
    expect(mock.default.isNetworkError(new AxiosError())).toBeUndefined();
    expect([jest.isMockFunction(mock.default), mock.namespace]).toEqual([true, 'axios-retry']);
  });

  it('nothing at all is a TypeError, as with the peer', () => {
    expect(() => axiosRetry(undefined as never)).toThrow(TypeError);
  });
});

describe('what the peers do wrong is not copied', () => {
  it('an interceptor registered later runs once per call', async () => {
    const { api, service } = await failing();
    service.answer = answers(503, 503, 200);
    axiosRetry(api);
    let ran = 0;
    api.interceptors.response.use((response) => (ran++, response));
    await api.get('/');
    expect(ran).toBe(1);
  });

  it('a request interceptor that edits the address does so once for each attempt', async () => {
    const { api, service } = await failing();
    axiosRetry(api, { retries: 1 });
    api.interceptors.request.use((config) => ({ ...config, url: `/v1${config.url}` }));
    await api.get('/orders').catch(() => undefined);
    expect(service.received.map(({ path }) => path)).toEqual(['/v1/orders', '/v1/orders']);
  });

  it('a cancelled call is not retried, whatever the condition says', async () => {
    const { api, service } = await failing();
    let told = 0;
    axiosRetry(api, { retryCondition: () => true, onRetry: () => void told++ });
    await expect(api.get('/', { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ERR_CANCELED' });
    expect([service.received.length, told]).toEqual([0, 0]);
  });

  it.each(['0', 'soon', '-5'])('retry-axios: `Retry-After: %s` does not end the call', async (value) => {
    const { api, service } = await failing();
    service.answer = answers([503, { 'retry-after': value }], 200);
    rax.attach(api);
    await expect(api.get('/', { raxConfig: fast })).resolves.toMatchObject({ status: 200 });
  });

  it('a body that can be read once is not sent again', async () => {
    const { Readable } = await import('node:stream');
    const { api, service } = await failing();
    axiosRetry(api, { retryCondition: () => true });
    await expect(api.post('/', Readable.from(['content']))).rejects.toMatchObject({ response: { status: 503 } });
    expect(service.received.map(({ body }) => body)).toEqual(['content']);
  });

  it('the config of an ended call, sent again, is a new call that counts from 0', async () => {
    const { api, service } = await failing();
    const counts: number[] = [];
    axiosRetry(api, { retries: 1, onRetry: (retry) => void counts.push(retry) });
    const error = (await api.get('/').catch((reason: unknown) => reason)) as AxiosError;
    expect(error.config?.['axios-retry']?.retryCount).toBe(1);
    await api.request(error.config ?? {}).catch(() => undefined);
    expect([service.received.length, counts]).toEqual([4, [1, 1]]);
  });

  it('an AxiosError that is the cause of an inner interceptor\'s error is judged', async () => {
    const { api, service } = await failing();
    const wrapped = (cause: AxiosError): Promise<never> => Promise.reject(Object.assign(new Error('wrapped'), { cause }));
    api.interceptors.response.use(undefined, wrapped);
    axiosRetry(api, { retries: 1 });
    await expect(api.get('/')).rejects.toThrow('wrapped');
    expect(service.received.length).toBe(2);
  });

  it('`transformRequest` sees on each attempt what the caller gave', async () => {
    const { api, service } = await failing();
    axiosRetry(api, { retries: 1 });
    await api.put('/', 'x', { transformRequest: (data: unknown) => JSON.stringify({ data }) }).catch(() => undefined);
    expect(service.received.map(({ body }) => body)).toEqual(['{"data":"x"}', '{"data":"x"}']);
  });

  it('retry-axios: `retry: NaN` means no retry', async () => {
    const { api, service } = await failing();
    rax.attach(api);
    await expect(api.get('/', { raxConfig: { ...fast, retry: NaN } })).rejects.toMatchObject({ response: { status: 503 } });
    expect(service.received.length).toBe(1);
  });

  it.each([['a signal'], ['a token']])('a cancel by %s ends the wait of either at once', async (way) => {
    for (const attach of [(api: AxiosInstance) => axiosRetry(api, { retryDelay: () => 1e9 }), rax.attach]) {
      const { api, service } = await failing();
      attach(api);
      const controller = new AbortController();
      const source = axios.CancelToken.source();
      const config = way === 'a signal' ? { signal: controller.signal } : { cancelToken: source.token };
      const call = api.get('/', { ...config, raxConfig: { backoffType: 'static', retryDelay: 1e9 } }).catch((reason: unknown) => axios.isCancel(reason));
      while (service.received.length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, 20));
      controller.abort();
      source.cancel();
      expect([await call, service.received.length]).toEqual([true, 1]);
    }
  });

  it('a delay over 24 days is one, and what is no number of ms is none', async () => {
    const { api } = await failing();
    const delays: unknown[] = [3e9, Infinity, '20', -1, {}];
    const asked: number[] = [];
    const real = globalThis.setTimeout;
    jest.spyOn(performance, 'now').mockReturnValue(1_000);
    const left = (ms: number | undefined): void => void asked.push(ms ?? 0);
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(((callback: () => void, ms?: number) => (left(ms), real(callback, 0))) as never);
    for (const delay of delays) {
      asked.length = 0;
      axiosRetry(api, { retries: 1, retryDelay: () => delay as number });
      await api.get('/').catch(() => undefined);
      const total = asked.reduce((sum, ms) => sum + ms, 0);
      expect(Math.round(total / 20)).toBe(delay === 3e9 ? 15e7 : delay === '20' ? 1 : 0);
    }
  });
});
