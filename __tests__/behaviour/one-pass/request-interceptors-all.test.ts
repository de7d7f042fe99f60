// `requestInterceptors: 'all'`: a retry passes every request interceptor, from the request as the caller made it.
import type { AxiosInstance, InternalAxiosRequestConfig } from 'axios';
import { attachRetry, getRetryReport, type RetryOptions } from '../../../lib/index';
import axios, { itSince } from '../../helpers/axios';
import { instant, rejectionOf } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';

const server = useRecordingServer();

const all = { ...instant, requestInterceptors: 'all' } satisfies RetryOptions;
const create = (config?: object): AxiosInstance => axios.create({ baseURL: server.url, ...config });

type Edit = (config: InternalAxiosRequestConfig) => InternalAxiosRequestConfig | void;
const layer = (api: AxiosInstance, edit: Edit, options?: { synchronous?: boolean }): number =>
  api.interceptors.request.use((config) => edit(config) ?? config, null, options);

function counting(name: string): Edit {
  let runs = 0;
  return (config) => void config.headers.set(name, String(++runs));
}

it.each([true, false])('runs interceptors on both sides of the plugin once per attempt, synchronous: %s', async (synchronous) => {
  server.script(503, 503, 200);
  const api = create();
  layer(api, counting('X-Inner'), { synchronous });
  const retry = attachRetry(api, all);
  layer(api, counting('X-Outer'), { synchronous });
  await api.get('/');
  expect(server.header('x-inner')).toEqual(['1', '2', '3']);
  expect(server.header('x-outer')).toEqual(['1', '2', '3']);
  expect(retry.stats()).toMatchObject({ calls: 1, attempts: 3, retries: 2, recovered: 1 });
});

it('keeps the order of the interceptors', async () => {
  server.script(503, 200);
  const api = create();
  const order: string[] = [];
  const note = (name: string): Edit => () => void order.push(name);
  layer(api, note('first'));
  attachRetry(api, all);
  layer(api, note('second'));
  layer(api, note('third'));
  await api.get('/');
  expect(order).toEqual(['third', 'second', 'first', 'third', 'second', 'first']);
});

it('edits nothing twice, whatever an interceptor outside edits in place', async () => {
  server.script(503, 503, 200);
  const api = create();
  attachRetry(api, { ...all, methods: ['POST'] });
  layer(api, (config) => {
    config.url = `/v1${config.url}`;
    config.params.trail.push('x');
    config.data.trail.push('x');
    config.headers.set('X-Trail', `${config.headers.get('X-Trail') ?? ''}.`);
  });
  await api.post('/orders', { trail: [] }, { params: { trail: [] } });
  expect(new Set(server.dumps).size).toBe(1);
  expect(decodeURIComponent(server.requests[2]?.url ?? '')).toBe('/v1/orders?trail[]=x');
  expect(server.requests[2]?.body.toString()).toBe('{"trail":["x"]}');
  expect(server.header('x-trail')).toEqual(['.', '.', '.']);
});

it('still runs response interceptors outside once per call', async () => {
  server.script(503, 503, 200);
  const api = create();
  const inner = jest.fn((error) => Promise.reject(error));
  api.interceptors.response.use(undefined, inner);
  attachRetry(api, all);
  const outer = jest.fn((response) => response.data);
  api.interceptors.response.use(outer);
  await expect(api.get('/')).resolves.toEqual({ request: 3 });
  expect(inner).toHaveBeenCalledTimes(2);
  expect(outer).toHaveBeenCalledTimes(1);
});

it('asks every `runWhen` on each attempt, with the request as the caller made it', async () => {
  server.script(503, 200);
  const api = create();
  attachRetry(api, all);
  const asked: unknown[] = [];
  const runWhen = ({ url, params }: InternalAxiosRequestConfig): boolean => asked.push([url, params]) > 0;
  api.interceptors.request.use((config) => ({ ...config, url: '/moved' }), null, { runWhen });
  await api.get('/here', { params: { page: 1 } });
  expect(asked).toEqual(Array(2).fill(['/here', { page: 1 }]));
  expect(server.requests.map(({ url }) => url)).toEqual(Array(2).fill('/moved?page=1'));
});

it('sends one generated key with all attempts', async () => {
  server.script(503, 503, 200);
  const api = create();
  attachRetry(api, { ...all, idempotencyKey: true, attemptHeader: 'X-Resend' });
  layer(api, (config) => void (config.headers = new axios.AxiosHeaders({ 'X-Own': 'yes' })));
  await api.post('/', { id: 1 });
  expect(new Set(server.header('idempotency-key')).size).toBe(1);
  expect(server.header('idempotency-key')[0]).toMatch(/^[\da-f-]{36}$/);
  expect(server.header('x-resend')).toEqual([undefined, '1', '2']);
});

it('does not take a key that an interceptor makes anew for each attempt for one', async () => {
  server.thenAlways(503);
  const api = create();
  attachRetry(api, { ...all, idempotencyKey: true });
  layer(api, counting('Idempotency-Key'));
  expect(getRetryReport(await rejectionOf(api.post('/')))).toMatchObject({ attempts: 1, reason: 'method' });
});

it('sends what the `body` option makes, on each attempt', async () => {
  server.script(503, 200);
  const api = create();
  let made = 0;
  attachRetry(api, { ...all, methods: ['POST'], body: () => ({ made: ++made }) });
  layer(api, (config) => void (config.data = { wrapped: config.data as unknown }));
  await api.post('/');
  expect(server.requests.map(({ body }) => body.toString())).toEqual(['{"made":1}', '{"made":2}']);
});

it('sends what `beforeRetry` edits through all interceptors', async () => {
  server.script(503, 200);
  const api = create();
  attachRetry(api, { ...all, beforeRetry: (config) => void (config.url = '/other') });
  layer(api, (config) => void (config.url = `/v1${config.url}`));
  await api.get('/one');
  expect(server.requests.map(({ url }) => url)).toEqual(['/v1/one', '/v1/other']);
});

it('lets an interceptor outside serve a retry from its cache', async () => {
  server.thenAlways(503);
  const api = create();
  attachRetry(api, all);
  let runs = 0;
  layer(api, (config) => {
    runs += 1;
    if (runs === 2) config.adapter = () => Promise.resolve({ data: 'cached', status: 200, statusText: '', headers: {}, config });
  });
  await expect(api.get('/')).resolves.toMatchObject({ data: 'cached' });
  expect(server.requests).toHaveLength(1);
});

it('takes what an interceptor outside throws on a retry for the failure of that attempt', async () => {
  server.thenAlways(503);
  const api = create();
  const retry = attachRetry(api, { ...all, budget: { capacity: 10 } });
  let runs = 0;
  layer(api, () => {
    runs += 1;
    if (runs === 2) throw new Error('no token');
  });
  expect(await rejectionOf(api.get('/'))).toEqual(new Error('no token'));
  expect(server.requests).toHaveLength(1);
  // Nothing was sent, so nothing is paid.
  expect(retry.stats()).toMatchObject({ attempts: 1, retries: 0, budgets: [] });
});

it('starts a new call with a config of an ended call, without what that call put on it', async () => {
  server.script(503, 503, 503, 200);
  const api = create();
  attachRetry(api, { ...all, retries: 1, attemptHeader: 'X-Resend' });
  layer(api, counting('X-Outer'));
  const { config } = (await rejectionOf(api.get('/'))) as { config: InternalAxiosRequestConfig };
  await api.request(config);
  expect(server.header('x-resend')).toEqual([undefined, '1', undefined, '1']);
  expect(server.header('x-outer')).toEqual(['1', '2', '3', '4']);
});

it('holds also where `request` is made asynchronous', async () => {
  server.script(503, 503, 200);
  const api = create();
  const retry = attachRetry(api, all);
  layer(api, counting('X-Outer'));
  const original = api.request.bind(api);
  Object.assign(api, { request: async (config: object) => Promise.resolve().then(() => original(config)) });
  await api.request({ url: '/' });
  expect(server.header('x-outer')).toEqual(['1', '2', '3']);
  expect(retry.stats()).toMatchObject({ calls: 1, attempts: 3 });
});

itSince('1.13', 'does not know `legacyInterceptorReqResOrdering`')('keeps the order of registration where axios is told so', async () => {
  server.script(503, 200);
  const api = create({ transitional: { legacyInterceptorReqResOrdering: false } });
  const order: string[] = [];
  layer(api, () => void order.push('first'));
  attachRetry(api, all);
  layer(api, () => void order.push('second'));
  await api.get('/');
  expect(order).toEqual(['first', 'second', 'first', 'second']);
});

it.each<[string, (api: AxiosInstance) => Promise<unknown>]>([
  ['a request', (api) => api.get('/', { retry: { requestInterceptors: 'all' } as object })],
  ['the defaults', (api) => {
    Object.assign(api.defaults, { retry: { requestInterceptors: 'all' } });
    return api.get('/');
  }],
])('is for attachRetry alone: a TypeError in %s', async (_, call) => {
  const api = create();
  attachRetry(api, instant);
  const error = await rejectionOf(call(api));
  expect(error).toBeInstanceOf(TypeError);
  expect(error).toMatchObject({ message: expect.stringMatching(/"requestInterceptors".* can only be passed to attachRetry; got 'all'/) });
  expect(server.requests).toHaveLength(0);
});
