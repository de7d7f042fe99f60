// A config that somebody else sends again.
import type { AxiosError, AxiosInstance, InternalAxiosRequestConfig } from 'axios';
import { attachRetry, getRetryReport, type RetryEvent } from '../../../lib/index';
import axios from '../../helpers/axios';
import { holdSleep, instant, rejectionOf } from '../../helpers/instant';
import { useRecordingServer, type RecordedRequest } from '../../helpers/recording-server';

const server = useRecordingServer();

const create = (): AxiosInstance => axios.create({ baseURL: server.url });

/** 401 for requests without the new token, else what the script says. */
const wantsNewToken = ({ headers }: RecordedRequest): 401 | undefined => (headers.authorization === 'new' ? undefined : 401);

type Resend = (api: AxiosInstance, config: InternalAxiosRequestConfig) => Promise<unknown>;

/** An interceptor that gets a new token after a 401, and sends the request again by itself. */
function addAuthRefresh(api: AxiosInstance, resend: Resend = (instance, config) => instance.request(config)): void {
  api.interceptors.response.use(undefined, async (error: AxiosError) => {
    if (error.response?.status !== 401 || !error.config) throw error;
    await Promise.resolve();
    error.config.headers.set('Authorization', 'new');
    return resend(api, error.config);
  });
}

describe('an auth-refresh layer inside', () => {
  it.each<[string, Resend]>([
    ['instance.request(config)', (api, config) => api.request(config)],
    ['instance(config)', (api, config) => api(config)],
    ['instance.request({ ...config })', (api, config) => api.request({ ...config })],
    ['the global axios', (_, config) => axios.request(config)],
    ['another instance with retries', (_, config) => {
      const other = axios.create();
      attachRetry(other, instant);
      return other.request(config);
    }],
  ])('resends with its new token by %s', async (_, resend) => {
    server.decide = wantsNewToken;
    const api = create();
    addAuthRefresh(api, resend);
    const retry = attachRetry(api, instant);
    await expect(api.get('/', { headers: { Authorization: 'old' } })).resolves.toMatchObject({ data: { request: 2 } });
    expect(server.header('authorization')).toEqual(['old', 'new']);
    expect(retry.stats()).toMatchObject({ calls: 1, attempts: 1, retries: 0 });
  });

  it.each<[string, Resend]>([
    ['instance.request(config)', (api, config) => api.request(config)],
    ['another instance with retries', (_, config) => {
      const other = axios.create();
      attachRetry(other, instant);
      return other.request(config);
    }],
  ])('gets no loop for what it resends by %s: the failure is that of its attempt', async (_, resend) => {
    server.decide = wantsNewToken;
    server.thenAlways(503);
    const api = create();
    addAuthRefresh(api, resend);
    const retry = attachRetry(api, { ...instant, retries: 2 });
    const error = await rejectionOf(api.get('/', { headers: { Authorization: 'old' } }));
    expect(error).toMatchObject({ response: { status: 503 } });
    // Each attempt begins with the snapshot's header, and is resent once.
    expect(server.header('authorization')).toEqual(['old', 'new', 'old', 'new', 'old', 'new']);
    expect(retry.stats()).toMatchObject({ calls: 1, attempts: 3, retries: 2, gaveUp: { exhausted: 1 } });
  });

  it('takes part in a retry, too', async () => {
    server.script(503, 401, 200);
    const api = create();
    addAuthRefresh(api);
    const retry = attachRetry(api, instant);
    await expect(api.get('/')).resolves.toMatchObject({ data: { request: 3 } });
    expect(server.header('authorization')).toEqual([undefined, undefined, 'new']);
    expect(retry.stats()).toMatchObject({ calls: 1, attempts: 2, recovered: 1 });
  });

  it('sends the body again that it resends, not the snapshot', async () => {
    server.script(401, 200);
    const api = create();
    addAuthRefresh(api, (instance, config) => instance.request({ ...config, data: { edited: 'yes' } }));
    attachRetry(api, instant);
    await api.post('/', { edited: 'not' });
    expect(server.requests.map(({ body }) => body.toString())).toEqual(['{"edited":"not"}', '{"edited":"yes"}']);
  });

  it('R84 may queue several calls for one refresh', async () => {
    server.decide = wantsNewToken;
    const api = create();
    let refreshes = 0;
    let token: Promise<string> | undefined;
    api.interceptors.response.use(undefined, async (error: AxiosError) => {
      if (error.response?.status !== 401 || !error.config) throw error;
      token ??= Promise.resolve().then(() => ((refreshes += 1), 'new'));
      error.config.headers.set('Authorization', await token);
      return api.request(error.config);
    });
    attachRetry(api, instant);
    const responses = await Promise.all(Array.from({ length: 5 }, (_, id) => api.get(`/${id}`)));
    expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(refreshes).toBe(1);
    expect(server.requests).toHaveLength(10);
  });
});

describe('R84 a `beforeRetry` hook that refreshes the token', () => {
  const options = (refresh: () => Promise<string>) => ({
    ...instant,
    shouldRetry: ({ response, attempt }: RetryEvent) => (response?.status === 401 ? attempt === 1 : undefined),
    beforeRetry: async (config: InternalAxiosRequestConfig) => void config.headers.set('Authorization', await refresh()),
  });

  it('shares one refresh between calls, each of which is retried once', async () => {
    server.decide = wantsNewToken;
    const api = create();
    let token: Promise<string> | undefined;
    const refresh = jest.fn(() => Promise.resolve('new'));
    attachRetry(api, options(() => (token ??= refresh())));
    const responses = await Promise.all(Array.from({ length: 5 }, (_, id) => api.get(`/${id}`)));
    expect(responses.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(refresh).toHaveBeenCalledTimes(1);
    expect(server.requests).toHaveLength(10);
  });

  it('is not asked again when the new token does not help', async () => {
    server.thenAlways(401);
    const api = create();
    const refresh = jest.fn(() => Promise.resolve('useless'));
    attachRetry(api, options(refresh));
    expect(getRetryReport(await rejectionOf(api.get('/')))).toMatchObject({ attempts: 2, reason: 'not-retryable' });
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  it('lets every call fail with its own 401 when the refresh fails', async () => {
    server.thenAlways(401);
    const api = create();
    const broken = new Error('no refresh');
    attachRetry(api, options(() => Promise.reject(broken)));
    const errors = await Promise.all(Array.from({ length: 5 }, (_, id) => rejectionOf(api.get(`/${id}`))));
    expect(new Set(errors).size).toBe(5);
    for (const error of errors) {
      expect(error).toMatchObject({ response: { status: 401 } });
      expect(getRetryReport(error)).toMatchObject({ reason: 'hook-failed', hookError: broken });
    }
    expect(server.requests).toHaveLength(5);
  });
});

describe('a config of a call that has ended', () => {
  it('starts a new call when an auth-refresh layer outside sends it again', async () => {
    server.decide = wantsNewToken;
    server.script(503, 200);
    const api = create();
    const retry = attachRetry(api, instant);
    addAuthRefresh(api);
    await expect(api.get('/')).resolves.toMatchObject({ data: { request: 3 } });
    expect(server.header('authorization')).toEqual([undefined, 'new', 'new']);
    expect(retry.stats()).toMatchObject({ calls: 2, attempts: 3, recovered: 1, gaveUp: { 'not-retryable': 1 } });
  });

  it('starts a new call, with retries and a report of its own, when the caller sends it again', async () => {
    server.thenAlways(503);
    const api = create();
    attachRetry(api, { ...instant, retries: 1 });
    const first = (await rejectionOf(api.get('/'))) as AxiosError;
    const second = await rejectionOf(api.request(first.config!));
    expect(second).not.toBe(first);
    expect(getRetryReport(first)).toMatchObject({ attempts: 2 });
    expect(getRetryReport(second)).toMatchObject({ attempts: 2, history: [{ attempt: 1 }, { attempt: 2 }] });
    expect(new Set(server.dumps).size).toBe(1);
    expect(server.requests).toHaveLength(4);
  });

  it('starts a new call also when the call succeeded', async () => {
    const api = create();
    attachRetry(api, instant);
    const { config } = await api.put('/', { id: 1 });
    server.script(503, 200);
    await expect(api.request(config)).resolves.toMatchObject({ data: { request: 3 } });
    expect(new Set(server.dumps).size).toBe(1);
  });
});

describe('a config of a call that has ended, sent again', () => {
  it('begins to count from the start in the attempt header', async () => {
    server.script(503, 503, 503, 200);
    const api = create();
    attachRetry(api, { ...instant, retries: 1, attemptHeader: 'X-Resend' });
    const { config } = (await rejectionOf(api.get('/'))) as AxiosError;
    await api.request(config!);
    expect(server.header('x-resend')).toEqual([undefined, '1', undefined, '1']);
  });

  it('has a deadline of its own', async () => {
    server.thenAlways('hang');
    const api = create();
    attachRetry(api, { ...instant, totalTimeout: 50 });
    const error = (await rejectionOf(api.get('/'))) as AxiosError;
    expect(error.code).toBe('ECONNABORTED');
    server.thenAlways(200);
    await expect(api.request({ ...error.config, retry: { totalTimeout: 10_000 } })).resolves.toMatchObject({ status: 200 });
  });

  it.each([['without a deadline', {}], ['with a deadline', { totalTimeout: 60_000 }]])('still follows the signal of the caller, %s', async (_, options) => {
    server.script(401, 'hang');
    const api = create();
    attachRetry(api, { ...instant, ...options });
    const controller = new AbortController();
    api.interceptors.response.use(undefined, (error: AxiosError) => {
      if (error.response?.status !== 401) throw error;
      const timer = setInterval(() => {
        if (server.requests.length < 2) return;
        clearInterval(timer);
        controller.abort();
      }, 5);
      return api.request(error.config!);
    });
    const error = await rejectionOf(api.get('/', { signal: controller.signal, timeout: 5_000 }));
    expect(axios.isCancel(error)).toBe(true);
  });
});

it('sends a config once that an observer sends again while its call waits', async () => {
  server.thenAlways(503);
  const api = create();
  const held = holdSleep();
  let config: InternalAxiosRequestConfig | undefined;
  const retry = attachRetry(api, { sleep: held.sleep, retries: 1, onRetry: (event) => void (config = event.config) });
  const call = rejectionOf(api.get('/'));
  await held.begun;
  expect(await rejectionOf(api.request(config!))).toMatchObject({ response: { status: 503 } });
  expect(server.requests).toHaveLength(2);
  held.release();
  await call;
  expect(server.requests).toHaveLength(3);
  expect(retry.stats()).toMatchObject({ calls: 1, attempts: 2 });
});

it('does not retry because of a token request that failed in an inner layer', async () => {
  server.thenAlways(503);
  const tokens = create();
  const api = create();
  let failure: unknown;
  api.interceptors.request.use(async (config) => {
    failure = await rejectionOf(tokens.get('/token'));
    if (failure) throw failure;
    return config;
  });
  attachRetry(api, instant);
  expect(await rejectionOf(api.get('/'))).toBe(failure);
  expect(server.requests.map(({ url }) => url)).toEqual(['/token']);
});
