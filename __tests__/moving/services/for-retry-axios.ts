// Programs as users of retry-axios write them. They import nothing of it: the module comes as an argument.
import axios, { type AxiosError, type AxiosInstance, type CreateAxiosDefaults } from 'axios';
import type * as Peer from 'retry-axios';
import { rest } from '../../../scripts/compare/waits';
import { outcome, type Program, type Setting } from './side-by-side';

export type RetryAxiosModule = typeof Peer;
type Programs = readonly (readonly [title: string, program: Program<RetryAxiosModule>])[];

/** An instance with the peer attached, and options in its defaults. */
function attached(rax: RetryAxiosModule, { create }: Setting, raxConfig?: Peer.RetryConfig, config: CreateAxiosDefaults = {}): AxiosInstance {
  const api = create(config);
  if (raxConfig) api.defaults.raxConfig = raxConfig;
  rax.attach(api);
  return api;
}

const stateOf = (rax: RetryAxiosModule, error: unknown): unknown => {
  const state = rax.getConfig(error as AxiosError);
  return state && { attempt: state.currentRetryAttempt, left: state.retriesRemaining, retry: state.retry, errors: state.errors?.map(({ response, code }) => response?.status ?? code) };
};
const caught = (call: Promise<unknown>): Promise<unknown> => call.then(() => 'resolved', (error: unknown) => error);

export const programs: Programs = [
  ['three retries by default, exponential', async (rax, setting) => {
    setting.service.answers(503);
    return outcome(attached(rax, setting).get('/orders', { params: { page: 1 } }));
  }],
  ['a success after two retries', async (rax, setting) => {
    setting.service.answers(500, 502, 200);
    return outcome(attached(rax, setting).get('/'));
  }],
  ['404, POST, and no retries', async (rax, setting) => {
    setting.service.answers(404, 503, 503, 'reset');
    const api = attached(rax, setting);
    setting.note(await outcome(api.get('/')), await outcome(api.post('/', {})), await outcome(api.get('/', { raxConfig: { retry: 0 } })), await outcome(api.post('/', {})));
  }],
  ['connection errors and timeouts', async (rax, setting) => {
    setting.service.answers('reset', 200, 'hang', 200);
    const api = attached(rax, setting, undefined, { timeout: 400 });
    setting.note(await outcome(api.get('/')), await outcome(api.get('/')));
  }],
  ['backoff types', async (rax, setting) => {
    setting.service.answers(503);
    const types = [{ backoffType: 'linear' }, { backoffType: 'static', retryDelay: 3_000 }, { backoffType: 'exponential', retryDelay: 1_000 }, { retryDelay: 700 }, { retry: 6, maxRetryDelay: 500 }, { backoffType: 'linear', maxRetryDelay: 1_500 }] as const;
    for (const raxConfig of types) await outcome(attached(rax, setting).get('/', { raxConfig }));
  }],
  ['jitter', async (rax, setting) => {
    setting.service.answers(503);
    for (const jitter of ['none', 'full', 'equal'] as const) await outcome(attached(rax, setting, { jitter, retryDelay: 1_000 }).get('/'));
  }],
  ['methods and statuses', async (rax, setting) => {
    setting.service.answers(418);
    const api = attached(rax, setting, { retry: 1, statusCodesToRetry: [[400, 429], [500, 599]], httpMethodsToRetry: ['GET', 'POST'] });
    for (const method of ['get', 'post', 'put']) setting.note(method, await outcome(api.request({ url: '/', method, data: { a: 1 } })), setting.service.count);
  }],
  ['Retry-After in seconds, as a date, and too long', async (rax, setting) => {
    const date = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 20_000).toUTCString();
    for (const value of ['2', date, '400']) {
      setting.service.received.length = 0;
      setting.service.answers({ status: 429, headers: { 'retry-after': value } }, 200);
      setting.note(await outcome(attached(rax, setting).get('/')));
    }
    // A date counts from the own clock with the peer, from the server's whole seconds with us: up to a second more.
    setting.waits.asked.splice(0, Infinity, ...setting.waits.asked.map((ms) => (ms > 10_000 ? Math.round(ms / 10_000) * 10_000 : ms)));
  }],
  ['Retry-After: own limits, and ignored', async (rax, setting) => {
    for (const raxConfig of [{ maxRetryAfter: 1_000 }, { checkRetryAfter: false }, { maxRetryAfter: 10_000 }]) {
      setting.service.received.length = 0;
      setting.service.answers({ status: 503, headers: { 'retry-after': '3' } }, 200);
      setting.note(await outcome(attached(rax, setting).get('/', { raxConfig })));
    }
  }],
  ['hooks: onError before the wait, onRetryAttempt after it', async (rax, setting) => {
    setting.service.answers(500, 502, 503);
    const api = attached(rax, setting, {
      retry: 2,
      onError: (error) => setting.note('error', error.response?.status, stateOf(rax, error)),
      onRetryAttempt: async (error) => {
        await rest(2);
        setting.note('attempt', error.response?.status, stateOf(rax, error), setting.service.count);
      },
    });
    setting.note(stateOf(rax, await caught(api.get('/'))));
  }],
  ['a new token in onRetryAttempt', async (rax, setting) => {
    setting.service.answers(({ headers }) => (headers.authorization === 'Bearer new' ? 200 : 401));
    const api = attached(rax, setting, {
      statusCodesToRetry: [[401, 401]],
      httpMethodsToRetry: ['POST'],
      onRetryAttempt: async (error) => {
        await rest(2);
        error.config?.headers.set('Authorization', 'Bearer new');
      },
    });
    return outcome(api.post('/', { a: [1] }, { headers: { Authorization: 'Bearer old' } }));
  }],
  ['another host in onRetryAttempt', async (rax, setting) => {
    setting.service.answers(503, 200);
    const { url } = setting.service;
    const api = attached(rax, setting, { onRetryAttempt: (error) => Promise.resolve(void (error.config && (error.config.baseURL = `${url}/b`))) }, { baseURL: `${url}/a` });
    return outcome(api.get('/x'));
  }],
  ['onRetryAttempt rejects', async (rax, setting) => {
    setting.service.answers(503, 200);
    return outcome(attached(rax, setting, { onRetryAttempt: () => Promise.reject(new TypeError('no token')) }).get('/'));
  }],
  ['onError rejects', async (rax, setting) => {
    setting.service.answers(503, 200);
    const end = await outcome(attached(rax, setting, { onError: () => Promise.reject(new TypeError('stop')) }).get('/'));
    // The peer's timer runs on, for nothing.
    setting.waits.asked.length = 0;
    return end;
  }],
  ['shouldRetry of the user\'s, with the limit, and with the exported question', async (rax, setting) => {
    setting.service.answers(404);
    setting.note(await outcome(attached(rax, setting, { retry: 2, shouldRetry: () => true }).post('/', {})), setting.service.count);
    setting.note(await outcome(attached(rax, setting, { shouldRetry: () => false }).get('/')), setting.service.count);
    setting.note(await outcome(attached(rax, setting, { shouldRetry: (error) => rax.shouldRetryRequest(error) }).get('/')), setting.service.count);
    setting.service.answers(503);
    setting.note(await outcome(attached(rax, setting, { retry: 1, shouldRetry: (error) => rax.shouldRetryRequest(error) }).get('/')), setting.service.count);
  }],
  ['shouldRetry throws', async (rax, setting) => {
    setting.service.answers(503);
    return outcome(attached(rax, setting, { shouldRetry: () => { throw new TypeError('broken'); } }).get('/'));
  }],
  ['the errors of all attempts', async (rax, setting) => {
    setting.service.answers(500, 'reset', 502, 503);
    const error = await caught(attached(rax, setting).get('/'));
    setting.note(stateOf(rax, error), rax.getConfig(error as AxiosError)?.errors?.at(-1) === error);
    setting.note(Object.keys(rax.getConfig(error as AxiosError) ?? {}).sort());
  }],
  ['state of a success', async (rax, setting) => {
    setting.service.answers(500, 200);
    const { config } = await attached(rax, setting).get('/');
    setting.note(config.raxConfig?.currentRetryAttempt, config.raxConfig?.retriesRemaining);
  }],
  ['options of a request and of the instance', async (rax, setting) => {
    setting.service.answers(503);
    const api = attached(rax, setting, { retry: 4, backoffType: 'static', retryDelay: 2_000 });
    for (const raxConfig of [undefined, { retry: 1 }, { retryDelay: 5_000 }]) {
      await outcome(api.get('/', raxConfig && { raxConfig }));
      setting.note(setting.service.count);
    }
  }],
  ['one config object for many calls', async (rax, setting) => {
    setting.service.answers(503);
    const api = attached(rax, setting);
    const config = { raxConfig: { retry: 2 } };
    await Promise.all([1, 2, 3].map(() => outcome(api.get('/', config))));
    setting.note(setting.service.count, config);
    setting.waits.asked.sort((one, other) => one - other);
  }],
  ['a token interceptor, before and after', async (rax, setting) => {
    for (const isBefore of [true, false]) {
      setting.service.received.length = 0;
      setting.service.answers(503, 503, 200);
      const api = setting.create();
      let made = 0;
      const sign = (): number => api.interceptors.request.use((config) => (config.headers.set('x-token', String(++made)), config));
      if (isBefore) sign();
      rax.attach(api);
      if (!isBefore) sign();
      setting.note(await outcome(api.get('/')), setting.service.received.map(({ headers }) => headers['x-token']));
    }
  }],
  ['detached', async (rax, setting) => {
    setting.service.answers(503);
    const api = setting.create();
    const id = rax.attach(api);
    setting.note(await outcome(api.get('/')), setting.service.count);
    rax.detach(id, api);
    setting.note(await outcome(api.get('/')), setting.service.count);
  }],
  ['the global axios', async (rax, { service, note }) => {
    service.answers(503, 200, 503);
    const id = rax.attach();
    note(await outcome(axios.get(service.url, { proxy: false })));
    rax.detach(id);
    note(await outcome(axios.get(service.url, { proxy: false })), service.count);
  }],
  ['a stream as the answer', async (rax, setting) => {
    setting.service.answers(503, { status: 200, body: 'streamed' });
    const { data } = await attached(rax, setting).get<AsyncIterable<Buffer>>('/', { responseType: 'stream' });
    const chunks: Buffer[] = [];
    for await (const chunk of data) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }],
  ['an inner interceptor makes errors of its own that carry the config', async (rax, setting) => {
    setting.service.answers(503, 200, 503);
    const api = setting.create();
    api.interceptors.response.use(undefined, (error: AxiosError) => Promise.reject(Object.assign(new Error('api'), { config: error.config, response: error.response })));
    rax.attach(api);
    setting.note(await outcome(api.get('/')), await outcome(api.get('/', { raxConfig: { retry: 1 } })));
  }],
  ['lists that a merge has made objects, and delays that are no number of ms', async (rax, setting) => {
    setting.service.answers(503);
    setting.note(await outcome(attached(rax, setting, { retry: 2, statusCodesToRetry: { 0: [500, 599] }, httpMethodsToRetry: { 0: 'GET' } } as never).get('/')));
    setting.note(await outcome(attached(rax, setting, { retry: 2, statusCodesToRetry: { 0: [400, 499] } } as never).get('/')));
    for (const retryDelay of [NaN, -1]) setting.note(await outcome(attached(rax, setting, { retry: 2, retryDelay, backoffType: 'static' }).get('/')));
  }],
  ['cancelled', async (rax, setting) => {
    setting.service.answers('hang');
    const controller = new AbortController();
    const call = outcome(attached(rax, setting).get('/', { signal: controller.signal }));
    while (setting.service.count < 1) await rest(2);
    controller.abort();
    return call;
  }],
  ['the exported functions', async (rax, { note }) => {
    const error = (status: number | undefined, method: string | undefined, raxConfig?: Peer.RetryConfig): AxiosError =>
      ({ config: { method, raxConfig }, response: status === undefined ? undefined : { status } }) as unknown as AxiosError;
    const full = { retry: 3, httpMethodsToRetry: ['GET'], statusCodesToRetry: [[500, 599]] };
    const configs = [undefined, { retry: 0 }, full, { ...full, currentRetryAttempt: 3 }, { ...full, currentRetryAttempt: 2 }];
    for (const config of configs) note([undefined, 200, 404, 503].flatMap((status) => ['get', 'POST', undefined].map((method) => rax.shouldRetryRequest(error(status, method, config)))));
    note(rax.getConfig(error(1, 'get')), rax.getConfig(error(1, 'get', { retry: 7 })), rax.getConfig({} as AxiosError));
    await Promise.resolve();
  }],
];
