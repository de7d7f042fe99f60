// What a retry passes through, and what it leaves behind, where somebody else has a hand in the instance.
import type { AxiosInstance, InternalAxiosRequestConfig } from 'axios';
import { attachRetry, getRetryReport } from '../../lib';
import axios from '../helpers/axios';
import { holdSleep, instant, rejectionOf } from '../helpers/instant';

type Walk = (visit: (handler: unknown) => void) => void;
type Send = (config: object) => Promise<unknown>;

const managersOf = ({ interceptors }: AxiosInstance) => [interceptors.request, interceptors.response] as unknown as { forEach: Walk }[];

/** Fails with 503 once, then does what it is told. */
function makeApi(onRetry?: () => unknown) {
  const attempts: InternalAxiosRequestConfig[] = [];
  const adapter = async (config: InternalAxiosRequestConfig) => {
    attempts.push(config);
    const response = { config, status: attempts.length === 1 ? 503 : 200, statusText: '', data: 'fine', headers: {} };
    if (attempts.length === 1) throw new axios.AxiosError('unavailable', 'ERR_BAD_RESPONSE', config, undefined, response);
    await onRetry?.();
    return response;
  };
  return { api: axios.create({ adapter, baseURL: 'http://service.test' }), attempts };
}

/** Replaces `request` of the instance, which the plugin uses for retries. */
function wrap(api: AxiosInstance, wrapper: (send: Send, config: object) => Promise<unknown>): void {
  const send = api.request.bind(api) as Send;
  Object.assign(api, { request: (config: object) => wrapper(send, config) });
}

describe('the interceptor managers', () => {
  it('are as they were after a retry', async () => {
    const { api } = makeApi();
    const before = managersOf(api).map((manager) => Object.getOwnPropertyNames(manager));
    attachRetry(api, instant);
    await api.get('/');
    expect(managersOf(api).map((manager) => Object.getOwnPropertyNames(manager))).toEqual(before);
  });

  it('keep a `forEach` that somebody gives them while a retry runs', async () => {
    const own: Walk = () => undefined;
    const { api } = makeApi(() => managersOf(api).forEach((manager) => (manager.forEach = own)));
    attachRetry(api, instant);
    await api.get('/');
    expect(managersOf(api).map((manager) => manager.forEach)).toEqual([own, own]);
  });

  it('that are cleared and filled anew during the wait: what is in them runs on the retry', async () => {
    const { api, attempts } = makeApi();
    const held = holdSleep();
    attachRetry(api, { sleep: held.sleep });
    const call = api.get('/');
    await held.begun;
    api.interceptors.request.clear();
    api.interceptors.response.clear();
    api.interceptors.request.use((config) => {
      config.headers.set('X-Signed', 'yes');
      return config;
    });
    api.interceptors.response.use((response) => ({ ...response, data: `${response.data}, checked` }));
    held.release();
    await expect(call).resolves.toMatchObject({ data: 'fine, checked' });
    expect(attempts.map(({ headers }) => headers.get('X-Signed'))).toEqual([undefined, 'yes']);
  });
});

describe('a wrapper of `request`', () => {
  it('may look through the interceptors before it sends', async () => {
    const { api, attempts } = makeApi();
    attachRetry(api, instant);
    const outer = jest.fn((config: InternalAxiosRequestConfig) => config);
    api.interceptors.request.use(outer);
    const call = api.get('/');
    const handlers: unknown[] = [];
    wrap(api, (send, config) => {
      for (const manager of managersOf(api)) manager.forEach((handler) => handlers.push(handler));
      return send(config);
    });
    await expect(call).resolves.toMatchObject({ data: 'fine' });
    expect(handlers.length).toBeGreaterThan(0);
    expect([attempts.length, outer.mock.calls.length]).toEqual([2, 1]);
  });

  it('may answer a retry itself', async () => {
    const { api, attempts } = makeApi();
    attachRetry(api, instant);
    const call = api.get('/');
    wrap(api, () => Promise.resolve('from a cache'));
    await expect(call).resolves.toBe('from a cache');
    expect(attempts).toHaveLength(1);
  });

  it.each<[string, (refusal: Error) => Promise<unknown>]>([
    ['reject', (refusal) => Promise.reject(refusal)],
    ['throw', (refusal) => {
      throw refusal;
    }],
  ])('may %s a retry itself', async (_how, refuse) => {
    const { api } = makeApi();
    const retry = attachRetry(api, instant);
    const call = api.get('/');
    const refusal = new Error('not today');
    wrap(api, () => refuse(refusal));
    expect(await rejectionOf(call)).toBe(refusal);
    expect(retry.stats().gaveUp).toMatchObject({ 'not-retryable': 1 });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['answers', () => Promise.resolve('from a cache')],
    ['throws', () => {
      throw new Error('not today');
    }],
  ])('that %s and never sends leaves the interceptor managers as they were', async (_how, wrapper) => {
    const { api } = makeApi();
    const before = managersOf(api).map((manager) => Object.getOwnPropertyNames(manager));
    attachRetry(api, instant);
    const call = api.get('/').catch(() => undefined);
    wrap(api, wrapper);
    await call;
    expect(managersOf(api).map((manager) => Object.getOwnPropertyNames(manager))).toEqual(before);
  });
});

it('a retry that does not hear of the caller’s abort is not waited for', async () => {
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const { api } = makeApi(() => {
    begin();
    return new Promise(() => undefined);
  });
  attachRetry(api, instant);
  const caller = new AbortController();
  const call = rejectionOf(api.get('/', { signal: caller.signal }));
  await begun;
  caller.abort(new Error('the page was left'));
  const error = await call;
  expect([axios.isCancel(error), (error as Error).cause]).toEqual([true, caller.signal.reason]);
  expect(getRetryReport(error)).toMatchObject({ reason: 'aborted', attempts: 2 });
});
