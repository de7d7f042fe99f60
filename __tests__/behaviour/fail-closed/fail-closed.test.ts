// `retries: n` never sends more than n + 1 requests for a call, whatever other interceptors do; and every call settles.
import type { AxiosError, AxiosInstance, AxiosRequestConfig, InternalAxiosRequestConfig } from 'axios';
import { attachRetry, getRetryReport, RetryState } from '../../../lib/index';
import axios, { isAtLeast } from '../../helpers/axios';
import { instant, keepLog, rejectionOf } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';

const server = useRecordingServer();

const create = (): AxiosInstance => axios.create({ baseURL: server.url });

type Sabotage = (api: AxiosInstance) => unknown;

const onRequest = (edit: (config: InternalAxiosRequestConfig) => InternalAxiosRequestConfig | void): Sabotage => (api) =>
  api.interceptors.request.use((config) => edit(config) ?? config);
const onError = (edit: (error: AxiosError) => unknown): Sabotage => (api) =>
  api.interceptors.response.use(undefined, (error) => Promise.reject(edit(error) ?? error));

const kept: InternalAxiosRequestConfig[] = [];
const firstKept = (config: InternalAxiosRequestConfig): InternalAxiosRequestConfig => {
  kept.push(config);
  return kept[0] ?? config;
};
beforeEach(() => {
  kept.length = 0;
});

const freezing: [string, number, Sabotage] = ['freeze the config', 3, onRequest((config) => Object.freeze({ ...config }))];

/** What interceptors do, and how many requests a call that always fails then sends from inside with `retries: 2`. */
const sabotages: [string, number, Sabotage][] = [
  ['ask for retries in the config of each error', 3, onError((error) => void (error.config!.retry = 100))],
  ['delete the state', 1, onRequest((config) => void delete config.retryState)],
  ['delete the state from the error', 1, onError((error) => void delete error.config?.retryState)],
  ['put something else in place of the state', 1, onRequest((config) => void Object.assign(config, { retryState: { attempt: 1 } }))],
  ['put an imitation in place of the state', 1, onRequest((config) => void (config.retryState = Object.create(RetryState.prototype)))],
  ['put the state of an earlier attempt back', 3, onRequest((config) => void (config.retryState = firstKept({ ...config }).retryState))],
  ['put the config of an earlier attempt back', 3, onRequest(firstKept)],
  ['copy the config', 3, onRequest((config) => ({ ...config }))],
  ['copy the config without the state', 1, onRequest(({ retryState: _, ...config }) => config)],
  ['take the config off the error', 3, onError((error) => void delete error.config)],
  ['put an empty config on the error', 1, onError((error) => void Object.assign(error, { config: {} }))],
  ['put a copy of the config on the error', 3, onError((error) => void (error.config = { ...error.config! }))],
  ['put the first config on every error', 3, onError((error) => void (error.config = firstKept(error.config!)))],
  ['change the status', 3, onError((error) => void (error.response!.status = 429))],
  ['change the status to one that cannot heal', 1, onError((error) => void (error.response!.status = 404))],
  ['forget the response', 3, onError((error) => void delete error.response)],
  ['forget response and code', 3, onError((error) => void (delete error.response && delete error.code))],
  ['make each failure look like a refused connection', 3, onError((error) => void (delete error.response && (error.code = 'ECONNREFUSED')))],
  ['reject with the same error object each time', 3, onError((error) => firstKept(error as never))],
  ['reject with a copy of the error', 3, onError((error) => Object.assign(new Error('copy'), error, { isAxiosError: true }))],
  ['freeze the error', 3, onError((error) => Object.freeze(error))],
  ['wrap the error', 3, onError((cause) => new Error('wrapped', { cause }))],
  ['wrap the error in itself', 1, onError(() => {
    const loop = new Error('loop');
    return Object.assign(loop, { cause: loop });
  })],
  ['replace the error by a string', 1, onError(() => 'failed')],
];

// Before, axios itself fails on a config that an interceptor froze.
if (isAtLeast('1.21')) sabotages.push(freezing);

it.each(sabotages)('sends no more than retries + 1 requests when inner layers %s', async (_, requests, sabotage) => {
  server.thenAlways(503);
  const api = create();
  sabotage(api);
  const { lines, observer } = keepLog();
  const retry = attachRetry(api, { ...instant, ...observer, retries: 2 });
  await rejectionOf(api.get('/'));
  expect(server.requests).toHaveLength(requests);
  expect(retry.stats()).toMatchObject({ calls: 1, attempts: requests, waiting: 0 });
  expect(lines.filter((line) => line.startsWith('give-up'))).toHaveLength(1);
});

it.each(sabotages)('sends retries + 1 requests when outer layers %s', async (_name, _requests, sabotage) => {
  server.thenAlways(503);
  const api = create();
  const retry = attachRetry(api, { ...instant, retries: 2 });
  sabotage(api);
  await rejectionOf(api.get('/'));
  expect(server.requests).toHaveLength(3);
  expect(retry.stats()).toMatchObject({ calls: 1, attempts: 3, waiting: 0, gaveUp: { exhausted: 1 } });
});

it('follows the options that an outer layer puts on the request, not those of an inner one', async () => {
  server.thenAlways(503);
  const api = create();
  api.interceptors.request.use((config) => Object.assign(config, { retry: 100 }));
  attachRetry(api, { ...instant, retries: 2 });
  api.interceptors.request.use((config) => Object.assign(config, { retry: 1 }));
  await rejectionOf(api.get('/'));
  expect(server.requests).toHaveLength(2);
});

it('sends one request for each call when a layer keeps the state of a call and gives it to the next', async () => {
  server.thenAlways(503);
  const api = create();
  api.interceptors.request.use((config) => {
    kept.push({ ...config });
    config.retryState = kept[0]?.retryState;
    return config;
  });
  attachRetry(api, { ...instant, retries: 2 });
  await rejectionOf(api.get('/'));
  const first = server.requests.length;
  await rejectionOf(api.get('/'));
  expect(first).toBeLessThanOrEqual(3);
  expect(server.requests.length - first).toBeLessThanOrEqual(3);
});

it.each<[string, (config: AxiosRequestConfig) => unknown]>([
  ['a made-up state', () => ({ attempt: -100 })],
  ['null', () => null],
  ['a number', () => 1],
  ['the state of a call that has ended', (config) => config.retryState],
])('begins a new call for a request that comes with %s', async (_, makeState) => {
  server.thenAlways(503);
  const api = create();
  attachRetry(api, { ...instant, retries: 2 });
  const ended = (await rejectionOf(api.get('/'))) as AxiosError;
  const retryState = makeState(ended.config!) as RetryState;
  const error = await rejectionOf(api.get('/', { retryState }));
  expect(getRetryReport(error)).toMatchObject({ attempts: 3, reason: 'exhausted' });
  expect(server.requests).toHaveLength(6);
});

it('R83 gives each of several calls with the same config object its own retries', async () => {
  server.thenAlways(500);
  const api = create();
  const { lines, observer } = keepLog();
  attachRetry(api, { ...instant, ...observer });
  const config = { params: { page: 1 }, headers: { 'X-Trace': 'one' }, retry: { retries: 2 } };
  await Promise.all(Array.from({ length: 5 }, () => rejectionOf(api.get('/', config))));
  expect(server.requests).toHaveLength(15);
  expect(lines.filter((line) => line === 'give-up exhausted')).toHaveLength(5);
  await rejectionOf(api.get('/', config));
  expect(server.requests).toHaveLength(18);
  expect(new Set(server.dumps).size).toBe(1);
  expect(config).toEqual({ params: { page: 1 }, headers: { 'X-Trace': 'one' }, retry: { retries: 2 } });
});

it.each<[string, (api: AxiosInstance, config: AxiosRequestConfig) => Promise<unknown>]>([
  ['api.get', (api, config) => api.get('/', config)],
  ['api.request', (api, config) => api.request({ ...config, url: '/' })],
  ['api.post', (api, config) => api.post('/', Object.freeze({ items: Object.freeze([Object.freeze({ id: 1 })]) }), config)],
])('works with a config that is frozen all the way down: %s', async (_, send) => {
  server.script(503, 503, 200);
  const api = create();
  api.interceptors.request.use((config) => config);
  attachRetry(api, instant);
  const config = Object.freeze({
    params: Object.freeze({ ids: Object.freeze([1, 2]) }),
    headers: Object.freeze({ 'X-Trace': 'one' }),
    transitional: Object.freeze({ clarifyTimeoutError: true }),
    retry: Object.freeze({ methods: Object.freeze(['GET', 'POST']) }),
  });
  await expect(send(api, config)).resolves.toMatchObject({ status: 200 });
  expect(new Set(server.dumps).size).toBe(1);
});

it('works where an outer layer freezes the config', async () => {
  server.script(503, 503, 200);
  const api = create();
  attachRetry(api, { ...instant, methods: ['POST'], idempotencyKey: true, attemptHeader: 'X-Resend' });
  api.interceptors.request.use((config) => Object.freeze({ ...config }));
  await expect(api.post('/', { id: 1 })).resolves.toMatchObject({ status: 200 });
  expect(server.header('x-resend')).toEqual([undefined, '1', '2']);
});

const strangers: [string, () => unknown][] = [
  ['a plain Error', () => new Error('plain')],
  ['a string', () => 'failed'],
  ['undefined', () => undefined],
  ['null', () => null],
  ['a frozen object', () => Object.freeze({ status: 503 })],
  ['an object with a `cause`', () => ({ cause: 'unknown' })],
];
// Before, axios itself fails where it adds to the stack of what it rejects with.
if (isAtLeast('1.13')) {
  strangers.push(
    ['a frozen Error', () => Object.freeze(new Error('frozen'))],
    ['a frozen AxiosError', () => Object.freeze(new axios.AxiosError('frozen', 'ERR_BAD_REQUEST'))],
  );
}
const throwers: [string, (api: AxiosInstance, reason: unknown) => unknown][] = [
  ['request interceptors', (api, reason) => api.interceptors.request.use(() => Promise.reject(reason))],
  ['response interceptors', (api, reason) => api.interceptors.response.use(() => Promise.reject(reason), () => Promise.reject(reason))],
  ['adapters', (api, reason) => (api.defaults.adapter = () => Promise.reject(reason))],
];
const untouched = throwers.flatMap(([where, install]) =>
  strangers.map(([what, make]) => [what, where, make, install] as const),
);

const keysOf = (value: unknown): unknown[] => (value instanceof Object ? Reflect.ownKeys(value) : []);

it.each(untouched)('passes %s from inner %s through untouched', async (_what, _where, make, install) => {
  const api = create();
  const reason = make();
  const keys = keysOf(reason);
  install(api, reason);
  attachRetry(api, instant);
  expect(await rejectionOf(api.get('/'))).toBe(reason);
  expect(server.requests.length).toBeLessThanOrEqual(1);
  // Only errors of axios' own get the report.
  if (!axios.isAxiosError(reason)) expect(keysOf(reason)).toEqual(keys);
});

it.each(untouched)('passes %s from outer %s through untouched', async (_what, _where, make, install) => {
  const api = create();
  const reason = make();
  attachRetry(api, instant);
  install(api, reason);
  expect(await rejectionOf(api.get('/'))).toBe(reason);
  expect(server.requests.length).toBeLessThanOrEqual(1);
});

it('passes a rejection through that comes after a retry', async () => {
  server.script(503, 200);
  const api = create();
  const reason = new Error('late');
  api.interceptors.response.use(() => Promise.reject(reason));
  attachRetry(api, instant);
  expect(await rejectionOf(api.get('/'))).toBe(reason);
  expect(server.requests).toHaveLength(2);
});
