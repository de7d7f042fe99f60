// The counts of an attachment.
import type { AxiosInstance } from 'axios';
import { attachRetry, RetryBudget, type RetryHandle, type RetryOptions, type RetryStats } from '../../../lib/index';
import axios from '../../helpers/axios';
import { rejectionOf, serve, SERVICE, timeless } from '../../helpers/observed';

function makeApi(options: RetryOptions = {}): { api: AxiosInstance; retry: RetryHandle } {
  const api = axios.create({ baseURL: SERVICE });
  return { api, retry: attachRetry(api, { ...timeless().options, ...options }) };
}

/** Counts above zero. */
function gaveUp({ stats }: RetryHandle): object {
  return Object.fromEntries(Object.entries(stats().gaveUp).filter(([, count]) => count !== 0));
}

const NOTHING: RetryStats = {
  calls: 0,
  attempts: 0,
  retries: 0,
  recovered: 0,
  gaveUp: {
    'not-retryable': 0, method: 0, body: 0, exhausted: 0, 'retry-after': 0, deadline: 0, 'dry-run': 0,
    budget: 0, 'circuit-open': 0, aborted: 0, 'hook-failed': 0, detached: 0,
  },
  waiting: 0,
  budgets: [],
  circuits: [],
  pauses: [],
};

describe('stats()', () => {
  it('begins at zero, with every reason', () => {
    expect(makeApi().retry.stats()).toEqual(NOTHING);
  });

  it('counts calls, attempts, retries, recoveries and give-ups', async () => {
    serve([200, 500, 200, 404, 500]);
    const { api, retry } = makeApi({ retries: 2 });
    await api.get('/orders'); // 200
    await api.get('/orders'); // 500, 200
    await rejectionOf(api.get('/orders')); // 404
    await rejectionOf(api.get('/orders')); // 500, 500, 500
    expect(retry.stats()).toMatchObject({ calls: 4, attempts: 7, retries: 3, recovered: 1 });
    expect(gaveUp(retry)).toEqual({ 'not-retryable': 1, exhausted: 1 });
  });

  it('counts calls that run at the same time', async () => {
    serve([500]);
    const { api, retry } = makeApi({ retries: 1 });
    await Promise.all(Array.from({ length: 10 }, () => rejectionOf(api.get('/orders'))));
    expect(retry.stats()).toMatchObject({ calls: 10, attempts: 20, retries: 10, waiting: 0, gaveUp: { exhausted: 10 } });
  });

  it('does not count requests that are switched off, wrong, or aborted before they began', async () => {
    serve([500]);
    const { api, retry } = makeApi();
    await rejectionOf(api.get('/orders', { retry: false }));
    await rejectionOf(api.get('/orders', { retry: -1 }));
    await rejectionOf(api.get('/orders', { signal: AbortSignal.abort() }));
    expect(retry.stats()).toEqual(NOTHING);
  });

  it('counts no request that the circuit breaker refused, neither the first nor a later one', async () => {
    const seen = serve([500]);
    const refusing = (): Promise<never> => Promise.reject(new Error('open'));
    let left = 1;
    const { api, retry } = makeApi({
      circuitBreaker: { execute: (send) => (left-- > 0 ? send() : refusing()) },
    });
    await rejectionOf(api.get('/orders'));
    await rejectionOf(api.get('/orders'));
    expect(seen).toHaveLength(1);
    expect(retry.stats()).toMatchObject({ calls: 2, attempts: 1, retries: 0, budgets: [], gaveUp: { 'circuit-open': 2 } });
  });

  it('is a copy: neither does it change later, nor what its reader does to it', async () => {
    serve([500]);
    const { api, retry } = makeApi({ retries: 1 });
    const before = retry.stats();
    await rejectionOf(api.get('/orders'));
    expect(before).toEqual(NOTHING);
    Object.assign(retry.stats().gaveUp, { exhausted: 99 });
    retry.stats().budgets.pop();
    expect(retry.stats()).toMatchObject({ gaveUp: { exhausted: 1 }, budgets: [{ origin: SERVICE, tokens: 99 }] });
  });
});

describe('waiting', () => {
  it('is the number of calls that wait right now', async () => {
    serve([500, 500, 200]);
    const wake: (() => void)[] = [];
    let onWaiting: (() => void) | undefined;
    const bothWait = new Promise<void>((resolve) => (onWaiting = resolve));
    const sleep = (): Promise<void> =>
      new Promise((resolve) => {
        if (wake.push(resolve) === 2) onWaiting?.();
      });
    const { api, retry } = makeApi({ sleep });
    const calls = [api.get('/orders'), api.get('/orders')];
    expect(retry.stats().waiting).toBe(0);
    await bothWait;
    expect(retry.stats()).toMatchObject({ waiting: 2, retries: 0, attempts: 2 });
    wake.forEach((resolve) => resolve());
    await Promise.all(calls);
    expect(retry.stats()).toMatchObject({ waiting: 0, recovered: 2 });
  });

  it('does not count a call whose attempt is on its way', async () => {
    serve([500, 200]);
    const waiting: number[] = [];
    const api = axios.create({ baseURL: SERVICE });
    api.interceptors.request.use((config) => {
      waiting.push(retry.stats().waiting);
      return config;
    });
    const retry = attachRetry(api, timeless().options);
    await api.get('/orders');
    expect(waiting).toEqual([0, 0]);
  });

  it('ends with an abort and with a detach', async () => {
    serve([500]);
    const controller = new AbortController();
    const never = (): Promise<never> => new Promise(() => undefined);
    let asleep = 0;
    const { api, retry } = makeApi({
      sleep: () => {
        if (++asleep === 2) setImmediate(() => controller.abort());
        return never();
      },
    });
    const [aborted, detached] = [api.get('/orders', { signal: controller.signal }), rejectionOf(api.get('/orders'))];
    await rejectionOf(aborted);
    expect(retry.stats().waiting).toBe(1);
    retry.detach();
    await detached;
    expect(retry.stats()).toMatchObject({ waiting: 0, gaveUp: { aborted: 1, detached: 1 } });
  });
});

describe('budgets', () => {
  it('lists the origins below capacity, with what is left', async () => {
    serve([500, 500, 500]);
    serve([500, 200], 'http://other.test');
    const { api, retry } = makeApi({ retries: 2, budget: { capacity: 5 } });
    await rejectionOf(api.get('/orders'));
    await api.get('http://other.test/orders');
    expect(retry.stats().budgets).toEqual([{ origin: SERVICE, tokens: 3, capacity: 5 }]);
  });

  it('is empty where the budget is off', async () => {
    serve([500]);
    const { api, retry } = makeApi({ budget: false });
    await rejectionOf(api.get('/orders'));
    expect(retry.stats().budgets).toEqual([]);
  });

  it('lists a budget that is shared for each of its instances', async () => {
    serve([500]);
    const budget = new RetryBudget({ capacity: 5 });
    const [first, second] = [makeApi({ retries: 1, budget }), makeApi({ budget })];
    await rejectionOf(first.api.get('/orders'));
    expect(second.retry.stats().budgets).toEqual([{ origin: SERVICE, tokens: 4, capacity: 5 }]);
    expect(second.retry.stats().calls).toBe(0);
  });
});

describe('the handle', () => {
  it('counts from zero after attaching again, and the old one counts no more new calls', async () => {
    serve([500]);
    const { api, retry: old } = makeApi({ retries: 1 });
    await rejectionOf(api.get('/orders'));
    const fresh = attachRetry(api, { ...timeless().options, retries: 2 });
    expect(fresh.stats()).toEqual(NOTHING);
    await rejectionOf(api.get('/orders'));
    expect(fresh.stats()).toMatchObject({ calls: 1, attempts: 3 });
    expect(old.stats()).toMatchObject({ calls: 1, attempts: 2 });
  });

  it('keeps counting for calls that began with it', async () => {
    serve([500, 200]);
    const { api, retry: old } = makeApi({ onRetry: () => void attachRetry(api) });
    await api.get('/orders');
    expect(old.stats()).toMatchObject({ calls: 1, attempts: 2, retries: 1, recovered: 1 });
  });

  it('can still be read after detach()', async () => {
    serve([500]);
    const { api, retry } = makeApi({ retries: 1 });
    await rejectionOf(api.get('/orders'));
    retry.detach();
    await rejectionOf(api.get('/orders'));
    expect(retry.stats()).toMatchObject({ calls: 1, attempts: 2 });
  });

  it('can be taken apart', () => {
    const { stats, detach } = makeApi().retry;
    detach();
    expect(stats()).toEqual(NOTHING);
  });
});
