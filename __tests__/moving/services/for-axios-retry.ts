// Programs as users of axios-retry write them. They import nothing of it: the module comes as an argument.
import { Agent } from 'node:http';
import { isAxiosError, type AxiosError, type AxiosHeaders, type AxiosRequestConfig } from 'axios';
import type * as Peer from 'axios-retry';
import { rest } from '../../../scripts/compare/waits';
import { outcome, type Program } from './side-by-side';

export type AxiosRetryModule = typeof Peer;
type Programs = readonly (readonly [title: string, program: Program<AxiosRetryModule>])[];

const stateOf = (config: AxiosRequestConfig | undefined): unknown => {
  const state = config?.['axios-retry'];
  return state && { retryCount: state.retryCount, retries: state.retries, hasTime: typeof state.lastRequestTime === 'number' };
};
const hasStatus = (status: number) => (error: AxiosError) => error.response?.status === status;

export const programs: Programs = [
  ['three retries by default, no wait', async ({ default: axiosRetry }, { service, create }) => {
    service.answers(503);
    const api = create();
    axiosRetry(api);
    return outcome(api.get('/orders', { params: { page: 1 } }));
  }],
  ['a success after two retries', async ({ default: axiosRetry }, { service, create }) => {
    service.answers(500, 502, 200);
    const api = create();
    axiosRetry(api, { retries: 3 });
    return outcome(api.get('/'));
  }],
  ['nothing to retry: 404, and POST with 503', async ({ default: axiosRetry }, { service, create, note }) => {
    service.answers(404, 503);
    const api = create();
    axiosRetry(api);
    note(await outcome(api.get('/')), await outcome(api.post('/', { a: 1 })));
  }],
  ['a reset connection, also of a POST', async ({ default: axiosRetry }, { service, create, note }) => {
    service.answers('reset', 200, 'reset', 200);
    const api = create();
    axiosRetry(api);
    note(await outcome(api.get('/')), await outcome(api.post('/', { a: 1 })));
  }],
  ['no retries', async ({ default: axiosRetry }, { service, create, note }) => {
    service.answers(503);
    const api = create();
    axiosRetry(api, { retries: 0, onMaxRetryTimesExceeded: (error, count) => note('max', error.response?.status, count) });
    return outcome(api.get('/'));
  }],
  ['the delays: exponential, linear, own', async ({ default: axiosRetry, exponentialDelay, linearDelay }, { service, create }) => {
    service.answers(503);
    for (const retryDelay of [exponentialDelay, linearDelay(), linearDelay(250), (count: number, error: AxiosError) => exponentialDelay(count, error, 1_000), (count: number) => count * 300]) {
      const api = create();
      axiosRetry(api, { retryDelay });
      await outcome(api.get('/'));
    }
  }],
  ['Retry-After with the delays that know it', async ({ default: axiosRetry, exponentialDelay, linearDelay }, { service, create }) => {
    service.answers({ status: 429, headers: { 'retry-after': '2' } });
    for (const retryDelay of [undefined, exponentialDelay, linearDelay()]) {
      const api = create();
      axiosRetry(api, { retries: 1, ...(retryDelay && { retryDelay }) });
      await outcome(api.get('/'));
    }
  }],
  ['an own delay does not know Retry-After', async ({ default: axiosRetry }, { service, create }) => {
    service.answers({ status: 429, headers: { 'retry-after': '2' } }, 200);
    const api = create();
    axiosRetry(api, { retryDelay: () => 40 });
    return outcome(api.get('/'));
  }],
  ['a delay longer than Retry-After', async ({ default: axiosRetry, linearDelay }, { service, create }) => {
    service.answers({ status: 503, headers: { 'retry-after': '1' } }, 200);
    const api = create();
    axiosRetry(api, { retryDelay: linearDelay(3_000) });
    return outcome(api.get('/'));
  }],
  ['odd delays', async ({ default: axiosRetry }, { service, create }) => {
    service.answers(503);
    for (const odd of ['50', null, undefined, NaN, -5, {}, Promise.resolve(9)]) {
      const api = create();
      axiosRetry(api, { retries: 1, retryDelay: () => odd as number });
      await outcome(api.get('/'));
    }
  }],
  ['conditions: truthy, promised, rejected, thrown', async ({ default: axiosRetry }, { service, create, note }) => {
    service.answers(404);
    const conditions = [() => 1, () => '', () => 'yes', () => undefined, () => Promise.resolve(true), () => Promise.resolve(undefined), () => Promise.resolve(false), () => Promise.reject(new Error('no')), () => null];
    for (const condition of [...conditions, () => { throw new Error('condition'); }]) {
      const api = create();
      axiosRetry(api, { retries: 1, retryCondition: condition as never });
      note(await outcome(api.get('/')), service.count);
    }
  }],
  ['a condition of the exported parts', async ({ default: axiosRetry, isNetworkOrIdempotentRequestError, isSafeRequestError, isRetryableError }, { service, create, note }) => {
    service.answers(503);
    for (const retryCondition of [isNetworkOrIdempotentRequestError, isSafeRequestError, isRetryableError, (error: AxiosError) => axiosRetry.isIdempotentRequestError(error)]) {
      const api = create();
      axiosRetry(api, { retries: 1, retryCondition });
      for (const method of ['get', 'put', 'post']) note(method, await outcome(api.request({ url: '/', method })));
    }
  }],
  ['a new token in onRetry', async ({ default: axiosRetry }, { service, create, note }) => {
    service.answers(({ headers }) => (headers.authorization === 'Bearer new' ? 200 : 401));
    const api = create({ headers: { authorization: 'Bearer old' } });
    axiosRetry(api, {
      retryCondition: hasStatus(401),
      onRetry: async (count, error, config) => {
        await rest(5);
        note(count, error.response?.status, config === error.config);
        config.headers = { ...config.headers, authorization: 'Bearer new' };
      },
    });
    return outcome(api.post('/orders', { id: 7, lines: [{ sku: 'a' }] }));
  }],
  ['a new token in onRetry, with `headers.set` of the error\'s config', async ({ default: axiosRetry }, { service, create }) => {
    service.answers(401, 200);
    const api = create();
    axiosRetry(api, { retryCondition: hasStatus(401), onRetry: (_count, error) => void error.config?.headers.set('Authorization', 'Bearer new') });
    return outcome(api.get('/', { headers: { Authorization: 'Bearer old' } }));
  }],
  ['a new token in the condition', async ({ default: axiosRetry }, { service, create }) => {
    service.answers(401, 200);
    const api = create();
    axiosRetry(api, {
      retryCondition: async (error) => {
        if (error.response?.status !== 401 || !error.config) return false;
        error.config.headers['x-token'] = await Promise.resolve('new');
        return true;
      },
    });
    return outcome(api.get('/'));
  }],
  ['a token interceptor that was registered later', async ({ default: axiosRetry }, { service, create }) => {
    service.answers(503, 503, 200);
    const api = create();
    axiosRetry(api);
    let made = 0;
    api.interceptors.request.use((config) => {
      config.headers.set('Authorization', `Bearer ${++made}`);
      return config;
    });
    return outcome(api.get('/'));
  }],
  ['a token interceptor that was registered before', async ({ default: axiosRetry }, { service, create }) => {
    service.answers(503, 200);
    const api = create();
    let made = 0;
    api.interceptors.request.use(async (config) => {
      await rest(2);
      config.headers.set('Authorization', `Bearer ${++made}`);
      return config;
    });
    axiosRetry(api);
    return outcome(api.put('/', { a: 1 }));
  }],
  ['another host, path, query and body from onRetry', async ({ default: axiosRetry }, { service, create }) => {
    service.answers(503, 200);
    const api = create({ baseURL: `${service.url}/a` });
    axiosRetry(api, {
      onRetry: (_count, _error, config) => {
        config.baseURL = `${service.url}/b`;
        config.url = '/other';
        config.params = { ...(config.params as object), page: 2 };
        config.data = JSON.stringify({ other: true });
      },
    });
    return outcome(api.put('/first', { first: true }, { params: { page: 1, size: 5 } }));
  }],
  ['a header is taken away in onRetry', async ({ default: axiosRetry }, { service, create }) => {
    service.answers(503, 200);
    const api = create();
    axiosRetry(api, { onRetry: (_count, error) => void error.config?.headers.delete('x-gone') });
    return outcome(api.get('/', { headers: { 'x-gone': '1', 'x-kept': '2' } }));
  }],
  ['params edited in place in onRetry', async ({ default: axiosRetry }, { service, create }) => {
    service.answers(503, 503, 200);
    const api = create();
    axiosRetry(api, { onRetry: (count, error) => void ((error.config?.params as { page: number }).page += count) });
    return outcome(api.get('/', { params: { page: 1 } }));
  }],
  ['state is read in every hook, and afterwards', async ({ default: axiosRetry, namespace }, { service, create, note }) => {
    service.answers(500, 500, 200, 404, 500);
    const api = create();
    const seen = (where: string) => (...values: unknown[]) => {
      const error = values.find(isAxiosError);
      note(where, ...values.filter((value) => typeof value === 'number'), stateOf(error?.config));
    };
    axiosRetry(api, {
      retryCondition: (error) => (seen('condition')(error), (error.response?.status ?? 0) >= 500),
      retryDelay: (count, error) => (seen('delay')(count, error), 0),
      onRetry: seen('retry'),
      onMaxRetryTimesExceeded: seen('max'),
    });
    const response = await api.get('/');
    note('response', stateOf(response.config), namespace);
    note('404', stateOf(((await api.get('/').catch((error: unknown) => error)) as AxiosError).config));
    note('500', stateOf(((await api.get('/').catch((error: unknown) => error)) as AxiosError).config));
  }],
  ['options of a request', async ({ default: axiosRetry }, { service, create, note }) => {
    service.answers(503);
    const api = create();
    axiosRetry(api, { retries: 2, retryDelay: () => 40 });
    for (const own of [{ retries: 0 }, { retries: 1 }, { retryDelay: () => 90 }, { retryCondition: () => false }, { onRetry: () => note('own') }]) {
      await outcome(api.get('/', { 'axios-retry': own }));
      note(service.count);
    }
  }],
  ['options in the defaults of the instance', async ({ default: axiosRetry }, { service, create }) => {
    service.answers(503);
    const api = create({ 'axios-retry': { retries: 1 } });
    axiosRetry(api, { retries: 4, retryDelay: () => 30 });
    return outcome(api.get('/'));
  }],
  ['one object of options for many calls at once', async ({ default: axiosRetry }, { service, create, note }) => {
    service.answers(503);
    const api = create();
    axiosRetry(api);
    const config = { 'axios-retry': { retries: 1 } };
    await Promise.all([1, 2, 3, 4].map(() => outcome(api.get('/', config))));
    note(service.count, config);
  }],
  ['when no retry is left', async ({ default: axiosRetry }, { service, create, note }) => {
    service.answers(503);
    const api = create();
    axiosRetry(api, { retries: 2, onMaxRetryTimesExceeded: async (error, count) => (await rest(5), note('max', error.response?.status, count)) });
    return outcome(api.get('/'));
  }],
  ['onMaxRetryTimesExceeded throws', async ({ default: axiosRetry }, { service, create }) => {
    service.answers(503);
    const api = create();
    axiosRetry(api, { retries: 1, onMaxRetryTimesExceeded: () => { throw new TypeError('given up'); } });
    return outcome(api.get('/'));
  }],
  ['onRetry throws', async ({ default: axiosRetry }, { service, create }) => {
    service.answers(503, 200);
    const api = create();
    axiosRetry(api, { onRetry: () => Promise.reject(new TypeError('not again')) });
    return outcome(api.get('/'));
  }],
  ['retryDelay throws', async ({ default: axiosRetry }, { service, create }) => {
    service.answers(503, 200);
    const api = create();
    axiosRetry(api, { retryDelay: () => { throw new RangeError('no delay'); } });
    return outcome(api.get('/'));
  }],
  ['validateResponse: a 200 that is none, a 500 that is fine', async ({ default: axiosRetry }, { service, create, note }) => {
    service.answers({ status: 200, body: '{"state":"pending"}' }, { status: 200, body: '{"state":"done"}' }, 500, 404);
    const api = create();
    axiosRetry(api, {
      retryCondition: () => true,
      validateResponse: ({ status, data }) => status === 500 || (data as { state?: string }).state === 'done',
    });
    note(await outcome(api.get('/')), await outcome(api.get('/')));
    note(await outcome(api.get('/', { 'axios-retry': { retries: 0 } })));
  }],
  ['validateResponse of a request alone', async ({ default: axiosRetry }, { service, create, note }) => {
    service.answers(500, 200);
    const api = create();
    axiosRetry(api, { retries: 0 });
    note(await outcome(api.get('/', { 'axios-retry': { validateResponse: () => true } })));
    note(await outcome(api.get('/')));
  }],
  ['a timeout is not retried by default', async ({ default: axiosRetry }, { service, create }) => {
    service.answers('hang', 200);
    const api = create({ timeout: 150 });
    axiosRetry(api);
    return outcome(api.get('/'));
  }],
  ['timeouts of their own with shouldResetTimeout', async ({ default: axiosRetry }, { service, create, note }) => {
    service.answers('hang', 'hang', 200);
    const api = create({ timeout: 400 });
    axiosRetry(api, { shouldResetTimeout: true, retryCondition: () => true, onRetry: (_count, _error, config) => note(config.timeout) });
    return outcome(api.get('/'));
  }],
  ['a timeout that all attempts share ends the call', async ({ default: axiosRetry }, { service, create, note }) => {
    service.answers('hang', 200);
    const api = create({ timeout: 150 });
    axiosRetry(api, { retryCondition: () => true, onRetry: () => note('retry'), onMaxRetryTimesExceeded: () => note('max') });
    return outcome(api.get('/'));
  }],
  ['the delay is taken off a shared timeout', async ({ default: axiosRetry }, { service, create, note }) => {
    service.answers(503);
    const api = create({ timeout: 60_000 });
    axiosRetry(api, { retryDelay: () => 25_000, onRetry: (_count, error) => note(Math.round((error.config?.timeout ?? 0) / 5_000)) });
    return outcome(api.get('/'));
  }],
  ['ejected by both ids', async ({ default: axiosRetry }, { service, create, note }) => {
    service.answers(503);
    const api = create();
    const { requestInterceptorId, responseInterceptorId } = axiosRetry(api);
    note(await outcome(api.get('/')), service.count);
    api.interceptors.request.eject(requestInterceptorId);
    api.interceptors.response.eject(responseInterceptorId);
    note(await outcome(api.get('/')), service.count);
    axiosRetry(api, { retries: 1 });
    note(await outcome(api.get('/')), service.count);
  }],
  ['ejected by the id of the response interceptor alone', async ({ default: axiosRetry }, { service, create, note }) => {
    service.answers(503);
    const api = create();
    const { responseInterceptorId } = axiosRetry(api);
    api.interceptors.response.eject(responseInterceptorId);
    note(await outcome(api.get('/')), service.count);
  }],
  ['bodies', async ({ default: axiosRetry }, { service, create, note }) => {
    const form = new FormData();
    form.append('name', 'value');
    const bodies = [{ a: { b: [1, 2] } }, 'text', new URLSearchParams({ a: '1' }), Buffer.from([1, 2, 255]), form];
    for (const body of bodies) {
      service.received.length = 0;
      service.answers(503, 200);
      const api = create();
      axiosRetry(api);
      note(await outcome(api.put('/', body)));
    }
  }],
  ['a stream as the answer', async ({ default: axiosRetry }, { service, create }) => {
    service.answers(503, { status: 200, body: 'streamed' });
    const api = create();
    axiosRetry(api);
    const { data } = await api.get<AsyncIterable<Buffer>>('/', { responseType: 'stream' });
    const chunks: Buffer[] = [];
    for await (const chunk of data) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }],
  ['keep-alive agents of the instance', async ({ default: axiosRetry }, { service, create }) => {
    service.answers(503, 503, 200);
    const httpAgent = new Agent({ keepAlive: true });
    const api = create({ httpAgent });
    axiosRetry(api);
    const end = await outcome(api.get('/'));
    httpAgent.destroy();
    return end;
  }],
  ['an abort in the wait', async ({ default: axiosRetry }, { service, create, waits }) => {
    service.answers(503);
    waits.isReal = true;
    const controller = new AbortController();
    const api = create();
    axiosRetry(api, { retryDelay: () => 300, onRetry: () => void setTimeout(() => controller.abort(), 1) });
    return outcome(api.get('/', { signal: controller.signal }));
  }],
  ['an inner interceptor makes errors of its own that carry the config', async ({ default: axiosRetry }, { service, create, note }) => {
    service.answers(503, 503, 200, 503);
    class ApiError extends Error {
      override readonly name = 'ApiError';
      constructor(readonly config: unknown, readonly response: unknown) {
        super('api');
      }
    }
    const api = create();
    api.interceptors.response.use(undefined, (error: AxiosError) => Promise.reject(new ApiError(error.config, error.response)));
    axiosRetry(api, { retries: 2, onRetry: (_count, error) => note(error.name) });
    note(await outcome(api.get('/')), await outcome(api.get('/')));
  }],
  ['retries that are no number', async ({ default: axiosRetry }, { service, create, note }) => {
    service.answers(503);
    for (const retries of [undefined, NaN, 'x']) {
      const api = create();
      axiosRetry(api, { retries } as never);
      note(await outcome(api.get('/')), await outcome(api.get('/', { 'axios-retry': { retries: 1 } })));
      const other = create();
      axiosRetry(other, { retries: 2 });
      note(await outcome(other.get('/', { 'axios-retry': { retries } as never })));
    }
  }],
  ['a header and a member that onRetry takes off stay off', async ({ default: axiosRetry }, { service, create }) => {
    service.answers(503);
    const api = create();
    axiosRetry(api, {
      onRetry: (count, _error, config) => {
        const headers = config.headers as AxiosHeaders;
        headers.delete('x-gone');
        headers.set('x-count', String(count));
        if (count === 1) config.params = { page: 2 };
      },
    });
    return outcome(api.get('/', { headers: { 'x-gone': '1' }, params: { page: 1 } }));
  }],
  ['an error without a config passes', async ({ default: axiosRetry }, { service, create }) => {
    service.answers(200);
    const api = create();
    api.interceptors.response.use(() => Promise.reject(new Error('bare')));
    axiosRetry(api);
    return outcome(api.get('/'));
  }],
  ['a throw of a request interceptor passes', async ({ default: axiosRetry }, { create }) => {
    const api = create();
    axiosRetry(api);
    api.interceptors.request.use(() => Promise.reject(new Error('not logged in')));
    return outcome(api.get('/'));
  }],
  ['the exported functions', async (peer, { note }) => {
    const error = (status: number | undefined, code: string | undefined, method: string): AxiosError =>
      ({ code, config: { method }, response: status === undefined ? undefined : { status, headers: { 'retry-after': '3' } } }) as unknown as AxiosError;
    const errors = [undefined, 200, 404, 429, 500, 599, 600].flatMap((status) =>
      [undefined, 'ECONNABORTED', 'ERR_CANCELED', 'ECONNRESET', 'ENOTFOUND', 'CERT_HAS_EXPIRED', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'].flatMap((code) => ['get', 'head', 'put', 'delete', 'post', 'patch'].map((method) => error(status, code, method))));
    const { isNetworkError, isRetryableError, isSafeRequestError, isIdempotentRequestError, isNetworkOrIdempotentRequestError } = peer;
    for (const test of [isNetworkError, isRetryableError, isSafeRequestError, isIdempotentRequestError, isNetworkOrIdempotentRequestError]) note(errors.map((one) => test(one)));
    note(peer.exponentialDelay(), peer.exponentialDelay(3), peer.exponentialDelay(2, undefined, 50), peer.exponentialDelay(1, error(429, undefined, 'get')));
    note(peer.linearDelay()(3, undefined), peer.linearDelay(7)(2, error(429, undefined, 'get')), peer.retryAfter(), peer.retryAfter(error(503, undefined, 'get')));
    note(peer.namespace, Object.keys(peer.DEFAULT_OPTIONS).sort(), peer.DEFAULT_OPTIONS.retries, Object.keys(peer.default).sort());
    await Promise.resolve();
  }],
];
