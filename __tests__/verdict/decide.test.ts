import { Readable } from 'node:stream';
import { AxiosHeaders } from 'axios';
import { canHeal, decide, type Facts, type Go, type Verdict } from '../../lib/verdict/decide';
import type { FailureKind, RetryEvent, StopReason } from '../../lib/watch/events';
import type { RetryOptions } from '../../lib/options/retry-options';
import { resolved } from '../helpers/resolved';

const EVENT: RetryEvent = {
  attempt: 1,
  retries: 3,
  kind: 'status',
  origin: 'https://api.example.com',
  elapsed: 0,
  config: { headers: new AxiosHeaders() },
  willRetry: true,
};

function request(method?: string, headers: Record<string, string> = {}, data?: unknown): Facts['request'] {
  return { ...(method !== undefined && { method }), headers: new AxiosHeaders(headers), data };
}

/** A failed GET that may be retried, but for what is changed. */
function facts(change: Partial<Facts> = {}, options: RetryOptions = {}): Facts {
  return {
    options: resolved({ random: () => 0.5, ...options }),
    kind: 'status',
    attempt: 1,
    request: request('get'),
    elapsed: 0,
    retryAfter: undefined,
    previousBackoff: undefined,
    opinion: undefined,
    takeToken: () => true,
    describeEvent: () => EVENT,
    ...change,
  };
}

const stopped = (reason: StopReason): Verdict => ({ retry: false, reason });
const reasonOf = (verdict: Verdict): StopReason | undefined => (verdict.retry ? undefined : verdict.reason);

function go(verdict: Verdict): Go {
  if (!verdict.retry) throw new Error(`stopped: ${verdict.reason}`);
  return verdict;
}

describe('the ladder', () => {
  /** Every rung refuses this one. */
  const hopeless = (takeToken: () => boolean): Facts =>
    facts(
      {
        kind: 'permanent',
        attempt: 4,
        request: request('post', {}, Readable.from(['x'])),
        elapsed: 1_000,
        retryAfter: 90_000,
        takeToken,
      },
      { totalTimeout: 1_000, dryRun: true },
    );
  const options = { totalTimeout: 1_000, dryRun: true };
  /** Each mends what the rung before it refused, from the top downwards. */
  const mends: [StopReason, Partial<Facts>][] = [
    ['method', { kind: 'status' }],
    ['body', { request: request('get', {}, Readable.from(['x'])) }],
    ['exhausted', { request: request('get') }],
    ['retry-after', { attempt: 3 }],
    ['deadline', { retryAfter: undefined }],
    ['dry-run', { options: resolved({ ...options, totalTimeout: undefined }) }],
    ['budget', { options: resolved({}) }],
  ];

  it('gives the first reason that applies, in the order of the contract', () => {
    const takeToken = jest.fn(() => false);
    let current = hopeless(takeToken);
    expect(decide(current)).toEqual(stopped('not-retryable'));
    for (const [reason, mended] of mends) {
      current = { ...current, ...mended };
      expect(decide(current)).toEqual(stopped(reason));
    }
    expect(decide({ ...current, takeToken: () => true }).retry).toBe(true);
  });

  it('asks for a token only when nothing else refuses', () => {
    const takeToken = jest.fn(() => true);
    let current = hopeless(takeToken);
    for (const [, mended] of mends) {
      expect(decide(current).retry).toBe(false);
      expect(takeToken).not.toHaveBeenCalled();
      current = { ...current, ...mended };
    }
    expect(decide(current).retry).toBe(true);
    expect(takeToken).toHaveBeenCalledTimes(1);
  });

  it('says aborted for a cancellation, whatever else applies', () => {
    expect(decide({ ...hopeless(() => false), kind: 'cancelled' })).toEqual(stopped('aborted'));
    expect(decide({ ...hopeless(() => false), kind: 'cancelled', opinion: true })).toEqual(stopped('aborted'));
  });
});

describe('the kind', () => {
  it.each<[FailureKind, boolean]>([
    ['unsent', true],
    ['network', true],
    ['timeout', true],
    ['status', true],
    ['response', true],
    ['permanent', false],
    ['cancelled', false],
  ])('%s can heal: %j', (kind, expected) => {
    expect(canHeal(kind)).toBe(expected);
    expect(decide(facts({ kind })).retry).toBe(expected);
  });

  it.each<[FailureKind, boolean]>([
    ['unsent', true],
    ['response', true],
    ['network', false],
    ['timeout', false],
    ['status', false],
  ])('%s of a POST is retried: %j', (kind, expected) => {
    const verdict = decide(facts({ kind, request: request('post') }));
    expect(reasonOf(verdict)).toBe(expected ? undefined : 'method');
  });
});

describe('the method', () => {
  it.each(['get', 'HEAD', 'Options', 'put', 'DELETE', 'trace', 'QUERY', undefined])('%s may be repeated', (method) => {
    expect(decide(facts({ request: request(method) }))).toMatchObject({ retry: true, key: undefined });
  });

  it.each(['post', 'PATCH', 'connect', 'PURGE', ''])('%j may not be repeated', (method) => {
    expect(decide(facts({ request: request(method) }))).toEqual(stopped('method'));
  });

  it('may be repeated with an idempotency key, in any letter case', () => {
    expect(decide(facts({ request: request('post', { 'IDEMPOTENCY-key': 'k' }) }))).toMatchObject({ retry: true, key: 'k' });
  });

  it('may be repeated with the key under the header that was chosen, and not under the usual one', () => {
    const options = { idempotencyHeader: 'X-Request-Key' };
    expect(decide(facts({ request: request('post', { 'x-request-key': 'k' }) }, options))).toMatchObject({ retry: true, key: 'k' });
    expect(decide(facts({ request: request('post', { 'idempotency-key': 'k' }) }, options))).toEqual(stopped('method'));
  });

  it.each<[string, Partial<Facts>]>([
    ['a method that may be repeated', { request: request('put', { 'idempotency-key': 'k' }) }],
    ['what was never sent', { kind: 'unsent' }],
    ['an answer that says "later"', { kind: 'response' }],
    ['a caller who asks for it', { opinion: true }],
  ])('needs no key with %s', (_, change) => {
    expect(decide(facts({ request: request('post', { 'idempotency-key': 'k' }), ...change }))).toMatchObject({ retry: true, key: undefined });
  });

  it('R52 is one small option: statuses that cannot heal still stop', () => {
    const options = { methods: ['post'] };
    expect(decide(facts({ request: request('POST') }, options)).retry).toBe(true);
    expect(decide(facts({ request: request('POST'), kind: 'permanent' }, options))).toEqual(stopped('not-retryable'));
    expect(decide(facts({ request: request('get') }, options))).toEqual(stopped('method'));
  });
});

describe('the opinion of shouldRetry', () => {
  it('overrides the kind and the method when it is true', () => {
    expect(decide(facts({ kind: 'permanent', request: request('post'), opinion: true })).retry).toBe(true);
  });

  it('stops what would be retried when it is false', () => {
    expect(decide(facts({ opinion: false }))).toEqual(stopped('not-retryable'));
  });

  it('leaves the verdict alone when it is undefined', () => {
    expect(decide(facts({ opinion: undefined })).retry).toBe(true);
    expect(decide(facts({ opinion: undefined, kind: 'permanent' }))).toEqual(stopped('not-retryable'));
  });

  it.each<[StopReason, Partial<Facts>, RetryOptions]>([
    ['body', { request: request('get', {}, Readable.from(['x'])) }, {}],
    ['exhausted', { attempt: 4 }, {}],
    ['retry-after', { retryAfter: 60_001 }, {}],
    ['deadline', { elapsed: 1_000 }, { totalTimeout: 1_000 }],
    ['dry-run', {}, { dryRun: true }],
    ['budget', { takeToken: () => false }, {}],
  ])('cannot override the hard stop %s', (reason, change, options) => {
    expect(decide(facts({ ...change, opinion: true }, options))).toEqual(stopped(reason));
  });
});

describe('each limit', () => {
  it.each([
    [3, 3, true],
    [4, 3, false],
    [1, 0, false],
    [1_000_000, Infinity, true],
  ])('after attempt %d of %d retries there is another: %j', (attempt, retries, expected) => {
    expect(reasonOf(decide(facts({ attempt }, { retries })))).toBe(expected ? undefined : 'exhausted');
  });

  it('lets a one-shot body pass where a function makes a fresh one', () => {
    const change = { request: request('put', {}, Readable.from(['x'])) };
    expect(decide(facts(change))).toEqual(stopped('body'));
    expect(decide(facts(change, { body: () => 'fresh' })).retry).toBe(true);
  });

  it.each([
    [60_000, {}, true],
    [60_001, {}, false],
    [9_999_999_999_000, {}, false],
    [1, { maxRetryAfter: 0 }, false],
    [0, { maxRetryAfter: 0 }, true],
    [9_999_999_999_000, { maxRetryAfter: Infinity }, true],
  ])('a Retry-After of %d ms with %j is waited for: %j', (retryAfter, options, expected) => {
    expect(reasonOf(decide(facts({ retryAfter }, options)))).toBe(expected ? undefined : 'retry-after');
  });

  it.each([
    [749, true],
    [750, false],
    [5_000, false],
  ])('with %d of 1000 ms gone a wait of 250 ms is begun: %j', (elapsed, expected) => {
    expect(reasonOf(decide(facts({ elapsed }, { totalTimeout: 1_000 })))).toBe(expected ? undefined : 'deadline');
  });

  it('counts the spread Retry-After against the deadline, not the backoff alone', () => {
    expect(decide(facts({ retryAfter: 800 }, { totalTimeout: 1_000 }))).toEqual(stopped('deadline'));
  });
});

describe('the delay', () => {
  const noDelay = (): undefined => undefined;
  it.each([
    ['the backoff of this retry', { attempt: 2 }, {}, 500],
    ['grown from the previous one', { attempt: 2, previousBackoff: 900 }, { jitter: 'decorrelated' as const }, 1_600],
    ['the backoff where Retry-After is 0', { retryAfter: 0 }, {}, 250],
    ['Retry-After and half of its spread', { retryAfter: 4_000 }, {}, 5_000],
    ['the backoff where that is longer', { attempt: 3, retryAfter: 10 }, { retryAfterSpread: 0 }, 1_000],
    ['the very Retry-After without jitter', { retryAfter: 4_000 }, { jitter: 'none' as const }, 4_000],
    ['above maxDelay where the server asks for it', { retryAfter: 50_000 }, { retryAfterSpread: 0 }, 50_000],
    ['the own function', {}, { delay: () => 42 }, 42],
    ['S17 the backoff where the own function says nothing', { attempt: 2 }, { delay: noDelay }, 500],
    ['S17 Retry-After where the own function says nothing', { retryAfter: 4_000 }, { delay: noDelay }, 5_000],
    ['0 where the own function says so', {}, { delay: () => 0 }, 0],
    ['Retry-After where the own function asks for less', { retryAfter: 4_000 }, { delay: () => 42 }, 5_000],
    ['the own function where Retry-After is less', { retryAfter: 4_000 }, { delay: () => 90_000 }, 90_000],
  ])('is %s', (_what, change, options, expected) => {
    expect(go(decide(facts(change, options))).delay).toBe(expected);
  });

  it('keeps the backoff apart from Retry-After, for the next decorrelated draw', () => {
    const verdict = decide(facts({ retryAfter: 20_000 }, { jitter: 'decorrelated' }));
    expect(verdict).toEqual({ retry: true, backoff: 1_000, delay: 25_000 });
  });

  it('gives the own function the event', () => {
    const delay = jest.fn((_event: RetryEvent) => 1);
    decide(facts({}, { delay }));
    expect(delay.mock.calls).toEqual([[EVENT]]);
  });

  it.each([NaN, Infinity, -1, '5', null, Promise.resolve(5)])('of an own function may not be %p', (value) => {
    const verdict = decide(facts({}, { delay: () => value as number }));
    expect(verdict).toMatchObject({ retry: false, reason: 'hook-failed', hookError: expect.any(RangeError) as RangeError });
    expect(verdict).toHaveProperty('hookError.message', expect.stringContaining('option "delay" must give a finite number of ms >= 0; got'));
  });

  it('stops with the error of an own function that throws, before a token is taken', () => {
    const hookError = new Error('no idea');
    const takeToken = jest.fn(() => true);
    const delay = (): number => {
      throw hookError;
    };
    expect(decide(facts({ takeToken }, { delay }))).toEqual({ retry: false, reason: 'hook-failed', hookError });
    expect(takeToken).not.toHaveBeenCalled();
  });

  it.each([NaN, Infinity, undefined])('is never %p because chance is', (drawn) => {
    const verdict = decide(facts({}, { random: () => drawn as number }));
    expect(verdict).toMatchObject({ retry: false, reason: 'hook-failed', hookError: expect.any(RangeError) as RangeError });
    expect(verdict).toHaveProperty('hookError.message', expect.stringContaining('option "random" must give'));
  });

  it.each([NaN, Infinity, undefined])('is never %p because chance is, where the server says when', (drawn) => {
    const verdict = decide(facts({ retryAfter: 4_000 }, { delay: () => 1, random: () => drawn as number }));
    expect(verdict).toMatchObject({ retry: false, reason: 'hook-failed', hookError: expect.any(RangeError) as RangeError });
    expect(verdict).toHaveProperty('hookError.message', expect.stringContaining('option "random" must give'));
  });

  it('stops with what taking a token throws', () => {
    const hookError = new Error('origin');
    const takeToken = (): boolean => {
      throw hookError;
    };
    expect(decide(facts({ takeToken }))).toEqual({ retry: false, reason: 'hook-failed', hookError });
  });
});
