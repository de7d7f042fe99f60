// axios-rate-limit holds requests back in a queue. `before`: it is outside, and counts calls; `after`: inside, and counts attempts.
import rateLimit from 'axios-rate-limit';
import { attachRetry, getRetryReport, type RetryOptions } from '../../lib/index';
import axios from '../helpers/axios';
import { holdSleep, instant, rejectionOf } from '../helpers/instant';
import { answers, startService, type Step } from '../helpers/local-service';
import { foreign, inOrder, ORDERS, type Order } from '../helpers/orders';

type Limits = NonNullable<Parameters<typeof rateLimit>[1]>;
type Limited = ReturnType<typeof rateLimit> & { setRateLimitOptions(options: Limits): void };
type Ticket = { resolve: () => boolean };

/** The limiter's queue; counts what is asked to pass. */
class CountingQueue {
  asked = 0;
  readonly #tickets: Ticket[] = [];
  push(ticket: Ticket): void {
    this.asked += 1;
    this.#tickets.push(ticket);
  }
  shift(): Ticket | undefined {
    return this.#tickets.shift();
  }
  get length(): number {
    return this.#tickets.length;
  }
}

/** One request, and the next one never, unless the limits are changed. */
const ONE: Limits = { maxRequests: 1, perMilliseconds: 2 ** 30 };
const QUICK: Limits = { maxRequests: 1, perMilliseconds: 1 };

async function setUp(order: Order, steps: readonly [Step, ...Step[]], limits: Limits, options: RetryOptions = {}) {
  const service = await startService(answers(...steps));
  const api = axios.create({ baseURL: service.url });
  const queue = new CountingQueue();
  const attach = () => attachRetry(api, { ...instant, retries: 2, ...options });
  const [retry, limited] = inOrder(order, attach, () => rateLimit(foreign<Limited>(api), { ...limits, queue }) as Limited);
  opened.push(limited);
  return { service, api, retry, queue, limited };
}

const opened: Limited[] = [];
// New limits end the timer of the old ones.
afterEach(() => opened.splice(0).forEach((limited) => limited.setRateLimitOptions({ maxRequests: 1, perMilliseconds: 1 })));

/** Until so many have asked to pass, the one that waits among them. */
async function untilAsked(queue: CountingQueue, count: number): Promise<void> {
  while (queue.asked < count) await new Promise((resolve) => setImmediate(resolve));
}

describe.each(ORDERS)('attached %s axios-rate-limit', (order) => {
  it('does not deadlock with one request at a time', async () => {
    const { service, api, retry } = await setUp(order, [503, 'drop', 503, 503, 200], QUICK, { retries: 4 });
    const all = await Promise.all([api.get('/a'), api.get('/b')]);
    expect(all.map(({ status }) => status)).toEqual([200, 200]);
    expect(service.received).toHaveLength(6);
    expect(retry.stats()).toMatchObject({ calls: 2, attempts: 6, waiting: 0 });
  });

  it('counts the attempts of a failing call right', async () => {
    const { service, api } = await setUp(order, [503], QUICK);
    expect(getRetryReport(await rejectionOf(api.get('/')))).toMatchObject({ attempts: 3, reason: 'exhausted' });
    expect(service.received).toHaveLength(3);
  });
});

describe('attached before axios-rate-limit: the limiter is outside', () => {
  it('lets a call pass once; its retries are not limited', async () => {
    const { service, api, queue } = await setUp('before', [503, 503, 200], ONE);
    await expect(api.get('/')).resolves.toMatchObject({ status: 200 });
    expect([service.received.length, queue.asked]).toEqual([3, 1]);
  });

  it('begins a call, its deadline too, when it has passed the limiter', async () => {
    const { api, retry, queue, limited } = await setUp('before', [200], ONE, { totalTimeout: 10_000 });
    await api.get('/a');
    const second = api.get('/b');
    await untilAsked(queue, 2);
    expect(retry.stats()).toMatchObject({ calls: 1 });
    limited.setRateLimitOptions(QUICK);
    await second;
    expect(retry.stats()).toMatchObject({ calls: 2 });
  });
});

describe('attached after axios-rate-limit: the limiter is inside', () => {
  it('lets every attempt pass', async () => {
    const { service, api, queue } = await setUp('after', [503, 503, 200], QUICK);
    await expect(api.get('/')).resolves.toMatchObject({ status: 200 });
    expect([service.received.length, queue.asked]).toEqual([3, 3]);
  });

  it('queues a retry behind the calls that came first', async () => {
    const held = holdSleep();
    const { service, api, queue, limited } = await setUp('after', [503, 200], ONE, { sleep: held.sleep });
    const first = api.get('/a');
    await held.begun;
    const second = api.get('/b');
    await untilAsked(queue, 2);
    held.release();
    await untilAsked(queue, 3);
    limited.setRateLimitOptions(QUICK);
    await Promise.all([first, second]);
    expect(service.received.map(({ path }) => path)).toEqual(['/a', '/b', '/a']);
  });

  it('ends a retry in the queue at once when the caller aborts; its place is free for the next', async () => {
    const { service, api, queue, limited } = await setUp('after', [503, 200], ONE);
    const caller = new AbortController();
    const aborted = rejectionOf(api.get('/a', { signal: caller.signal }));
    await untilAsked(queue, 2);
    caller.abort();
    expect(await aborted).toMatchObject({ code: 'ERR_CANCELED' });
    const next = api.get('/b');
    limited.setRateLimitOptions(ONE);
    await expect(next).resolves.toMatchObject({ status: 200 });
    expect(service.received.map(({ path }) => path)).toEqual(['/a', '/b']);
  });

  it('ends a retry in the queue at the deadline', async () => {
    const { service, api } = await setUp('after', [503, 200], ONE, { totalTimeout: 1_000, delay: () => 0 });
    const error = await rejectionOf(api.get('/a'));
    expect(error).toMatchObject({ code: 'ECONNABORTED', message: 'totalTimeout of 1000ms exceeded' });
    expect(service.received.map(({ path }) => path)).toEqual(['/a']);
  });

  it('cannot end a first attempt in the queue: it is aborted when its turn comes, with the reason of the signal', async () => {
    const { service, api, queue, limited } = await setUp('after', [200], ONE);
    await api.get('/a');
    const caller = new AbortController();
    const aborted = rejectionOf(api.get('/b', { signal: caller.signal }));
    await untilAsked(queue, 2);
    caller.abort();
    limited.setRateLimitOptions(ONE);
    expect(await aborted).toBe(caller.signal.reason);
    expect(service.received.map(({ path }) => path)).toEqual(['/a']);
  });

  it('nor can the deadline: such a call ends when its turn comes, unsent', async () => {
    const { service, api, queue, limited, retry } = await setUp('after', [200], ONE);
    await api.get('/a');
    const late = rejectionOf(api.get('/b', { retry: { totalTimeout: 20 } }));
    await untilAsked(queue, 2);
    // Timers of one length fire in the order of their making.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(retry.stats().gaveUp.deadline).toBe(0);
    limited.setRateLimitOptions(ONE);
    expect(await late).toMatchObject({ name: 'AbortError' });
    expect(retry.stats().gaveUp.deadline).toBe(1);
    expect(service.received.map(({ path }) => path)).toEqual(['/a']);
  });
});
