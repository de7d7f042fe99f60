import type { Readable } from 'node:stream';
import type { AxiosError } from 'axios';
import axios from '../../helpers/axios';
import { advance, stopClock } from '../../helpers/fake-timers';
import { ABORT_WAYS, causesOf } from '../../helpers/abort-ways';
import { failureOf, pendingHook, settled, watchedPolicy } from '../../helpers/watched-policy';
import { serve, type Step } from '../../helpers/wire-server';
import { attachRetry, getRetryReport, type RetryOptions } from '../../../lib/index';

/** Each hook that is waited for, the answer that leads to it, and how many requests there were by then. */
const HOOKS: [name: string, step: Step, options: (hook: () => Promise<never>) => RetryOptions][] = [
  ['shouldRetry on a status that can heal', 503, (hook) => ({ shouldRetry: hook })],
  ['shouldRetry on a status that cannot', 404, (hook) => ({ shouldRetry: hook })],
  ['shouldRetryResponse', 200, (hook) => ({ shouldRetryResponse: hook })],
  ['beforeRetry', 503, (hook) => ({ beforeRetry: hook })],
];

describe.each(HOOKS)('R92 while %s is pending', (_name, step, optionsWith) => {
  it.each(ABORT_WAYS)('%s ends the call at once as axios’ own cancellation', async (_way, make) => {
    const way = make();
    const server = await serve(step);
    const { hook, entered } = pendingHook();
    const policy = watchedPolicy(optionsWith(hook));
    const api = axios.create();
    const retry = attachRetry(api, policy.options);
    const failing = failureOf<AxiosError>(api.get(server.url, way.config));
    await entered;
    const retriesTold = policy.retried.length;
    way.abort();
    const error = await failing;
    expect(axios.isCancel(error)).toBe(true);
    expect(causesOf(error)).toContain(way.reason());
    expect(getRetryReport(error)?.reason).toBe('aborted');
    await settled();
    expect(hook).toHaveBeenCalledTimes(1);
    expect(server.methods).toHaveLength(1);
    expect(policy.retried).toHaveLength(retriesTold);
    expect(policy.reasons).toEqual(['aborted']);
    expect(way.listeners()).toBe(0);
    expect(retry.stats()).toMatchObject({ attempts: 1, retries: 0, waiting: 0, budgets: [] });
  });
});

describe('a hook that settles after the abort', () => {
  it.each([
    ['resolves', () => true],
    [
      'rejects',
      () => {
        throw new Error('late');
      },
    ],
  ])('and %s changes nothing and troubles nobody', async (_what, answer: () => boolean) => {
    const server = await serve(503);
    const controller = new AbortController();
    let settle = (): void => undefined;
    const late = new Promise<void>((resolve) => (settle = resolve));
    const { hook, entered } = pendingHook();
    const shouldRetry = (): Promise<boolean> => {
      void hook();
      return late.then(answer);
    };
    const policy = watchedPolicy({ shouldRetry });
    const api = axios.create();
    attachRetry(api, policy.options);
    const failing = failureOf(api.get(server.url, { signal: controller.signal }));
    await entered;
    controller.abort();
    const error = await failing;
    settle();
    await settled();
    expect(axios.isCancel(error)).toBe(true);
    expect(server.methods).toHaveLength(1);
    expect(policy.reasons).toEqual(['aborted']);
  });
});

it('an abort by beforeRetry itself is in time', async () => {
  const server = await serve(503);
  const controller = new AbortController();
  const policy = watchedPolicy({ beforeRetry: () => controller.abort() });
  const api = axios.create();
  attachRetry(api, policy.options);
  const error = await failureOf(api.get(server.url, { signal: controller.signal }));
  expect(axios.isCancel(error)).toBe(true);
  expect(server.methods).toHaveLength(1);
});

it('an abort by shouldRetry itself is in time', async () => {
  const server = await serve(503);
  const controller = new AbortController();
  const shouldRetry = (): boolean => {
    controller.abort();
    return true;
  };
  const policy = watchedPolicy({ shouldRetry });
  const api = axios.create();
  attachRetry(api, policy.options);
  const error = await failureOf(api.get(server.url, { signal: controller.signal }));
  expect(axios.isCancel(error)).toBe(true);
  expect(server.methods).toHaveLength(1);
  expect(policy.reasons).toEqual(['aborted']);
});

it('an abort while an inner interceptor of a retry works ends the call at once, and nothing is sent later', async () => {
  const server = await serve(503);
  const controller = new AbortController();
  let proceed = (): void => undefined;
  const token = new Promise<void>((resolve) => (proceed = resolve));
  let runs = 0;
  const api = axios.create();
  const policy = watchedPolicy();
  const entered = new Promise<void>((resolve) => {
    api.interceptors.request.use(async (config) => {
      runs += 1;
      if (runs === 2) {
        resolve();
        await token;
      }
      return config;
    });
  });
  attachRetry(api, policy.options);
  const failing = failureOf(api.get(server.url, { signal: controller.signal }));
  await entered;
  controller.abort();
  expect(axios.isCancel(await failing)).toBe(true);
  proceed();
  await settled();
  expect(server.methods).toHaveLength(1);
  expect(policy.reasons).toEqual(['aborted']);
});

it('an abort while an inner interceptor works on a failed answer is in time: no hook is asked, no retry is told', async () => {
  const server = await serve(503);
  const controller = new AbortController();
  const api = axios.create();
  api.interceptors.response.use(undefined, async (error: unknown) => {
    controller.abort();
    await settled(1);
    throw error;
  });
  const shouldRetry = jest.fn(() => true);
  const policy = watchedPolicy({ shouldRetry });
  attachRetry(api, policy.options);
  const error = await failureOf(api.get(server.url, { signal: controller.signal }));
  expect(axios.isCancel(error)).toBe(true);
  expect(causesOf(error)).toContain(controller.signal.reason);
  expect(shouldRetry).not.toHaveBeenCalled();
  expect(policy.retried).toEqual([]);
  expect(policy.reasons).toEqual(['aborted']);
  expect(server.methods).toHaveLength(1);
});

describe('with totalTimeout as well', () => {
  it('the abort is a cancellation with the caller’s reason, not a timeout', async () => {
    const server = await serve((_request, response) => void response.writeHead(200).write('"'));
    const controller = new AbortController();
    const policy = watchedPolicy({ totalTimeout: 60_000 });
    const api = axios.create();
    attachRetry(api, policy.options);
    const failing = failureOf(api.get(server.url, { signal: controller.signal }));
    await server.arrived(1);
    controller.abort(new Error('the user left'));
    const error = await failing;
    expect(axios.isCancel(error)).toBe(true);
    expect(causesOf(error)).toContain(controller.signal.reason);
    expect(policy.reasons).toEqual(['aborted']);
  });

  it.each([undefined, 60_000])('of %p the signal goes on to end a stream that the caller got', async (totalTimeout) => {
    const server = await serve((_request, response) => void response.writeHead(200).write('part'));
    const controller = new AbortController();
    const api = axios.create();
    attachRetry(api, { totalTimeout });
    const response = await api.get<Readable>(server.url, { responseType: 'stream', signal: controller.signal });
    const failed = new Promise<unknown>((resolve) => response.data.once('error', resolve));
    response.data.resume();
    controller.abort();
    expect(axios.isCancel(await failed)).toBe(true);
  });

  it('a stream that the caller got is not cut when the time is up', async () => {
    stopClock();
    let finish = (): void => undefined;
    const server = await serve((_request, response) => {
      response.writeHead(200).write('first ');
      finish = () => void response.end('second');
    });
    const api = axios.create();
    attachRetry(api, { totalTimeout: 100 });
    const response = await api.get<Readable>(server.url, { responseType: 'stream' });
    await advance(1_000);
    finish();
    let text = '';
    for await (const chunk of response.data) text += String(chunk);
    expect(text).toBe('first second');
  });
});
