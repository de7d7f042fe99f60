// nock answers in the place of node:http. It knows no instance: the order is that of attachRetry and the interceptors of nock.
import type { AxiosInstance } from 'axios';
import { attachRetry, getRetryReport, type RetryOptions } from '../../lib/index';
import axios from '../helpers/axios';
import { instant, keepLog, rejectionOf } from '../helpers/instant';
import nock from '../helpers/nock';
import { answers, startService } from '../helpers/local-service';
import { inOrder, ORDERS, type Order } from '../helpers/orders';

const ORIGIN = 'http://api.test';

function setUp(order: Order, mock: (scope: nock.Scope) => unknown, options: RetryOptions = {}) {
  const api: AxiosInstance = axios.create({ baseURL: ORIGIN });
  const { lines, observer } = keepLog();
  const attach = () => attachRetry(api, { ...instant, retries: 2, observers: [observer], ...options });
  const scope = nock(ORIGIN);
  inOrder(order, attach, () => mock(scope));
  return { api, scope, lines };
}

afterEach(() => {
  nock.abortPendingRequests();
  nock.enableNetConnect();
});

describe.each(ORDERS)('attached %s nock\'s interceptors are made', (order) => {
  it('goes from one interceptor to the next, and uses up every one', async () => {
    const { api, scope, lines } = setUp(order, (to) => to.get('/').times(2).reply(503).get('/').reply(200, { orders: 2 }));
    await expect(api.get('/')).resolves.toMatchObject({ data: { orders: 2 }, retry: { attempts: 3 } });
    expect(scope.isDone()).toBe(true);
    expect(lines).toEqual(['retry 1', 'retry 2', 'recover 3']);
  });

  it.each([
    ['ECONNREFUSED', 'unsent'],
    ['ENOTFOUND', 'unsent'],
    ['ECONNRESET', 'network'],
    ['EPIPE', 'network'],
  ])('retries replyWithError with code %s as %s', async (code, kind) => {
    const failure = () => Object.assign(new Error(`played ${code}`), { code });
    const { api, scope } = setUp(order, (to) => to.get('/').times(3).replyWithError(failure()).post('/').times(3).replyWithError(failure()));
    const error = await rejectionOf(api.get('/'));
    expect(getRetryReport(error)).toMatchObject({ reason: 'exhausted', history: Array.from({ length: 3 }, () => ({ kind, code })) });
    const attempts = kind === 'unsent' ? 3 : 1;
    expect(getRetryReport(await rejectionOf(api.post('/', {})))).toMatchObject({ attempts });
    expect(scope.pendingMocks()).toHaveLength(attempts === 3 ? 0 : 1);
  });

  it('retries a connect timeout as unsent, another ETIMEDOUT as network', async () => {
    const timedOut = (syscall: string) => Object.assign(new Error('played'), { code: 'ETIMEDOUT', syscall });
    const { api } = setUp(order, (to) => to.get('/').replyWithError(timedOut('connect')).get('/').replyWithError(timedOut('read')).get('/').reply(200));
    await expect(api.get('/')).resolves.toMatchObject({ retry: { history: [{ kind: 'unsent' }, { kind: 'network' }] } });
  });

  it('does not retry a certificate that replyWithError plays', async () => {
    const { api } = setUp(order, (to) => to.get('/').replyWithError(Object.assign(new Error('played'), { code: 'CERT_HAS_EXPIRED' })));
    expect(getRetryReport(await rejectionOf(api.get('/')))).toMatchObject({ attempts: 1, history: [{ kind: 'permanent' }] });
  });

  it('takes replyWithError without a code for a broken connection', async () => {
    const { api } = setUp(order, (to) => to.get('/').replyWithError('played').get('/').reply(200));
    await expect(api.get('/')).resolves.toMatchObject({ retry: { history: [{ kind: 'network' }] } });
  });

  it.each(['delayConnection', 'delay'] as const)('times out each attempt under %s', async (way) => {
    const patientAtLast: RetryOptions = {
      beforeRetry: (config, { attempt }) => {
        if (attempt === 2) config.timeout = 0;
      },
    };
    const mock = (to: nock.Scope) => {
      for (let i = 0; i < 2; i++) to.get('/')[way](5_000).reply(200);
      to.get('/').reply(200, 'in time');
    };
    const { api, scope } = setUp(order, mock, patientAtLast);
    const { data, retry } = await api.get('/', { timeout: 50 });
    expect([data, retry?.history.map(({ kind }) => kind)]).toEqual(['in time', ['timeout', 'timeout']]);
    expect(scope.isDone()).toBe(true);
  });

  it('does not retry a request that nock has no interceptor for', async () => {
    const { api, lines } = setUp(order, (to) => to.get('/other').reply(200));
    const error = await rejectionOf(api.get('/'));
    expect(error).toMatchObject({ code: 'ERR_NOCK_NO_MATCH' });
    expect(getRetryReport(error)).toMatchObject({ attempts: 1, history: [{ kind: 'permanent' }] });
    expect(lines).toEqual(['give-up not-retryable']);
  });

  it('ends with that error where an interceptor is used up', async () => {
    const { api, lines } = setUp(order, (to) => to.get('/').reply(503));
    const error = await rejectionOf(api.get('/'));
    expect(error).toMatchObject({ code: 'ERR_NOCK_NO_MATCH' });
    expect(getRetryReport(error)).toMatchObject({ attempts: 2, history: [{ status: 503 }, { kind: 'permanent' }] });
    expect(lines).toEqual(['retry 1', 'give-up not-retryable']);
  });

  it('does not retry what disableNetConnect() forbids', async () => {
    const service = await startService(answers(200));
    const { api } = setUp(order, () => nock.disableNetConnect());
    expect(getRetryReport(await rejectionOf(api.get(service.url)))).toMatchObject({ attempts: 1, history: [{ kind: 'permanent' }] });
    expect(service.received).toEqual([]);
  });

  it('sends the same body and query with every attempt, and a reply function sees them', async () => {
    const seen: unknown[] = [];
    const { api } = setUp(order, (to) =>
      to.put('/1').query({ dry: '1' }).times(3).reply((path, body) => {
        seen.push([path, body]);
        return [seen.length < 3 ? 500 : 200, ''];
      }),
    );
    await api.put('/1', { size: 2 }, { params: { dry: 1 } });
    expect(seen).toEqual(Array.from({ length: 3 }, () => ['/1?dry=1', { size: 2 }]));
  });

  it('retries what allowUnmocked lets through to the real server', async () => {
    const service = await startService(answers(503, 'drop', 200));
    const { api } = setUp(order, () => nock(service.url, { allowUnmocked: true }).get('/other').reply(200));
    await expect(api.get(`${service.url}/`)).resolves.toMatchObject({ status: 200 });
    expect(service.received).toHaveLength(3);
  });
});
