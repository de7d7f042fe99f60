import { BrokenCircuitError, circuitBreaker as cockatielBreaker, ConsecutiveBreaker, handleAll } from 'cockatiel';
import OpossumBreaker from 'opossum';
import axios from '../../helpers/axios';
import { answers, recordingSleep, rejection, startService } from '../../helpers/local-service';
import { until } from '../../helpers/virtual-time';
import { attachRetry, getRetryReport, type CircuitBreaker, type RetryOptions } from '../../../lib/index';

function client(options: RetryOptions = {}) {
  const api = axios.create();
  const { delays, sleep } = recordingSleep();
  return { api, delays, handle: attachRetry(api, { sleep, ...options }) };
}

/** Lets everything through, and counts what was begun and what was settled. */
function countingBreaker() {
  const counts = { begun: 0, settled: 0 };
  const breaker: CircuitBreaker = {
    async execute(send) {
      counts.begun += 1;
      try {
        return await send();
      } finally {
        counts.settled += 1;
      }
    },
  };
  return { counts, breaker };
}

const refusing = (error: unknown = new Error('open')): CircuitBreaker => ({ execute: () => Promise.reject(error as Error) });

describe('breakers that fit', () => {
  it('a policy of cockatiel as it is', async () => {
    const service = await startService(answers(500));
    const circuitBreaker = cockatielBreaker(handleAll, { halfOpenAfter: 60_000, breaker: new ConsecutiveBreaker(2) });
    const { api } = client({ circuitBreaker });
    const error = await rejection(api.get(service.url));
    expect(error).toMatchObject({ response: { status: 500 } });
    expect(getRetryReport(error)).toMatchObject({ reason: 'circuit-open', attempts: 2 });
    const refused = (await rejection(api.get(service.url))) as Error;
    expect(refused).toMatchObject({ code: 'ERR_CIRCUIT_OPEN' });
    expect(refused.cause).toBeInstanceOf(BrokenCircuitError);
    expect(service.received).toHaveLength(2);
  });

  it('opossum through three lines', async () => {
    const service = await startService(answers(500));
    const opossum = new OpossumBreaker((send: () => Promise<unknown>) => send(), { timeout: false, volumeThreshold: 2 });
    const circuitBreaker: CircuitBreaker = { execute: <T>(send: () => Promise<T>) => opossum.fire(send) as Promise<T> };
    const { api } = client({ circuitBreaker });
    try {
      expect(getRetryReport(await rejection(api.get(service.url)))).toMatchObject({ reason: 'circuit-open', attempts: 2 });
      const refused = await rejection(api.get(service.url));
      expect(refused).toMatchObject({ code: 'ERR_CIRCUIT_OPEN', cause: { code: 'EOPENBREAKER' } });
      expect(service.received).toHaveLength(2);
    } finally {
      opossum.shutdown();
    }
  });

  it('a factory, called once for each origin and kept', async () => {
    const [a, b] = [await startService(answers(200)), await startService(answers(503, 200))];
    const factory = jest.fn((_origin: string) => countingBreaker().breaker);
    const { api } = client({ circuitBreaker: factory });
    for (let i = 0; i < 3; i++) await Promise.all([api.get(a.url), api.get(b.url)]);
    expect(factory.mock.calls.map(([origin]) => origin).sort()).toEqual([a.url, b.url].sort());
  });

  it('a factory, whose key is the option `origin`', async () => {
    const service = await startService(answers(200));
    const factory = jest.fn((_origin: string) => countingBreaker().breaker);
    const { api } = client({ circuitBreaker: factory, origin: ({ url = '' }) => new URL(url).pathname });
    for (const path of ['/a', '/b', '/a']) await api.get(service.url + path);
    expect(factory.mock.calls).toEqual([['/a'], ['/b']]);
  });

  it('the one that a request brings, or none for a request that says false', async () => {
    const service = await startService(answers(200));
    const [ours, theirs] = [countingBreaker(), countingBreaker()];
    const { api } = client({ circuitBreaker: ours.breaker });
    const circuitBreaker = cockatielBreaker(handleAll, { halfOpenAfter: 60_000, breaker: new ConsecutiveBreaker(2) });
    jest.spyOn(circuitBreaker, 'execute').mockImplementation((send) => theirs.breaker.execute(send as never));
    await api.get(service.url, { retry: { circuitBreaker } });
    await api.get(service.url, { retry: { circuitBreaker: false } });
    expect([ours.counts.begun, theirs.counts.begun, service.received.length]).toEqual([0, 1, 2]);
    await api.get(service.url);
    expect([ours.counts.begun, theirs.counts.begun, service.received.length]).toEqual([1, 1, 3]);
  });
});

describe('every attempt goes through the breaker', () => {
  it('once', async () => {
    const service = await startService(answers(503, 503, 200));
    const { counts, breaker } = countingBreaker();
    const { api } = client({ circuitBreaker: breaker });
    await api.get(service.url);
    expect(counts).toEqual({ begun: 3, settled: 3 });
  });

  it('also when the breaker forgets what `this` is in send', async () => {
    const service = await startService(answers(200));
    const { api } = client({ circuitBreaker: { execute: (send) => Promise.resolve().then(send) } });
    expect((await api.get(service.url)).status).toBe(200);
  });

  it.each<[string, (api: ReturnType<typeof client>['api']) => void]>([
    ['a response interceptor throws', (api) => api.interceptors.response.use(() => Promise.reject(new Error('broken layer')))],
    ['transformResponse throws', (api) => (api.defaults.transformResponse = () => { throw new Error('broken transform'); })],
  ])('and settles when %s inside', async (_name, breakLayer) => {
    const service = await startService(answers(200));
    const api = axios.create();
    breakLayer(api);
    const { counts, breaker } = countingBreaker();
    attachRetry(api, { circuitBreaker: breaker });
    expect((await rejection(api.get(service.url)) as Error).message).toMatch(/^broken (layer|transform)$/);
    expect(counts).toEqual({ begun: 1, settled: 1 });
  });

  it.each<[string, (api: ReturnType<typeof client>['api']) => void]>([
    ['a request interceptor throws', (api) => api.interceptors.request.use(() => Promise.reject(new Error('broken layer')))],
    ['transformRequest throws', (api) => (api.defaults.transformRequest = () => { throw new Error('broken transform'); })],
  ])('and is not asked when %s inside', async (_name, breakLayer) => {
    const api = axios.create();
    breakLayer(api);
    const { counts, breaker } = countingBreaker();
    attachRetry(api, { circuitBreaker: breaker });
    await rejection(api.get('http://127.0.0.1:9/'));
    expect(counts).toEqual({ begun: 0, settled: 0 });
  });

  it('and settles when the caller cancels in flight', async () => {
    const service = await startService(answers('hang'));
    const { counts, breaker } = countingBreaker();
    const { api } = client({ circuitBreaker: breaker });
    const gone = new AbortController();
    const call = rejection(api.get(service.url, { signal: gone.signal }));
    await until(() => service.received.length === 1);
    gone.abort();
    expect(axios.isCancel(await call)).toBe(true);
    await until(() => counts.settled === 1);
  });

  it('and settles when the caller cancels under an adapter that knows no signals', async () => {
    const { counts, breaker } = countingBreaker();
    const { api } = client({ circuitBreaker: breaker });
    const gone = new AbortController();
    const call = rejection(api.get('http://a.example/', { signal: gone.signal, adapter: () => new Promise(() => undefined) }));
    await until(() => counts.begun === 1);
    gone.abort();
    expect(axios.isCancel(await call)).toBe(true);
    for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
    expect(counts.settled).toBe(1);
  });
});

describe('the first attempt is refused', () => {
  it('with an AxiosError that says where, with the config and the cause, and nothing is sent', async () => {
    const service = await startService(answers(200));
    const open = new Error('no more');
    const { api, handle, delays } = client({ circuitBreaker: refusing(open), shouldRetry: () => true });
    const error = await rejection(api.get(`${service.url}/orders?secret=1`));
    expect(axios.isAxiosError(error)).toBe(true);
    expect(error).toBeInstanceOf(axios.AxiosError);
    expect(error).toMatchObject({
      code: 'ERR_CIRCUIT_OPEN',
      message: `the circuit breaker of ${service.url} is open`,
      cause: open,
      config: { url: `${service.url}/orders?secret=1`, method: 'get', retryState: { attempt: 1 } },
    });
    expect((error as { response?: unknown }).response).toBeUndefined();
    expect(getRetryReport(error)).toMatchObject({ reason: 'circuit-open', attempts: 0 });
    expect([service.received.length, delays.length]).toEqual([0, 0]);
    expect(handle.stats()).toMatchObject({ calls: 1, attempts: 0, retries: 0, budgets: [], gaveUp: { 'circuit-open': 1 } });
  });

  it.each<[string, CircuitBreaker['execute']]>([
    ['rejects', () => Promise.reject(new Error('open'))],
    ['rejects later', async () => { await new Promise((resolve) => setImmediate(resolve)); throw new Error('open'); }],
    ['throws synchronously', () => { throw new Error('open'); }],
    ['rejects with undefined', () => Promise.reject(undefined as unknown as Error)],
    ['rejects with a string', () => Promise.reject('open' as unknown as Error)],
  ])('by an execute that %s', async (_name, execute) => {
    const service = await startService(answers(200));
    const { api } = client({ circuitBreaker: { execute } });
    expect(await rejection(api.get(service.url))).toMatchObject({ code: 'ERR_CIRCUIT_OPEN' });
    expect(service.received).toHaveLength(0);
  });

  it('F35: and onGiveUp is told once, of no attempt', async () => {
    const onGiveUp = jest.fn();
    const { api } = client({ circuitBreaker: refusing(), onGiveUp });
    const error = await rejection(api.get('http://a.example/'));
    expect(onGiveUp).toHaveBeenCalledTimes(1);
    expect(onGiveUp).toHaveBeenCalledWith(
      expect.objectContaining({ reason: 'circuit-open', willRetry: false, attempt: 0, error, origin: 'http://a.example' }),
    );
  });

  it.each([
    [1234.2, '1235 ms left'],
    [0, '0 ms left'],
  ])('and the message tells a time left of %d as %s', async (timeLeft, text) => {
    const { api } = client({ circuitBreaker: refusing(Object.assign(new Error('open'), { timeLeft })) });
    const error = (await rejection(api.get('http://a.example/'))) as Error;
    expect(error.message).toBe(`the circuit breaker of http://a.example is open, ${text}`);
  });

  it('by a factory that throws: its error comes through, and nothing is sent', async () => {
    const service = await startService(answers(200));
    const broken = new Error('no breaker');
    const { api } = client({ circuitBreaker: () => { throw broken; } });
    expect(await rejection(api.get(service.url))).toBe(broken);
    expect(service.received).toHaveLength(0);
  });
});

describe('a retry is refused', () => {
  it('and the call ends with its last real error, and the reason circuit-open', async () => {
    const service = await startService(answers(503));
    let isOpen = false;
    const execute = <T>(send: () => Promise<T>): Promise<T> => (isOpen ? Promise.reject(new Error('open')) : send());
    const onGiveUp = jest.fn();
    const onRetry = (): void => void (isOpen = true);
    const { api, handle } = client({ circuitBreaker: { execute }, onRetry, onGiveUp, shouldRetry: () => true });
    const error = await rejection(api.get(service.url));
    expect(error).toMatchObject({ code: 'ERR_BAD_RESPONSE', response: { status: 503 }, config: { retryState: { attempt: 1 } } });
    expect(getRetryReport(error)).toMatchObject({
      reason: 'circuit-open',
      attempts: 1,
      history: [{ attempt: 1, kind: 'status', status: 503 }],
    });
    expect(onGiveUp).toHaveBeenCalledTimes(1);
    expect(onGiveUp).toHaveBeenCalledWith(expect.objectContaining({ reason: 'circuit-open', attempt: 1, error }));
    expect(service.received).toHaveLength(1);
    expect(handle.stats()).toMatchObject({ attempts: 1, budgets: [], gaveUp: { 'circuit-open': 1 } });
  });

  it('and a call whose answer was accepted resolves with it', async () => {
    const service = await startService(answers(503));
    let sends = 0;
    const execute = <T>(send: () => Promise<T>): Promise<T> => (++sends > 1 ? Promise.reject(new Error('open')) : send());
    const { api } = client({ circuitBreaker: { execute } });
    const response = await api.get(service.url, { validateStatus: () => true });
    expect(response.status).toBe(503);
    expect(getRetryReport(response)).toMatchObject({ reason: 'circuit-open', attempts: 1 });
  });
});
