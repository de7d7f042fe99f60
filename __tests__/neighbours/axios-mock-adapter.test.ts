// axios-mock-adapter puts itself in the place of the adapter: no interceptor, so the order makes no difference.
import type { InternalAxiosRequestConfig } from 'axios';
import MockAdapter from 'axios-mock-adapter';
import { attachRetry, getRetryReport, type RetryOptions } from '../../lib/index';
import axios from '../helpers/axios';
import { holdSleep, instant, keepLog, rejectionOf } from '../helpers/instant';
import { answers, startService } from '../helpers/local-service';
import { foreign, inOrder, ORDERS, type Order } from '../helpers/orders';

type MockOptions = ConstructorParameters<typeof MockAdapter>[1];

function setUp(order: Order, options: RetryOptions = {}, mockOptions?: MockOptions) {
  const api = axios.create({ baseURL: 'http://api.test' });
  const { lines, observer } = keepLog();
  const attach = () => attachRetry(api, { ...instant, retries: 2, observers: [observer], ...options });
  const [retry, mock] = inOrder(order, attach, () => new MockAdapter(foreign(api), mockOptions));
  return { api, mock, retry, lines };
}

describe.each(ORDERS)('attached %s axios-mock-adapter', (order) => {
  it('goes on to the next reply after a replyOnce(503)', async () => {
    const { api, mock, lines } = setUp(order);
    mock.onGet('/orders').replyOnce(503).onGet('/orders').reply(200, { orders: 2 });
    const { data, retry } = await api.get('/orders');
    expect(data).toEqual({ orders: 2 });
    expect(retry).toMatchObject({ attempts: 2, history: [{ attempt: 1, kind: 'status', status: 503 }] });
    expect(lines).toEqual(['retry 1', 'recover 2']);
  });

  it('writes every attempt into the history, each with the same request', async () => {
    const { api, mock } = setUp(order);
    mock.onPut('/orders/1').reply(503);
    await rejectionOf(api.put('/orders/1', { size: 2 }, { params: { dry: 1 }, headers: { 'X-Trace': 'a' } }));
    const sent = mock.history['put'] ?? [];
    expect(sent.map(({ url, params, data, headers }) => [url, params, data, headers?.['X-Trace']])).toEqual(
      Array.from({ length: 3 }, () => ['/orders/1', { dry: 1 }, '{"size":2}', 'a']),
    );
  });

  it('asks a reply function once per attempt', async () => {
    const { api, mock } = setUp(order);
    let asked = 0;
    mock.onGet('/').reply((config) => [++asked < 3 ? 500 : 200, { attempt: (config as InternalAxiosRequestConfig).retryState?.attempt }]);
    await expect(api.get('/')).resolves.toMatchObject({ data: { attempt: 3 } });
    expect(asked).toBe(3);
  });

  it.each([
    ['networkError', 'network', undefined],
    ['timeout', 'timeout', 'ECONNABORTED'],
  ] as const)('retries %s() as %s', async (name, kind, code) => {
    const { api, mock } = setUp(order);
    mock.onGet('/')[name]();
    const error = await rejectionOf(api.get('/'));
    expect(getRetryReport(error)).toMatchObject({ attempts: 3, reason: 'exhausted' });
    expect(getRetryReport(error)?.history.map((failed) => [failed.kind, failed.code])).toEqual(Array.from({ length: 3 }, () => [kind, code]));
    expect(mock.history['get']).toHaveLength(3);
  });

  it.each(['networkErrorOnce', 'timeoutOnce'] as const)('recovers after %s()', async (name) => {
    const { api, mock, lines } = setUp(order);
    mock.onGet('/')[name]().onGet('/').reply(200);
    await expect(api.get('/')).resolves.toMatchObject({ status: 200 });
    expect(lines).toEqual(['retry 1', 'recover 2']);
  });

  it('takes abortRequest() for what it plays, a page that is left: no retry', async () => {
    const { api, mock } = setUp(order);
    mock.onGet('/').abortRequest();
    const error = await rejectionOf(api.get('/'));
    expect(getRetryReport(error)).toMatchObject({ attempts: 1, history: [{ kind: 'cancelled' }] });
    expect(mock.history['get']).toHaveLength(1);
  });

  it('keeps a POST from being repeated, and repeats it with a key', async () => {
    const { api, mock } = setUp(order);
    mock.onPost('/').networkError();
    expect(getRetryReport(await rejectionOf(api.post('/')))).toMatchObject({ attempts: 1, reason: 'method' });
    mock.resetHistory();
    await rejectionOf(api.post('/', {}, { retry: { idempotencyKey: 'k-1' } }));
    expect(mock.history['post']?.map(({ headers }) => headers?.['Idempotency-Key'])).toEqual(['k-1', 'k-1', 'k-1']);
  });

  it.each<[string, MockOptions]>([
    ['404', {}],
    ['throwException', { onNoMatch: 'throwException' }],
  ])('does not retry a request without a handler (%s)', async (_, mockOptions) => {
    const { api, mock, lines } = setUp(order, {}, mockOptions);
    await rejectionOf(api.get('/nowhere'));
    expect(mock.history['get']).toHaveLength(1);
    expect(lines).toEqual(['give-up not-retryable']);
  });

  it('reads Retry-After and stops at its limit', async () => {
    const { api, mock } = setUp(order, { maxRetryAfter: 5_000 });
    mock.onGet('/').reply(503, undefined, { 'retry-after': '6' });
    expect(getRetryReport(await rejectionOf(api.get('/')))).toMatchObject({ attempts: 1, reason: 'retry-after', retryAfter: 6_000 });
  });

  it('sends a call to the mock that was there when it began', async () => {
    const held = holdSleep();
    const { api, mock } = setUp(order, { sleep: held.sleep });
    mock.onGet('/').replyOnce(503).onGet('/').reply(200, 'mocked');
    const answer = api.get('/');
    await held.begun;
    mock.restore();
    held.release();
    await expect(answer).resolves.toMatchObject({ data: 'mocked' });
  });

  it('puts a circuit breaker around the mock', async () => {
    let asked = 0;
    const circuitBreaker = { execute: <T>(send: () => Promise<T>) => (++asked > 1 ? Promise.reject(new Error('open')) : send()) };
    const { api, mock } = setUp(order, { circuitBreaker });
    mock.onGet('/').reply(503);
    expect(getRetryReport(await rejectionOf(api.get('/')))).toMatchObject({ reason: 'circuit-open', history: [{ status: 503 }] });
    expect(mock.history['get']).toHaveLength(1);
  });

  it('retries what passThrough() sends to the real server', async () => {
    const service = await startService(answers(503, 'drop', 200));
    const { api, mock, retry } = setUp(order);
    mock.onGet(`${service.url}/real`).passThrough();
    await expect(api.get(`${service.url}/real`)).resolves.toMatchObject({ data: { status: 200 } });
    expect(service.received.map(({ path }) => path)).toEqual(['/real', '/real', '/real']);
    expect(retry.stats()).toMatchObject({ calls: 1, attempts: 3, recovered: 1 });
  });
});
