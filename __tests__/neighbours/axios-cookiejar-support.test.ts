// axios-cookiejar-support puts an agent into the config that reads and fills the jar. `before`: one agent per call; `after`: one per attempt.
import { getEventListeners } from 'node:events';
import type { AxiosInstance } from 'axios';
import { wrapper } from 'axios-cookiejar-support';
import { CookieJar } from 'tough-cookie';
import { attachRetry, getRetryReport, type RetryOptions } from '../../lib/index';
import axios from '../helpers/axios';
import { instant, rejectionOf } from '../helpers/instant';
import { answers, startService, type LocalService, type Step } from '../helpers/local-service';
import { inOrder, ORDERS, type Order } from '../helpers/orders';

const sets = (status: number, cookie: string): Step => [status, { 'set-cookie': cookie }];

async function setUp(order: Order, steps: readonly [Step, ...Step[]], options: RetryOptions = {}) {
  const service = await startService(answers(...steps));
  const jar = new CookieJar();
  const api = axios.create({ baseURL: service.url, jar });
  const [retry] = inOrder(order, () => attachRetry(api, { ...instant, retries: 2, ...options }), () => wrapper(api));
  return { service, jar, api, retry };
}

const cookiesOf = ({ received }: LocalService): unknown[] => received.map(({ headers }) => headers.cookie);

describe.each(ORDERS)('attached %s axios-cookiejar-support', (order) => {
  it('sends the cookie of a 503 with the retry', async () => {
    const { service, api, jar } = await setUp(order, [sets(503, 'seat=1; Path=/'), 200]);
    await expect(api.get('/')).resolves.toMatchObject({ status: 200 });
    expect(cookiesOf(service)).toEqual([undefined, 'seat=1']);
    expect(jar.getCookieStringSync(service.url)).toBe('seat=1');
  });

  it('sends on every attempt what the jar holds by then', async () => {
    const { service, api } = await setUp(order, [sets(503, 'seat=1'), sets(503, 'seat=2'), sets(200, 'seat=; Max-Age=0'), 200]);
    await api.get('/');
    await api.get('/');
    expect(cookiesOf(service)).toEqual([undefined, 'seat=1', 'seat=2', undefined]);
  });

  it('sends what another call put into the jar during the wait', async () => {
    const { service, api, jar } = await setUp(order, [503, 200], { sleep: async () => void (await jar.setCookie('login=yes', service.url)) });
    await api.get('/');
    expect(cookiesOf(service)).toEqual([undefined, 'login=yes']);
  });

  it('adds the jar to a cookie of the caller, once', async () => {
    const { service, api } = await setUp(order, [sets(503, 'seat=1'), 503, 200]);
    await api.get('/', { headers: { Cookie: 'own=0' } });
    expect(cookiesOf(service)).toEqual(['own=0', 'seat=1; own=0', 'seat=1; own=0']);
  });

  it('keeps the jar after a broken connection, and when the attempts run out', async () => {
    const { service, api } = await setUp(order, [sets(503, 'seat=1'), 'drop', 503]);
    expect(getRetryReport(await rejectionOf(api.get('/')))).toMatchObject({ reason: 'exhausted', history: [{ status: 503 }, { kind: 'network' }, { status: 503 }] });
    expect(cookiesOf(service)).toEqual([undefined, 'seat=1', 'seat=1']);
  });

  it('works inside a circuit breaker and under a deadline', async () => {
    const circuitBreaker = { execute: <T>(send: () => Promise<T>) => send() };
    const { service, api } = await setUp(order, [sets(503, 'seat=1'), 200], { circuitBreaker, totalTimeout: 10_000 });
    await expect(api.get('/')).resolves.toMatchObject({ status: 200 });
    expect(cookiesOf(service)).toEqual([undefined, 'seat=1']);
  });

  it('takes a jar of one request', async () => {
    const { service, api, jar } = await setUp(order, [sets(503, 'seat=1'), 200]);
    const own = new CookieJar();
    await api.get('/', { jar: own });
    expect(cookiesOf(service)).toEqual([undefined, 'seat=1']);
    expect([jar, own].map((each) => each.getCookieStringSync(service.url))).toEqual(['', 'seat=1']);
  });

  it('keeps the jar over a redirect that ends in a 503', async () => {
    const { service, api } = await setUp(order, [[302, { location: '/next', 'set-cookie': 'hop=1' }], 503, 200]);
    await expect(api.get('/')).resolves.toMatchObject({ status: 200 });
    expect(service.received.map(({ path, headers }) => [path, headers.cookie])).toEqual([['/', undefined], ['/next', 'hop=1'], ['/', 'hop=1']]);
  });

  it('leaves no listener on the caller\'s signal', async () => {
    const { api } = await setUp(order, [sets(503, 'seat=1'), 200]);
    const { signal } = new AbortController();
    await api.get('/', { signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('rejects an agent of the caller\'s, as without the plugin: nothing is sent, nothing is retried', async () => {
    const { service, api } = await setUp(order, [200]);
    const http = await import('node:http');
    const error = await rejectionOf(api.get('/', { httpAgent: new http.Agent() }));
    expect(error).toMatchObject({ message: expect.stringContaining('does not support for use with other http(s).Agent') });
    expect(service.received).toEqual([]);
  });
});

describe('the agents of a call', () => {
  const agentsOf = (api: AxiosInstance) => {
    const agents: unknown[] = [];
    const { adapter } = api.defaults;
    api.defaults.adapter = (config) => {
      agents.push(config.httpAgent);
      return axios.getAdapter(adapter)(config);
    };
    return agents;
  };

  it.each<[Order, number]>([['before', 1], ['after', 3]])('attached %s: %i for three attempts', async (order, count) => {
    const { api } = await setUp(order, [503, 503, 200]);
    const agents = agentsOf(api);
    await api.get('/');
    expect([agents.length, new Set(agents).size]).toEqual([3, count]);
  });
});
