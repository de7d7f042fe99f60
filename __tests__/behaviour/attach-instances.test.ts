// What retries can be attached to: any axios instance, wherever it comes from and whatever was done to it.
import type { AxiosAdapter, AxiosInstance, AxiosRequestConfig, AxiosResponse } from 'axios';
import { attachRetry, getRetryReport, type RetryableInstance } from '../../lib/index';
import axios from '../helpers/axios';
import { holdSleep, instant, rejectionOf } from '../helpers/instant';
import { useRecordingServer } from '../helpers/recording-server';

const server = useRecordingServer();

const create = (): AxiosInstance => axios.create({ baseURL: server.url });

describe('instances', () => {
  it('R08 sends every attempt through the very instance, with its base URL, headers and interceptors', async () => {
    server.script(500, 500, 200);
    const api = axios.create({ baseURL: `${server.url}/api`, headers: { 'X-Team': 'blue' } });
    api.interceptors.request.use((config) => {
      config.headers.set('X-Signed', 'yes');
      return config;
    });
    attachRetry(api, instant);
    await api.get('/orders');
    expect(server.requests.map(({ url }) => url)).toEqual(Array(3).fill('/api/orders'));
    expect(server.header('x-team')).toEqual(Array(3).fill('blue'));
    expect(server.header('x-signed')).toEqual(Array(3).fill('yes'));
  });

  it('R10 fit that somebody else made, with interceptors and an adapter of its own', async () => {
    const statuses = [503, 200];
    const adapter: AxiosAdapter = (config) => {
      const status = statuses.shift() ?? 0;
      const response: AxiosResponse = { status, statusText: '', data: { status }, headers: {}, config, request: {} };
      if (status === 200) return Promise.resolve(response);
      return Promise.reject(new axios.AxiosError('failed', 'ERR_BAD_RESPONSE', config, {}, response));
    };
    const made = axios.create({ adapter: jest.fn(adapter) });
    const request = jest.fn((config) => config);
    made.interceptors.request.use(request);
    const retry = attachRetry(made, instant);
    made.interceptors.response.use((response) => response.data);
    await expect(made.get('http://any.example/')).resolves.toEqual({ status: 200 });
    expect(made.defaults.adapter).toHaveBeenCalledTimes(2);
    expect(request).toHaveBeenCalledTimes(2);
    expect(retry.stats()).toMatchObject({ calls: 1, attempts: 2, recovered: 1 });
  });

  it('fit when they are the global axios', async () => {
    server.script(503, 200);
    const retry = attachRetry(axios, instant);
    try {
      await expect(axios(`${server.url}/`)).resolves.toMatchObject({ status: 200 });
      expect(server.requests).toHaveLength(2);
    } finally {
      retry.detach();
    }
  });

  it('leave the global axios and other instances alone', async () => {
    server.thenAlways(503);
    const other = create();
    attachRetry(create(), instant);
    await rejectionOf(other.get('/'));
    await rejectionOf(axios.get(server.url));
    expect(server.requests).toHaveLength(2);
  });

  it.each<[string, (api: AxiosInstance) => Promise<unknown>]>([
    ['api(url)', (api) => api('/')],
    ['api(config)', (api) => api({ url: '/' })],
    ['api.request(config)', (api) => api.request({ url: '/' })],
    ['api.get(url)', (api) => api.get('/')],
  ])('retry what is called as `%s`', async (_, call) => {
    server.script(503, 200);
    const api = create();
    attachRetry(api, instant);
    await expect(call(api)).resolves.toMatchObject({ status: 200 });
    expect(server.requests).toHaveLength(2);
  });

  it('each have their own retries', async () => {
    server.thenAlways(503);
    const [one, two] = [create(), create()];
    attachRetry(one, { ...instant, retries: 1 });
    attachRetry(two, { ...instant, retries: 2 });
    await Promise.all([rejectionOf(one.get('/one')), rejectionOf(two.get('/two'))]);
    expect(server.requests.map(({ url }) => url).sort()).toEqual(['/one', '/one', '/two', '/two', '/two']);
  });
});

describe('a subclass of Axios', () => {
  class Client extends axios.Axios {
    orders(): Promise<AxiosResponse> {
      return this.get('/orders');
    }
  }
  const createClient = (): Client => new Client({ ...(axios.defaults as AxiosRequestConfig), baseURL: server.url });

  it('fits', async () => {
    server.script(503, 200);
    const client = createClient();
    attachRetry(client, instant);
    await expect(client.orders()).resolves.toMatchObject({ status: 200 });
    expect(server.requests.map(({ url }) => url)).toEqual(['/orders', '/orders']);
  });

  it('gets cancellations of its own axios', async () => {
    server.script(503);
    const client = createClient();
    const held = holdSleep();
    attachRetry(client, { sleep: held.sleep });
    const controller = new AbortController();
    const call = rejectionOf(client.get('/', { signal: controller.signal }));
    await held.begun;
    controller.abort(new Error('enough'));
    const error = await call;
    expect(axios.isCancel(error)).toBe(true);
    expect(error).toBeInstanceOf(axios.CanceledError);
    expect(error).toMatchObject({ code: 'ERR_CANCELED', cause: new Error('enough'), config: { url: '/' } });
    expect(server.requests).toHaveLength(1);
  });

  it('is used through its own `request`', async () => {
    server.script(503, 200);
    class Counting extends axios.Axios {
      sent = 0;
      override request(config: AxiosRequestConfig): Promise<never> {
        this.sent += 1;
        return super.request(config) as Promise<never>;
      }
    }
    const client = new Counting({ ...(axios.defaults as AxiosRequestConfig), baseURL: server.url });
    attachRetry(client as RetryableInstance, instant);
    const outer = jest.fn((response) => response.data);
    client.interceptors.response.use(outer);
    await expect(client.get('/')).resolves.toEqual({ request: 2 });
    expect(client.sent).toBe(2);
    expect(outer).toHaveBeenCalledTimes(1);
  });
});

/** Replaces `request`, as wrappers do. Calls in the tests go through it too. */
function wrap(api: AxiosInstance, wrapper: (send: (config: AxiosRequestConfig) => Promise<unknown>, config: AxiosRequestConfig) => Promise<unknown>): void {
  const original = api.request.bind(api) as (config: AxiosRequestConfig) => Promise<unknown>;
  Object.assign(api, { request: (config: AxiosRequestConfig) => wrapper(original, config) });
}

describe('a wrapped `request`', () => {
  it('that is synchronous still makes one pass', async () => {
    server.script(503, 503, 200);
    const api = create();
    const wrapped = jest.fn((send, config) => send(config));
    wrap(api, wrapped);
    attachRetry(api, instant);
    const outer = jest.fn((response) => response.data);
    api.interceptors.response.use(outer);
    await expect(api.request({ url: '/' })).resolves.toEqual({ request: 3 });
    expect(wrapped).toHaveBeenCalledTimes(3);
    expect(outer).toHaveBeenCalledTimes(1);
  });

  it.each<[string, (send: () => unknown) => void | Promise<void>]>([
    ['synchronous', () => undefined],
    ['asynchronous', async () => Promise.resolve()],
  ])('that is %s and first makes another request on the instance mixes up neither', async (_, pause) => {
    server.decide = ({ url }) => (url === '/ping' ? 200 : undefined);
    server.script(503, 503, 200);
    const api = create();
    const pings: Promise<unknown>[] = [];
    wrap(api, (send, config) => {
      pings.push(send({ url: '/ping' }));
      const wait = pause(() => undefined);
      return wait ? wait.then(() => send(config)) : send(config);
    });
    const retry = attachRetry(api, instant);
    api.interceptors.response.use((response) => response.data);
    await expect(api.request({ url: '/' })).resolves.toEqual({ request: expect.any(Number) });
    await expect(Promise.all(pings)).resolves.toHaveLength(3);
    expect(server.requests.filter(({ url }) => url === '/')).toHaveLength(3);
    expect(retry.stats()).toMatchObject({ calls: 4, attempts: 6, retries: 2, recovered: 1 });
  });

  it('that is asynchronous counts right, and outer layers change nothing of the outcome', async () => {
    server.script(503, 503, 200);
    const api = create();
    wrap(api, async (send, config) => {
      await Promise.resolve();
      return send(config);
    });
    const retry = attachRetry(api, { ...instant, retries: 2 });
    api.interceptors.response.use((response) => response.data);
    await expect(api.request({ url: '/' })).resolves.toEqual({ request: 3 });
    expect(retry.stats()).toMatchObject({ calls: 1, attempts: 3, retries: 2, recovered: 1 });
  });

  it('that is asynchronous sends retries + 1 requests, though outer layers hide the failures', async () => {
    server.thenAlways(503);
    const api = create();
    wrap(api, async (send, config) => {
      await Promise.resolve();
      return send(config);
    });
    attachRetry(api, { ...instant, retries: 2 });
    api.interceptors.response.use(undefined, (error) => ({ swallowed: error.response.status }));
    await expect(api.request({ url: '/' })).resolves.toEqual({ swallowed: 503 });
    expect(server.requests).toHaveLength(3);
  });

  it('that is asynchronous leaves the interceptor managers as they were', async () => {
    server.script(503, 503, 200);
    const api = create();
    wrap(api, async (send, config) => {
      await Promise.resolve();
      return send(config);
    });
    attachRetry(api, instant);
    const { request, response } = api.interceptors;
    const before = [Reflect.ownKeys(request), Reflect.ownKeys(response)];
    await api.request({ url: '/' });
    expect([Reflect.ownKeys(request), Reflect.ownKeys(response)]).toEqual(before);
  });

  it('that throws ends the call with what it throws', async () => {
    server.script(503);
    const api = create();
    const thrown = new Error('wrapper broke');
    attachRetry(api, instant);
    const call = api.get('/'); // past the wrapper: instances made by `create` do not use their `request`
    wrap(api, () => {
      throw thrown;
    });
    expect(await rejectionOf(call)).toBe(thrown);
    expect(server.requests).toHaveLength(1);
  });

  it('that sends a config twice gets one loop', async () => {
    server.thenAlways(503);
    const api = create();
    const doubles: Promise<unknown>[] = [];
    attachRetry(api, { ...instant, retries: 2 });
    const call = rejectionOf(api.get('/'));
    wrap(api, (send, config) => {
      const sent = send(config);
      doubles.push(rejectionOf(send(config)));
      return sent;
    });
    expect(getRetryReport(await call)).toMatchObject({ attempts: 3, reason: 'exhausted' });
    await Promise.all(doubles);
    expect(doubles).toHaveLength(2);
    expect(server.requests).toHaveLength(5);
  });
});

it.each<[string, unknown]>([
  ['undefined', undefined],
  ['null', null],
  ['a string', 'axios'],
  ['an empty object', {}],
  ['a function', () => undefined],
  ['what has no response interceptors', { request: () => undefined, interceptors: { request: { use: () => 0 } } }],
  ['what has no request', { interceptors: { request: { use: () => 0 }, response: { use: () => 0 } } }],
])('is refused with a TypeError for %s', (_, instance) => {
  expect(() => attachRetry(instance as RetryableInstance)).toThrow(TypeError);
  expect(() => attachRetry(instance as RetryableInstance)).toThrow(/attachRetry needs an axios instance; came /);
});

it('counts calls, attempts, retries, recoveries and reasons', async () => {
  server.script(200, 503, 200, 503, 503, 404);
  const api = create();
  const retry = attachRetry(api, { ...instant, retries: 1 });
  const gaveUp = retry.stats().gaveUp;
  expect(retry.stats()).toEqual({ calls: 0, attempts: 0, retries: 0, recovered: 0, waiting: 0, gaveUp, budgets: [] });
  await api.get('/');
  await api.get('/');
  await rejectionOf(api.get('/'));
  await rejectionOf(api.get('/'));
  expect(retry.stats()).toEqual({
    calls: 4,
    attempts: 6,
    retries: 2,
    recovered: 1,
    waiting: 0,
    gaveUp: { ...gaveUp, exhausted: 1, 'not-retryable': 1 },
    // The first retry got its token back, the second did not.
    budgets: [{ origin: server.url, tokens: 99, capacity: 100 }],
  });
});

it('hands out stats that nobody can spoil', () => {
  const retry = attachRetry(create());
  Object.assign(retry.stats(), { calls: 7 });
  retry.stats().gaveUp.body = 7;
  expect(retry.stats()).toMatchObject({ calls: 0, gaveUp: { body: 0 } });
});
