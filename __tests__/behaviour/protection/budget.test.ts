import axios from '../../helpers/axios';
import { answers, recordingSleep, rejection, startService } from '../../helpers/local-service';
import { until } from '../../helpers/virtual-time';
import { attachRetry, getRetryReport, RetryBudget, type RetryOptions } from '../../../lib/index';

function client(options: RetryOptions = {}) {
  const api = axios.create();
  const { delays, sleep } = recordingSleep();
  return { api, delays, handle: attachRetry(api, { sleep, ...options }) };
}

const reasonOf = async (call: Promise<unknown>): Promise<string | undefined> => getRetryReport(await rejection(call))?.reason;

/** An instance whose every request is answered with 503 in memory, which its caller accepts: the cheapest outage. */
function outage(options: RetryOptions = {}) {
  const sent = { requests: 0 };
  const api = axios.create({
    validateStatus: () => true,
    adapter: (config) => {
      sent.requests += 1;
      return Promise.resolve({ status: 503, statusText: '', headers: {}, data: '', config });
    },
  });
  return { api, sent, handle: attachRetry(api, { sleep: () => Promise.resolve(), ...options }) };
}

describe('a full outage: 1,000 calls one after another, with 3 retries', () => {
  it('is 1,100 requests with the default budget', async () => {
    const { api, sent, handle } = outage();
    for (let i = 0; i < 1_000; i++) await api.get('http://a.example/');
    expect(sent.requests).toBe(1_100);
    // 33 calls with all retries, one with the last token, and the rest with none.
    expect(handle.stats()).toMatchObject({ calls: 1_000, attempts: 1_100, gaveUp: { exhausted: 33, budget: 967 } });
  });

  it('is 4,000 requests with budget: false', async () => {
    const { api, sent, handle } = outage({ budget: false });
    for (let i = 0; i < 1_000; i++) await api.get('http://a.example/');
    expect(sent.requests).toBe(4_000);
    expect(handle.stats()).toMatchObject({ calls: 1_000, attempts: 4_000, gaveUp: { exhausted: 1_000, budget: 0 } });
  });
});

it('R104: 100 failing calls at once make 10 extra requests, not 300, when the budget is 10', async () => {
  const service = await startService(answers(503));
  const { api } = client({ budget: { capacity: 10 } });
  const errors = await Promise.all(Array.from({ length: 100 }, () => rejection(api.get(service.url))));
  expect(service.received).toHaveLength(110);
  expect(errors.filter((error) => !axios.isAxiosError(error) || error.response?.status !== 503)).toEqual([]);
  const reasons = errors.map((error) => getRetryReport(error)?.reason);
  expect(reasons.filter((reason) => reason === 'budget').length).toBeGreaterThanOrEqual(90);
  expect(reasons.filter((reason) => reason !== 'budget' && reason !== 'exhausted')).toEqual([]);
});

describe('an empty bucket', () => {
  it('refuses at once, with the real error and the reason budget', async () => {
    const service = await startService(answers(503));
    const onGiveUp = jest.fn();
    const { api, delays, handle } = client({ budget: { capacity: 1 }, onGiveUp });
    await rejection(api.get(service.url));
    expect(delays).toHaveLength(1);
    const error = await rejection(api.get(service.url));
    expect(delays).toHaveLength(1);
    expect(error).toMatchObject({ isAxiosError: true, response: { status: 503, data: { status: 503 } } });
    expect(getRetryReport(error)).toMatchObject({ reason: 'budget', attempts: 1 });
    expect(onGiveUp).toHaveBeenLastCalledWith(expect.objectContaining({ reason: 'budget', willRetry: false, error }));
    expect(handle.stats().gaveUp.budget).toBe(2);
  });

  it('resolves with an answer that the caller accepts', async () => {
    const service = await startService(answers(503));
    const { api } = client({ budget: { capacity: 1 }, retries: 1 });
    const validateStatus = (): boolean => true;
    await api.get(service.url, { validateStatus });
    const response = await api.get(service.url, { validateStatus });
    expect(response.status).toBe(503);
    expect(getRetryReport(response)?.reason).toBe('budget');
  });

  it('leaves other hosts alone, and fills again with what succeeds', async () => {
    const [a, b] = [await startService(answers(503)), await startService(answers(503, 200, 503, 200))];
    const { api } = client({ budget: { capacity: 3 } });
    await rejection(api.get(a.url));
    expect(await reasonOf(api.get(a.url))).toBe('budget');
    expect(a.received).toHaveLength(5);
    // B retries as usual.
    await api.get(b.url);
    await api.get(b.url);
    expect(b.received).toHaveLength(4);
    // Ten successes on B are nothing to A; ten on A are a retry.
    for (let i = 0; i < 10; i++) await api.get(b.url);
    expect(await reasonOf(api.get(a.url))).toBe('budget');
    a.answer = answers(200);
    for (let i = 0; i < 10; i++) await api.get(a.url);
    a.answer = answers(503, 200);
    const before = a.received.length;
    expect((await api.get(a.url)).status).toBe(200);
    expect(a.received.length - before).toBe(2);
  });
});

describe('what is put back', () => {
  const bucket = { capacity: 10 };

  it('one token exactly by ten successes at the first attempt, and not by nine', async () => {
    const service = await startService(answers(503));
    const { api, handle } = client({ budget: bucket, retries: 1 });
    for (let i = 0; i < 10; i++) await rejection(api.get(service.url));
    service.answer = answers(200);
    for (let i = 0; i < 9; i++) await api.get(service.url);
    service.answer = answers(503);
    expect(await reasonOf(api.get(service.url))).toBe('budget');
    service.answer = answers(200);
    await api.get(service.url);
    expect(handle.stats().budgets).toEqual([{ origin: service.url, tokens: 1, capacity: 10 }]);
    service.answer = answers(503, 200);
    expect((await api.get(service.url)).status).toBe(200);
  });

  it('nothing by a call that has not succeeded yet', async () => {
    const service = await startService(answers(503));
    const { api, handle } = client({ budget: bucket, retries: 1 });
    await rejection(api.get(service.url));
    service.answer = answers('hang');
    const gone = new AbortController();
    const pending = Array.from({ length: 10 }, () => rejection(api.get(service.url, { signal: gone.signal })));
    await until(() => service.received.length === 12);
    expect(handle.stats().budgets).toMatchObject([{ tokens: 9 }]);
    gone.abort();
    await Promise.all(pending);
    expect(handle.stats().budgets).toMatchObject([{ tokens: 9 }]);
  });

  it('the token of a retry that succeeds, and no deposit on top', async () => {
    const service = await startService(answers(503, 503, 200));
    const { api, handle } = client({ budget: bucket });
    await api.get(service.url);
    // Two were taken, the first retry failed.
    expect(handle.stats().budgets).toMatchObject([{ tokens: 9 }]);
  });

  it('nothing of retries that failed', async () => {
    const service = await startService(answers(503));
    const { api, handle } = client({ budget: bucket });
    await rejection(api.get(service.url));
    expect(handle.stats().budgets).toMatchObject([{ tokens: 7 }]);
  });

  it('the token of a retry whose wait was aborted', async () => {
    const service = await startService(answers(503));
    const gone = new AbortController();
    const { api, handle } = client({ budget: bucket, sleep: () => new Promise(() => undefined), onRetry: () => gone.abort() });
    expect(await reasonOf(api.get(service.url, { signal: gone.signal }))).toBe('aborted');
    expect(service.received).toHaveLength(1);
    expect(handle.stats().budgets).toEqual([]);
  });

  it('the token of a retry whose wait was ended by detach', async () => {
    const service = await startService(answers(503));
    const { api, handle } = client({ budget: bucket, sleep: () => new Promise(() => undefined) });
    const call = reasonOf(api.get(service.url));
    await until(() => handle.stats().waiting === 1);
    expect(handle.stats().budgets).toMatchObject([{ tokens: 9 }]);
    handle.detach();
    expect(await call).toBe('detached');
    expect(handle.stats().budgets).toEqual([]);
  });

  it.each<[string, RetryOptions]>([
    ['beforeRetry', { beforeRetry: () => Promise.reject(new Error('no token')) }],
    ['sleep', { sleep: () => Promise.reject(new Error('broken')) }],
  ])('the token of a retry that %s has stopped', async (_name, options) => {
    const service = await startService(answers(503));
    const { api, handle } = client({ budget: bucket, ...options });
    expect(await reasonOf(api.get(service.url))).toBe('hook-failed');
    expect(service.received).toHaveLength(1);
    expect(handle.stats().budgets).toEqual([]);
  });

  it('the token of a retry that the circuit breaker refused', async () => {
    const service = await startService(answers(503));
    let isOpen = false;
    const execute = <T>(send: () => Promise<T>): Promise<T> => (isOpen ? Promise.reject(new Error('open')) : send());
    const { api, handle } = client({ budget: bucket, circuitBreaker: { execute }, onRetry: () => (isOpen = true) });
    expect(await reasonOf(api.get(service.url))).toBe('circuit-open');
    expect(service.received).toHaveLength(1);
    expect(handle.stats().budgets).toEqual([]);
  });

  it('the token of a retry that a breaker held back until the caller had gone', async () => {
    const service = await startService(answers(503));
    const gone = new AbortController();
    let isFull = false;
    const execute = <T>(send: () => Promise<T>): Promise<T> => {
      if (!isFull) return send();
      gone.abort();
      return new Promise(() => undefined);
    };
    const { api, handle } = client({ budget: bucket, circuitBreaker: { execute }, onRetry: () => (isFull = true) });
    expect(await reasonOf(api.get(service.url, { signal: gone.signal }))).toBe('aborted');
    expect(service.received).toHaveLength(1);
    expect(handle.stats()).toMatchObject({ attempts: 1, budgets: [] });
  });

  it('nothing of a retry that an inner response interceptor made fail', async () => {
    const service = await startService(answers(503, 200));
    const api = axios.create();
    api.interceptors.response.use(() => {
      throw new Error('cannot read it');
    });
    const handle = attachRetry(api, { budget: bucket, baseDelay: 0 });
    expect(await rejection(api.get(service.url))).toMatchObject({ message: 'cannot read it' });
    expect(handle.stats()).toMatchObject({ attempts: 2, retries: 1, budgets: [{ tokens: bucket.capacity - 1 }] });
  });

  it('nothing of a retry that was cancelled after it had been sent', async () => {
    const service = await startService(answers(503, 'hang'));
    const gone = new AbortController();
    const { api, handle } = client({ budget: bucket });
    const call = reasonOf(api.get(service.url, { signal: gone.signal }));
    await until(() => service.received.length === 2);
    gone.abort();
    expect(await call).toBe('aborted');
    expect(handle.stats().budgets).toMatchObject([{ tokens: 9 }]);
  });
});

describe('nothing is taken', () => {
  it.each<[string, RetryOptions, string]>([
    ['by retries: 0', { retries: 0 }, 'exhausted'],
    ['in a dry run', { dryRun: true }, 'dry-run'],
    ['past the deadline', { totalTimeout: 1_000, delay: () => 2_000 }, 'deadline'],
    ['when the delay cannot be computed', { delay: () => NaN }, 'hook-failed'],
    ['when shouldRetry says no', { shouldRetry: () => false }, 'not-retryable'],
  ])('%s', async (_name, options, reason) => {
    const service = await startService(answers(503));
    const { api, handle } = client(options);
    expect(await reasonOf(api.get(service.url))).toBe(reason);
    expect(handle.stats().budgets).toEqual([]);
  });
});

describe('whose budget', () => {
  it('each attachment has its own', async () => {
    const service = await startService(answers(503));
    const [one, other] = [client({ budget: { capacity: 3 } }), client({ budget: { capacity: 3 } })];
    expect(await reasonOf(one.api.get(service.url))).toBe('exhausted');
    expect(await reasonOf(one.api.get(service.url))).toBe('budget');
    expect(await reasonOf(other.api.get(service.url))).toBe('exhausted');
  });

  it('an object is shared by all who are given it', async () => {
    const service = await startService(answers(503));
    const budget = new RetryBudget({ capacity: 3 });
    const [one, other] = [client({ budget }), client({ budget })];
    expect(await reasonOf(one.api.get(service.url))).toBe('exhausted');
    expect(await reasonOf(other.api.get(service.url))).toBe('budget');
    const expected = [{ origin: service.url, tokens: 0, capacity: 3 }];
    expect([one.handle.stats().budgets, other.handle.stats().budgets]).toEqual([expected, expected]);
  });

  it('a request may bring a budget object, or do without', async () => {
    const service = await startService(answers(503));
    const { api, handle } = client({ budget: { capacity: 1 } });
    const budget = new RetryBudget({ capacity: 2 });
    expect(await reasonOf(api.get(service.url, { retry: { budget: false } }))).toBe('exhausted');
    expect(await reasonOf(api.get(service.url, { retry: { budget } }))).toBe('budget');
    expect(await reasonOf(api.get(service.url, { retry: { budget } }))).toBe('budget');
    expect(service.received).toHaveLength(4 + 3 + 1);
    expect(handle.stats().budgets).toEqual([]);
  });

  it('a plain object in a request is refused before anything is sent', async () => {
    const service = await startService(answers(503));
    const { api } = client();
    const error = await rejection(api.get(service.url, { retry: { budget: { capacity: 1 } as never } }));
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain('option "budget"');
    expect(service.received).toHaveLength(0);
  });

  it('is kept by the option `origin`', async () => {
    const service = await startService(answers(503));
    const { api, handle } = client({ budget: { capacity: 3 }, origin: ({ url = '' }) => new URL(url).pathname });
    expect(await reasonOf(api.get(`${service.url}/a`))).toBe('exhausted');
    expect(await reasonOf(api.get(`${service.url}/a`))).toBe('budget');
    expect(await reasonOf(api.get(`${service.url}/b`))).toBe('exhausted');
    expect(handle.stats().budgets.map(({ origin }) => origin)).toEqual(['/a', '/b']);
  });

  it('is full again after 10 idle minutes of the clock that was given', async () => {
    const service = await startService(answers(503));
    let time = 0;
    const { api, handle } = client({ budget: { capacity: 3 }, now: () => time });
    await rejection(api.get(service.url));
    time = 599_999;
    expect(handle.stats().budgets).toMatchObject([{ tokens: 0 }]);
    time = 600_000;
    expect(handle.stats().budgets).toEqual([]);
    expect(await reasonOf(api.get(service.url))).toBe('exhausted');
  });
});

it('keeps at most 1,000 origins below capacity, however many fail', async () => {
  const { api, handle } = outage({ retries: 1 });
  for (let i = 0; i < 1_200; i++) await api.get(`http://${i}.example/`);
  const { budgets } = handle.stats();
  expect(budgets).toHaveLength(1_000);
  expect(budgets.at(0)).toEqual({ origin: 'http://200.example', tokens: 99, capacity: 100 });
});
