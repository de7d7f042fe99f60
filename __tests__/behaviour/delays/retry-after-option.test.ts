import type { AxiosResponse } from 'axios';
import axios from '../../helpers/axios';
import { failureOf, watchedPolicy } from '../../helpers/watched-policy';
import { serve, type Reply, type Step } from '../../helpers/wire-server';
import { attachRetry, type RetryOptions } from '../../../lib/index';

const busy = (body: object, headers: Record<string, string> = {}): Reply => ({ status: 429, headers, body: JSON.stringify(body) });
/** As the APIs of chat platforms say it: seconds with a fraction, in the body. */
const fromBody = ({ data }: AxiosResponse): number | undefined => {
  const seconds: unknown = (data as { retry_after?: unknown }).retry_after;
  return typeof seconds === 'number' ? seconds * 1_000 : undefined;
};

async function run(options: RetryOptions, ...steps: Step[]) {
  const server = await serve(...steps);
  const policy = watchedPolicy(options);
  const api = axios.create();
  attachRetry(api, policy.options);
  const outcome = await api.get(server.url).catch((error: unknown) => error);
  return { ...policy, outcome, reasons: policy.reasons, requests: server.methods.length };
}

describe('S17 the retryAfter option', () => {
  it.each<[string, RetryOptions, Reply, number]>([
    ['reads it where the API says it: 1.2 s in the body, and half of the spread', { retryAfter: fromBody }, busy({ retry_after: 1.2 }), 1_500],
    ['is a floor, no more: the backoff where that is longer', { retryAfter: fromBody, retryAfterSpread: 0, baseDelay: 9_000 }, busy({ retry_after: 1.2 }), 4_500],
    ['falls back on the headers where it gives undefined', { retryAfter: fromBody }, busy({}, { 'retry-after': '4' }), 5_000],
    ['beats the headers where it gives a number', { retryAfter: fromBody }, busy({ retry_after: 8 }, { 'retry-after': '4' }), 10_000],
    ['is "now" with 0, like the header: the normal backoff', { retryAfter: () => 0 }, busy({}, { 'retry-after': '4' }), 250],
    ['turns the headers off with false', { retryAfter: false }, busy({}, { 'retry-after': '4', 'retry-after-ms': '9000' }), 250],
    ['can look at headers of the API’s own', { retryAfter: ({ headers }) => Number(headers['x-reset-ms']) }, busy({}, { 'x-reset-ms': '4000' }), 5_000],
  ])('%s', async (_what, options, reply, wait) => {
    const { waits, requests } = await run(options, reply, 200);
    expect(waits).toEqual([wait]);
    expect(requests).toBe(2);
  });

  it('has the bound of the header: beyond maxRetryAfter the call stops with the server’s answer', async () => {
    const { reasons, requests, gaveUp } = await run({ retryAfter: () => 60_001 }, busy({}));
    expect([reasons, requests]).toEqual([['retry-after'], 1]);
    expect(gaveUp[0]?.retryAfter).toBe(60_001);
  });

  it('is told in events and report', async () => {
    const { retried, outcome } = await run({ retryAfter: fromBody }, busy({ retry_after: 2 }), 200);
    expect(retried[0]?.retryAfter).toBe(2_000);
    expect((outcome as AxiosResponse).retry?.retryAfter).toBe(2_000);
  });

  it.each<[string, RetryOptions, number]>([
    ['a 413 is retried where the function knows how long to wait', { retryAfter: () => 1_000 }, 2],
    ['a 413 is permanent where nothing is to be read', { retryAfter: false }, 1],
  ])('%s', async (_what, options, expected) => {
    const { requests } = await run(options, { status: 413, headers: { 'retry-after': '1' } }, 200);
    expect(requests).toBe(expected);
  });

  it('is asked about an accepted answer, too', async () => {
    const pending = { status: 200, body: '{"state":"pending","retry_after":3}' };
    const shouldRetryResponse = ({ data }: AxiosResponse): boolean => (data as { state?: string }).state === 'pending';
    const { waits } = await run({ shouldRetryResponse, retryAfter: fromBody }, pending, 200);
    expect(waits).toEqual([3_750]);
  });

  it.each([NaN, -1, Infinity, '5', null, Promise.resolve(5)])('gives %p: the call ends with the real error, and the hook’s', async (value) => {
    const { gaveUp, outcome, requests } = await run({ retryAfter: () => value as number }, busy({}));
    expect(requests).toBe(1);
    expect((outcome as { response?: AxiosResponse }).response?.status).toBe(429);
    expect(gaveUp[0]).toMatchObject({ reason: 'hook-failed', hookError: expect.any(RangeError) as RangeError });
    expect(gaveUp[0]).toHaveProperty('hookError.message', expect.stringContaining('option "retryAfter" must give a finite number of ms >= 0; got'));
  });

  it('that throws ends the call with the real error, and its own in hookError', async () => {
    const hookError = new Error('unreadable');
    const server = await serve(503);
    const policy = watchedPolicy();
    const api = axios.create();
    attachRetry(api, policy.options);
    const retryAfter = (): never => {
      throw hookError;
    };
    const error = await failureOf(api.get(server.url, { retry: { retryAfter } }));
    expect(error).toMatchObject({ response: { status: 503 }, retry: { attempts: 1, reason: 'hook-failed', hookError } });
  });
});

describe('S17 delay', () => {
  it('that gives undefined leaves it to the formulas and Retry-After', async () => {
    const { waits, requests } = await run({ delay: ({ attempt }) => (attempt === 1 ? 42 : undefined) }, 503, 503, busy({}, { 'retry-after': '4' }), 200);
    expect(waits).toEqual([42, 500, 5_000]);
    expect(requests).toBe(4);
  });
});
