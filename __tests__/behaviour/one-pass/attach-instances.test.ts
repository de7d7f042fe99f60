// What retries can be attached to: any axios instance, wherever it comes from and whatever was done to it.
import type { AxiosAdapter, AxiosInstance, AxiosRequestConfig, AxiosResponse } from 'axios';
import { attachRetry, type RetryableInstance } from '../../../lib/index';
import axios from '../../helpers/axios';
import { holdSleep, instant, rejectionOf } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';

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

  it('keeps a method `create` of its own to itself', async () => {
    server.script(503, 200);
    class Orders extends axios.Axios {
      create(): Promise<AxiosResponse> {
        return this.post('/orders', { id: 7 });
      }
    }
    const orders = new Orders({ ...(axios.defaults as AxiosRequestConfig), baseURL: server.url });
    attachRetry(orders, instant);
    await expect(orders.get('/orders')).resolves.toMatchObject({ status: 200 });
    expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });

  it.each<[string, new (config: AxiosRequestConfig) => { sent: number } & InstanceType<typeof axios.Axios>]>([
    [
      'public fields',
      class extends axios.Axios {
        sent = 0;
        override request(config: AxiosRequestConfig): Promise<never> {
          this.sent += 1;
          return super.request(config);
        }
      },
    ],
    [
      'private fields',
      class extends axios.Axios {
        #sent = 0;
        get sent(): number {
          return this.#sent;
        }
        override request(config: AxiosRequestConfig): Promise<never> {
          this.#sent += 1;
          return super.request(config);
        }
      },
    ],
  ])('with a `request` and %s of its own is used once per call, as an outer layer', async (_, Counting) => {
    server.script(503, 200);
    const client = new Counting({ ...(axios.defaults as AxiosRequestConfig), baseURL: server.url });
    attachRetry(client as RetryableInstance, instant);
    const outer = jest.fn((response) => response.data);
    client.interceptors.response.use(outer);
    await expect(client.get('/')).resolves.toEqual({ request: 2 });
    expect(client.sent).toBe(1);
    expect(outer).toHaveBeenCalledTimes(1);
  });
});

/** Replaces `request`, as wrappers do. Calls in the tests go through it too. */
function wrap(api: AxiosInstance, wrapper: (send: (config: AxiosRequestConfig) => Promise<unknown>, config: AxiosRequestConfig) => Promise<unknown>): void {
  const original = api.request.bind(api) as (config: AxiosRequestConfig) => Promise<unknown>;
  Object.assign(api, { request: (config: AxiosRequestConfig) => wrapper(original, config) });
}

describe('a wrapped `request` lies outside of all interceptors', () => {
  it.each<[string, (send: () => Promise<unknown>) => Promise<unknown>]>([
    ['synchronous', (send) => send()],
    ['asynchronous', async (send) => Promise.resolve().then(send)],
  ])('and is called once per call where it is %s', async (_, run) => {
    server.script(503, 503, 200);
    const api = create();
    const wrapper = jest.fn((send, config) => run(() => send(config)));
    wrap(api, wrapper);
    const retry = attachRetry(api, { ...instant, retries: 2 });
    const outer = jest.fn((response) => response.data);
    api.interceptors.response.use(outer);
    await expect(api.request({ url: '/' })).resolves.toEqual({ request: 3 });
    expect(wrapper).toHaveBeenCalledTimes(1);
    expect(outer).toHaveBeenCalledTimes(1);
    expect(retry.stats()).toMatchObject({ calls: 1, attempts: 3, retries: 2, recovered: 1 });
  });

  it('so one that lets a single call through at a time does not wait for itself', async () => {
    server.script(503, 503, 200, 503, 200);
    const api = create();
    let last: Promise<unknown> = Promise.resolve();
    wrap(api, (send, config) => {
      const call = last.then(() => send(config));
      last = call.catch(() => undefined);
      return call;
    });
    attachRetry(api, instant);
    const calls = [api.request({ url: '/one' }), api.request({ url: '/two' })];
    await expect(Promise.all(calls)).resolves.toMatchObject([{ data: { request: 3 } }, { data: { request: 5 } }]);
    expect(server.requests.map(({ url }) => url)).toEqual(['/one', '/one', '/one', '/two', '/two']);
  });

  it('so one that hands out a call that is running does not wait for itself', async () => {
    server.script(503, 200);
    const api = create();
    const running = new Map<unknown, Promise<unknown>>();
    wrap(api, (send, config) => {
      const call = running.get(config.url) ?? send(config).finally(() => running.delete(config.url));
      running.set(config.url, call);
      return call;
    });
    attachRetry(api, instant);
    const calls = [api.request({ url: '/' }), api.request({ url: '/' })];
    await expect(Promise.all(calls)).resolves.toMatchObject([{ data: { request: 2 } }, { data: { request: 2 } }]);
    expect(server.requests).toHaveLength(2);
  });

  it('and outer layers that hide the failures change nothing of the count', async () => {
    server.thenAlways(503);
    const api = create();
    wrap(api, async (send, config) => send(config));
    attachRetry(api, { ...instant, retries: 2 });
    api.interceptors.response.use(undefined, (error) => ({ swallowed: error.response.status }));
    await expect(api.request({ url: '/' })).resolves.toEqual({ swallowed: 503 });
    expect(server.requests).toHaveLength(3);
  });

  it('and one that makes another call first mixes up neither', async () => {
    server.decide = ({ url }) => (url === '/ping' ? 200 : undefined);
    server.script(503, 503, 200);
    const api = create();
    const pings: Promise<unknown>[] = [];
    wrap(api, (send, config) => {
      pings.push(send({ url: '/ping' }));
      return send(config);
    });
    const retry = attachRetry(api, instant);
    await expect(api.request({ url: '/' })).resolves.toMatchObject({ status: 200 });
    await expect(Promise.all(pings)).resolves.toHaveLength(1);
    expect(server.requests.filter(({ url }) => url === '/')).toHaveLength(3);
    expect(retry.stats()).toMatchObject({ calls: 2, attempts: 4, retries: 2, recovered: 1 });
  });

  it('and the interceptor managers are left as they were', async () => {
    server.script(503, 200);
    const api = create();
    attachRetry(api, instant);
    const { request, response } = api.interceptors;
    const before = [Reflect.ownKeys(request), Reflect.ownKeys(response)];
    await api.request({ url: '/' });
    expect([Reflect.ownKeys(request), Reflect.ownKeys(response)]).toEqual(before);
  });
});

it('fits an object that passes on to an instance, where each attempt passes all layers', async () => {
  server.script(503, 503, 200);
  const api = create();
  const { defaults, interceptors } = api;
  const retry = attachRetry({ defaults, interceptors, request: (config: AxiosRequestConfig) => api.request(config) } as RetryableInstance, instant);
  api.interceptors.response.use((response) => response.data);
  await expect(api.get('/')).resolves.toEqual({ request: 3 });
  expect(server.requests).toHaveLength(3);
  expect(retry.stats()).toMatchObject({ calls: 1, attempts: 3, retries: 2, recovered: 1 });
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
  expect(() => attachRetry(instance as RetryableInstance)).toThrow(/attachRetry needs an axios instance; got /);
});

it('counts calls, attempts, retries, recoveries and reasons', async () => {
  server.script(200, 503, 200, 503, 503, 404);
  const api = create();
  const retry = attachRetry(api, { ...instant, retries: 1 });
  const gaveUp = retry.stats().gaveUp;
  expect(retry.stats()).toEqual({ calls: 0, attempts: 0, retries: 0, recovered: 0, waiting: 0, gaveUp, budgets: [], circuits: [], pauses: [] });
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
    circuits: [],
    pauses: [],
  });
});

it('hands out stats that nobody can spoil', () => {
  const retry = attachRetry(create());
  Object.assign(retry.stats(), { calls: 7 });
  retry.stats().gaveUp.body = 7;
  expect(retry.stats()).toMatchObject({ calls: 0, gaveUp: { body: 0 } });
});
