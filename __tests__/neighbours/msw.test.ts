// msw answers in the place of the network, below axios' adapters. It knows no instance: the order is that of attachRetry and listen().
import { delay, http, HttpResponse, passthrough } from 'msw';
import { setupServer } from 'msw/node';
import { attachRetry, getRetryReport, type RetryOptions } from '../../lib/index';
import axios from '../helpers/axios';
import { instant, keepLog, rejectionOf } from '../helpers/instant';
import { answers, startService } from '../helpers/local-service';
import { inOrder, ORDERS, type Order } from '../helpers/orders';

const URL = 'http://api.test/orders';
const server = setupServer();
let requests: string[] = [];
server.events.on('request:start', ({ request }) => void requests.push(`${request.method} ${request.url}`));

beforeEach(() => (requests = []));
afterEach(() => {
  server.resetHandlers();
  server.close();
});

function setUp(order: Order, adapter: 'http' | 'fetch', options: RetryOptions = {}) {
  const api = axios.create({ adapter });
  const { lines, observer } = keepLog();
  const attach = () => attachRetry(api, { ...instant, retries: 2, observers: [observer], ...options });
  inOrder(order, attach, () => server.listen({ onUnhandledRequest: 'error' }));
  return { api, lines };
}

const CASES = ORDERS.flatMap((order) => (['http', 'fetch'] as const).map((adapter) => [order, adapter] as const));

describe.each(CASES)('attached %s listen(), adapter %s', (order, adapter) => {
  it('recovers from a 503 that is given once', async () => {
    const { api, lines } = setUp(order, adapter);
    server.use(http.get(URL, () => new HttpResponse(null, { status: 503 }), { once: true }), http.get(URL, () => HttpResponse.json({ orders: 2 })));
    await expect(api.get(URL)).resolves.toMatchObject({ data: { orders: 2 }, retry: { attempts: 2 } });
    expect(requests).toEqual([`GET ${URL}`, `GET ${URL}`]);
    expect(lines).toEqual(['retry 1', 'recover 2']);
  });

  it('takes HttpResponse.error() for a broken connection', async () => {
    const { api } = setUp(order, adapter);
    server.use(http.all(URL, () => HttpResponse.error()));
    const error = await rejectionOf(api.get(URL));
    expect(getRetryReport(error)).toMatchObject({ attempts: 3, reason: 'exhausted', history: Array.from({ length: 3 }, () => ({ kind: 'network' })) });
    expect(getRetryReport(await rejectionOf(api.post(URL, {})))).toMatchObject({ attempts: 1, reason: 'method', history: [{ kind: 'network' }] });
    expect(requests).toHaveLength(4);
  });

  it('recovers from HttpResponse.error()', async () => {
    const { api } = setUp(order, adapter);
    server.use(http.get(URL, () => HttpResponse.error(), { once: true }), http.get(URL, () => HttpResponse.json({})));
    await expect(api.get(URL)).resolves.toMatchObject({ status: 200 });
    expect(requests).toHaveLength(2);
  });

  it('times out each attempt under delay(\'infinite\')', async () => {
    const { api } = setUp(order, adapter);
    server.use(http.get(URL, async () => void (await delay('infinite'))));
    const error = await rejectionOf(api.get(URL, { timeout: 20 }));
    expect(getRetryReport(error)).toMatchObject({ reason: 'exhausted', history: Array.from({ length: 3 }, () => ({ kind: 'timeout' })) });
  });

  it('ends delay(\'infinite\') at the deadline', async () => {
    const { api, lines } = setUp(order, adapter, { totalTimeout: 20 });
    server.use(http.get(URL, async () => void (await delay('infinite'))));
    expect(await rejectionOf(api.get(URL))).toMatchObject({ code: 'ECONNABORTED', message: 'totalTimeout of 20ms exceeded' });
    expect(lines).toEqual(['give-up deadline']);
  });

  it('sends the same body with the retry of a PUT', async () => {
    const { api } = setUp(order, adapter);
    const bodies: unknown[] = [];
    server.use(
      http.put(URL, async ({ request }) => {
        bodies.push(await request.json());
        return new HttpResponse(null, { status: bodies.length < 3 ? 500 : 204 });
      }),
    );
    await api.put(URL, { size: 2 });
    expect(bodies).toEqual([{ size: 2 }, { size: 2 }, { size: 2 }]);
  });

  it('reads Retry-After', async () => {
    const { api } = setUp(order, adapter, { maxRetryAfter: 5_000 });
    server.use(http.get(URL, () => new HttpResponse(null, { status: 429, headers: { 'Retry-After': '6' } })));
    expect(getRetryReport(await rejectionOf(api.get(URL)))).toMatchObject({ attempts: 1, reason: 'retry-after', retryAfter: 6_000 });
  });

  it('does not retry a request without a handler (onUnhandledRequest: \'error\')', async () => {
    jest.spyOn(console, 'error').mockReturnValue();
    const { api } = setUp(order, adapter);
    const error = await rejectionOf(api.get('http://api.test/nowhere'));
    expect(error).toMatchObject({ message: expect.stringMatching(/^\[MSW\] Cannot bypass a request/) });
    expect(getRetryReport(error)).toMatchObject({ attempts: 1, reason: 'not-retryable', history: [{ kind: 'permanent' }] });
  });

  it('cannot tell a handler that throws from a server that fails: its 500 is retried', async () => {
    jest.spyOn(console, 'error').mockReturnValue();
    const { api } = setUp(order, adapter);
    server.use(http.get(URL, () => { throw new Error('a mistake in the handler'); }));
    expect(getRetryReport(await rejectionOf(api.get(URL)))).toMatchObject({ attempts: 3, history: Array.from({ length: 3 }, () => ({ status: 500 })) });
  });

  it('retries what passes through to the real server', async () => {
    const service = await startService(answers(503, 'drop', 200));
    const { api } = setUp(order, adapter);
    server.use(http.get(`${service.url}/`, () => passthrough()));
    await expect(api.get(service.url)).resolves.toMatchObject({ status: 200 });
    expect(service.received).toHaveLength(3);
  });
});
