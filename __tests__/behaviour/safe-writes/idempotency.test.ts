import axios from '../../helpers/axios';
import { answers, recordingSleep, rejection, startService, type Answer, type LocalService } from '../../helpers/local-service';
import { seededRandom } from '../../helpers/virtual-time';
import { attachRetry, getRetryReport, type RetryOptions } from '../../../lib/index';

const UUID_V4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

function client(options: RetryOptions = {}) {
  const api = axios.create();
  return { api, handle: attachRetry(api, { sleep: recordingSleep().sleep, ...options }) };
}

const keysOf = ({ received }: LocalService, header = 'idempotency-key'): unknown[] => received.map(({ headers }) => headers[header]);

describe('idempotencyKey: true', () => {
  it('R55: is one UUID on all attempts of a call, and another for the next', async () => {
    const service = await startService(answers(503, 503, 200, 503, 200));
    const { api } = client({ idempotencyKey: true });
    await api.post(service.url, { id: 7 });
    await api.post(service.url, { id: 7 });
    const keys = keysOf(service);
    expect(keys).toHaveLength(5);
    expect(keys[0]).toMatch(UUID_V4);
    expect(keys[3]).toMatch(UUID_V4);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(new Set(keys.slice(3)).size).toBe(1);
    expect(keys[0]).not.toBe(keys[3]);
  });

  it.each(['Idempotency-Key', 'idempotency-key', 'IDEMPOTENCY-KEY'])('R55: leaves %s to the caller who has set it', async (name) => {
    const service = await startService(answers(503, 503, 200));
    const { api } = client({ idempotencyKey: true });
    await api.post(service.url, {}, { headers: { [name]: 'mine' } });
    expect(keysOf(service)).toEqual(['mine', 'mine', 'mine']);
  });

  it('R56: waits out a lost answer and a 409 that was opted in, with one key', async () => {
    const service = await startService(answers('drop', 409, 200));
    const { api } = client({ idempotencyKey: true, statuses: [409, 429, [500, 599]] });
    expect((await api.post(service.url, { charge: 100 })).status).toBe(200);
    expect(service.received).toHaveLength(3);
    expect(new Set(keysOf(service)).size).toBe(1);
    expect(service.received.map(({ body }) => body)).toEqual(Array<string>(3).fill('{"charge":100}'));
  });

  it('is there on a first attempt that succeeds', async () => {
    const service = await startService(answers(200));
    await client({ idempotencyKey: true }).api.patch(service.url, {});
    expect(keysOf(service)).toEqual([expect.stringMatching(UUID_V4)]);
  });

  it.each(['get', 'head', 'options', 'put', 'delete'])('puts no header on %s', async (method) => {
    const service = await startService(answers(200));
    await client({ idempotencyKey: true }).api.request({ url: service.url, method });
    expect(keysOf(service)).toEqual([undefined]);
  });

  it('gives each of many calls that share a config a key of its own', async () => {
    const service = await startService(answers(200));
    const { api } = client();
    const shared = Object.freeze({ retry: Object.freeze({ idempotencyKey: true }), headers: Object.freeze({}) });
    await Promise.all(Array.from({ length: 20 }, () => api.post(service.url, {}, shared)));
    expect(new Set(keysOf(service)).size).toBe(20);
  });
});

describe('a key', () => {
  it.each(['post', 'patch'])('makes %s eligible', async (method) => {
    const service = await startService(answers(503, 'drop', 200));
    const { api } = client({ idempotencyKey: true });
    expect((await api.request({ url: service.url, method })).status).toBe(200);
    expect(service.received).toHaveLength(3);
  });

  it('of the caller makes a POST eligible, without the option', async () => {
    const service = await startService(answers(503, 200));
    await client().api.post(service.url, {}, { headers: { 'idempotency-key': 'mine' } });
    expect(keysOf(service)).toEqual(['mine', 'mine']);
  });

  it('of an outer interceptor makes a POST eligible, and stays the same', async () => {
    const service = await startService(answers(503, 200));
    const { api } = client();
    let made = 0;
    api.interceptors.request.use((config) => {
      config.headers.set('Idempotency-Key', `key-${++made}`);
      return config;
    });
    await api.post(service.url, {});
    expect(keysOf(service)).toEqual(['key-1', 'key-1']);
  });

  it('that an inner interceptor makes anew for each attempt does not make a POST eligible', async () => {
    const service = await startService(answers(503, 200));
    const api = axios.create();
    let made = 0;
    api.interceptors.request.use((config) => {
      config.headers.set('Idempotency-Key', `key-${++made}`);
      return config;
    });
    attachRetry(api, { sleep: recordingSleep().sleep });
    const error = await rejection(api.post(service.url, {}));
    expect(getRetryReport(error)?.reason).toBe('method');
    expect(keysOf(service)).toEqual(['key-1']);
  });

  it('goes and counts under the name of idempotencyHeader', async () => {
    const service = await startService(answers(503, 200));
    await client({ idempotencyKey: 'order-7', idempotencyHeader: 'X-Request-Key' }).api.post(service.url, {});
    expect(keysOf(service, 'x-request-key')).toEqual(['order-7', 'order-7']);
    expect(keysOf(service)).toEqual([undefined, undefined]);
  });

  it('under another name than idempotencyHeader does not count', async () => {
    const service = await startService(answers(503, 200));
    const { api } = client({ idempotencyHeader: 'X-Request-Key' });
    const error = await rejection(api.post(service.url, {}, { headers: { 'Idempotency-Key': 'mine' } }));
    expect(getRetryReport(error)?.reason).toBe('method');
  });

  it('may come from a function, which is asked once a call', async () => {
    const service = await startService(answers(503, 503, 200));
    const idempotencyKey = jest.fn(({ data }: { data?: { id: number } }) => `order-${data?.id}`);
    await client({ idempotencyKey }).api.post(service.url, { id: 7 });
    expect(keysOf(service)).toEqual(['order-7', 'order-7', 'order-7']);
    expect(idempotencyKey).toHaveBeenCalledTimes(1);
  });

  it.each<[string, () => string, string]>([
    ['throws', () => { throw new Error('no session'); }, 'no session'],
    ['gives nothing', () => '', 'option "idempotencyKey" must return 1 to 255 printable ASCII characters'],
  ])('from a function that %s rejects the call before anything is sent', async (_name, idempotencyKey, message) => {
    const service = await startService(answers(200));
    const error = (await rejection(client({ idempotencyKey }).api.post(service.url, {}))) as Error;
    expect(error.message).toContain(message);
    expect(service.received).toHaveLength(0);
  });
});

/**
 * A shop whose orders are told apart by their key. Of the requests for each order some are lost on the way back, after
 * the order was taken, and some are answered with 503, before it was. Chance depends on the order and on how often
 * it was sent, so that the story is the same whatever the order in time.
 */
function shop() {
  const orders: string[] = [];
  const arrivals = new Map<string, number>();
  const answered = new Map<string, string>();
  const faults = { lost: 0, refused: 0 };
  const answer: Answer = ({ body, headers }, response) => {
    const arrival = (arrivals.get(body) ?? 0) + 1;
    arrivals.set(body, arrival);
    const chance = seededRandom(Number((JSON.parse(body) as { id: number }).id) * 1_000 + arrival)();
    if (chance < 0.2) {
      faults.refused += 1;
      response.writeHead(503).end();
      return;
    }
    const key = headers['idempotency-key'] as string | undefined;
    const known = key === undefined ? undefined : answered.get(key);
    if (known === undefined) orders.push(body);
    const receipt = known ?? JSON.stringify({ number: orders.length });
    if (key !== undefined) answered.set(key, receipt);
    if (chance < 0.45) {
      faults.lost += 1;
      response.socket?.destroy();
      return;
    }
    response.writeHead(201, { 'content-type': 'application/json' }).end(receipt);
  };
  return { orders, arrivals, faults, answer };
}

/** 500 orders, ten at a time. */
async function order500(send: (id: number) => Promise<unknown>): Promise<unknown[]> {
  const results: unknown[] = [];
  for (let id = 0; id < 500; id += 10) {
    const batch = Array.from({ length: 10 }, (_, index) => send(id + index));
    results.push(...(await Promise.all(batch)));
  }
  return results;
}

describe('500 orders at a shop that loses answers after it has taken the order, or is overloaded', () => {
  it('are exactly 500 orders with idempotencyKey: true', async () => {
    const { orders, faults, answer } = shop();
    const service = await startService(answer);
    const { api } = client({ idempotencyKey: true, retries: 20, budget: false });
    const receipts = await order500(async (id) => (await api.post<{ number: number }>(service.url, { id })).data.number);
    expect(new Set(orders).size).toBe(500);
    expect(orders).toHaveLength(500);
    expect(new Set(receipts).size).toBe(500);
    // The shop was as bad as it was meant to be.
    expect(faults.lost).toBeGreaterThan(100);
    expect(faults.refused).toBeGreaterThan(100);
    expect(service.received).toHaveLength(500 + faults.lost + faults.refused);
  });

  it('never reach it twice without keys', async () => {
    const { orders, arrivals, faults, answer } = shop();
    const service = await startService(answer);
    const { api } = client({ retries: 20, budget: false });
    const outcomes = await order500((id) => api.post(service.url, { id }).then(() => 'taken', (error) => getRetryReport(error)?.reason));
    expect([...arrivals.values()].filter((count) => count !== 1)).toEqual([]);
    expect(new Set(orders).size).toBe(orders.length);
    expect(outcomes.filter((outcome) => outcome === 'method')).toHaveLength(faults.lost + faults.refused);
    expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(500 - faults.lost - faults.refused);
  });
});

describe('what is no key', () => {
  it.each<[string, unknown]>([
    ['empty', ''],
    ['blank', '  '],
    ['an empty list', []],
    ['switched off', false],
  ])('F03 a header that is %s makes no POST eligible: it is sent once', async (_what, value) => {
    const service = await startService(answers('drop', 200));
    const { api } = client();
    const error = await rejection(api.post(service.url, {}, { headers: { 'Idempotency-Key': value as string } }));
    expect(service.received).toHaveLength(1);
    expect(getRetryReport(error)?.reason).toBe('method');
  });

  it.each<[string, unknown]>([
    ['empty', ''],
    ['blank', '  '],
    ['an empty list', []],
  ])('F03 a header that is %s: idempotencyKey makes one in its place', async (_what, value) => {
    const service = await startService(answers('drop', 200));
    const { api } = client({ idempotencyKey: true });
    await api.post(service.url, {}, { headers: { 'idempotency-key': value as string } });
    expect(keysOf(service)).toEqual([expect.stringMatching(UUID_V4), expect.stringMatching(UUID_V4)]);
    expect(new Set(keysOf(service)).size).toBe(1);
  });

  it.each<[string, RetryOptions['idempotencyKey']]>([
    ['letters of another alphabet', 'заказ-7'],
    ['a line break', 'order\n7'],
    ['a blank at its end', 'order-7 '],
    ['more than 255 characters', 'x'.repeat(256)],
    ['letters of another alphabet, made by a function', () => 'заказ-7'],
    ['nothing, made by a function', () => ''],
  ])('F04 %s: a TypeError, and nothing is sent', async (_what, idempotencyKey) => {
    const service = await startService(answers(200));
    const { api } = client();
    const error = await rejection(api.post(service.url, {}, { retry: { idempotencyKey } }));
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toMatch(/option "idempotencyKey".* must (be|return) .*printable ASCII characters without a blank at either end/);
    expect(service.received).toEqual([]);
    if (typeof idempotencyKey === 'string') expect(() => client({ idempotencyKey })).toThrow(TypeError);
  });

  it.each(['!', '~', 'x'.repeat(255), 'order 7, "again"; {"n":1}'])('F04 what is allowed arrives as it is: %j', async (idempotencyKey) => {
    const service = await startService(answers(503, 200));
    await client({ idempotencyKey }).api.post(service.url, {});
    expect(keysOf(service)).toEqual([idempotencyKey, idempotencyKey]);
  });
});
