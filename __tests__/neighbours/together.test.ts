// Several neighbours on one instance: a call meets them from the bottom up. What is sent again by axios-auth-refresh passes all
// of them once more; with the cache outside of the refresh it would wait for itself, with or without the plugin.
import type { AxiosInstance, AxiosRequestConfig } from 'axios';
import { createAuthRefresh } from 'axios-auth-refresh';
import { setupCache } from 'axios-cache-interceptor';
import { wrapper } from 'axios-cookiejar-support';
import rateLimit from 'axios-rate-limit';
import { CookieJar } from 'tough-cookie';
import { attachRetry, getRetryReport } from '../../lib/index';
import axios from '../helpers/axios';
import { instant, rejectionOf } from '../helpers/instant';
import { startService, type Answer } from '../helpers/local-service';
import { foreign } from '../helpers/orders';

/** Sets a cookie with each 503. */
const busyTwice: Answer = ({ path, headers }, response, index) => {
  const status = index < 2 ? 503 : path === '/token' || headers.authorization === 'new' ? 200 : 401;
  response.writeHead(status, { 'cache-control': 'max-age=60', ...(status === 503 && { 'set-cookie': `seat=${index}` }) });
  response.end('{}');
};

async function setUp(answer: Answer) {
  const service = await startService(answer);
  const api = axios.create({ baseURL: service.url, jar: new CookieJar() });
  let token = 'old';
  api.interceptors.request.use((config) => {
    if (config.url !== '/token') config.headers.set('Authorization', token);
    return config;
  });
  rateLimit(foreign(api), { maxRequests: 1, perMilliseconds: 1 });
  wrapper(api);
  const retry = attachRetry(api, { ...instant, retries: 3 });
  const cached = setupCache(api);
  createAuthRefresh(foreign(api), async () => {
    await api.post('/token', null, { skipAuthRefresh: true } as AxiosRequestConfig);
    token = 'new';
  });
  const lines = () => service.received.map(({ path, headers }) => `${path} ${headers.authorization ?? '-'} ${headers.cookie ?? '-'}`);
  return { service, cached, retry, lines, setToken: (value: string) => void (token = value) };
}

describe('limiter, cookie jar, plugin, cache and refresh on one instance', () => {
  it('make one answer of retries, cookies and a new token, and keep it', async () => {
    const { cached, lines, retry } = await setUp(busyTwice);
    await expect(cached.get('/orders')).resolves.toMatchObject({ status: 200, cached: false });
    await expect(cached.get('/orders')).resolves.toMatchObject({ status: 200, cached: true });
    expect(lines()).toEqual(['/orders old -', '/orders old seat=0', '/orders old seat=1', '/token - seat=1', '/orders new seat=1']);
    expect(retry.stats()).toMatchObject({ retries: 2, waiting: 0 });
  });

  it('answer all calls that ask for the same with one loop', async () => {
    const { cached, lines, setToken } = await setUp(busyTwice);
    setToken('new');
    const all = await Promise.all([cached.get('/orders'), cached.get('/orders')]);
    expect(all.map((response) => [response.status, response.cached])).toEqual([[200, false], [200, true]]);
    expect(lines()).toEqual(['/orders new -', '/orders new seat=0', '/orders new seat=1']);
  });

  it('end a call that never succeeds after the allowed attempts, and begin afresh with the next', async () => {
    const { cached, service } = await setUp((_request, response) => response.writeHead(503).end());
    for (const requests of [4, 8]) {
      expect(getRetryReport(await rejectionOf(cached.get('/orders')))).toMatchObject({ attempts: 4, reason: 'exhausted' });
      expect(service.received).toHaveLength(requests);
    }
  });
});

it.each<[string, (api: AxiosInstance) => unknown]>([
  ['without the plugin', () => undefined],
  ['with it', (api) => attachRetry(api, instant)],
])('a cache that is set up after the refresh has the request with the new token wait for itself (%s)', async (_, attach) => {
  const service = await startService((_request, response) => response.writeHead(401).end());
  const api = axios.create({ baseURL: service.url });
  createAuthRefresh(foreign(api), () => Promise.resolve());
  attach(api);
  let asked = 0;
  const generateKey = (): string => {
    asked += 1;
    return 'key';
  };
  const cached = setupCache(api, { generateKey });
  const ended = rejectionOf(cached.get('/orders'));
  while (asked < 2) await new Promise((resolve) => setImmediate(resolve));
  const enough = new Error('enough');
  cached.waiting.get('key')?.reject(enough);
  expect(await ended).toBe(enough);
  expect(service.received).toHaveLength(1);
});
