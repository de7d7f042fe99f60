// Every attempt is the same request, byte for byte, whatever happens between two of them.
import { Agent } from 'node:http';
import type { AxiosInstance, AxiosRequestConfig, AxiosRequestHeaders, InternalAxiosRequestConfig } from 'axios';
import { attachRetry } from '../../../lib/index';
import axios from '../../helpers/axios';
import { instant } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';

const server = useRecordingServer();

const create = (config?: AxiosRequestConfig): AxiosInstance => axios.create({ baseURL: server.url, ...config });

type Prepare = (api: AxiosInstance) => unknown;

/** What may lie inside the plugin without changing the request. */
const insides: [string, Prepare][] = [
  ['nothing', () => undefined],
  ['a synchronous interceptor', (api) => api.interceptors.request.use((config) => config, null, { synchronous: true })],
  ['an asynchronous interceptor', (api) => api.interceptors.request.use(async (config) => Promise.resolve(config))],
  ['a transform', (api) => Object.assign(api.defaults, { transformRequest: [(data: unknown) => data].concat(api.defaults.transformRequest as never) })],
];

type Send = (api: AxiosInstance) => Promise<unknown>;

const requests: [string, Send][] = [
  ['a plain GET', (api) => api.get('/')],
  ['a query in url and params', (api) => api.get('/search?a=1', { params: { b: [2, 3], c: { d: 'ä&=' }, e: null } })],
  ['URLSearchParams as params', (api) => api.get('/', { params: new URLSearchParams('a=1&a=2') })],
  ['a params serializer', (api) => api.get('/', { params: { a: 1 }, paramsSerializer: { serialize: (params) => `own=${JSON.stringify(params)}` } })],
  ['headers', (api) => api.get('/', { headers: { 'x-lower': '1', 'X-UPPER': '2', 'X-List': ['a', 'b'] as never } })],
  ['basic auth', (api) => api.get('/', { auth: { username: 'jane', password: 'secret' } })],
  ['an absolute URL', (api) => api.get(`${server.url}/absolute#fragment`)],
  ['R31 JSON', (api) => api.post('/', { name: 'ä', nested: { list: [1, 'two', null, true] }, when: new Date(0), gone: undefined })],
  ['R31 a form', (api) => api.post('/', { a: 1, b: ['x', 'y'] }, { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } })],
  ['R31 search params', (api) => api.post('/', new URLSearchParams('a=1&b=ä'))],
  ['a JSON string', (api) => api.post('/', '{"a":1}', { headers: { 'Content-Type': 'application/json' } })],
  ['R30 the content type of the instance', (api) => {
    api.defaults.headers.post['Content-Type'] = 'application/vnd.api+json';
    return api.post('/', { a: 1 });
  }],
  ['a DELETE with a body', (api) => api.delete('/', { data: { a: 1 } })],
  ['a PATCH', (api) => api.patch('/', [1, 2, 3])],
  ['a number as body', (api) => api.post('/', 7, { headers: { 'Content-Type': 'application/json' } })],
  ['an array with holes', (api) => api.post('/', [1, new Array(3)])],
  ['an array of holes', (api) => api.post('/', new Array(3))],
  ['a key named __proto__', (api) => api.post('/', [JSON.parse('{"__proto__":{"a":1},"b":2}')])],
  ['an object without prototype', (api) => api.post('/', Object.assign(Object.create(null), { a: 1 }))],
  ['an object with toJSON', (api) => api.post('/', { toJSON: () => ({ a: 1 }) })],
  ['an instance of a class', (api) => api.post('/', new (class Order { id = 1; total = 2; })())],
];

describe.each(insides)('with %s inside', (_inside, prepare) => {
  it.each(requests)('sends the same bytes on every attempt: %s', async (_, send) => {
    server.script(503, 503, 200);
    const api = create();
    prepare(api);
    attachRetry(api, { ...instant, methods: ['GET', 'POST', 'PATCH', 'DELETE'] });
    await send(api);
    expect(server.dumps).toHaveLength(3);
    expect(server.dumps[1]).toBe(server.dumps[0]);
    expect(server.dumps[2]).toBe(server.dumps[0]);
  });

  it('sends what goes out without the plugin', async () => {
    for (const [, send] of requests) {
      const [plain, attached] = [create(), create()];
      prepare(plain);
      prepare(attached);
      attachRetry(attached, instant);
      await send(plain);
      await send(attached);
      const [before, after] = server.dumps.slice(-2);
      expect(after).toBe(before);
    }
  });
});

it.each<[string, AxiosRequestConfig['headers']]>([
  ['false', { 'X-Default': false, 'User-Agent': false }],
  ['null', { 'X-Default': null as never, 'User-Agent': null as never }],
])('keeps a default header away that the caller removed with `%s`', async (_, headers) => {
  server.script(503, 503, 200);
  const api = create({ headers: { common: { 'X-Default': 'default' } } as never });
  attachRetry(api, instant);
  await api.get('/', { headers: headers! });
  expect(server.header('x-default')).toEqual([undefined, undefined, undefined]);
  expect(new Set(server.dumps).size).toBe(1);
});

it('keeps a default header away that an outer layer removed', async () => {
  server.script(503, 503, 200);
  const api = create({ headers: { 'X-Default': 'default' } });
  attachRetry(api, instant);
  api.interceptors.request.use((config) => {
    config.headers.delete('X-Default');
    return config;
  });
  await api.get('/');
  expect(server.header('x-default')).toEqual([undefined, undefined, undefined]);
});

it('is not changed by defaults that change while it waits', async () => {
  server.script(503, 200);
  const api = create({ headers: { 'X-Default': 'before' } });
  attachRetry(api, {
    sleep: () => {
      Object.assign(api.defaults, { baseURL: 'http://127.0.0.1:1', timeout: 1, method: 'post', params: { late: 1 } });
      api.defaults.headers['X-Default'] = 'after';
      api.defaults.headers.common['X-Late'] = 'late';
      return Promise.resolve();
    },
  });
  await api.get('/');
  expect(server.dumps).toHaveLength(2);
  expect(server.dumps[1]).toBe(server.dumps[0]);
});

it.each(['/api', 'http://any.example/api', 'http://any.example/api/'])('R70 prefixes the base URL %s once', async (baseURL) => {
  const seen: string[] = [];
  const api = axios.create({
    baseURL,
    adapter: (config) => {
      seen.push(axios.getUri(config), config.url ?? '', config.baseURL ?? '');
      return Promise.reject(new axios.AxiosError('failed', 'ERR_NETWORK', config));
    },
  });
  attachRetry(api, { ...instant, retries: 2 });
  await expect(api.get('/orders')).rejects.toThrow('failed');
  const once = [`${baseURL.replace(/\/$/, '')}/orders`, '/orders', baseURL];
  expect(seen).toEqual([...once, ...once, ...once]);
});

it('R70 does not repeat what an inner layer puts before the URL', async () => {
  server.script(503, 503, 200);
  const api = create();
  api.interceptors.request.use((config) => {
    config.url = `${config.baseURL}/v1${config.url}`;
    delete config.baseURL;
    return config;
  });
  attachRetry(api, instant);
  await api.get('/orders');
  expect(server.requests.map(({ url }) => url)).toEqual(['/v1/orders', '/v1/orders', '/v1/orders']);
});

const spreadHeaders = (config: InternalAxiosRequestConfig, more: object): InternalAxiosRequestConfig => ({
  ...config,
  headers: { ...config.headers, ...more } as AxiosRequestHeaders,
});

it('R72 sends the same headers where an inner layer spreads them into a plain object', async () => {
  server.script(500, 500, 200);
  const api = create();
  api.interceptors.request.use((config) => spreadHeaders(config, { 'X-Added': 'yes' }));
  attachRetry(api, instant);
  await api.get('/', { headers: { Authorization: 'Bearer token' } });
  expect(server.header('authorization')).toEqual(Array(3).fill('Bearer token'));
  expect(server.header('x-added')).toEqual(['yes', 'yes', 'yes']);
  expect(new Set(server.dumps).size).toBe(1);
});

it('R72 sends the same headers where an outer layer spreads them into a plain object', async () => {
  server.script(500, 500, 200);
  const api = create();
  attachRetry(api, { ...instant, methods: ['POST'], idempotencyKey: 'key' });
  api.interceptors.request.use((config) => spreadHeaders(config, {}));
  await api.post('/', { a: 1 }, { headers: { Authorization: 'Bearer token' } });
  expect(server.header('authorization')).toEqual(Array(3).fill('Bearer token'));
  expect(new Set(server.dumps).size).toBe(1);
});

it('R68 uses the same agent object on every attempt', async () => {
  server.script(500, 500, 200);
  class ProxyAgent extends Agent {
    connections = 0;
    override createConnection(...args: Parameters<Agent['createConnection']>): ReturnType<Agent['createConnection']> {
      this.connections += 1;
      return super.createConnection(...args);
    }
  }
  const httpAgent = new ProxyAgent({ keepAlive: false });
  const api = create();
  const seen: unknown[] = [];
  api.interceptors.request.use((config) => {
    seen.push(config.httpAgent);
    return config;
  });
  attachRetry(api, instant);
  await api.get('/', { httpAgent });
  expect(seen).toEqual([httpAgent, httpAgent, httpAgent]);
  expect(seen.every((agent) => agent === httpAgent)).toBe(true);
  expect(httpAgent.connections).toBe(3);
});

it('R68 passes on by reference what is not data: signals, tokens, functions, instances', async () => {
  const given = {
    signal: new AbortController().signal,
    cancelToken: axios.CancelToken.source().token,
    httpsAgent: new Agent(),
    validateStatus: (status: number) => status < 400,
    beforeRedirect: () => undefined,
    onUploadProgress: () => undefined,
    transport: { request: () => undefined },
    jar: new (class CookieJar { cookies = []; })(),
  };
  const seen: InternalAxiosRequestConfig[] = [];
  const api = axios.create({
    adapter: (config) => {
      seen.push(config);
      return Promise.reject(new axios.AxiosError('failed', 'ERR_NETWORK', config));
    },
  });
  api.interceptors.request.use((config) => config);
  attachRetry(api, { ...instant, retries: 1 });
  await expect(api.get('/', given as unknown as AxiosRequestConfig)).rejects.toThrow('failed');
  expect(seen).toHaveLength(2);
  for (const name of ['signal', 'cancelToken', 'httpsAgent', 'validateStatus', 'beforeRedirect', 'onUploadProgress', 'jar'] as const) {
    expect(Object.is(Reflect.get(seen[0]!, name), given[name])).toBe(true);
    expect(Object.is(Reflect.get(seen[1]!, name), given[name])).toBe(true);
  }
});

it('R111 changes nothing else in the config of an attempt', async () => {
  const seen: InternalAxiosRequestConfig[] = [];
  const adapter = (config: InternalAxiosRequestConfig): Promise<never> => {
    seen.push({ ...config });
    return Promise.reject(new axios.AxiosError('failed', 'ERR_NETWORK', config));
  };
  const given: AxiosRequestConfig = { adapter, timeout: 5, maxRedirects: 3, maxBodyLength: 9, responseType: 'text', params: { a: 1 } };
  await expect(create().put('/', { a: 1 }, given)).rejects.toThrow('failed');
  const api = create();
  attachRetry(api, { ...instant, retries: 2 });
  await expect(api.put('/', { a: 1 }, given)).rejects.toThrow('failed');
  const [plain, ...attempts] = seen.map(({ retryState: _, ...rest }) => rest);
  expect(attempts).toEqual([plain, plain, plain]);
  expect(attempts.map((config) => Object.keys(config).sort())).toEqual(Array(3).fill(Object.keys(plain!).sort()));
});
