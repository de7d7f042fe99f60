import type { AxiosError, InternalAxiosRequestConfig } from 'axios';
import axios, { isAtLeast } from '../../helpers/axios';
import { advance, stopClock } from '../../helpers/fake-timers';
import { failureOf, pendingHook, settled, watchedPolicy } from '../../helpers/watched-policy';
import { drip, hang, serve, type Handler } from '../../helpers/wire-server';
import { attachRetry, getRetryReport, type RetryOptions } from '../../../lib/index';

const ADAPTERS = isAtLeast('1.7') ? ['http', 'fetch'] : ['http'];

function client(options: RetryOptions = {}, adapter = 'http') {
  const policy = watchedPolicy(options);
  const api = axios.create({ adapter });
  const timeouts: (number | undefined)[] = [];
  api.interceptors.request.use((config) => {
    timeouts.push(config.timeout);
    return config;
  });
  const retry = attachRetry(api, policy.options);
  return { api, policy, retry, timeouts };
}

/** A clock that only waits move. */
function virtualTime() {
  let time = 0;
  const waits: number[] = [];
  const sleep = (ms: number): Promise<void> => {
    waits.push(ms);
    time += ms;
    return Promise.resolve();
  };
  return { waits, options: { now: () => time, sleep } };
}

describe.each(ADAPTERS)('a running attempt through the %s adapter', (adapter) => {
  it('R14 is cut when the time for the call is up, not before: an axios timeout that says so', async () => {
    stopClock();
    const server = await serve(hang);
    const { api, policy, retry } = client({ totalTimeout: 300 }, adapter);
    const failing = failureOf<AxiosError>(api.get(`${server.url}/orders`));
    await server.arrived(1);
    await advance(299);
    await settled();
    expect(retry.stats().gaveUp.deadline).toBe(0);
    await advance(1);
    const error = await failing;
    expect(error).toBeInstanceOf(axios.AxiosError);
    expect(axios.isCancel(error)).toBe(false);
    expect([error.name, error.code, error.message]).toEqual(['AxiosError', 'ECONNABORTED', 'totalTimeout of 300ms exceeded']);
    expect(error.config).toMatchObject({ url: `${server.url}/orders`, method: 'get' });
    expect(error.cause).toBeUndefined();
    expect(getRetryReport(error)).toMatchObject({ attempts: 1, reason: 'deadline', elapsed: 300 });
    expect(policy.gaveUp.map((event) => [event.kind, event.reason, event.error === error])).toEqual([['timeout', 'deadline', true]]);
    expect(policy.retried).toEqual([]);
  });

  it.each([
    [undefined, 'ECONNABORTED'],
    [false, 'ECONNABORTED'],
    [true, 'ETIMEDOUT'],
  ])('has with clarifyTimeoutError %p the code %s', async (clarifyTimeoutError, code) => {
    const server = await serve(hang);
    const { api } = client({ totalTimeout: 60 }, adapter);
    const error = await failureOf<AxiosError>(api.get(server.url, { transitional: { clarifyTimeoutError } as object }));
    expect(error.code).toBe(code);
  });

  it('R14 carries the failure before it as its cause', async () => {
    stopClock();
    const server = await serve(503, hang);
    const { api, policy } = client({ totalTimeout: 400, delay: () => 1 }, adapter);
    const failing = failureOf<AxiosError>(api.get(server.url));
    await server.arrived(2);
    await advance(400);
    const error = await failing;
    expect(error.message).toBe('totalTimeout of 400ms exceeded');
    expect(error.cause).toBe(policy.retried[0]?.error);
    expect((error.cause as AxiosError).response?.status).toBe(503);
    expect(policy.reasons).toEqual(['deadline']);
    expect(getRetryReport(error)).toMatchObject({ attempts: 2, reason: 'deadline' });
  });

  it('is cut also in the middle of a body that drips, whatever axios’ own timeout', async () => {
    stopClock();
    let leave = (): void => undefined;
    const left = new Promise<void>((resolve) => (leave = resolve));
    const dripping: Handler = (request, response) => {
      response.once('close', leave);
      drip(request, response);
    };
    const server = await serve(dripping);
    const { api, policy } = client({ totalTimeout: 150 }, adapter);
    const failing = failureOf<AxiosError>(api.get(server.url, { timeout: 60_000 }));
    await server.arrived(1);
    for (let turns = 0; turns < 5; turns++) await settled();
    await advance(150);
    const error = await failing;
    expect(error.message).toBe('totalTimeout of 150ms exceeded');
    expect(policy.reasons).toEqual(['deadline']);
    await left;
    expect(server.methods).toHaveLength(1);
  });

  it('R11 has the timeout that axios was given, on every attempt and with a total limit as well', async () => {
    const server = await serve(hang);
    const { api, timeouts, policy } = client({ totalTimeout: 60_000, retries: 3 }, adapter);
    const error = await failureOf<AxiosError>(api.get(server.url, { timeout: 60 }));
    expect(timeouts).toEqual([60, 60, 60, 60]);
    // axios 1.7 words it differently under fetch.
    expect(error.message).toMatch(/^timeout .*60.* exceeded$/);
    expect(policy.gaveUp.map((event) => [event.kind, event.reason])).toEqual([['timeout', 'exhausted']]);
  });

  it('R15 is cut by whichever limit comes first', async () => {
    const server = await serve(hang);
    const { api, timeouts, policy } = client({ totalTimeout: 500, retries: 50, delay: () => 0 }, adapter);
    const error = await failureOf<AxiosError>(api.get(server.url, { timeout: 200 }));
    // 3 attempts, unless the machine is so slow that each takes much longer than 200 ms.
    expect(timeouts.length).toBeGreaterThanOrEqual(1);
    expect(timeouts.length).toBeLessThanOrEqual(3);
    expect(policy.reasons).toEqual(['deadline']);
    expect(error.code).toBe('ECONNABORTED');
  });
});

describe('R15 both limits at once, on a clock of our own', () => {
  // An adapter that hangs, and knows timeout and signal: real sockets do not follow fake clocks.
  const hanging = (sentAt: number[]) => (config: InternalAxiosRequestConfig) =>
    new Promise<never>((_resolve, reject) => {
      sentAt.push(performance.now());
      const { AxiosError, CanceledError } = axios;
      setTimeout(() => reject(new AxiosError(`timeout of ${config.timeout}ms exceeded`, 'ECONNABORTED', config)), config.timeout);
      config.signal?.addEventListener?.('abort', () => reject(new CanceledError()));
    });

  it('attempts start at 0, 100 and 200 ms, and the third is cut at 250 ms', async () => {
    stopClock();
    const sentAt: number[] = [];
    const { options, gaveUp } = watchedPolicy({ totalTimeout: 250, retries: 5, delay: () => 0, sleep: undefined });
    const api = axios.create({ adapter: hanging(sentAt), timeout: 100 });
    attachRetry(api, options);
    const startedAt = performance.now();
    const failing = failureOf<AxiosError>(api.get('http://api.example.com/')).then((error) => ({ error, at: performance.now() - startedAt }));
    await advance(1_000);
    const { error, at } = await failing;
    expect(sentAt.map((ms) => ms - startedAt)).toEqual([0, 100, 200]);
    expect(at).toBe(250);
    expect(error.message).toBe('totalTimeout of 250ms exceeded');
    expect((error.cause as Error).message).toBe('timeout of 100ms exceeded');
    expect(gaveUp.map((event) => event.reason)).toEqual(['deadline']);
  });
});

describe('a wait', () => {
  it('R12 that would pass the deadline is not begun: the last real error, at once', async () => {
    const server = await serve(500);
    const time = virtualTime();
    const { api, policy } = client({ totalTimeout: 50_000, delay: () => 40_000, retries: 4, ...time.options });
    const error = await failureOf<AxiosError>(api.get(server.url));
    expect(time.waits).toEqual([40_000]);
    expect(server.methods).toHaveLength(2);
    expect(error.response?.status).toBe(500);
    expect(policy.reasons).toEqual(['deadline']);
    expect(getRetryReport(error)).toMatchObject({ attempts: 2, reason: 'deadline', elapsed: 40_000, totalDelay: 40_000 });
  });

  it.each([
    [49_999, 1],
    [50_000, 0],
    [50_001, 0],
  ])('of %d ms before a deadline of 50000 is begun %d times', async (delay, times) => {
    const server = await serve(500);
    const time = virtualTime();
    const { api } = client({ totalTimeout: 50_000, delay: () => delay, ...time.options });
    await failureOf(api.get(server.url));
    expect(time.waits).toHaveLength(times);
  });

  it('that Retry-After makes too long is not begun either', async () => {
    const server = await serve({ status: 503, headers: { 'retry-after': '30' } });
    const { api, policy } = client({ totalTimeout: 20_000 });
    const error = await failureOf<AxiosError>(api.get(server.url));
    expect(error.response?.status).toBe(503);
    expect(policy.waits).toEqual([]);
    expect(policy.gaveUp.map((event) => [event.reason, event.retryAfter])).toEqual([['deadline', 30_000]]);
  });

  it('of an own sleep that lasts longer than it was told ends at the deadline, with the last real error', async () => {
    stopClock();
    const server = await serve(500);
    const { hook: sleep, entered } = pendingHook();
    const { api, policy } = client({ totalTimeout: 150, sleep, delay: () => 1 });
    const failing = failureOf<AxiosError>(api.get(server.url));
    await entered;
    await advance(150);
    const error = await failing;
    expect(error.response?.status).toBe(500);
    expect(policy.reasons).toEqual(['deadline']);
  });

  it('is as long as it likes without totalTimeout', async () => {
    const server = await serve(500, 200);
    const time = virtualTime();
    const { api } = client({ delay: () => 1e9, ...time.options });
    await api.get(server.url);
    expect(time.waits).toEqual([1e9]);
  });
});

describe('a pending hook', () => {
  it.each<[string, (hook: () => Promise<never>) => RetryOptions]>([
    ['shouldRetry', (hook) => ({ shouldRetry: hook })],
    ['beforeRetry', (hook) => ({ beforeRetry: hook })],
  ])('%s is not waited for when the time is up: the last real error', async (_name, optionsWith) => {
    stopClock();
    const server = await serve(503);
    const { hook, entered } = pendingHook();
    const { api, policy } = client({ totalTimeout: 5_000, ...optionsWith(hook) });
    const failing = failureOf<AxiosError>(api.get(server.url));
    await entered;
    await advance(5_000);
    const error = await failing;
    expect(error.response?.status).toBe(503);
    expect(policy.reasons).toEqual(['deadline']);
    await settled();
    expect(server.methods).toHaveLength(1);
  });

  it('shouldRetryResponse is not waited for: the response that was accepted resolves', async () => {
    stopClock();
    const server = await serve({ status: 200, body: '"fine"' });
    const { hook, entered } = pendingHook();
    const { api, policy } = client({ totalTimeout: 150, shouldRetryResponse: hook });
    const calling = api.get(server.url);
    await entered;
    await advance(150);
    const response = await calling;
    expect(response.data).toBe('fine');
    expect(policy.reasons).toEqual(['deadline']);
  });
});

describe('a retry that does not hear of the deadline', () => {
  it.each(['an adapter', 'an inner interceptor'])('because of %s that never settles is not waited for', async (where) => {
    stopClock();
    const server = await serve(503);
    const policy = watchedPolicy({ totalTimeout: 5_000 });
    const api = axios.create();
    const { hook, entered } = pendingHook();
    let runs = 0;
    api.interceptors.request.use((config) => {
      runs += 1;
      if (runs === 1) return config;
      config.adapter = hook;
      return where === 'an adapter' ? config : hook();
    });
    attachRetry(api, policy.options);
    const failing = failureOf<AxiosError>(api.get(server.url));
    await entered;
    await advance(5_000);
    const error = await failing;
    expect(error.message).toBe('totalTimeout of 5000ms exceeded');
    expect(error.cause).toBe(policy.retried[0]?.error);
    expect(policy.reasons).toEqual(['deadline']);
  });
});

describe('after the call', () => {
  it.each([
    ['a success', [200]],
    ['a success after a retry', [503, 200]],
    ['a failure', [404]],
    ['a failure after retries', [503]],
  ])('%s leaves no timer', async (_what, steps) => {
    const total = 54_321_000;
    const setTimer = jest.spyOn(globalThis, 'setTimeout');
    const clearTimer = jest.spyOn(globalThis, 'clearTimeout');
    const server = await serve(...steps);
    const { api } = client({ totalTimeout: total });
    await api.get(server.url).catch(() => undefined);
    const timers = setTimer.mock.calls.flatMap(([, ms], index) => (ms === total ? [setTimer.mock.results[index]?.value as unknown] : []));
    expect(timers).toHaveLength(1);
    expect(clearTimer.mock.calls.map(([timer]) => timer)).toContain(timers[0]);
  });

  it('a limit of one request does not hold for the next', async () => {
    const server = await serve(hang, 200);
    const { api } = client();
    await failureOf(api.get(server.url, { retry: { totalTimeout: 60 } }));
    await expect(api.get(server.url)).resolves.toMatchObject({ status: 200 });
  });
});
