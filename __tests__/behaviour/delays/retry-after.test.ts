import type { AxiosError } from 'axios';
import axios, { isAtLeast } from '../../helpers/axios';
import { failureOf, watchedPolicy } from '../../helpers/watched-policy';
import { serve, type Reply } from '../../helpers/wire-server';
import { attachRetry, getRetryReport, type RetryOptions } from '../../../lib/index';

const ADAPTERS = isAtLeast('1.7') ? ['http', 'fetch'] : ['http'];

const busy = (headers: Reply['headers'] = {}, status = 503): Reply => ({ status, headers });

function client(options: RetryOptions = {}, adapter = 'http') {
  const policy = watchedPolicy(options);
  const api = axios.create({ adapter });
  attachRetry(api, policy.options);
  return { api, policy };
}

/** The waits of one GET that gets `reply` once, then 200. `random` is 0.5. */
async function waitsAfter(reply: Reply, options: RetryOptions = {}): Promise<number[]> {
  const server = await serve(reply, 200);
  const { api, policy } = client(options);
  await api.get(server.url);
  return policy.waits;
}

describe.each(ADAPTERS)('through the %s adapter', (adapter) => {
  it('R40 waits for Retry-After and half of its spread, not for the backoff', async () => {
    const server = await serve(busy({ 'retry-after': '1' }, 429), 200);
    const { api, policy } = client({ baseDelay: 50 }, adapter);
    await api.get(server.url);
    expect(policy.waits).toEqual([1_250]);
    expect(policy.retried.map((event) => [event.retryAfter, event.delay])).toEqual([[1_000, 1_250]]);
  });

  it('R43 ignores two values', async () => {
    const server = await serve(busy({ 'retry-after': '1, 2' }), 200);
    const { api, policy } = client({}, adapter);
    await api.get(server.url);
    expect(policy.waits).toEqual([250]);
  });
});

describe('the floor', () => {
  it.each([
    ['R40 the very Retry-After for the luckiest draw, never earlier', { random: () => 0 }, 4_000],
    ['and half of it more for the unluckiest', { random: () => 1 - Number.EPSILON / 2 }, 6_000],
    ['R46 with the spread that was asked for', { retryAfterSpread: 2 }, 8_000],
    ['R46 without a spread where it is 0', { retryAfterSpread: 0 }, 4_000],
    ['without a spread where there is no jitter', { jitter: 'none' as const }, 4_000],
    ['spread over baseDelay at least', { baseDelay: 6_000, retryAfterSpread: 0.1 }, 7_000],
    ['spread over maxDelay at most', { baseDelay: 100, maxDelay: 1_000 }, 4_500],
    ['above maxDelay', { baseDelay: 1, maxDelay: 2, retryAfterSpread: 0 }, 4_000],
    ['under an own delay that asks for less', { delay: () => 1 }, 5_000],
    ['and not under one that asks for more', { delay: () => 30_000 }, 30_000],
    ['under a backoff that is longer', { baseDelay: 20_000, maxDelay: 20_000, retryAfterSpread: 0 }, 10_000],
  ])('is %s', async (_what, options: RetryOptions, expected) => {
    const [wait] = await waitsAfter(busy({ 'retry-after': '4' }), options);
    expect(wait).toBeCloseTo(expected, 6);
  });

  it.each([429, 503, 500, 408])('holds for a %d', async (status) => {
    expect(await waitsAfter(busy({ 'retry-after': '2' }, status))).toEqual([2_500]);
  });

  it('holds for a response that was accepted', async () => {
    const server = await serve(busy({ 'retry-after': '2' }), busy({ 'retry-after': '3' }, 200), 200);
    const shouldRetryResponse = ({ headers }: { headers: object }): boolean => 'retry-after' in headers;
    const { api, policy } = client({ shouldRetryResponse });
    const response = await api.get(server.url, { validateStatus: () => true });
    expect(response.status).toBe(200);
    expect(policy.waits).toEqual([2_500, 3_750]);
  });

  it('brings a crowd that was told the same back at different times, nobody early', async () => {
    const server = await serve(busy({ 'retry-after': '1' }));
    const { api, policy } = client({ random: Math.random, retries: 1 });
    await Promise.all(Array.from({ length: 60 }, () => failureOf(api.get(server.url))));
    expect(policy.waits).toHaveLength(60);
    expect(Math.min(...policy.waits)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...policy.waits)).toBeLessThan(1_500);
    expect(new Set(policy.waits).size).toBe(60);
  });

  it('is not what the next decorrelated delay grows from', async () => {
    const server = await serve(busy({ 'retry-after': '20' }), 503, 200);
    const { api, policy } = client({ jitter: 'decorrelated' });
    await api.get(server.url);
    expect(policy.waits).toEqual([25_000, 1_750]);
  });
});

describe('the date', () => {
  it('is measured against the Date header of the answer, not against the local clock', async () => {
    const reply = busy({ date: 'Sun, 06 Nov 1994 08:49:37 GMT', 'retry-after': 'Sun, 06 Nov 1994 08:49:47 GMT' });
    expect(await waitsAfter(reply, { retryAfterSpread: 0 })).toEqual([10_000]);
  });

  it.each(['Sunday, 06-Nov-94 08:49:47 GMT', 'Sun Nov  6 08:49:47 1994'])('may be %s', async (date) => {
    const reply = busy({ date: 'Sun, 06 Nov 1994 08:49:37 GMT', 'retry-after': date });
    expect(await waitsAfter(reply, { retryAfterSpread: 0 })).toEqual([10_000]);
  });
});

describe('R43 what cannot be understood, and R41 what means now, leave the backoff as it is', () => {
  it.each([
    ['R41 0', '0'],
    ['R41 a date of the past', 'Sun, 06 Nov 1994 08:49:37 GMT'],
    ['R43 a negative number', '-5'],
    ['R43 a word', 'soon'],
    ['R43 nothing', ''],
    ['R43 Infinity', 'Infinity'],
    ['R43 two values', '1, 2'],
    ['R43 NaN', 'NaN'],
  ])('%s', async (_what, value) => {
    expect(await waitsAfter(busy({ 'retry-after': value }, 429))).toEqual([250]);
    expect(await waitsAfter(busy({ 'retry-after': value }), { maxRetryAfter: 0 })).toEqual([250]);
  });

  it('R43 1.5 is understood: a second and a half', async () => {
    expect(await waitsAfter(busy({ 'retry-after': '1.5' }), { retryAfterSpread: 0 })).toEqual([1_500]);
  });

  it('R49 a 429 without the header waits for the backoff', async () => {
    expect(await waitsAfter(busy({}, 429))).toEqual([250]);
  });
});

describe('the limit', () => {
  it('R45 ends the call with the server’s answer, at once; what was asked for can be read', async () => {
    const server = await serve(busy({ 'retry-after': '120' }, 429));
    const { api, policy } = client({ maxRetryAfter: 20_000 });
    const error = await failureOf<AxiosError>(api.get(server.url));
    expect(error.response?.status).toBe(429);
    expect(policy.waits).toEqual([]);
    expect(server.methods).toHaveLength(1);
    expect(policy.gaveUp.map((event) => [event.reason, event.retryAfter])).toEqual([['retry-after', 120_000]]);
    expect(getRetryReport(error)).toMatchObject({ attempts: 1, reason: 'retry-after', retryAfter: 120_000 });
  });

  it.each([
    ['9999999999', 'retry-after'],
    ['Thu, 01 Jan 2099 00:00:00 GMT', 'retry-after'],
    ['61', 'retry-after'],
    ['60', undefined],
  ])('is a minute by default: %s ends the call with reason %s', async (value, reason) => {
    const server = await serve(busy({ 'retry-after': value }), 200);
    const { api, policy } = client();
    await api.get(server.url).catch(() => undefined);
    expect(policy.reasons).toEqual(reason === undefined ? [] : [reason]);
  });

  it.each([
    [4_000, []],
    [3_999, ['retry-after']],
    [Infinity, []],
  ])('R46 of %d ms is read, not only stored', async (maxRetryAfter, reasons) => {
    const server = await serve(busy({ 'retry-after': '4' }), 200);
    const { api, policy } = client({ maxRetryAfter });
    await api.get(server.url).catch(() => undefined);
    expect(policy.reasons).toEqual(reasons);
  });

  it('looks at what the server asks for, not at the spread on top', async () => {
    expect(await waitsAfter(busy({ 'retry-after': '4' }), { maxRetryAfter: 4_000 })).toEqual([5_000]);
  });
});

describe('R50 the hints of vendors', () => {
  it.each([
    ['retry-after-ms', { 'retry-after-ms': '300' }, [550]],
    ['x-ms-retry-after-ms', { 'x-ms-retry-after-ms': '2000' }, [2_500]],
    ['retry-after-ms rather than Retry-After', { 'retry-after-ms': '300', 'retry-after': '50' }, [550]],
    ['Retry-After where retry-after-ms is nonsense', { 'retry-after-ms': 'x', 'retry-after': '2' }, [2_500]],
  ])('%s', async (_what, headers, waits) => {
    expect(await waitsAfter(busy(headers, 429))).toEqual(waits);
  });

  it('x-should-retry: false beats a status that can heal', async () => {
    const server = await serve(busy({ 'x-should-retry': 'false' }, 500), 200);
    const { api, policy } = client();
    const error = await failureOf<AxiosError>(api.get(server.url));
    expect(error.response?.status).toBe(500);
    expect(policy.reasons).toEqual(['not-retryable']);
  });

  it('x-should-retry: true beats a status that cannot', async () => {
    const server = await serve(busy({ 'x-should-retry': 'true' }, 409), 200);
    const { api, policy } = client();
    await api.get(server.url);
    expect(policy.retried.map((event) => event.kind)).toEqual(['status']);
  });

  it('x-should-retry: true does not make a POST safe to repeat', async () => {
    const server = await serve(busy({ 'x-should-retry': 'true' }, 500), 200);
    const { api, policy } = client();
    await failureOf(api.post(server.url, {}));
    expect(policy.reasons).toEqual(['method']);
  });
});

describe('413', () => {
  it.each([
    ['with Retry-After is sent again', { 'retry-after': '2' }, {}, [2_500]],
    ['with a date that is over as well', { 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }, {}, [250]],
    ['without it is not', {}, {}, []],
    ['with one that is not understood is not', { 'retry-after': 'soon' }, {}, []],
    ['with it is not where the caller chose the statuses', { 'retry-after': '2' }, { statuses: [503] }, []],
  ])('%s', async (_what, headers, options, waits) => {
    const server = await serve(busy(headers, 413), 200);
    const { api, policy } = client(options);
    await api.put(server.url, 'body').catch(() => undefined);
    expect(policy.waits).toEqual(waits);
  });
});

describe('R96 without Retry-After', () => {
  it.each([
    ['by default half of 500, 1000 and 2000 ms for a middling draw', {}, [250, 500, 1_000]],
    ['moved by baseDelay', { baseDelay: 400 }, [200, 400, 800]],
    ['moved by factor', { factor: 3 }, [250, 750, 2_250]],
    ['moved by maxDelay', { maxDelay: 600 }, [250, 300, 300]],
    ['moved by jitter', { jitter: 'equal' as const }, [375, 750, 1_500]],
    ['moved by chance', { random: () => 0.1 }, [50, 100, 200]],
    ['moved by retries', { retries: 1 }, [250]],
  ])('the waits are %s', async (_what, options, waits) => {
    const server = await serve(503);
    const { api, policy } = client(options);
    await failureOf(api.get(server.url));
    expect(policy.waits).toEqual(waits);
  });
});
