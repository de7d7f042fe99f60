import { getEventListeners, setMaxListeners } from 'node:events';
import type { AxiosError } from 'axios';
import axios, { isAtLeast } from '../../helpers/axios';
import { ABORT_WAYS, causesOf } from '../../helpers/abort-ways';
import { failureOf, settled, watchedPolicy } from '../../helpers/watched-policy';
import { drip, hang, serve } from '../../helpers/wire-server';
import { attachRetry, getRetryReport, type RetryOptions } from '../../../lib/index';

const ADAPTERS = isAtLeast('1.7') ? ['http', 'fetch'] : ['http'];
/** Longer than any test: told apart from other timers by its length. */
const LONG = 54_321_000;

function client(options: RetryOptions = {}, adapter = 'http') {
  const policy = watchedPolicy(options);
  const api = axios.create({ adapter });
  const retry = attachRetry(api, policy.options);
  return { api, policy, retry };
}

function expectCancelled(error: AxiosError, reason: unknown): void {
  expect(axios.isCancel(error)).toBe(true);
  expect([error.name, error.code]).toEqual(['CanceledError', 'ERR_CANCELED']);
  expect(causesOf(error)).toContain(reason);
  expect(getRetryReport(error)?.reason).toBe('aborted');
}

describe.each(ADAPTERS)('in flight through the %s adapter', (adapter) => {
  it.each(ABORT_WAYS)('R35 the first attempt is given up by %s: no retry, no hook but onGiveUp', async (_name, make) => {
    const way = make();
    const server = await serve(hang);
    const { api, policy, retry } = client({ shouldRetry: () => true }, adapter);
    const failing = failureOf<AxiosError>(api.get(server.url, way.config));
    await server.arrived(1);
    way.abort();
    expectCancelled(await failing, way.reason());
    await settled();
    expect(server.methods).toHaveLength(1);
    expect(policy.retried).toEqual([]);
    expect(policy.reasons).toEqual(['aborted']);
    expect(way.listeners()).toBe(0);
    expect(retry.stats()).toMatchObject({ attempts: 1, waiting: 0, budgets: [] });
  });

  it.each(ABORT_WAYS)('R36 a retry is given up by %s: one rejection to the caller, none elsewhere', async (_name, make) => {
    const way = make();
    const server = await serve(500, hang);
    const { api, policy } = client({}, adapter);
    const failing = failureOf<AxiosError>(api.get(server.url, way.config));
    await server.arrived(2);
    way.abort();
    const error = await failing;
    expectCancelled(error, way.reason());
    await settled();
    expect(server.methods).toHaveLength(2);
    expect(policy.retried).toHaveLength(1);
    expect(policy.reasons).toEqual(['aborted']);
    expect(way.listeners()).toBe(0);
    expect(getRetryReport(error)?.history.map((attempt) => attempt.kind)).toEqual(['status', 'cancelled']);
  });

  it('R33 AbortSignal.timeout ends a hanging attempt, with its TimeoutError as cause', async () => {
    const server = await serve(hang);
    const { api, policy } = client({}, adapter);
    const signal = AbortSignal.timeout(60);
    const error = await failureOf<AxiosError>(api.get(server.url, { signal }));
    expectCancelled(error, signal.reason);
    expect((signal.reason as Error).name).toBe('TimeoutError');
    expect(policy.reasons).toEqual(['aborted']);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('a body that drips is given up as well', async () => {
    const server = await serve(drip);
    const { api, policy } = client({}, adapter);
    const controller = new AbortController();
    const failing = failureOf<AxiosError>(api.get(server.url, { signal: controller.signal }));
    await server.arrived(1);
    await new Promise((resolve) => setTimeout(resolve, 40));
    controller.abort();
    expectCancelled(await failing, controller.signal.reason);
    expect(policy.reasons).toEqual(['aborted']);
  });
});

describe('in the wait', () => {
  it.each(ABORT_WAYS)('R32 the call is given up by %s: at once, for good, and its timer is gone', async (_name, make) => {
    const way = make();
    const setTimer = jest.spyOn(globalThis, 'setTimeout');
    const clearTimer = jest.spyOn(globalThis, 'clearTimeout');
    const server = await serve(500);
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const { api, policy, retry } = client({ sleep: undefined, delay: () => LONG, onRetry: () => setImmediate(begin) });
    const failing = failureOf<AxiosError>(api.get(server.url, way.config));
    await begun;
    expect(retry.stats().waiting).toBe(1);
    way.abort();
    const error = await failing;
    expectCancelled(error, way.reason());
    const index = setTimer.mock.calls.findIndex(([, ms]) => ms === LONG);
    expect(clearTimer.mock.calls.map(([timer]) => timer)).toContain(setTimer.mock.results[index]?.value);
    await settled();
    expect(server.methods).toHaveLength(1);
    expect(policy.reasons).toEqual(['aborted']);
    expect(way.listeners()).toBe(0);
    expect(retry.stats()).toMatchObject({ attempts: 1, retries: 0, waiting: 0, budgets: [] });
  });

  it('R33 AbortSignal.timeout ends it', async () => {
    const server = await serve(500);
    const { api, policy } = client({ sleep: undefined, delay: () => LONG });
    const signal = AbortSignal.timeout(100);
    const error = await failureOf<AxiosError>(api.get(server.url, { signal }));
    expectCancelled(error, signal.reason);
    expect(policy.reasons).toEqual(['aborted']);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('an own sleep that never ends is no longer waited for, and is told by its signal', async () => {
    const server = await serve(500);
    const signals: AbortSignal[] = [];
    const controller = new AbortController();
    const { api } = client({
      sleep: (_ms, signal) => {
        signals.push(signal);
        setImmediate(() => controller.abort());
        return new Promise(() => undefined);
      },
    });
    const error = await failureOf<AxiosError>(api.get(server.url, { signal: controller.signal }));
    expectCancelled(error, controller.signal.reason);
    expect(signals.map((signal) => signal.aborted)).toEqual([true]);
  });

  it('an abort by an observer, when the wait begins, is in time', async () => {
    const server = await serve(500);
    const controller = new AbortController();
    const { api, policy } = client({ sleep: undefined, delay: () => LONG, onRetry: () => controller.abort() });
    const error = await failureOf<AxiosError>(api.get(server.url, { signal: controller.signal }));
    expectCancelled(error, controller.signal.reason);
    expect(policy.reasons).toEqual(['aborted']);
    expect(server.methods).toHaveLength(1);
  });

  it('R39 the error carries the config of the attempt', async () => {
    const server = await serve(500);
    const controller = new AbortController();
    const { api } = client({ onRetry: () => controller.abort() });
    const error = await failureOf<AxiosError>(api.get(`${server.url}/orders`, { signal: controller.signal }));
    expect(error.config).toMatchObject({ url: `${server.url}/orders`, method: 'get', signal: controller.signal });
  });

  it('R39 a cancel token’s error, which has no config, is the caller’s own', async () => {
    const server = await serve(500);
    const source = axios.CancelToken.source();
    const { api } = client({ onRetry: () => source.cancel('enough') });
    const error = await failureOf(api.get(server.url, { cancelToken: source.token }));
    expect(error).toBe(source.token.reason);
    expect(error.message).toBe('enough');
  });

  it('one signal ends a crowd of calls at once and keeps nothing of them', async () => {
    const server = await serve(503);
    const controller = new AbortController();
    setMaxListeners(0, controller.signal);
    const { api, policy, retry } = client({ sleep: undefined, delay: () => LONG, budget: false });
    const calls = Array.from({ length: 50 }, () => failureOf(api.get(server.url, { signal: controller.signal })));
    while (retry.stats().waiting < 50) await settled(1);
    controller.abort();
    const errors = await Promise.all(calls);
    expect(errors.every((error) => axios.isCancel(error))).toBe(true);
    expect(new Set(errors).size).toBe(50);
    expect(policy.reasons).toEqual(Array.from({ length: 50 }, () => 'aborted'));
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    expect(retry.stats().waiting).toBe(0);
  });
});

describe('before the call', () => {
  it.each(ABORT_WAYS)('R33 %s sends 0 requests and calls 0 hooks', async (_name, make) => {
    const way = make();
    way.abort();
    const server = await serve(200);
    const hook = jest.fn();
    const { api, policy, retry } = client({
      shouldRetry: hook,
      shouldRetryResponse: hook,
      beforeRetry: hook,
      body: hook,
      idempotencyKey: hook,
      origin: hook,
      delay: hook,
      circuitBreaker: hook,
    });
    const error = await failureOf(api.post(server.url, {}, way.config));
    expect(axios.isCancel(error)).toBe(true);
    await settled();
    expect(hook).not.toHaveBeenCalled();
    expect([...policy.retried, ...policy.gaveUp, ...policy.recovered]).toEqual([]);
    expect(server.methods).toEqual([]);
    expect(way.listeners()).toBe(0);
    expect(retry.stats()).toMatchObject({ attempts: 0, retries: 0 });
  });

  it('a signal that is aborted while an outer interceptor works sends nothing either', async () => {
    const server = await serve(200);
    const { api, policy } = client();
    const controller = new AbortController();
    api.interceptors.request.use(async (config) => {
      await settled(1);
      controller.abort();
      return config;
    });
    const error = await failureOf(api.get(server.url, { signal: controller.signal }));
    expect(axios.isCancel(error)).toBe(true);
    expect(server.methods).toEqual([]);
    expect(policy.retried).toEqual([]);
  });
});

describe('too late', () => {
  it.each([
    ['a success at once', [200], 1],
    ['a success after a retry', [503, 200], 2],
    ['a failure for good', [503], 4],
    ['a failure that is not retried', [404], 1],
  ])('%s leaves no listener, and an abort after it changes nothing', async (_what, steps, requests) => {
    const server = await serve(...steps);
    const { api, policy } = client({ totalTimeout: 60_000 });
    const controller = new AbortController();
    const outcome = await api.get(server.url, { signal: controller.signal }).catch((error: unknown) => error);
    expect(axios.isCancel(outcome)).toBe(false);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    const told = policy.gaveUp.length + policy.recovered.length;
    controller.abort();
    await settled();
    expect(server.methods).toHaveLength(requests);
    expect(policy.gaveUp.length + policy.recovered.length).toBe(told);
  });
});
