// The onion, on the way down: what inner and outer request interceptors see of a call.
import type { AxiosInstance, InternalAxiosRequestConfig } from 'axios';
import { attachRetry } from '../../../lib/index';
import axios, { itSince } from '../../helpers/axios';
import { instant, rejectionOf } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';

const server = useRecordingServer();

const create = (transitional?: object): AxiosInstance =>
  axios.create({ baseURL: server.url, ...(transitional && { transitional }) });

/** What runs where: a request interceptor that writes its name down. */
function note(api: AxiosInstance, order: string[], name: string, options?: { synchronous?: boolean; runWhen?: (config: InternalAxiosRequestConfig) => boolean }): void {
  api.interceptors.request.use(
    options?.synchronous
      ? (config) => {
          order.push(name);
          return config;
        }
      : async (config) => {
          await Promise.resolve();
          order.push(name);
          return config;
        },
    null,
    options,
  );
}

describe.each([
  ['asynchronous', 'asynchronous'],
  ['asynchronous', 'synchronous'],
  ['synchronous', 'asynchronous'],
  ['synchronous', 'synchronous'],
])('%s inner and %s outer layers', (inner, outer) => {
  it('run once per attempt and once per call', async () => {
    server.script(500, 500, 200);
    const api = create();
    const order: string[] = [];
    note(api, order, 'inner', { synchronous: inner === 'synchronous' });
    attachRetry(api, instant);
    note(api, order, 'outer', { synchronous: outer === 'synchronous' });
    await api.get('/');
    expect(order).toEqual(['outer', 'inner', 'inner', 'inner']);
    expect(server.requests).toHaveLength(3);
  });

  it('keep their order', async () => {
    server.script(500, 200);
    const api = create();
    const order: string[] = [];
    note(api, order, 'inner 1', { synchronous: inner === 'synchronous' });
    note(api, order, 'inner 2', { synchronous: inner === 'synchronous' });
    attachRetry(api, instant);
    note(api, order, 'outer 1', { synchronous: outer === 'synchronous' });
    note(api, order, 'outer 2', { synchronous: outer === 'synchronous' });
    await api.get('/');
    expect(order).toEqual(['outer 2', 'outer 1', 'inner 2', 'inner 1', 'inner 2', 'inner 1']);
  });
});

it('gets a fresh token for each attempt from an inner layer', async () => {
  server.script(503, 503, 200);
  const api = create();
  let token = 0;
  api.interceptors.request.use(async (config) => {
    token += 1;
    config.headers.set('Authorization', `token ${token}`);
    return Promise.resolve(config);
  });
  attachRetry(api, instant);
  await api.get('/');
  expect(server.header('authorization')).toEqual(['token 1', 'token 2', 'token 3']);
});

it('sends what an outer layer made once with every attempt', async () => {
  server.script(503, 503, 200);
  const api = create();
  attachRetry(api, instant);
  let id = 0;
  api.interceptors.request.use((config) => {
    id += 1;
    config.headers.set('X-Request-Id', `call ${id}`);
    return config;
  });
  await api.get('/');
  await api.get('/');
  expect(server.header('x-request-id')).toEqual(['call 1', 'call 1', 'call 1', 'call 2']);
});

it('gives inner layers a new config on each attempt', async () => {
  server.script(503, 200);
  const api = create();
  const seen: InternalAxiosRequestConfig[] = [];
  api.interceptors.request.use((config) => {
    seen.push(config);
    return config;
  });
  attachRetry(api, instant);
  await api.get('/');
  expect(seen).toHaveLength(2);
  expect(seen[1]).not.toBe(seen[0]);
  expect(seen[1]?.headers).not.toBe(seen[0]?.headers);
  expect(seen.map(({ retryState }) => retryState?.attempt)).toEqual([1, 2]);
});

it('sends the config that an inner layer put in place of its own', async () => {
  server.script(503, 200);
  const api = create();
  api.interceptors.request.use((config) => ({ ...config, url: `/moved${config.url}` }));
  attachRetry(api, instant);
  await api.get('/here');
  expect(server.requests.map(({ url }) => url)).toEqual(['/moved/here', '/moved/here']);
});

it.each([true, false])('keeps parallel calls apart (synchronous: %s)', async (synchronous) => {
  // Every third request fails, so calls need one to three attempts.
  server.decide = () => (server.requests.length % 3 === 0 ? 200 : 503);
  const api = create();
  const inner = new Map<string, number>();
  const outer = new Map<string, number>();
  const add = (counts: Map<string, number>, { url = '' }: InternalAxiosRequestConfig): void =>
    void counts.set(url, (counts.get(url) ?? 0) + 1);
  const counting = (counts: Map<string, number>) => (config: InternalAxiosRequestConfig) => {
    add(counts, config);
    return synchronous ? config : Promise.resolve(config);
  };
  api.interceptors.request.use(counting(inner) as never, null, { synchronous });
  attachRetry(api, { ...instant, retries: Infinity, budget: false });
  api.interceptors.request.use(counting(outer) as never, null, { synchronous });
  api.interceptors.response.use((response) => ({ ...response, data: response.config.url }));
  const urls = Array.from({ length: 30 }, (_, id) => `/${id}`);
  const responses = await Promise.all(urls.map((url) => api.get(url)));
  expect(responses.map(({ data }) => data as string)).toEqual(urls);
  expect([...outer.values()]).toEqual(Array(30).fill(1));
  for (const url of urls) {
    expect(inner.get(url)).toBe(server.requests.filter((request) => request.url === url).length);
  }
});

it('lets layers be ejected after calls with retries', async () => {
  server.script(503, 200);
  const api = create();
  const order: string[] = [];
  const kept: number[] = [];
  const register = (name: string): number =>
    api.interceptors.request.use((config) => {
      order.push(name);
      return config;
    });
  kept.push(register('inner'));
  attachRetry(api, instant);
  kept.push(register('outer'));
  await api.get('/');
  kept.forEach((id) => api.interceptors.request.eject(id));
  server.script(503, 200);
  await expect(api.get('/')).resolves.toMatchObject({ data: { request: 4 } });
  expect(order).toEqual(['outer', 'inner', 'inner']);
});

it('runs an inner layer with `runWhen` on the attempts that it wants', async () => {
  server.script(503, 200, 503, 200);
  const api = create();
  const order: string[] = [];
  note(api, order, 'inner', { runWhen: ({ method }) => method === 'get' });
  attachRetry(api, instant);
  await api.get('/');
  await api.put('/');
  expect(order).toEqual(['inner', 'inner']);
  expect(server.requests).toHaveLength(4);
});

it('asks the `runWhen` of an inner layer for each attempt, and that of an outer one for each call', async () => {
  server.script(503, 503, 200);
  const api = create();
  const inner: unknown[] = [];
  const outer: unknown[] = [];
  const askedBy = (asked: unknown[]) => ({ runWhen: ({ url }: InternalAxiosRequestConfig) => asked.push(url) > 0 });
  note(api, [], 'inner', askedBy(inner));
  attachRetry(api, instant);
  note(api, [], 'outer', askedBy(outer));
  await api.get('/path');
  expect(inner).toEqual(['/path', '/path', '/path']);
  expect(outer).toEqual(['/path']);
});

it('retries when the `runWhen` of an inner layer wants no attempt', async () => {
  server.script(503, 200);
  const api = create();
  note(api, [], 'inner', { runWhen: () => false });
  attachRetry(api, instant);
  await expect(api.get('/')).resolves.toMatchObject({ status: 200 });
});

/** A request interceptor whose `runWhen` makes another request on the same instance. */
function addPing(api: AxiosInstance): Promise<unknown>[] {
  const pings: Promise<unknown>[] = [];
  api.interceptors.request.use((config) => config, null, {
    runWhen: ({ url }) => {
      if (url !== '/ping') pings.push(api.get('/ping'));
      return true;
    },
  });
  return pings;
}

it('is not disturbed by the `runWhen` of an inner layer that makes a request of its own', async () => {
  server.decide = ({ url }) => (url === '/ping' ? 200 : 503);
  const api = create();
  const pings = addPing(api);
  attachRetry(api, { ...instant, retries: 2 });
  expect(await rejectionOf(api.get('/'))).toMatchObject({ response: { status: 503 } });
  await Promise.all(pings);
  expect(server.requests.filter(({ url }) => url === '/')).toHaveLength(3);
  expect(server.requests.filter(({ url }) => url === '/ping')).toHaveLength(3);
});

it('fails closed where the `runWhen` of an outer layer makes a request of its own', async () => {
  server.decide = ({ url }) => (url === '/ping' ? 200 : 503);
  const api = create();
  attachRetry(api, { ...instant, retries: 2 });
  const pings = addPing(api);
  expect(await rejectionOf(api.get('/'))).toMatchObject({ response: { status: 503 } });
  await Promise.all(pings);
  expect(server.requests.filter(({ url }) => url === '/').length).toBeLessThanOrEqual(3);
  expect(server.requests.filter(({ url }) => url === '/ping')).toHaveLength(1);
});

describe('with `legacyInterceptorReqResOrdering: false`', () => {
  itSince('1.13', 'does not know `legacyInterceptorReqResOrdering`')('takes what was registered before for outside on the request side', async () => {
    server.script(503, 503, 200);
    const api = create({ legacyInterceptorReqResOrdering: false });
    const order: string[] = [];
    note(api, order, 'before');
    attachRetry(api, instant);
    note(api, order, 'after');
    await api.get('/');
    expect(order).toEqual(['before', 'after', 'after', 'after']);
  });

  itSince('1.13', 'does not know `legacyInterceptorReqResOrdering`')('keeps the order of the response side', async () => {
    server.script(503, 503, 200);
    const api = create({ legacyInterceptorReqResOrdering: false });
    const order: string[] = [];
    api.interceptors.response.use(undefined, (error) => {
      order.push('inner');
      throw error;
    });
    attachRetry(api, instant);
    api.interceptors.response.use((response) => {
      order.push('outer');
      return response.data;
    });
    await expect(api.get('/')).resolves.toEqual({ request: 3 });
    expect(order).toEqual(['inner', 'inner', 'outer']);
  });

  itSince('1.13', 'does not know `legacyInterceptorReqResOrdering`')('knows it from the request alone, too', async () => {
    server.script(503, 200, 503, 200);
    const api = create();
    const order: string[] = [];
    note(api, order, 'before');
    attachRetry(api, instant);
    note(api, order, 'after');
    await api.get('/', { transitional: { legacyInterceptorReqResOrdering: false } });
    expect(order).toEqual(['before', 'after', 'after']);
    order.length = 0;
    await api.get('/');
    expect(order).toEqual(['after', 'before', 'before']);
  });

  itSince('1.13', 'does not know `legacyInterceptorReqResOrdering`')('shows the layers that run after it the same request on every attempt', async () => {
    server.script(503, 503, 200);
    const api = create({ legacyInterceptorReqResOrdering: false });
    attachRetry(api, { ...instant, methods: ['POST'] });
    api.interceptors.request.use((config) => {
      config.data.trail.push('seen');
      config.url = `/v1${config.url}`;
      config.headers.set('X-Trail', `${config.headers.get('X-Trail') ?? ''}.`);
      return config;
    });
    await api.post('/', { trail: [] });
    expect(server.requests.map(({ url }) => url)).toEqual(['/v1/', '/v1/', '/v1/']);
    expect(server.requests.map(({ body }) => body.toString())).toEqual(Array(3).fill('{"trail":["seen"]}'));
    expect(server.header('x-trail')).toEqual(['.', '.', '.']);
  });
});
