// Small inputs that once failed in the loop: each with its id, and its neighbours.
import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import type { AxiosError, AxiosInstance, AxiosRequestConfig, InternalAxiosRequestConfig } from 'axios';
import { attachRetry, getRetryReport, type RetryOptions } from '../../../lib/index';
import axios from '../../helpers/axios';
import { instant, rejectionOf } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';

const server = useRecordingServer();
const create = (config?: AxiosRequestConfig): AxiosInstance => axios.create({ baseURL: server.url, ...config });

/** An adapter in memory that answers 503 `failures` times, then 200. */
function inMemory(failures: number): { adapter: (config: InternalAxiosRequestConfig) => Promise<never>; sent: InternalAxiosRequestConfig[] } {
  const sent: InternalAxiosRequestConfig[] = [];
  const adapter = async (config: InternalAxiosRequestConfig): Promise<never> => {
    sent.push(config);
    const status = sent.length > failures ? 200 : 503;
    const response = { config, status, statusText: '', data: 'text', headers: {} };
    await Promise.resolve();
    if (status === 200) return response as never;
    throw new axios.AxiosError('unavailable', 'ERR_BAD_RESPONSE', config, undefined, response);
  };
  return { adapter, sent };
}

describe('S10 a process that was frozen past the deadline sends nothing more', () => {
  it.each<[string, (freeze: () => void) => RetryOptions]>([
    ['in the wait', (freeze) => ({ sleep: () => Promise.resolve(freeze()) })],
    ['in shouldRetry', (freeze) => ({ ...instant, shouldRetry: () => (freeze(), true) })],
    ['in beforeRetry', (freeze) => ({ ...instant, beforeRetry: async () => Promise.resolve(freeze()) })],
    ['in onRetry', (freeze) => ({ ...instant, onRetry: freeze })],
  ])('%s', async (_, options) => {
    server.thenAlways(503);
    let now = 0;
    const api = create();
    const freeze = (): void => void (now += 900);
    const retry = attachRetry(api, { baseDelay: 100, jitter: 'none', totalTimeout: 400_000, now: () => now * 1_000, ...options(freeze) });
    const error = await rejectionOf(api.get('/'));
    expect(error).toMatchObject({ response: { status: 503 } });
    expect(getRetryReport(error)).toMatchObject({ attempts: 1, reason: 'deadline' });
    expect(server.requests).toHaveLength(1);
    expect(retry.stats()).toMatchObject({ attempts: 1, retries: 0, budgets: [] });
  });
});

describe('S22 what fails while a retry is prepared ends the call with the last real error', () => {
  const revocable = (): { list: unknown[]; revoke: () => void } => {
    const { proxy, revoke } = Proxy.revocable<{ id: number }>({ id: 1 }, {});
    return { list: [proxy], revoke };
  };

  it.each<[string, (list: unknown[]) => AxiosRequestConfig]>([
    ['params', (list) => ({ params: list, paramsSerializer: { serialize: () => 'a=1' } })],
    ['a body', (list) => ({ data: list, transformRequest: [() => 'text'] })],
    ['a member of its own', (list) => ({ own: list, paramsSerializer: { serialize: () => '' } }) as AxiosRequestConfig],
  ])('%s whose copy throws', async (_, make) => {
    const { adapter, sent } = inMemory(9);
    const { list, revoke } = revocable();
    const api = axios.create({ adapter });
    attachRetry(api, { sleep: () => Promise.resolve(revoke()), methods: ['PUT'] });
    const error = await rejectionOf(api.request({ method: 'put', url: '/', ...make(list) }));
    expect(error).toMatchObject({ response: { status: 503 } });
    // The first copy was made before it was revoked: what is sent again is that one.
    expect(['hook-failed', 'exhausted']).toContain(getRetryReport(error)?.reason);
    expect(sent.length).toBeGreaterThan(0);
  });

  it.each<[string, RetryOptions]>([
    ['body', { body: () => { throw new Error('no body'); } }],
    ['delay', { delay: () => { throw new Error('no delay'); } }],
    ['random', { random: () => { throw new Error('no chance'); } }],
    ['origin', { origin: () => { throw new Error('no origin'); } }],
  ])('the %s option', async (name, options) => {
    server.thenAlways(503);
    const api = create();
    let isFirst = true;
    const given = name === 'body' ? { body: () => (isFirst ? ((isFirst = false), 'first') : options.body?.()) } : options;
    attachRetry(api, { ...instant, ...given });
    const error = await rejectionOf(api.put('/'));
    expect(error).toMatchObject({ response: { status: 503 } });
    expect(getRetryReport(error)).toMatchObject({ reason: 'hook-failed', hookError: expect.any(Error) });
    expect(server.requests).toHaveLength(1);
  });
});

describe('F10 a `body` function that gives what was read before ends the call', () => {
  const stream = (): Readable => Readable.from(['content']);
  it.each<[string, () => () => unknown]>([
    ['the same stream', () => { const one = stream(); return () => one; }],
    ['the same stream in a new object', () => { const one = stream(); return () => ({ file: one }); }],
    ['the stream of the attempt before the last', () => { const [one, two] = [stream(), stream()]; const all = [one, two, one]; return () => all.shift(); }],
    ['nothing, where it gave something', () => { const all: unknown[] = ['content']; return () => all.shift(); }],
    ['an empty text, where it gave something', () => { const all: unknown[] = ['content', '']; return () => all.shift(); }],
  ])('%s', async (what, make) => {
    const { adapter, sent } = inMemory(9);
    const api = axios.create({ adapter, transformRequest: [(data: unknown) => data] });
    attachRetry(api, { ...instant, methods: ['POST'], body: make() });
    const error = await rejectionOf(api.post('/'));
    expect(error).toMatchObject({ response: { status: 503 } });
    expect(getRetryReport(error)).toMatchObject({ reason: 'hook-failed', hookError: { message: expect.stringMatching(/option "body" must return a fresh body/) } });
    expect(sent).toHaveLength(what.includes('before the last') ? 2 : 1);
  });

  it.each<[string, () => unknown]>([
    ['a new stream', stream],
    ['the same text', () => 'content'],
    ['nothing each time', () => undefined],
  ])('and %s does not', async (_, body) => {
    const { adapter, sent } = inMemory(2);
    const api = axios.create({ adapter, transformRequest: [(data: unknown) => data] });
    attachRetry(api, { ...instant, methods: ['POST'], body });
    await api.post('/');
    expect(sent).toHaveLength(3);
  });
});

it.each<[string, (api: AxiosInstance, config: InternalAxiosRequestConfig) => Promise<unknown>]>([
  ['api.get(url, config)', (api, config) => api.get('/health', config)],
  ['api.request(config)', (api, config) => api.request({ ...config, url: '/health' })],
  ['api(config)', (api, config) => api({ ...config, url: '/health' })],
])('F20 a request that `beforeRetry` makes with its config by %s is sent once, and belongs to the running call', async (_, send) => {
  server.decide = ({ url }) => (url === '/health' ? 503 : undefined);
  server.script(503, 200);
  const api = create();
  const health: unknown[] = [];
  const retry = attachRetry(api, { ...instant, beforeRetry: async (config) => void health.push(await rejectionOf(send(api, config))) });
  await expect(api.get('/')).resolves.toMatchObject({ status: 200 });
  expect(health).toMatchObject([{ response: { status: 503 } }]);
  expect(server.requests.map(({ url }) => url)).toEqual(['/', '/health', '/']);
  expect(retry.stats()).toMatchObject({ calls: 1, attempts: 2 });
});

it.each<[string, (config: InternalAxiosRequestConfig) => InternalAxiosRequestConfig | void]>([
  ['returns a copy with plain headers', (config) => ({ ...config, headers: { ...config.headers } as never })],
  ['returns headers that went through JSON', (config) => ({ ...config, headers: JSON.parse(JSON.stringify(config.headers)) as never })],
  ['puts plain headers on its config', (config) => void (config.headers = { ...config.headers, 'X-Hook': 'yes' } as never)],
])('F21 a `beforeRetry` that %s: inner interceptors find the methods of headers', async (_, beforeRetry) => {
  server.script(503, 200);
  const api = create();
  api.interceptors.request.use((config) => {
    config.headers.set('X-Inner', 'yes');
    return config;
  });
  attachRetry(api, { ...instant, beforeRetry });
  await api.get('/', { headers: { 'X-Own': 'kept' } });
  expect(server.header('x-inner')).toEqual(['yes', 'yes']);
  expect(server.header('x-own')).toEqual(['kept', 'kept']);
});

it.each<[string, object, RetryOptions]>([
  ['defaults, with a number in the request', { retry: { totalTimeout: 600_000 } }, {}],
  ['defaults alone', { retry: { totalTimeout: 600_000 } }, {}],
  ['attachRetry', {}, { totalTimeout: 600_000 }],
])('F23 what an inner synchronous interceptor throws leaves no deadline behind that stands in %s', async (where, defaults, options) => {
  const api = create();
  Object.assign(api.defaults, defaults);
  const wrong = new Error('no signature');
  api.interceptors.request.use(() => { throw wrong; }, null, { synchronous: true });
  attachRetry(api, { ...instant, ...options });
  const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  await rejectionOf(api.get('/', where.includes('number') ? { retry: 2 } : {}));
  expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout')).toHaveLength(before);
  expect(server.requests).toHaveLength(0);
});

describe('F24 an abort takes effect where nothing waits', () => {
  it.each<[string, (abort: () => void) => unknown]>([
    ['a timer', (abort) => setTimeout(abort, 5)],
    ['an immediate', (abort) => setImmediate(abort)],
    ['a message', (abort) => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => {
        port1.close();
        abort();
      });
      port1.start();
      port2.postMessage('abort');
    }],
  ])('that comes from %s', async (_, schedule) => {
    const { adapter } = inMemory(Infinity);
    const api = axios.create({ adapter });
    attachRetry(api, { baseDelay: 0, retries: Infinity, budget: false });
    const controller = new AbortController();
    schedule(() => controller.abort());
    const error = await rejectionOf(api.get('/', { signal: controller.signal }));
    expect(axios.isCancel(error)).toBe(true);
    expect(getRetryReport(error)).toMatchObject({ reason: 'aborted' });
  });
});

describe('F27 the config of a finished call gets a new key', () => {
  it.each<[string, (api: AxiosInstance) => Promise<InternalAxiosRequestConfig>]>([
    ['that succeeded', async (api) => (await api.post('/')).config],
    ['that failed', async (api) => {
      server.script(404);
      return ((await rejectionOf(api.post('/'))) as AxiosError).config as InternalAxiosRequestConfig;
    }],
    ['that was retried', async (api) => {
      server.script(503, 200);
      return (await api.post('/')).config;
    }],
  ])('%s', async (_, first) => {
    const api = create();
    attachRetry(api, { ...instant, idempotencyKey: true });
    const config = await first(api);
    server.script();
    await api.request(config);
    const keys = server.header('idempotency-key');
    expect(keys.at(-1)).toMatch(/^[\da-f-]{36}$/);
    expect(keys.at(-1)).not.toBe(keys[0]);
  });

  it('but keeps it where the server may have acted: whoever sends it again, after a new token say, means the same operation', async () => {
    const api = create();
    attachRetry(api, { ...instant, idempotencyKey: true });
    server.script(503, 401);
    const { config } = (await rejectionOf(api.post('/'))) as AxiosError;
    server.script();
    const { config: done } = await api.request(config as InternalAxiosRequestConfig);
    await api.request(done);
    const [first, ...others] = server.header('idempotency-key');
    expect(others.slice(0, 2)).toEqual([first, first]);
    expect(others[2]).not.toBe(first);
  });

  it.each<[string, (config: InternalAxiosRequestConfig) => InternalAxiosRequestConfig]>([
    ['another body', (config) => ({ ...config, data: { order: 2 } })],
    ['another address', (config) => ({ ...config, url: '/refunds' })],
    ['another address, in place', (config) => Object.assign(config, { url: '/refunds' })],
    ['another body, in place', (config) => Object.assign(config, { data: '{"order":2}' })],
    ['other parameters', (config) => ({ ...config, params: { order: 2 } })],
    ['other parameters, as URLSearchParams', (config) => ({ ...config, params: new URLSearchParams('order=2') })],
    ['another method', (config) => ({ ...config, method: 'patch' })],
  ])('and keeps none for another operation: %s', async (_, change) => {
    const api = create();
    attachRetry(api, { ...instant, idempotencyKey: true });
    server.script(503, 401);
    const { config } = (await rejectionOf(api.post('/orders', { order: 1 }))) as AxiosError;
    server.script();
    await api.request(change(config as InternalAxiosRequestConfig));
    const keys = server.header('idempotency-key');
    expect(keys.at(-1)).toMatch(/^[\da-f-]{36}$/);
    expect(keys.at(-1)).not.toBe(keys[0]);
  });

  it('but keeps one that the caller set', async () => {
    const api = create();
    attachRetry(api, { ...instant, idempotencyKey: true });
    const { config } = await api.post('/', {}, { headers: { 'Idempotency-Key': 'order-7' } });
    await api.request(config);
    expect(server.header('idempotency-key')).toEqual(['order-7', 'order-7']);
  });
});

describe('F28 an error that cannot be read', () => {
  const throwing = (name: string): object =>
    Object.defineProperty(new Error('own'), name, { get: () => { throw new Error('getter'); }, configurable: true });
  const unreadable: [string, () => unknown][] = [
    ...['isAxiosError', 'config', 'response', 'cause', 'code', 'message', '__CANCEL__'].map((name): [string, () => unknown] => [`a throwing getter for ${name}`, () => throwing(name)]),
    ...['config', 'response', 'cause', 'code', 'request', 'retry', 'errors'].map((name): [string, () => unknown] => [
      `an AxiosError with a throwing getter for ${name}`,
      () => Object.assign(Object.defineProperty(new Error('own'), name, { get: () => { throw new Error('getter'); } }), { isAxiosError: true }),
    ]),
    ['an AxiosError whose response is a revoked proxy', () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return Object.assign(new Error('own'), { isAxiosError: true, response: proxy });
    }],
  ];

  /** What a call rejects with. Not `rejectionOf`: it must not be looked at. */
  async function rejectedWith(api: AxiosInstance): Promise<{ reason: unknown } | undefined> {
    let rejected: { reason: unknown } | undefined;
    await api.get('/').then(undefined, (reason: unknown) => void (rejected = { reason }));
    return rejected;
  }
  const rejecting = (error: unknown): AxiosInstance => {
    const api = create();
    api.interceptors.response.use(undefined, () => Promise.reject(error as Error));
    return api;
  };

  it.each(unreadable)('reaches the caller as it is: %s', async (_, make) => {
    server.thenAlways(503);
    const plain = make();
    const bare = await rejectedWith(rejecting(plain));
    const error = make();
    const api = rejecting(error);
    attachRetry(api, { ...instant, retries: 1, observers: [{ onGiveUp: () => undefined, onRetry: () => undefined }] });
    const rejected = await rejectedWith(api);
    // Where axios itself puts another in its place, that is what comes.
    expect(rejected?.reason === error).toBe(bare?.reason === plain);
    expect(rejected).toBeDefined();
    expect(server.requests.length).toBeLessThanOrEqual(3);
  });
});

describe('F30 the report says what the call sent', () => {
  it.each<[string, (api: AxiosInstance, config: InternalAxiosRequestConfig) => Promise<unknown>]>([
    ['the config', (api, config) => api.request(config)],
    ['a copy of the config', (api, config) => api.request({ ...config })],
    ['the config, by the callable', (api, config) => api(config)],
  ])('where an inner `runWhen` sends %s again', async (_, send) => {
    server.thenAlways(503);
    const api = create();
    const extra: Promise<unknown>[] = [];
    let isNested = false;
    api.interceptors.request.use((config) => config, null, {
      runWhen: (config) => {
        if (isNested) return true;
        isNested = true;
        if (config.retryState) extra.push(rejectionOf(send(api, config)));
        isNested = false;
        return true;
      },
    });
    const retry = attachRetry(api, { ...instant, retries: 2 });
    const error = await rejectionOf(api.get('/'));
    await Promise.all(extra);
    expect(getRetryReport(error)).toMatchObject({ attempts: 3, reason: 'exhausted' });
    expect(retry.stats()).toMatchObject({ calls: 1, attempts: 3, retries: 2 });
    // What an inner layer sends on its own account is its own.
    expect(server.requests).toHaveLength(3 + extra.length);
  });
});

describe('F18 what is edited in place is not seen by the next attempt', () => {
  const edits: [string, (config: InternalAxiosRequestConfig) => void, (config: InternalAxiosRequestConfig) => unknown][] = [
    ['auth', ({ auth }) => void (auth!.username = `tenant-${auth!.username}`), ({ auth }) => auth?.username],
    ['proxy', ({ proxy }) => void ((proxy as { host: string }).host += '.x'), ({ proxy }) => (proxy as { host: string }).host],
    ['params', ({ params }) => void params.list.push(1), ({ params }) => params.list.length],
    ['an object of its own', (config) => void (config as unknown as { meta: { seen: number } }).meta.seen++, (config) => (config as unknown as { meta: { seen: number } }).meta.seen],
  ];
  const config = (): AxiosRequestConfig => ({
    auth: { username: 'u', password: 'p' },
    proxy: { host: 'h', port: 1 },
    params: { list: [] },
    meta: { seen: 0 },
  }) as AxiosRequestConfig;

  it.each(edits)('%s, by an inner interceptor', async (_, edit, read) => {
    const { adapter, sent } = inMemory(2);
    const api = axios.create({ adapter });
    api.interceptors.request.use((given) => (edit(given), given));
    attachRetry(api, instant);
    await api.get('/', config());
    expect(new Set(sent.map(read)).size).toBe(1);
  });

  it.each(edits)('%s, by an adapter', async (_, edit, read) => {
    const { adapter, sent } = inMemory(2);
    const seen: unknown[] = [];
    const api = axios.create({ adapter: (given) => (edit(given), seen.push(read(given)), adapter(given)) });
    attachRetry(api, instant);
    await api.get('/', config());
    expect(sent).toHaveLength(3);
    expect(new Set(seen).size).toBe(1);
  });

  it.each(edits)('%s, by `beforeRetry`', async (_, edit, read) => {
    const { adapter, sent } = inMemory(2);
    const api = axios.create({ adapter });
    attachRetry(api, { ...instant, beforeRetry: edit });
    await api.get('/', config());
    expect(read(sent[2]!)).toEqual(read(sent[1]!));
  });

  it('transforms that an inner interceptor adds in place', async () => {
    const { adapter, sent } = inMemory(2);
    const api = axios.create({ adapter });
    api.interceptors.request.use((given) => {
      (given.transformRequest as unknown[]).push((data: unknown) => data);
      return given;
    });
    attachRetry(api, instant);
    await api.get('/');
    expect(new Set(sent.map(({ transformRequest }) => (transformRequest as unknown[]).length)).size).toBe(1);
  });
});

describe('F09 a signal that lives long', () => {
  it.each<[string, RetryOptions, number[]]>([
    ['a success', {}, [200]],
    ['a success under a deadline', { totalTimeout: 60_000 }, [200]],
    ['a recovery under a deadline', { totalTimeout: 60_000 }, [503, 200]],
    ['a failure under a deadline', { totalTimeout: 60_000, retries: 1 }, [503, 503]],
  ])('keeps nothing of %s', async (_, options, statuses) => {
    server.script(...statuses);
    const any = jest.spyOn(AbortSignal, 'any');
    const api = create();
    attachRetry(api, { ...instant, ...options });
    const { signal } = new AbortController();
    await api.get('/', { signal }).catch(() => undefined);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    // It leaves an entry on the signal for each call that it made.
    expect(any).not.toHaveBeenCalled();
  });

  it('reaches an attempt under a deadline with its reason', async () => {
    const controller = new AbortController();
    const reason = new Error('the page was left');
    let given: AbortSignal | undefined;
    const adapter = async (config: InternalAxiosRequestConfig): Promise<never> => {
      given = config.signal as AbortSignal;
      controller.abort(reason);
      await Promise.resolve();
      throw new axios.CanceledError(undefined, undefined as never, config as never);
    };
    const api = axios.create({ adapter });
    attachRetry(api, { ...instant, totalTimeout: 60_000 });
    const error = await rejectionOf(api.get('/', { signal: controller.signal }));
    expect(given?.reason).toBe(reason);
    expect(error).toMatchObject({ cause: reason });
  });
});
