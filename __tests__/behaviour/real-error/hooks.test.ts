// Deciders: they are asked, awaited, and believed only when they make sense. `beforeRetry` has a file of its own.
import type { AxiosInstance, AxiosRequestConfig, AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import { attachRetry, getRetryReport, type RetryEvent, type RetryHandle, type RetryOptions } from '../../../lib/index';
import axios from '../../helpers/axios';
import { recorder, rejectionOf, serve, SERVICE, timeless, type Answer, type Told } from '../../helpers/observed';

interface Hooked {
  api: AxiosInstance;
  retry: RetryHandle;
  waits: number[];
  told: Told[];
}

function hook(options: RetryOptions): Hooked {
  const { waits, options: time } = timeless();
  const { told, observer } = recorder();
  const api = axios.create({ baseURL: SERVICE });
  const retry = attachRetry(api, { ...time, jitter: 'none', observers: [observer], ...options });
  return { api, retry, waits, told };
}

const broken = new Error('hook broke');
const throwing = (): never => {
  throw broken;
};
const rejecting = (): Promise<never> => Promise.reject(broken);
/** As somebody without a compiler may write it. */
const untyped = (options: Record<string, unknown>): RetryOptions => options;
const pending: Answer = { status: 200, body: 'pending' };

describe('R63 a decider that fails stops the call, which keeps its real outcome', () => {
  const deciders: [string, RetryOptions][] = [
    ['shouldRetry throws', { shouldRetry: throwing }],
    ['shouldRetry rejects', { shouldRetry: rejecting }],
    ['delay throws', { delay: throwing }],
    ['statuses throws', { statuses: throwing }],
    ['origin throws', { origin: throwing }],
    ['origin throws while a Retry-After is shared', { origin: throwing, shareRetryAfter: true }],
    ['random throws', { random: throwing, jitter: 'full' }],
    ['sleep throws', { sleep: throwing }],
    ['sleep rejects', { sleep: rejecting }],
    ['beforeRetry throws', { beforeRetry: throwing }],
    ['beforeRetry rejects', { beforeRetry: rejecting }],
    ['body throws on the second attempt', { body: jest.fn(throwing).mockImplementationOnce(() => 'first' as never) }],
  ];

  it.each(deciders)('when %s', async (what, options) => {
    const seen = serve([500, 200]);
    const { api, told, retry } = hook(options);
    const error = await rejectionOf(api.request({ url: '/orders', method: what.startsWith('body') ? 'put' : 'get' }));
    expect(error).toMatchObject({ response: { status: 500 }, retry: { reason: 'hook-failed', attempts: 1 } });
    expect(seen).toHaveLength(1);
    const ends = told.filter(({ name }) => name === 'onGiveUp');
    expect(ends).toMatchObject([{ event: { reason: 'hook-failed', willRetry: false } }]);
    expect(retry.stats()).toMatchObject({ gaveUp: { 'hook-failed': 1 }, retries: 0, waiting: 0, budgets: [] });
    expect(getRetryReport(error)?.hookError).toBe(broken);
    expect(ends[0]?.event.hookError).toBe(broken);
  });

  it.each<[string, RetryOptions]>([
    ['shouldRetryResponse throws', { shouldRetryResponse: throwing }],
    ['shouldRetryResponse rejects', { shouldRetryResponse: rejecting }],
    ['statuses throws', { statuses: throwing }],
  ])('and resolves, for the response was accepted, when %s', async (_what, options) => {
    serve([pending, 200]);
    const { api, told } = hook(options);
    const response = await api.get('/orders');
    expect(response).toMatchObject({ data: 'pending', retry: { reason: 'hook-failed' } });
    expect(response.retry?.hookError).toBe(broken);
    expect(told).toMatchObject([{ name: 'onGiveUp', event: { reason: 'hook-failed', hookError: broken } }]);
  });

  // An unhandled rejection fails the test by itself; it would end a process.
  it.each(['delay', 'origin', 'statuses', 'body', 'idempotencyKey'])(
    'and leaves no rejection behind when %s is asynchronous by mistake, and rejects',
    async (name) => {
      serve([500]);
      const { api } = hook(untyped({ [name]: rejecting }));
      expect(await rejectionOf(api.put('/orders'))).toBeInstanceOf(Error);
      await new Promise((resolve) => setImmediate(resolve));
    },
  );

  it('even where what the hook throws is undefined', async () => {
    serve([500]);
    const { api } = hook({ shouldRetry: () => Promise.reject(undefined) });
    expect(await rejectionOf(api.get('/orders'))).toMatchObject({ response: { status: 500 }, retry: { reason: 'hook-failed' } });
  });
});

describe('a decider that answers nonsense', () => {
  const verdicts: unknown[] = ['yes', '', 0, 1, null, {}, [], Promise.resolve('yes'), Promise.resolve(null)];
  const delays: unknown[] = [NaN, Infinity, -1, '100', null, {}, Promise.resolve(100)];

  it.each(verdicts)('is a TypeError that names shouldRetry: %p', async (answer) => {
    serve([500, 200]);
    const { api } = hook(untyped({ shouldRetry: () => answer }));
    const { hookError } = getRetryReport(await rejectionOf(api.get('/orders'))) ?? {};
    expect(hookError).toBeInstanceOf(TypeError);
    expect((hookError as Error).message).toMatch(/^axios-jitter: option "shouldRetry" must return true, false or undefined; got /);
  });

  it.each(verdicts)('is a TypeError that names shouldRetryResponse: %p', async (answer) => {
    const seen = serve([pending, 200]);
    const { api } = hook(untyped({ shouldRetryResponse: () => answer }));
    const { hookError } = (await api.get('/orders')).retry ?? {};
    expect(hookError).toBeInstanceOf(TypeError);
    expect((hookError as Error).message).toContain('option "shouldRetryResponse" must return');
    expect(seen).toHaveLength(1);
  });

  it.each(delays)('is a RangeError that names delay: %p', async (answer) => {
    const seen = serve([500, 200]);
    const { api, waits } = hook(untyped({ delay: () => answer }));
    const error = await rejectionOf(api.get('/orders'));
    const { reason, hookError } = getRetryReport(error) ?? {};
    expect(error).toMatchObject({ response: { status: 500 } });
    expect(reason).toBe('hook-failed');
    expect(hookError).toBeInstanceOf(RangeError);
    expect((hookError as Error).message).toMatch(/^axios-jitter: option "delay" must give a finite number of ms >= 0; got /);
    expect([waits, seen.length]).toEqual([[], 1]);
  });

  it.each([NaN, 'half', undefined])('is a RangeError that names random: %p', async (answer) => {
    serve([500, 200]);
    const { api } = hook(untyped({ random: () => answer, jitter: 'full' }));
    expect(getRetryReport(await rejectionOf(api.get('/orders')))?.hookError).toMatchObject({
      name: 'RangeError',
      message: expect.stringContaining('option "random"'),
    });
  });

  it.each([undefined, 5, null])('is a TypeError that names origin: %p', async (answer) => {
    serve([500, 200]);
    const { api } = hook(untyped({ origin: () => answer }));
    expect(getRetryReport(await rejectionOf(api.get('/orders')))?.hookError).toMatchObject({
      name: 'TypeError',
      message: expect.stringContaining('option "origin" must return a string'),
    });
  });

  it('from statuses is no yes: a promise is not', async () => {
    const seen = serve([200]);
    const { api } = hook(untyped({ statuses: async () => false }));
    expect(await api.get('/orders')).toMatchObject({ status: 200 });
    expect(seen).toHaveLength(1);
  });
});

describe('a hook that never settles', () => {
  const never = (): Promise<never> => new Promise(() => undefined);
  const cases: [string, Answer, RetryOptions][] = [
    ['shouldRetry', 500, { shouldRetry: never }],
    ['shouldRetryResponse', pending, { shouldRetryResponse: never }],
    ['beforeRetry', 500, { beforeRetry: never }],
    ['sleep', 500, { sleep: never }],
  ];

  it.each(cases)('ends with an abort: %s', async (name, answer, options) => {
    const seen = serve([answer]);
    const controller = new AbortController();
    const reason = new Error('user left');
    const asked = jest.fn(() => {
      setImmediate(() => controller.abort(reason));
      return never();
    });
    const { api, told, retry } = hook({ ...options, [name]: asked });
    const error = await rejectionOf(api.get('/orders', { signal: controller.signal }));
    expect(axios.isCancel(error)).toBe(true);
    expect(error).toMatchObject({ code: 'ERR_CANCELED', config: { url: '/orders' }, retry: { reason: 'aborted' } });
    expect((error as Error).cause).toBe(reason);
    expect(asked).toHaveBeenCalledTimes(1);
    expect(seen).toHaveLength(1);
    expect(told.at(-1)).toMatchObject({ name: 'onGiveUp', event: { reason: 'aborted' } });
    expect(retry.stats()).toMatchObject({ waiting: 0, gaveUp: { aborted: 1 }, budgets: [] });
  });

  it.each(cases.slice(0, 3))('is not waited for past the deadline: %s', async (_name, answer, options) => {
    const { api, told } = hook({ ...options, totalTimeout: 40, baseDelay: 1, now: undefined });
    // Answers in the same turn of the event loop, so that the deadline always falls into the hook.
    const adapter = (config: InternalAxiosRequestConfig): Promise<AxiosResponse> => {
      const [status, data] = typeof answer === 'number' ? [answer, ''] : [answer.status, answer.body];
      const response = { status, data, statusText: '', headers: {}, config };
      if (status < 400) return Promise.resolve(response);
      return Promise.reject(new axios.AxiosError('failed', 'ERR_BAD_RESPONSE', config, undefined, response));
    };
    const result = await api.get('/orders', { adapter }).catch((error: unknown) => error);
    expect(getRetryReport(result)).toMatchObject({ reason: 'deadline', attempts: 1 });
    expect(result).toMatchObject(answer === 500 ? { response: { status: 500 } } : { data: 'pending' });
    expect(told.at(-1)).toMatchObject({ name: 'onGiveUp', event: { reason: 'deadline' } });
  });
});

describe('shouldRetry', () => {
  it.each<[string, RetryOptions['shouldRetry'], Answer[], AxiosRequestConfig, number, string | undefined]>([
    ['true retries a status that is not on the list', () => true, [404, 200], {}, 2, undefined],
    ['true retries a POST', () => true, [500, 200], { method: 'post' }, 2, undefined],
    ['false stops what would be retried', () => false, [500, 200], {}, 1, 'not-retryable'],
    ['undefined keeps the verdict to retry', () => undefined, [500, 200], {}, 2, undefined],
    ['undefined keeps the verdict to stop', () => undefined, [404, 200], {}, 1, 'not-retryable'],
    ['a promise is awaited', async () => true, [404, 200], {}, 2, undefined],
    ['true cannot exceed the retries', () => true, [404], {}, 4, 'exhausted'],
  ])('%s', async (_what, shouldRetry, answers, config, requests, reason) => {
    const seen = serve(answers);
    const { api } = hook({ shouldRetry });
    const result = await api.request({ url: '/orders', ...config }).catch((error: unknown) => error);
    expect(seen).toHaveLength(requests);
    expect(getRetryReport(result)?.reason).toBe(reason);
  });

  it('sees the parsed answer, and is asked once per failure', async () => {
    serve([{ status: 429, headers: { 'Content-Type': 'application/json' }, body: { code: 'quota' } }]);
    const shouldRetry = jest.fn(({ response }: RetryEvent) => (response?.data as { code?: string }).code !== 'quota');
    const { api } = hook({ shouldRetry });
    expect(await rejectionOf(api.get('/orders'))).toMatchObject({ retry: { reason: 'not-retryable' } });
    expect(shouldRetry).toHaveBeenCalledTimes(1);
  });

  it('is not asked about a cancellation or about a success', async () => {
    serve([200]);
    const shouldRetry = jest.fn(() => true);
    const { api } = hook({ shouldRetry });
    const controller = new AbortController();
    const call = rejectionOf(api.get('/orders', { signal: controller.signal }));
    controller.abort();
    expect(axios.isCancel(await call)).toBe(true);
    await api.get('/orders');
    expect(shouldRetry).not.toHaveBeenCalled();
  });
});

describe('delay', () => {
  it('R82 is told the attempts 1, 2, 3, also with a predicate that always says yes', async () => {
    serve([404]);
    const { api, waits } = hook({ shouldRetry: () => true, delay: ({ attempt }) => attempt * 10 });
    const config = Object.freeze({ headers: Object.freeze({ 'X-A': '1' }) });
    await rejectionOf(api.get('/orders', config));
    expect(waits).toEqual([10, 20, 30]);
    expect(config).toEqual({ headers: { 'X-A': '1' } });
  });

  it.each([
    [1_000, 3_000, 'below Retry-After and its spread: these are the floor'],
    [9_000, 9_000, 'above Retry-After and its spread: it stands'],
  ])('of %d ms waits %d ms: it is %s', async (own, wait, _why) => {
    serve([{ status: 503, headers: { 'Retry-After': '2' } }, 200]);
    const { api, waits } = hook({ delay: () => own, jitter: 'full', random: () => 1 });
    await api.get('/orders');
    expect(waits).toEqual([wait]);
  });

  it('may be 0, and may exceed maxDelay', async () => {
    serve([500, 500, 200]);
    const { api, waits } = hook({ delay: ({ attempt }) => (attempt === 1 ? 0 : 99_999), maxDelay: 1_000 });
    await api.get('/orders');
    expect(waits).toEqual([0, 99_999]);
  });
});

describe('attemptHeader', () => {
  it('R89 is absent, 1, 2 over three attempts, and absent again on the next call', async () => {
    const seen = serve([500, 500, 200]);
    const { api } = hook({ attemptHeader: 'X-Resend-Count' });
    await api.get('/orders');
    await api.get('/orders');
    expect(seen.map(({ headers }) => headers['x-resend-count'])).toEqual([undefined, '1', '2', undefined]);
  });
});

describe('dryRun', () => {
  it('decides and reports, but replays nothing, waits for nothing and takes no token', async () => {
    const seen = serve([500]);
    const beforeRetry = jest.fn();
    const { api, retry, waits, told } = hook({ dryRun: true, beforeRetry });
    expect(await rejectionOf(api.get('/orders'))).toMatchObject({ response: { status: 500 }, retry: { reason: 'dry-run' } });
    expect([seen.length, waits, told.length]).toEqual([1, [], 1]);
    expect(beforeRetry).not.toHaveBeenCalled();
    expect(retry.stats()).toMatchObject({ budgets: [], retries: 0, gaveUp: { 'dry-run': 1 } });
  });

  it('leaves the other reasons as they are', async () => {
    serve([404]);
    const { api } = hook({ dryRun: true });
    expect(await rejectionOf(api.get('/orders'))).toMatchObject({ retry: { reason: 'not-retryable' } });
  });
});

describe('detach() from within a hook', () => {
  it.each<[string, (detach: () => void) => RetryOptions]>([
    ['shouldRetry', (detach) => ({ shouldRetry: () => void detach() as undefined })],
    ['onRetry', (detach) => ({ onRetry: () => detach() })],
    ['sleep', (detach) => ({ sleep: async () => detach() })],
    ['beforeRetry', (detach) => ({ beforeRetry: async () => detach() })],
  ])('ends the call with its last error, and nothing more is sent: %s', async (_name, make) => {
    const seen = serve([500]);
    const { api, retry } = hook(make(() => retry.detach()));
    expect(await rejectionOf(api.get('/orders'))).toMatchObject({ response: { status: 500 }, retry: { reason: 'detached' } });
    expect(seen).toHaveLength(1);
    expect(retry.stats()).toMatchObject({ retries: 0, waiting: 0, budgets: [], gaveUp: { detached: 1 } });
  });
});
