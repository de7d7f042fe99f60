import { AxiosError, AxiosHeaders, CanceledError, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import { standingOf } from '../../lib/circuit/circuit-outcome';
import { circuitBreaker, type CircuitBreakerOptions, type CircuitBreakers } from '../../lib/cockatiel';
import { rejection } from '../helpers/local-service';
import { fakeClocks } from '../helpers/virtual-time';

const ORIGIN = 'https://a.example';
const config: InternalAxiosRequestConfig = { headers: new AxiosHeaders() };

function answer(status: number, headers: Record<string, string> = {}): AxiosResponse {
  return { status, statusText: '', headers, data: '', config };
}

function failure(code?: string, response?: AxiosResponse, message = 'failed'): AxiosError {
  return new AxiosError(message, code, config, {}, response);
}

describe('what an outcome says about the origin', () => {
  it.each<[string, unknown, 'success' | 'failure' | 'neither']>([
    // unsent, network, timeout
    ['ECONNREFUSED', failure('ECONNREFUSED'), 'failure'],
    ['ENOTFOUND', failure('ENOTFOUND'), 'failure'],
    ['ECONNRESET', failure('ECONNRESET'), 'failure'],
    ['ERR_NETWORK', failure('ERR_NETWORK'), 'failure'],
    ['neither code nor response', failure(), 'failure'],
    ["axios' timeout", failure('ECONNABORTED', undefined, 'timeout of 5ms exceeded'), 'failure'],
    ["axios' clarified timeout", failure('ETIMEDOUT', undefined, 'timeout of 5ms exceeded'), 'failure'],
    ['an answer that was cut off', failure('ERR_BAD_RESPONSE', answer(200), 'stream has been aborted'), 'failure'],
    // answers
    ['500', failure('ERR_BAD_RESPONSE', answer(500)), 'failure'],
    ['501', failure('ERR_BAD_RESPONSE', answer(501)), 'failure'],
    ['503', failure('ERR_BAD_RESPONSE', answer(503)), 'failure'],
    ['503 that must not be retried', failure('ERR_BAD_RESPONSE', answer(503, { 'x-should-retry': 'false' })), 'failure'],
    ['400', failure('ERR_BAD_REQUEST', answer(400)), 'success'],
    ['404', failure('ERR_BAD_REQUEST', answer(404)), 'success'],
    ['408', failure('ERR_BAD_REQUEST', answer(408)), 'success'],
    ['425', failure('ERR_BAD_REQUEST', answer(425)), 'success'],
    ['429', failure('ERR_BAD_REQUEST', answer(429)), 'success'],
    ['409 that should be retried', failure('ERR_BAD_REQUEST', answer(409, { 'x-should-retry': 'true' })), 'success'],
    ['an answer that could not be parsed', failure('ERR_BAD_RESPONSE', answer(200), 'Unexpected token'), 'success'],
    // nobody's fault
    ['a cancellation', new CanceledError('canceled'), 'neither'],
    ["a browser's own abort", failure('ECONNABORTED', undefined, 'Request aborted'), 'neither'],
    ['a bad URL', failure('ERR_INVALID_URL'), 'neither'],
    ['a certificate', failure('CERT_HAS_EXPIRED'), 'neither'],
    ['a plain Error', new Error('broken adapter'), 'neither'],
    ['undefined', undefined, 'neither'],
  ])('judges a rejection with %s by its kind', (_name, error, standing) => {
    expect(standingOf({ error })).toBe(standing);
  });

  it.each([
    [200, 'success'],
    [304, 'success'],
    [404, 'success'],
    [429, 'success'],
    [500, 'failure'],
    [503, 'failure'],
  ])('accepted with status %d: %s', (status, standing) => {
    expect(standingOf({ value: answer(status) })).toBe(standing);
  });

  it.each([undefined, null, 'unwrapped', { id: 7 }])('takes a value that is no response, %j, for a success', (value) => {
    expect(standingOf({ value })).toBe('success');
  });
});

describe('wrong options', () => {
  it.each<[CircuitBreakerOptions, string]>([
    [{ threshold: 0 }, '"threshold" must be a number > 0 and <= 1; got 0'],
    [{ threshold: 1.1 }, '"threshold" must be a number > 0 and <= 1; got 1.1'],
    [{ threshold: NaN }, '"threshold" must be a number > 0 and <= 1; got NaN'],
    [{ window: 0 }, '"window" must be a finite number > 0; got 0'],
    [{ window: Infinity }, '"window" must be a finite number > 0; got Infinity'],
    [{ minimumAttempts: 0 }, '"minimumAttempts" must be a whole number >= 1; got 0'],
    [{ minimumAttempts: 2.5 }, '"minimumAttempts" must be a whole number >= 1; got 2.5'],
    [{ breakDelay: 0 }, '"breakDelay" must be a finite number > 0; got 0'],
    [{ breakDelay: -1 }, '"breakDelay" must be a finite number > 0; got -1'],
    [{ maxBreakDelay: Infinity }, '"maxBreakDelay" must be a finite number > 0; got Infinity'],
    [{ breakDelay: 2_000, maxBreakDelay: 1_000 }, '"maxBreakDelay" must be at least breakDelay (2000); got 1000'],
    [{ maxBreakDelay: 1_000 }, '"maxBreakDelay" must be at least breakDelay (5000); got 1000'],
  ])('%j are a RangeError', (options, message) => {
    expect(() => circuitBreaker(options)).toThrow(new RangeError(`axios-jitter: circuitBreaker option ${message}`));
  });

  it.each([
    [{ treshold: 0.5 }, 'unknown circuitBreaker option "treshold"; did you mean "threshold"?'],
    [{ window: '10s' }, `circuitBreaker option "window" must be a finite number > 0; got '10s'`],
    [{ onStateChange: true }, 'circuitBreaker option "onStateChange" must be a function; got true'],
    ['fast', `circuitBreaker options must be an object; got 'fast'`],
  ])('%j are a TypeError', (options, message) => {
    expect(() => circuitBreaker(options as CircuitBreakerOptions)).toThrow(new TypeError(`axios-jitter: ${message}`));
  });

  it('takes an explicit undefined for "not given"', () => {
    expect(() => circuitBreaker({ threshold: undefined, breakDelay: undefined, onStateChange: undefined })).not.toThrow();
  });
});

async function fail(breakers: CircuitBreakers, times = 1, origin = ORIGIN): Promise<void> {
  for (let i = 0; i < times; i++) {
    await rejection(breakers(origin).execute(() => Promise.reject(failure('ECONNRESET'))));
  }
}

const succeed = (breakers: CircuitBreakers): Promise<string> => breakers(ORIGIN).execute(() => Promise.resolve('fine'));

// A break lasts exactly half its bound with this chance.
const random = (): number => 0;

describe('the defaults', () => {
  it('open at half of 20 attempts', async () => {
    fakeClocks();
    const breakers = circuitBreaker();
    for (let i = 0; i < 10; i++) await succeed(breakers);
    await fail(breakers, 9);
    expect(breakers.state(ORIGIN)).toBe('closed');
    await fail(breakers);
    expect(breakers.state(ORIGIN)).toBe('open');
  });

  it.each([
    [0, 2_500],
    [0.5, 3_750],
  ])('break for 2.5 to 5 seconds: with a chance of %d it is %d ms', async (chance, duration) => {
    const clock = fakeClocks();
    const breakers = circuitBreaker({ minimumAttempts: 1, random: () => chance });
    await fail(breakers);
    clock.advance(duration - 1);
    expect(breakers.state(ORIGIN)).toBe('open');
    clock.advance(1);
    expect(breakers.state(ORIGIN)).toBe('half-open');
  });

  it('double the break with each failed probe up to 60 seconds, and begin anew after a good one', async () => {
    const clock = fakeClocks();
    const breakers = circuitBreaker({ minimumAttempts: 1, random });
    const breaks: number[] = [];
    for (let i = 0; i < 6; i++) {
      await fail(breakers);
      let ms = 0;
      for (; breakers.state(ORIGIN) === 'open' && ms < 100_000; ms += 500) clock.advance(500);
      breaks.push(ms);
    }
    expect(breaks).toEqual([2_500, 5_000, 10_000, 20_000, 30_000, 30_000]);
    await succeed(breakers);
    await fail(breakers);
    clock.advance(2_500);
    expect(breakers.state(ORIGIN)).toBe('half-open');
  });
});

it('keeps one circuit for each origin, also for those who ask twice', async () => {
  const breakers = circuitBreaker({ minimumAttempts: 1 });
  expect(breakers(ORIGIN)).toBe(breakers(ORIGIN));
  await fail(breakers);
  expect(breakers.state(ORIGIN)).toBe('open');
  expect(breakers.state('https://b.example')).toBe('closed');
});

it('shares its circuits with no other', async () => {
  const [one, other] = [circuitBreaker({ minimumAttempts: 1 }), circuitBreaker({ minimumAttempts: 1 })];
  await fail(one);
  expect(other.state(ORIGIN)).toBe('closed');
});

it('makes no circuit for an origin whose state is merely read', () => {
  const breakers = circuitBreaker();
  for (let i = 0; i < 5_000; i++) breakers.state(`https://${i}.example`);
  expect(breakers.state(ORIGIN)).toBe('closed');
});

it('tells the state of a circuit that has been in use for longer than 10 minutes', async () => {
  const clock = fakeClocks();
  const breakers = circuitBreaker({ minimumAttempts: 1 });
  // Held by whoever asked for it, as the per-origin table of an instance does.
  const circuit = breakers(ORIGIN);
  for (let minute = 0; minute < 11; minute++) {
    await circuit.execute(() => Promise.resolve('fine'));
    clock.advance(60_000);
  }
  await rejection(circuit.execute(() => Promise.reject(failure('ECONNRESET'))));
  expect(breakers.state(ORIGIN)).toBe('open');
});

it('passes values and errors on as they are', async () => {
  const breakers = circuitBreaker();
  const [value, error] = [{ id: 7 }, failure('ECONNRESET')];
  expect(await breakers(ORIGIN).execute(() => Promise.resolve(value))).toBe(value);
  expect(await rejection(breakers(ORIGIN).execute(() => Promise.reject(error)))).toBe(error);
  expect(await rejection(breakers(ORIGIN).execute(() => Promise.reject(undefined as unknown as Error)))).toBeUndefined();
});

const DELAY = 1_000;
/** Opens at the first failure; every break lasts a second. */
const quick = (more: CircuitBreakerOptions = {}): CircuitBreakers =>
  circuitBreaker({ minimumAttempts: 1, breakDelay: 2 * DELAY, maxBreakDelay: 2 * DELAY, random, ...more });

describe('F11 when the system clock is moved', () => {
  it.each([-3_600_000, 3_600_000])('by %d ms a break lasts as long as before', async (step) => {
    const clock = fakeClocks();
    const breakers = quick();
    await fail(breakers);
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + step);
    expect(breakers.state(ORIGIN)).toBe('open');
    expect(await rejection(succeed(breakers))).toMatchObject({ timeLeft: DELAY });
    clock.advance(DELAY - 1);
    expect(await rejection(succeed(breakers))).toMatchObject({ timeLeft: 1 });
    clock.advance(1);
    expect(breakers.state(ORIGIN)).toBe('half-open');
    expect(await succeed(breakers)).toBe('fine');
    expect(breakers.state(ORIGIN)).toBe('closed');
  });
});

describe('F08 a probe whose answer never comes', () => {
  /** The circuit of a client whose probe is under way, and what lets that probe end. */
  async function stuckProbe() {
    const clock = fakeClocks();
    const changes: string[] = [];
    const breakers = quick({ onStateChange: (_origin, state) => void changes.push(state) });
    await fail(breakers);
    clock.advance(DELAY);
    let end: (value: string) => void = () => undefined;
    const probe = breakers(ORIGIN).execute(() => new Promise<string>((resolve) => (end = resolve)));
    return { clock, changes, breakers, probe, end: (value: string) => end(value) };
  }

  it('keeps its place for maxBreakDelay, and no longer', async () => {
    const { clock, breakers } = await stuckProbe();
    clock.advance(2 * DELAY - 1);
    expect(await rejection(succeed(breakers))).toMatchObject({ message: 'the circuit is open' });
    clock.advance(1);
    expect(await succeed(breakers)).toBe('fine');
    expect(breakers.state(ORIGIN)).toBe('closed');
  });

  it('is followed by one probe, not by all who wait', async () => {
    const { clock, breakers } = await stuckProbe();
    clock.advance(2 * DELAY);
    let sent = 0;
    const tries = Array.from({ length: 5 }, () => breakers(ORIGIN).execute(() => Promise.resolve((sent += 1))));
    const settled = await Promise.allSettled(tries);
    expect([sent, settled.filter(({ status }) => status === 'fulfilled').length]).toEqual([1, 1]);
  });

  it('still gives its answer to the one who sent it, and says nothing about the circuit', async () => {
    const { clock, breakers, probe, end } = await stuckProbe();
    clock.advance(2 * DELAY);
    await fail(breakers);
    expect(breakers.state(ORIGIN)).toBe('open');
    end('late');
    expect(await probe).toBe('late');
    expect(breakers.state(ORIGIN)).toBe('open');
  });

  it('does not make the next break shorter or longer than it would be', async () => {
    const { clock, breakers, changes } = await stuckProbe();
    clock.advance(2 * DELAY);
    await fail(breakers);
    expect(changes).toEqual(['open', 'half-open', 'open', 'half-open', 'open']);
    expect(await rejection(succeed(breakers))).toMatchObject({ timeLeft: DELAY });
  });
});

it('F33 an open circuit is not forgotten for 2,000 other origins', async () => {
  fakeClocks();
  const breakers = quick();
  await fail(breakers);
  for (let i = 0; i < 2_000; i++) breakers(`https://${i}.example`);
  expect(breakers.state(ORIGIN)).toBe('open');
});

it('works where a platform has no `performance`', async () => {
  const { performance: known } = globalThis;
  Reflect.deleteProperty(globalThis, 'performance');
  try {
    const breakers = quick();
    await fail(breakers);
    expect(breakers.state(ORIGIN)).toBe('open');
  } finally {
    globalThis.performance = known;
  }
});
