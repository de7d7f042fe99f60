// axios-cache-interceptor. `before`: the cache is outside, and asks the plugin for one answer; `after`: inside, one question per attempt.
import type { AxiosInstance } from 'axios';
import { setupCache, type CacheOptions } from 'axios-cache-interceptor';
import { attachRetry, getRetryReport, type RequestRetry, type RetryOptions } from '../../lib/index';
import axios from '../helpers/axios';
import { holdSleep, instant, keepLog, rejectionOf } from '../helpers/instant';
import { answers, startService, type Step } from '../helpers/local-service';
import { inOrder, ORDERS, type Order } from '../helpers/orders';

const FRESH = [200, { 'cache-control': 'max-age=60' }] as const;
/** May be kept, but must be asked for again; it has a name to ask with. */
const STALE = [200, { 'cache-control': 'max-age=0', etag: '"v1"' }] as const;
const NOT_MODIFIED = [304, { etag: '"v1"' }] as const;

async function setUp(order: Order, steps: readonly [Step, ...Step[]], options: RetryOptions = {}, cacheOptions: CacheOptions = {}) {
  const service = await startService(answers(...steps));
  const api = axios.create({ baseURL: service.url });
  const { lines, observer } = keepLog();
  const attach = () => attachRetry(api, { ...instant, retries: 2, observers: [observer], ...options });
  const [retry, cached] = inOrder(order, attach, () => setupCache(api, cacheOptions));
  return { service, retry, lines, cached };
}

describe.each(ORDERS)('attached %s axios-cache-interceptor', (order) => {
  it('keeps the answer of a retry, and does not ask the server again', async () => {
    const { service, cached, lines } = await setUp(order, [503, 503, FRESH]);
    const first = await cached.get('/');
    const second = await cached.get('/');
    expect([first.cached, first.data, second.cached, second.data]).toEqual([false, { status: 200 }, true, { status: 200 }]);
    expect(service.received).toHaveLength(3);
    expect(lines).toEqual(['retry 1', 'retry 2', 'recover 3']);
  });

  it('takes a cached answer for a success without a retry', async () => {
    const { cached, retry, lines } = await setUp(order, [FRESH, 503]);
    await cached.get('/');
    const { cached: isCached, retry: report } = await cached.get('/');
    expect([isCached, report]).toEqual([true, undefined]);
    expect(lines).toEqual([]);
    expect(retry.stats()).toMatchObject({ calls: 2, attempts: 2, retries: 0 });
  });

  it('does not keep a 503', async () => {
    const { service, cached } = await setUp(order, [503, 503, 503, FRESH]);
    const error = await rejectionOf(cached.get('/'));
    expect(getRetryReport(error)).toMatchObject({ attempts: 3, reason: 'exhausted' });
    await expect(cached.get('/')).resolves.toMatchObject({ cached: false, data: { status: 200 } });
    expect(service.received).toHaveLength(4);
  });

  it('does not keep an accepted 503 either', async () => {
    const { service, cached } = await setUp(order, [503, 503, FRESH]);
    await expect(cached.get('/', { validateStatus: null })).resolves.toMatchObject({ status: 200 });
    await expect(cached.get('/', { validateStatus: null })).resolves.toMatchObject({ status: 200, cached: true });
    expect(service.received).toHaveLength(3);
  });

  it('takes a 304 for a success', async () => {
    const { service, cached, lines } = await setUp(order, [STALE, NOT_MODIFIED]);
    await cached.get('/');
    await expect(cached.get('/')).resolves.toMatchObject({ status: 200, cached: true, data: { status: 200 } });
    expect(service.received.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"v1"']);
    expect(lines).toEqual([]);
  });

  it('leaves nothing behind in the cache that a later call would wait for, when the caller aborts the wait', async () => {
    const held = holdSleep();
    const { service, cached } = await setUp(order, [503, FRESH], { sleep: held.sleep });
    const { signal, abort } = controller();
    const rejected = rejectionOf(cached.get('/', { signal }));
    await held.begun;
    abort();
    expect(await rejected).toMatchObject({ code: 'ERR_CANCELED' });
    await expect(cached.get('/')).resolves.toMatchObject({ data: { status: 200 } });
    expect(service.received).toHaveLength(2);
  });

  it.each<[string, Step, RequestRetry]>([
    ['the deadline in an attempt', 'hang', { totalTimeout: 50 }],
    ['a deadline too near for the delay', 503, { totalTimeout: 1_000, delay: () => 5_000 }],
    ['an open circuit', 503, { circuitBreaker: () => ({ execute: () => Promise.reject(new Error('open')) }) }],
    ['a hook', 503, { beforeRetry: () => Promise.reject(new Error('no token')) }],
  ])('leaves nothing behind when %s ends the call', async (_, step, retry) => {
    const { service, cached } = await setUp(order, [step]);
    await rejectionOf(cached.get('/', { retry }));
    service.answer = answers(FRESH);
    await expect(cached.get('/')).resolves.toMatchObject({ cached: false, data: { status: 200 } });
  });
});

function controller(): { signal: AbortSignal; abort: () => void } {
  const made = new AbortController();
  return { signal: made.signal, abort: () => made.abort() };
}

describe('attached before axios-cache-interceptor: the cache is outside', () => {
  it('answers all calls that ask for the same with one loop', async () => {
    const { service, cached, retry } = await setUp('before', [503, 503, FRESH]);
    const all = await Promise.all([cached.get('/'), cached.get('/'), cached.get('/')]);
    expect(all.map(({ data }) => data)).toEqual([{ status: 200 }, { status: 200 }, { status: 200 }]);
    expect(service.received).toHaveLength(3);
    expect(retry.stats()).toMatchObject({ calls: 3, retries: 2, recovered: 1 });
  });

  it('fails all of them with the error of the one loop', async () => {
    const { service, cached, retry } = await setUp('before', [503]);
    const [one, two] = await Promise.all([rejectionOf(cached.get('/')), rejectionOf(cached.get('/'))]);
    expect(two).toBe(one);
    expect(getRetryReport(one)).toMatchObject({ attempts: 3, reason: 'exhausted' });
    expect(service.received).toHaveLength(3);
    expect(retry.stats()).toMatchObject({ calls: 1, retries: 2 });
  });

  it('lets a waiting call ask on its own when the one that asks is aborted', async () => {
    const held = holdSleep();
    const { service, cached } = await setUp('before', [503, FRESH], { sleep: held.sleep });
    const { signal, abort } = controller();
    const asking = rejectionOf(cached.get('/', { signal }));
    const waiting = cached.get('/');
    await held.begun;
    abort();
    expect(await asking).toMatchObject({ code: 'ERR_CANCELED' });
    await expect(waiting).resolves.toMatchObject({ data: { status: 200 }, cached: false });
    expect(service.received).toHaveLength(2);
  });

  it('hands out a stale answer when the attempts have run out, not before (staleIfError, its default)', async () => {
    const { service, cached, lines } = await setUp('before', [STALE, 503]);
    await cached.get('/');
    await expect(cached.get('/')).resolves.toMatchObject({ stale: true, data: { status: 200 } });
    expect(service.received).toHaveLength(4);
    expect(lines).toEqual(['retry 1', 'retry 2', 'give-up exhausted']);
  });

  it('asks with the same conditional headers on every attempt', async () => {
    const { service, cached } = await setUp('before', [STALE, 503, 503, NOT_MODIFIED]);
    await cached.get('/');
    await expect(cached.get('/')).resolves.toMatchObject({ cached: true, data: { status: 200 } });
    expect(service.received.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"v1"', '"v1"', '"v1"']);
  });

  it('takes a cached answer through the circuit breaker, which refuses it when it is open', async () => {
    const breaker = { isOpen: false, execute: <T>(send: () => Promise<T>) => (breaker.isOpen ? Promise.reject(new Error('open')) : send()) };
    const { cached } = await setUp('before', [FRESH], { circuitBreaker: breaker });
    await cached.get('/');
    breaker.isOpen = true;
    expect(await rejectionOf(cached.get('/'))).toMatchObject({ code: 'ERR_CIRCUIT_OPEN' });
  });
});

describe('attached after axios-cache-interceptor: the cache is inside', () => {
  it('retries the call that asks; those that wait for its answer fail with its first failure, without a loop', async () => {
    const { service, cached, retry } = await setUp('after', [503, FRESH]);
    const [one, two] = await Promise.allSettled([cached.get('/'), cached.get('/')]);
    expect(one).toMatchObject({ status: 'fulfilled', value: { data: { status: 200 } } });
    expect(two).toMatchObject({ status: 'rejected', reason: { response: { status: 503 } } });
    expect(service.received).toHaveLength(2);
    expect(retry.stats()).toMatchObject({ calls: 2, recovered: 1, gaveUp: { 'not-retryable': 1 } });
  });

  it('gets a stale answer at the first failure, without a retry (staleIfError, its default)', async () => {
    const { service, cached, lines } = await setUp('after', [STALE, 503]);
    await cached.get('/');
    await expect(cached.get('/')).resolves.toMatchObject({ stale: true, data: { status: 200 } });
    expect(service.received).toHaveLength(2);
    expect(lines).toEqual([]);
  });

  it('asks for the whole answer when the conditional request failed', async () => {
    const { service, cached } = await setUp('after', [STALE, 503, FRESH], {}, { staleIfError: false });
    await cached.get('/');
    await expect(cached.get('/')).resolves.toMatchObject({ cached: false, data: { status: 200 } });
    expect(service.received.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"v1"', undefined]);
  });

  it('hands out a cached answer while the circuit is open', async () => {
    const breaker = { isOpen: false, execute: <T>(send: () => Promise<T>) => (breaker.isOpen ? Promise.reject(new Error('open')) : send()) };
    const { cached } = await setUp('after', [FRESH], { circuitBreaker: breaker });
    await cached.get('/');
    breaker.isOpen = true;
    await expect(cached.get('/')).resolves.toMatchObject({ cached: true });
  });
});

describe('what the cache alone cannot clear away: a rejection that names no config', () => {
  it.each<[string, (api: AxiosInstance) => unknown]>([
    ['without the plugin', () => undefined],
    ['with the plugin inside', (api) => attachRetry(api, instant)],
  ])('a cancel token that ends a request leaves its entry loading (%s): cancel by a signal', async (_, attach) => {
    const service = await startService(answers('hang'));
    const api = axios.create({ baseURL: service.url });
    attach(api);
    const cached = setupCache(api);
    const source = axios.CancelToken.source();
    const rejected = rejectionOf(cached.get('/', { cancelToken: source.token }));
    while (service.received.length < 1) await new Promise((resolve) => setImmediate(resolve));
    source.cancel();
    expect(await rejected).toMatchObject({ code: 'ERR_CANCELED' });
    expect(cached.waiting.size).toBe(1);
  });

  it.each<[string, (api: AxiosInstance) => unknown]>([
    ['without the plugin, an interceptor that throws', (api) => api.interceptors.request.use(() => { throw new RangeError(); })],
    ['with the plugin, wrong options', (api) => attachRetry(api, instant)],
  ])('an error of nobody\'s request does, too (%s)', async (_, attach) => {
    const service = await startService(answers(200));
    const api = axios.create({ baseURL: service.url });
    attach(api);
    const cached = setupCache(api);
    expect(await rejectionOf(cached.get('/', { retry: -1 }))).toBeInstanceOf(RangeError);
    expect([cached.waiting.size, service.received.length]).toEqual([1, 0]);
  });
});
