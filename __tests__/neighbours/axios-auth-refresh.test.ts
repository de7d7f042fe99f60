// axios-auth-refresh. `before`: the refresh is outside, a 401 ends the call and begins another; `after`: inside, it is mended within the attempt.
import type { AxiosError, AxiosRequestConfig } from 'axios';
import { createAuthRefresh, type AxiosAuthRefreshOptions } from 'axios-auth-refresh';
import { attachRetry, getRetryReport, type RetryOptions } from '../../lib/index';
import axios from '../helpers/axios';
import { advance, stopClock } from '../helpers/fake-timers';
import { holdSleep, instant, keepLog, rejectionOf } from '../helpers/instant';
import { foreign, inOrder, ORDERS, type Order } from '../helpers/orders';
import { startSecured, type SecuredService } from '../helpers/secured-service';
import { until } from '../helpers/virtual-time';

const SKIP = { skipAuthRefresh: true } as AxiosRequestConfig;

interface Setting {
  options?: RetryOptions;
  refresh?: AxiosAuthRefreshOptions;
  /** Options of the request for a token. */
  token?: AxiosRequestConfig;
  /** Whether another instance asks for it. */
  isApart?: boolean;
  transitional?: object;
}

/** The token is put on by an interceptor that was there first; the same instance asks for a new one. */
function setUp(order: Order, { service }: SecuredService, { options = {}, refresh = {}, token: tokenConfig = {}, isApart = false, transitional = {} }: Setting = {}) {
  const api = axios.create({ baseURL: service.url, transitional });
  let token = 'old';
  api.interceptors.request.use((config) => {
    if (config.url !== '/token') config.headers.set('Authorization', token);
    return config;
  });
  const issuer = isApart ? axios.create({ baseURL: service.url }) : api;
  if (isApart) attachRetry(issuer, instant);
  const refreshToken = async (): Promise<void> => {
    await issuer.post('/token', null, { ...SKIP, ...tokenConfig });
    token = 'new';
  };
  const attach = () => attachRetry(api, { ...instant, retries: 2, ...options });
  const [retry] = inOrder(order, attach, () => createAuthRefresh(foreign(api), refreshToken, refresh));
  return { api, retry };
}

describe.each(ORDERS)('attached %s axios-auth-refresh', (order) => {
  it('sends a request again with the new token after a 401', async () => {
    const secured = await startSecured({});
    const { api, retry } = setUp(order, secured);
    await expect(api.get('/orders')).resolves.toMatchObject({ status: 200 });
    expect(secured.lines()).toEqual(['GET /orders old', 'POST /token -', 'GET /orders new']);
    expect(retry.stats()).toMatchObject({ retries: 0, recovered: 0 });
  });

  it('retries a 503 before the 401', async () => {
    const secured = await startSecured({ old: [503] });
    const { api } = setUp(order, secured);
    await expect(api.get('/orders')).resolves.toMatchObject({ status: 200 });
    expect(secured.lines()).toEqual(['GET /orders old', 'GET /orders old', 'POST /token -', 'GET /orders new']);
  });

  it('retries a 503 after the refresh, with the new token', async () => {
    const secured = await startSecured({ api: [503, 503] });
    const { api } = setUp(order, secured);
    await expect(api.get('/orders')).resolves.toMatchObject({ status: 200 });
    expect(secured.lines()).toEqual(['GET /orders old', 'POST /token -', 'GET /orders new', 'GET /orders new', 'GET /orders new']);
  });

  it('sends no more than the allowed number of requests with the new token', async () => {
    const secured = await startSecured({ api: Array.from({ length: 50 }, () => 503) });
    const { api } = setUp(order, secured);
    expect(getRetryReport(await rejectionOf(api.get('/orders')))).toMatchObject({ attempts: 3, reason: 'exhausted' });
    expect(secured.lines()).toEqual(['GET /orders old', 'POST /token -', 'GET /orders new', 'GET /orders new', 'GET /orders new']);
  });

  it('gives up where the new token is refused, too', async () => {
    const secured = await startSecured({ api: [401] });
    const { api } = setUp(order, secured);
    expect(await rejectionOf(api.get('/orders'))).toMatchObject({ response: { status: 401 } });
    expect(secured.lines()).toEqual(['GET /orders old', 'POST /token -', 'GET /orders new']);
  });

  it('retries the request for a token when it has a key, though it goes through the paused instance', async () => {
    const secured = await startSecured({ token: [503, 503] });
    const { api } = setUp(order, secured, { token: { retry: { idempotencyKey: true } } });
    await expect(api.get('/orders')).resolves.toMatchObject({ status: 200 });
    expect(secured.lines()).toEqual(['GET /orders old', 'POST /token -', 'POST /token -', 'POST /token -', 'GET /orders new']);
  });

  it('does not repeat a POST for a token by itself: the call fails with its error', async () => {
    const secured = await startSecured({ token: [503] });
    const { api } = setUp(order, secured);
    const error = await rejectionOf(api.get('/orders'));
    expect(error).toMatchObject({ config: { url: '/token' }, response: { status: 503 } });
    expect(getRetryReport(error)).toMatchObject({ attempts: 1, reason: 'method' });
    expect(secured.lines()).toEqual(['GET /orders old', 'POST /token -']);
  });

  it('lets calls that come during a refresh wait for it, also while the refresh is retried', async () => {
    const secured = await startSecured({ token: [503], holdToken: true, api: [503] });
    const { api, retry } = setUp(order, secured, { token: { retry: { idempotencyKey: true } } });
    const first = api.get('/a');
    await secured.tokenAsked;
    const all = Promise.all([first, api.get('/b'), api.get('/c')]);
    secured.release();
    expect((await all).map(({ status }) => status)).toEqual([200, 200, 200]);
    const lines = secured.lines();
    expect(lines.slice(0, 3)).toEqual(['GET /a old', 'POST /token -', 'POST /token -']);
    // One of the three met the 503.
    expect(lines.slice(3).filter((line) => !line.endsWith(' new'))).toEqual([]);
    expect(lines).toHaveLength(3 + 3 + 1);
    expect(retry.stats()).toMatchObject({ retries: 2, recovered: 2 });
  });

  it('fails those that wait when the refresh fails: nothing of theirs was sent, and nothing hangs', async () => {
    const secured = await startSecured({ token: [403], holdToken: true });
    const { api, retry } = setUp(order, secured);
    const first = rejectionOf(api.get('/a'));
    await secured.tokenAsked;
    const waiting = rejectionOf(api.get('/b'));
    secured.release();
    expect(await first).toMatchObject({ response: { status: 403 } });
    expect(await waiting).toMatchObject({ code: 'ERR_CANCELED', message: 'Request call failed' });
    expect(secured.lines()).toEqual(['GET /a old', 'POST /token -']);
    expect(retry.stats()).toMatchObject({ calls: 2, retries: 0, waiting: 0 });
  });

  it('keeps body and idempotency key over retries and refresh', async () => {
    const secured = await startSecured({ old: [503], api: [503] });
    const { api } = setUp(order, secured);
    await api.post('/orders', { size: 2 }, { retry: { idempotencyKey: true } });
    const orders = secured.service.received.filter(({ path }) => path === '/orders');
    expect(orders.map(({ body }) => body)).toEqual(Array.from({ length: 4 }, () => '{"size":2}'));
    const key = orders[0]?.headers['idempotency-key'];
    expect(key).toMatch(/^[0-9a-f-]{36}$/);
    expect(orders.map(({ headers }) => headers['idempotency-key'])).toEqual([key, key, key, key]);
  });

  it('has a retry answered 401 during the refresh of another call: axios-auth-refresh lets that 401 through', async () => {
    const secured = await startSecured({ old: [503], holdToken: true });
    const held = holdSleep();
    const { api } = setUp(order, secured, { options: { sleep: held.sleep } });
    const waiting = rejectionOf(api.get('/a'));
    await held.begun;
    const other = api.get('/b');
    await secured.tokenAsked;
    held.release();
    expect(await waiting).toMatchObject({ response: { status: 401 } });
    secured.release();
    await expect(other).resolves.toMatchObject({ status: 200 });
  });

  it('has that retry wait for the refresh with deduplicateRefresh: false, still with one request for a token', async () => {
    const secured = await startSecured({ old: [503], holdToken: true });
    const held = holdSleep();
    const { api } = setUp(order, secured, { options: { sleep: held.sleep }, refresh: { deduplicateRefresh: false } });
    const waiting = api.get('/a');
    await held.begun;
    const other = api.get('/b');
    await secured.tokenAsked;
    held.release();
    await untilReceived(secured, 4);
    secured.release();
    await expect(waiting).resolves.toMatchObject({ status: 200 });
    await expect(other).resolves.toMatchObject({ status: 200 });
    expect(secured.lines().sort()).toEqual(['GET /a new', 'GET /a old', 'GET /a old', 'GET /b new', 'GET /b old', 'POST /token -']);
  });
});

async function untilReceived({ service }: SecuredService, count: number): Promise<void> {
  while (service.received.length < count) await new Promise((resolve) => setImmediate(resolve));
}

/** The token stands in the caller's header, and the refresh writes it on the failed request: as in its README. */
function setUpByHeader(order: Order, { service }: SecuredService) {
  const api = axios.create({ baseURL: service.url });
  const refreshToken = async (failed: AxiosError): Promise<void> => {
    await api.post('/token', null, SKIP);
    failed.response?.config.headers.set('Authorization', 'new');
  };
  inOrder(order, () => attachRetry(api, { ...instant, retries: 2 }), () => createAuthRefresh(foreign(api), refreshToken));
  return () => api.get('/orders', { headers: { Authorization: 'old' } });
}

describe('a token that the refresh writes on the failed request', () => {
  it('attached before: is kept, since the request with it is a call of its own', async () => {
    const secured = await startSecured({ api: [503, 503] });
    await expect(setUpByHeader('before', secured)()).resolves.toMatchObject({ status: 200 });
    expect(secured.lines()).toEqual(['GET /orders old', 'POST /token -', 'GET /orders new', 'GET /orders new', 'GET /orders new']);
  });

  it('attached after: is not in the request that each attempt begins from, so each refreshes again', async () => {
    const secured = await startSecured({ api: [503, 503] });
    await expect(setUpByHeader('after', secured)()).resolves.toMatchObject({ status: 200 });
    const attempt = ['GET /orders old', 'POST /token -', 'GET /orders new'];
    expect(secured.lines()).toEqual([...attempt, ...attempt, ...attempt]);
  });
});

describe('what the plugin makes of a refresh', () => {
  it.each<[Order, string[], number]>([
    ['before', ['give-up not-retryable'], 3],
    ['after', [], 2],
  ])('attached %s: the observers hear %j of a mended 401, and there are %i calls, one of them for the token', async (order, told, calls) => {
    const secured = await startSecured({});
    const { lines, observer } = keepLog();
    const { api, retry } = setUp(order, secured, { options: { observers: [observer] } });
    await api.get('/orders');
    expect(lines).toEqual(told);
    expect(retry.stats()).toMatchObject({ calls, attempts: calls });
  });

  it.each<[Order, number]>([['before', 7], ['after', 5]])('attached %s: at most %i requests with retries: 2', async (order, requests) => {
    const secured = await startSecured({ old: [503, 503], api: [503, 503, 503] });
    const { api } = setUp(order, secured);
    await rejectionOf(api.get('/orders'));
    expect(secured.service.received).toHaveLength(requests);
  });

  it.each<[Order, number]>([['before', 4], ['after', 3]])('attached %s: of 4 requests the circuit breaker sees %i', async (order, seen) => {
    const secured = await startSecured({ api: [503] });
    let sent = 0;
    const circuitBreaker = { execute: <T>(send: () => Promise<T>) => (sent++, send()) };
    const { api } = setUp(order, secured, { options: { circuitBreaker } });
    await api.get('/orders');
    expect(secured.lines()).toEqual(['GET /orders old', 'POST /token -', 'GET /orders new', 'GET /orders new']);
    expect(sent).toBe(seen);
  });
});

describe.each(ORDERS)('attached %s, with request interceptors in order of registration', (order) => {
  const setting = { transitional: { legacyInterceptorReqResOrdering: false }, token: { retry: { idempotencyKey: true } } } satisfies Setting;

  it('mends a 401', async () => {
    const secured = await startSecured({});
    const { api } = setUp(order, secured, setting);
    await expect(api.get('/orders')).resolves.toMatchObject({ status: 200 });
    expect(secured.lines()).toEqual(['GET /orders old', 'POST /token -', 'GET /orders new']);
  });

  it('has a retry of the request for a token wait for the refresh, which is itself: totalTimeout ends it', async () => {
    stopClock();
    const secured = await startSecured({ token: [503] });
    const onRetry = jest.fn();
    const token = { retry: { idempotencyKey: true, totalTimeout: 250, delay: () => 0 } };
    const { api } = setUp(order, secured, { ...setting, options: { onRetry }, token });
    const call = rejectionOf(api.get('/orders'));
    await until(() => onRetry.mock.calls.length === 1);
    await advance(250);
    const error = await call;
    expect([(error as AxiosError).message, getRetryReport(error)?.reason]).toEqual(['Request failed with status code 503', 'deadline']);
    expect(secured.lines()).toEqual(['GET /orders old', 'POST /token -']);
  });

  it('retries the request for a token that goes through another instance', async () => {
    const secured = await startSecured({ token: [503] });
    const { api } = setUp(order, secured, { ...setting, isApart: true });
    await expect(api.get('/orders')).resolves.toMatchObject({ status: 200 });
    expect(secured.lines()).toEqual(['GET /orders old', 'POST /token -', 'POST /token -', 'GET /orders new']);
  });
});
