// Attempts that what lies around the adapter does not let through: what the caller gets, what is told and counted.
import axios from '../../helpers/axios';
import { answers, recordingSleep, rejection, startService } from '../../helpers/local-service';
import { until } from '../../helpers/virtual-time';
import { attachRetry, getRetryReport, logRetries, type CallEnd, type CircuitBreaker, type RetryOptions } from '../../../lib/index';

function client(options: RetryOptions = {}) {
  const api = axios.create();
  const onGiveUp = jest.fn();
  return { api, onGiveUp, handle: attachRetry(api, { sleep: recordingSleep().sleep, onGiveUp, ...options }) };
}

const through: CircuitBreaker = { execute: (send) => send() };
const broken = new Error('it broke');
const fails = (): never => {
  throw broken;
};

/** Right at its first calls, then as given. */
const later = <T>(calls: number, first: () => T, then: () => T): (() => T) => {
  let left = calls;
  return () => (left-- > 0 ? first() : then());
};

describe('F14: from the second attempt on', () => {
  it.each<[string, RetryOptions]>([
    // Asked for the pause and the breaker of the first attempt, for the budget and the event.
    ['an origin that throws', { circuitBreaker: through, origin: ({ retryState }) => (retryState?.attempt === 2 ? fails() : 'payments'), budget: false }],
    ["an origin that throws, with shareRetryAfter: 'all'", { shareRetryAfter: 'all', origin: ({ retryState }) => (retryState?.attempt === 2 ? fails() : 'payments'), budget: false }],
    [
      'a factory that throws',
      { circuitBreaker: later<CircuitBreaker>(1, () => through, fails), origin: ({ retryState }) => `attempt ${retryState?.attempt}` },
    ],
  ])('%s ends the call with its last real error, reason hook-failed', async (_what, options) => {
    const service = await startService(answers(503));
    const { api, onGiveUp, handle } = client(options);
    const error = await rejection(api.get(service.url));
    expect(error).toMatchObject({ code: 'ERR_BAD_RESPONSE', response: { status: 503 } });
    expect(getRetryReport(error)).toMatchObject({ reason: 'hook-failed', hookError: broken, attempts: 1, history: [{ attempt: 1, status: 503 }] });
    expect(onGiveUp).toHaveBeenCalledTimes(1);
    expect(onGiveUp).toHaveBeenCalledWith(expect.objectContaining({ reason: 'hook-failed', hookError: broken, attempt: 1, error }));
    expect(service.received).toHaveLength(1);
    // The token of the retry that was not sent.
    expect(handle.stats()).toMatchObject({ attempts: 1, retries: 0, budgets: [], gaveUp: { 'hook-failed': 1 } });
  });

  it.each<[string, unknown, string]>([
    ['undefined', undefined, 'undefined'],
    ['no breaker', {}, '{  }'],
  ])('a factory that gives %s does, too, and the option is named', async (_what, given, came) => {
    const service = await startService(answers(503));
    const { api } = client({
      circuitBreaker: later(1, () => through, () => given as CircuitBreaker),
      origin: ({ retryState }) => `attempt ${retryState?.attempt}`,
    });
    const error = await rejection(api.get(service.url));
    expect(error).toMatchObject({ response: { status: 503 } });
    expect(getRetryReport(error)?.hookError).toEqual(
      new TypeError(`axios-jitter: option "circuitBreaker" must return an object with execute; got ${came}`),
    );
  });

  it('an origin that gives no text does, too', async () => {
    const service = await startService(answers(503));
    const origin = ({ retryState }: { retryState?: { attempt: number } | undefined }): string => (retryState?.attempt === 2 ? (7 as never) : 'payments');
    const { api } = client({ circuitBreaker: through, origin, budget: false });
    const error = await rejection(api.get(service.url));
    expect(getRetryReport(error)).toMatchObject({ reason: 'hook-failed', hookError: expect.any(TypeError) as unknown });
  });

  it('an accepted answer resolves with what it is', async () => {
    const service = await startService(answers(503));
    const { api } = client({ circuitBreaker: later<CircuitBreaker>(1, () => through, fails), origin: ({ retryState }) => `attempt ${retryState?.attempt}` });
    const response = await api.get(service.url, { validateStatus: () => true });
    expect(response.status).toBe(503);
    expect(getRetryReport(response)).toMatchObject({ reason: 'hook-failed', hookError: broken });
  });

  it('an inner interceptor that makes an answer of it does not start the loop again', async () => {
    const service = await startService(answers(503));
    const api = axios.create();
    api.interceptors.response.use(undefined, (error: unknown) =>
      error === broken ? { status: 503, statusText: '', headers: {}, data: '', config: {} } : Promise.reject(error as Error),
    );
    attachRetry(api, {
      sleep: () => Promise.resolve(),
      circuitBreaker: later<CircuitBreaker>(1, () => through, fails),
      origin: ({ retryState }) => `attempt ${retryState?.attempt}`,
    });
    expect(getRetryReport(await rejection(api.get(service.url)))).toMatchObject({ reason: 'hook-failed', attempts: 1 });
    expect(service.received).toHaveLength(1);
  });
});

describe('at the first attempt', () => {
  it.each<[string, RetryOptions]>([
    ['an origin that throws', { circuitBreaker: through, origin: fails }],
    ["an origin that throws, with shareRetryAfter: 'all'", { shareRetryAfter: 'all', origin: fails }],
    ['a factory that throws', { circuitBreaker: fails }],
  ])('F14: %s rejects with it; nothing is sent, and onGiveUp is told', async (_what, options) => {
    const service = await startService(answers(200));
    const { api, onGiveUp, handle } = client(options);
    expect(await rejection(api.get(service.url))).toBe(broken);
    expect(service.received).toEqual([]);
    expect(onGiveUp).toHaveBeenCalledTimes(1);
    expect(onGiveUp).toHaveBeenCalledWith(expect.objectContaining({ reason: 'hook-failed', hookError: broken, attempt: 0 }));
    expect(handle.stats()).toMatchObject({ calls: 1, attempts: 0 });
  });

  it.each<[string, unknown, string]>([
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    ['an object without execute', {}, '{  }'],
    ['a promise of a breaker', Promise.resolve(through), 'an object (Promise)'],
    ['a promise that rejects', Promise.reject(broken), 'an object (Promise)'],
    ['another factory', () => through, 'a function'],
    ['a text', 'closed', "'closed'"],
  ])('F15: a factory that gives %s is an error that names the option', async (_what, given, came) => {
    const service = await startService(answers(200));
    const { api } = client({ circuitBreaker: () => given as CircuitBreaker });
    expect(await rejection(api.get(service.url))).toEqual(
      new TypeError(`axios-jitter: option "circuitBreaker" must return an object with execute; got ${came}`),
    );
    expect(service.received).toEqual([]);
  });

  it('F14: a random that throws in the wait for a shared pause rejects with it, and nothing is sent', async () => {
    const service = await startService(answers([429, { 'retry-after': '5' }], 200));
    const { api } = client({ shareRetryAfter: 'all', retries: 0 });
    await rejection(api.get(service.url));
    expect(await rejection(api.get(service.url, { retry: { random: fails } }))).toBe(broken);
    expect(service.received).toHaveLength(1);
  });

  it('F14: a random that is no number does not hold it for ever', async () => {
    const service = await startService(answers([429, { 'retry-after': '5' }], 200));
    const { api } = client({ shareRetryAfter: 'all', retries: 0 });
    await rejection(api.get(service.url));
    expect((await api.get(service.url, { retry: { random: () => NaN } })).status).toBe(200);
  });

  it('F15: a factory that has given nonsense is asked again by the next call', async () => {
    const service = await startService(answers(200));
    const { api } = client({ circuitBreaker: later<CircuitBreaker>(1, () => undefined as never, () => through) });
    expect(await rejection(api.get(service.url))).toBeInstanceOf(TypeError);
    expect((await api.get(service.url)).status).toBe(200);
  });

  it('F15: a breaker may be a function that has execute', async () => {
    const service = await startService(answers(200));
    const { api } = client({ circuitBreaker: () => Object.assign(() => undefined, through) });
    expect((await api.get(service.url)).status).toBe(200);
  });
});

describe('F35: report, event, log line and stats agree', () => {
  const never = (): Promise<void> => new Promise(() => undefined);

  it('on a first attempt that an open circuit refused: no attempt', async () => {
    const lines: string[] = [];
    const write = (line: unknown): void => void lines.push(String(line));
    const ends: CallEnd[] = [];
    const watcher = { onCall: () => ({ onEnd: (end: CallEnd) => ends.push(end) }) };
    const logger = { info: write, warn: write, error: write };
    const { api, handle, onGiveUp } = client({
      circuitBreaker: { execute: () => Promise.reject(new Error('open')) },
      observers: [logRetries(logger), watcher],
    });
    const error = await rejection(api.get('http://a.example/'));
    expect(getRetryReport(error)).toMatchObject({ attempts: 0, history: [], reason: 'circuit-open' });
    expect(onGiveUp).toHaveBeenCalledWith(expect.objectContaining({ attempt: 0 }));
    expect(lines).toEqual([expect.stringContaining('attempt=0/4')]);
    expect(ends).toMatchObject([{ attempts: 0, reason: 'circuit-open', isSuccess: false, error }]);
    expect(handle.stats()).toMatchObject({ calls: 1, attempts: 0, gaveUp: { 'circuit-open': 1 } });
  });

  it.each(['open', 'away'])('on a retry that was held at its breaker: the attempts before it (%s)', async (which) => {
    const service = await startService(answers(503));
    const gone = new AbortController();
    let sends = 0;
    let isHeld = false;
    const hold = (): Promise<never> => ((isHeld = true), which === 'open' ? Promise.reject(new Error('open')) : (never() as Promise<never>));
    const execute = <T>(send: () => Promise<T>): Promise<T> => (++sends > 1 ? hold() : send());
    const { api, handle, onGiveUp } = client({ circuitBreaker: { execute } });
    const call = rejection(api.get(service.url, { signal: gone.signal }));
    await until(() => isHeld);
    if (which === 'away') gone.abort();
    const error = await call;
    const reason = which === 'open' ? 'circuit-open' : 'aborted';
    expect(getRetryReport(error)).toMatchObject({ attempts: 1, reason, history: [{ attempt: 1, kind: 'status' }] });
    expect(getRetryReport(error)?.history).toHaveLength(1);
    expect(onGiveUp).toHaveBeenCalledWith(expect.objectContaining({ attempt: 1, reason, kind: 'status' }));
    expect(handle.stats()).toMatchObject({ attempts: 1, retries: 0, budgets: [] });
  });

  it.each<[string, RetryOptions, string]>([
    ['the deadline', { totalTimeout: 20 }, 'deadline'],
    ['its caller', {}, 'aborted'],
  ])('on a first attempt that %s ended at its breaker', async (_who, options, reason) => {
    const { api, handle } = client({ circuitBreaker: { execute: () => never() as Promise<never> }, ...options });
    const gone = new AbortController();
    const call = rejection(api.get('http://a.example/', { signal: gone.signal }));
    await new Promise((resolve) => setImmediate(resolve));
    if (reason === 'aborted') gone.abort();
    expect(getRetryReport(await call)).toMatchObject({ attempts: 0, history: [], reason });
    expect(handle.stats().attempts).toBe(0);
  });

  it('on a retry that an inner interceptor held until its caller went: the attempts before it', async () => {
    const service = await startService(answers(503));
    const api = axios.create();
    let passed = 0;
    api.interceptors.request.use((config) => (++passed > 1 ? (never() as Promise<never>) : config));
    attachRetry(api, { sleep: () => Promise.resolve() });
    const gone = new AbortController();
    const call = rejection(api.get(service.url, { signal: gone.signal }));
    await until(() => passed === 2);
    gone.abort();
    expect(getRetryReport(await call)).toMatchObject({ attempts: 1, reason: 'aborted', history: [{ attempt: 1, kind: 'status' }] });
    expect(getRetryReport(await call)?.history).toHaveLength(1);
  });

  it('the history says what the server asked for, attempt by attempt', async () => {
    const service = await startService(answers([503, { 'retry-after': '2' }], 503, [429, { 'retry-after-ms': '0' }]));
    const { api } = client({ retries: 2 });
    const history = getRetryReport(await rejection(api.get(service.url)))?.history;
    expect(history?.map(({ retryAfter }) => retryAfter)).toEqual([2_000, undefined, 0]);
    expect(history?.[1]).not.toHaveProperty('retryAfter');
  });
});

it("a send that comes after the breaker's own answer sends nothing", async () => {
  const service = await startService(answers(200));
  const own = { status: 200, statusText: '', headers: {}, data: 'own', config: {} };
  let sendLate = (): Promise<unknown> => Promise.resolve();
  const execute = <T>(send: () => Promise<T>): Promise<T> => {
    sendLate = send;
    return Promise.resolve(own as T);
  };
  const { api, handle } = client({ circuitBreaker: { execute } });
  expect((await api.get(service.url)).data).toBe('own');
  expect(axios.isCancel(await rejection(sendLate()))).toBe(true);
  expect([service.received.length, handle.stats().attempts]).toEqual([0, 0]);
});

describe('stats().circuits', () => {
  const withState = (state: unknown): CircuitBreaker => Object.assign({ state }, through);

  it('lists the circuits that are not closed, where their state is said in these words', async () => {
    const states: Record<string, unknown> = { '/open': 'open', '/half': 'half-open', '/closed': 'closed', '/number': 1, '/none': undefined };
    const service = await startService(answers(200));
    const { api, handle } = client({ circuitBreaker: (path) => withState(states[path]), origin: ({ url = '' }) => new URL(url).pathname });
    expect(handle.stats().circuits).toEqual([]);
    for (const path of Object.keys(states)) await api.get(service.url + path);
    expect(handle.stats().circuits).toEqual([{ origin: '/open', state: 'open' }, { origin: '/half', state: 'half-open' }]);
  });

  it('asks each time: a circuit that has closed is gone', async () => {
    const service = await startService(answers(200));
    const breaker = withState('open') as CircuitBreaker & { state: string };
    const { api, handle } = client({ circuitBreaker: breaker });
    await api.get(service.url);
    expect(handle.stats().circuits).toEqual([{ origin: service.url, state: 'open' }]);
    breaker.state = 'closed';
    expect(handle.stats().circuits).toEqual([]);
  });
});

it('F29: stats() does not look at the calls that wait, one by one', async () => {
  const api = axios.create({ adapter: (config) => Promise.reject(new axios.AxiosError('no', 'ECONNREFUSED', config)) });
  let told = 0;
  let looks = 0;
  const iterate = Reflect.get(Set.prototype, Symbol.iterator) as (this: Set<unknown>) => IterableIterator<unknown>;
  const count = function (this: Set<unknown>): IterableIterator<unknown> {
    if (this.size > 50) looks += 1;
    return iterate.call(this);
  };
  const handle = attachRetry(api, {
    budget: false,
    sleep: () => new Promise(() => undefined),
    onRetry: () => {
      told += 1;
      // Its own wait has not begun.
      expect(handle.stats().waiting).toBeLessThan(200);
    },
  });
  Object.defineProperty(Set.prototype, Symbol.iterator, { value: count, configurable: true, writable: true });
  try {
    const calls = Array.from({ length: 200 }, (_, index) => rejection(api.get(`http://a.example/${index}`)));
    await until(() => handle.stats().waiting === 200);
    expect([told, looks]).toEqual([200, 0]);
    handle.detach();
    await Promise.all(calls);
  } finally {
    Object.defineProperty(Set.prototype, Symbol.iterator, { value: iterate, configurable: true, writable: true });
  }
  expect(handle.stats().waiting).toBe(0);
});
