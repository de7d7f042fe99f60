import { RetryBudget, type RetryOptions } from '../../lib/index';
import { DEFAULTS, resolveOptions, resolveRequest } from '../../lib/options/resolve';
import { REQUEST_RULES, RULES } from '../../lib/options/rules';
import { thrownBy } from '../helpers/observed';

type ErrorClass = typeof TypeError | typeof RangeError;
/** A value, its error, and how the message describes the value. */
type Wrong = readonly [value: unknown, errorClass: ErrorClass, came: string];
interface Row {
  /** The default as `DEFAULTS` has it. */
  byDefault: unknown;
  passes: readonly unknown[];
  /** A part of the message that says what is allowed. */
  allowed: string;
  /** Of a list: what an item may be. */
  item?: string;
  fails: readonly Wrong[];
}

const noop = (): undefined => undefined;
const outOf = (...numbers: number[]): Wrong[] => numbers.map((value) => [value, RangeError, String(value)]);
const notNumbers: readonly Wrong[] = [
  ['3', TypeError, "'3'"],
  [true, TypeError, 'true'],
  [null, TypeError, 'null'],
  [[3], TypeError, 'an array of 1'],
];
const hook: Row = {
  byDefault: undefined,
  passes: [noop, async () => undefined],
  allowed: 'a function',
  fails: [
    [null, TypeError, 'null'],
    [true, TypeError, 'true'],
    ['now', TypeError, "'now'"],
    [{}, TypeError, '{  }'],
  ],
};
const headerName: Row = {
  byDefault: '',
  passes: ['X-Name', 'x_name.1'],
  allowed: 'the name of a header',
  fails: [
    ['', TypeError, "''"],
    ['two words', TypeError, "'two words'"],
    ['a:b', TypeError, "'a:b'"],
    [true, TypeError, 'true'],
    [null, TypeError, 'null'],
  ],
};
const finiteFrom0: Omit<Row, 'byDefault'> = {
  passes: [0, 0.5, 1e9],
  allowed: 'a finite number >= 0',
  fails: [...outOf(-1, NaN, Infinity), ...notNumbers],
};

class Breaker {
  execute<T>(send: () => Promise<T>): Promise<T> {
    return send();
  }
}

// The compiler asks for every option here.
const table: Record<keyof Required<RetryOptions>, Row> = {
  retries: {
    byDefault: 3,
    passes: [0, 1, 100, Infinity],
    allowed: 'a whole number >= 0, or Infinity',
    fails: [...outOf(-1, 2.5, NaN, -Infinity), ...notNumbers],
  },
  baseDelay: { byDefault: 500, ...finiteFrom0 },
  factor: {
    byDefault: 2,
    passes: [1, 1.5, 10],
    allowed: 'a finite number >= 1',
    fails: [...outOf(0, 0.99, -2, NaN, Infinity), ...notNumbers],
  },
  maxDelay: { byDefault: 10_000, ...finiteFrom0 },
  jitter: {
    byDefault: 'full',
    passes: ['full', 'equal', 'decorrelated', 'none', { plusMinus: 0 }, { plusMinus: 250 }],
    allowed: "'full', 'equal', 'decorrelated', 'none' or { plusMinus: ms }",
    fails: [
      ['FULL', TypeError, "'FULL'"],
      [false, TypeError, 'false'],
      [null, TypeError, 'null'],
      [{}, TypeError, '{  }'],
      [{ plusMinus: -1 }, TypeError, '{ plusMinus: -1 }'],
      [{ plusMinus: NaN }, TypeError, '{ plusMinus: NaN }'],
      [{ plusMinus: 5, min: 1 }, TypeError, '{ plusMinus: 5, min: 1 }'],
      [['full'], TypeError, 'an array of 1'],
    ],
  },
  requestInterceptors: {
    byDefault: 'inner',
    passes: ['inner', 'all'],
    allowed: "'inner' or 'all'",
    fails: [
      ['outer', TypeError, "'outer'"],
      [true, TypeError, 'true'],
      [null, TypeError, 'null'],
    ],
  },
  delay: hook,
  methods: {
    byDefault: new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE', 'QUERY']),
    passes: [[], ['GET'], ['get', 'Post'], ['M-SEARCH']],
    allowed: 'an array of method names',
    item: 'the name of a method',
    fails: [
      ['GET', TypeError, "'GET'"],
      [null, TypeError, 'null'],
      [['GET', 5], TypeError, '5'],
      [['GET POST'], TypeError, "'GET POST'"],
      [new Set(['GET']), TypeError, 'an object (Set)'],
    ],
  },
  statuses: {
    byDefault: expect.any(Function),
    passes: [[], [503], [502, 503], [[500, 599]], [599, 500], [429, [500, 504], [599, 599]], (status: number) => status > 499],
    allowed: 'a function, or an array of statuses and [from, to] ranges: from 500 to 599 is [[500, 599]]',
    item: 'a status from 100 to 999, or [from, to]',
    fails: [
      ['5xx', TypeError, "'5xx'"],
      [null, TypeError, 'null'],
      [[99], TypeError, '99'],
      [[500.5], TypeError, '500.5'],
      [[NaN], TypeError, 'NaN'],
      [['503'], TypeError, "'503'"],
      [[[599, 500]], TypeError, 'an array of 2'],
      [[[500]], TypeError, 'an array of 1'],
      [[[500, 501, 502]], TypeError, 'an array of 3'],
    ],
  },
  shouldRetry: hook,
  shouldRetryResponse: hook,
  maxRetryAfter: {
    byDefault: 60_000,
    passes: [0, 1, Infinity],
    allowed: 'a number >= 0, or Infinity',
    fails: [...outOf(-1, NaN), ...notNumbers],
  },
  retryAfterSpread: { byDefault: 0.5, ...finiteFrom0 },
  shareRetryAfter: {
    byDefault: false,
    passes: [true, false, 'all'],
    allowed: "true, false or 'all'",
    fails: [
      ['some', TypeError, "'some'"],
      [null, TypeError, 'null'],
    ],
  },
  retryAfterChannel: {
    byDefault: undefined,
    // Never without `shareRetryAfter`: see behaviour/protection/retry-after-channel.
    passes: [],
    allowed: 'a channel with postMessage, addEventListener and removeEventListener',
    fails: [
      ['payments', TypeError, "'payments'"],
      [null, TypeError, 'null'],
      [{ postMessage: noop }, TypeError, '{ postMessage }'],
    ],
  },
  totalTimeout: {
    byDefault: undefined,
    passes: [1, 0.5, 1e12, Infinity],
    allowed: 'a number > 0, or Infinity',
    fails: [...outOf(0, -1, NaN), ...notNumbers],
  },
  body: hook,
  idempotencyKey: {
    byDefault: false,
    passes: [true, false, 'order-1', () => 'order-1', '~', '!', 'a b', 'x'.repeat(255)],
    allowed: 'true, false, a function, or 1 to 255 printable ASCII characters without a blank at either end',
    fails: [
      ['', TypeError, 'another string'],
      ['  ', TypeError, 'another string'],
      [' a', TypeError, 'another string'],
      ['a ', TypeError, 'another string'],
      ['заказ-7', TypeError, 'another string'],
      ['a\u007F', TypeError, 'another string'],
      ['a\nb', TypeError, 'another string'],
      ['x'.repeat(256), TypeError, 'another string'],
      [null, TypeError, 'null'],
      [{}, TypeError, '{  }'],
    ],
  },
  idempotencyHeader: { ...headerName, byDefault: 'Idempotency-Key' },
  attemptHeader: { ...headerName, byDefault: false, passes: [...headerName.passes, false] },
  budget: {
    byDefault: expect.any(RetryBudget),
    passes: [false, {}, { capacity: 5 }, { capacity: 5, deposit: 0, cost: 2 }, new RetryBudget()],
    allowed: 'false, { capacity, deposit, cost } or a RetryBudget',
    fails: [
      [true, TypeError, 'true'],
      [null, TypeError, 'null'],
      ['on', TypeError, "'on'"],
      [[], TypeError, 'an array of 0'],
      [new Breaker(), TypeError, 'an object (Breaker)'],
    ],
  },
  circuitBreaker: {
    byDefault: false,
    passes: [false, new Breaker(), { execute: noop }, () => new Breaker()],
    allowed: 'false, an object with execute, or a factory',
    fails: [
      [true, TypeError, 'true'],
      [null, TypeError, 'null'],
      [{}, TypeError, '{  }'],
      [{ execute: true }, TypeError, '{ execute: true }'],
    ],
  },
  origin: hook,
  beforeRetry: hook,
  onRetry: hook,
  onGiveUp: hook,
  onRecover: hook,
  observers: {
    byDefault: [],
    passes: [[], [{}], [{ onRetry: noop }], [{ onGiveUp: noop, onRecover: undefined }], [{ onAttach: noop, onCall: noop }]],
    allowed: 'an array of observers',
    item: 'an object with onRetry, onGiveUp or onRecover',
    fails: [
      [{ onRetry: noop }, TypeError, '{ onRetry }'],
      [noop, TypeError, 'a function'],
      [null, TypeError, 'null'],
      [[null], TypeError, 'null'],
      [[{ onRetry: 'log' }], TypeError, '{ onRetry }'],
    ],
  },
  onObserverError: { ...hook, byDefault: expect.any(Function) },
  dryRun: {
    byDefault: false,
    passes: [true, false],
    allowed: 'true or false',
    fails: [
      ['true', TypeError, "'true'"],
      [null, TypeError, 'null'],
    ],
  },
  random: { ...hook, byDefault: expect.any(Function) },
  retryAfter: {
    byDefault: undefined,
    passes: [false, noop],
    allowed: 'false or a function',
    fails: [
      [true, TypeError, 'true'],
      [null, TypeError, 'null'],
      [5, TypeError, '5'],
      [{}, TypeError, '{  }'],
    ],
  },
  sleep: hook,
  now: { ...hook, byDefault: expect.any(Function) },
};

const rows = Object.entries(table);
const given = (name: string, value: unknown): RetryOptions => ({ [name]: value });
const passing = rows.flatMap(([name, { passes }]) => passes.map((value) => ({ name, value })));
const failing = rows.flatMap(([name, { allowed, item, fails }]) =>
  fails.map(([value, errorClass, came]) => ({ name, value, errorClass, expected: `must be ${Array.isArray(value) && item !== undefined ? item : allowed}`, came })),
);

describe('the table of options', () => {
  it('has a rule for each option, for attachRetry and for requests', () => {
    expect(Object.keys(RULES).sort()).toEqual(Object.keys(table).sort());
    expect(Object.keys(REQUEST_RULES).sort()).toEqual(Object.keys(table).sort());
  });

  it('has a default for each option', () => {
    expect(Object.keys(DEFAULTS)).toEqual(expect.arrayContaining(Object.keys(table)));
  });

  it.each(rows)('gives %s its default', (name, { byDefault }) => {
    expect(resolveOptions()).toHaveProperty([name], byDefault);
  });

  it('retries by default the statuses that can heal, and no other', () => {
    const all = Array.from({ length: 500 }, (_, index) => 100 + index);
    expect(all.filter(resolveOptions().statuses)).toEqual([408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529]);
  });
});

describe('a right value', () => {
  it.each(passing)('$name takes $value', ({ name, value }) => {
    expect(() => resolveOptions(given(name, value))).not.toThrow();
  });

  it.each(rows)('%s takes undefined, which means "not given"', (name, { byDefault }) => {
    expect(resolveOptions(given(name, undefined))).toHaveProperty([name], byDefault);
  });
});

describe('a wrong value', () => {
  it.each(failing)('$name refuses $value', ({ name, value, errorClass, expected, came }) => {
    const error = thrownBy(() => resolveOptions(given(name, value)));
    expect(error.constructor).toBe(errorClass);
    expect(error.message).toContain(`"${name}"`);
    expect(error.message).toContain(expected);
    expect(error.message).toMatch(new RegExp(`; got ${came.replace(/[()]/g, '\\$&')}$`));
  });

  it('is a TypeError where it is a number and the option takes none', () => {
    const takeNumbers = ['retries', 'baseDelay', 'factor', 'maxDelay', 'maxRetryAfter', 'retryAfterSpread', 'totalTimeout'];
    const others = Object.keys(table).filter((name) => !takeNumbers.includes(name));
    const classes = others.map((name) => [name, thrownBy(() => resolveOptions(given(name, 100))).name]);
    expect(classes).toEqual(others.map((name) => [name, 'TypeError']));
  });

  it('is named with the request that it came with', () => {
    const run = (): unknown => resolveRequest(resolveOptions(), undefined, { retries: -1 }, ' (GET /orders)');
    expect(thrownBy(run).message).toBe(
      'axios-jitter: option "retries" (GET /orders) must be a whole number >= 0, or Infinity; got -1',
    );
  });

  it.each([
    ['statuses', [500, 599], 'option "statuses" must be a function, or an array of statuses and [from, to] ranges: from 500 to 599 is [[500, 599]]; got an array of 2'],
    ['statuses', [408, '5xx'], `option "statuses"[1] must be a status from 100 to 999, or [from, to]; got '5xx'`],
    ['methods', ['GET', 'POST', 'PUT PATCH'], `option "methods"[2] must be the name of a method; got 'PUT PATCH'`],
    ['observers', [{}, { onRetry: 1 }], 'option "observers"[1] must be an object with onRetry, onGiveUp or onRecover; got { onRetry: 1 }'],
    ['jitter', { plusminus: 5 }, `option "jitter" must be 'full', 'equal', 'decorrelated', 'none' or { plusMinus: ms }; got { plusminus: 5 }`],
    ['jitter', { secret: 'abc' }, `option "jitter" must be 'full', 'equal', 'decorrelated', 'none' or { plusMinus: ms }; got { secret }`],
  ])('is shown where it is a part of %s: %j', (name, value, message) => {
    expect(thrownBy(() => resolveOptions(given(name, value))).message).toBe(`axios-jitter: ${message}`);
  });

  it('is not repeated in the message when it is long, for it may be a secret', () => {
    const secret = 'x'.repeat(41);
    expect(thrownBy(() => resolveOptions(given('jitter', secret))).message).toMatch(/; got a long string$/);
  });

  it.each([
    [{ capacity: -1 }, RangeError, 'RetryBudget option "capacity" must be a finite number >= 0; got -1'],
    [{ capacity: '5' }, TypeError, `RetryBudget option "capacity" must be a finite number >= 0; got '5'`],
    [{ deposit: NaN }, RangeError, 'RetryBudget option "deposit" must be a finite number >= 0; got NaN'],
    [{ cost: 0 }, RangeError, 'RetryBudget option "cost" must be a finite number > 0; got 0'],
    [{ capacity: 1, cost: 2 }, RangeError, 'RetryBudget option "cost" must be at most capacity (1); got 2'],
    [{ capacty: 1 }, TypeError, 'unknown RetryBudget option "capacty"; did you mean "capacity"?'],
  ])('in the settings of the budget is named too: %j', (settings, errorClass, message) => {
    const error = thrownBy(() => resolveOptions(given('budget', settings)));
    expect(error.constructor).toBe(errorClass);
    expect(error.message).toBe(`axios-jitter: ${message}`);
  });
});

describe('an unknown name', () => {
  it.each([
    ['retires', 'retries'],
    ['maxdelay', 'maxDelay'],
    ['onretry', 'onRetry'],
    ['method', 'methods'],
    ['shouldRetryRespons', 'shouldRetryResponse'],
    ['idempotency_key', 'idempotencyKey'],
    ['basedelay', 'baseDelay'],
  ])('%s is refused, and %s suggested', (unknown, known) => {
    const error = thrownBy(() => resolveOptions(given(unknown, 1)));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toBe(`axios-jitter: unknown option "${unknown}"; did you mean "${known}"?`);
  });

  it.each([
    // axios-retry
    ['retryDelay', 'delay'],
    ['retryCondition', 'shouldRetry'],
    ['shouldResetTimeout', 'totalTimeout'],
    ['onMaxRetryTimesExceeded', 'onGiveUp'],
    ['validateResponse', 'shouldRetryResponse'],
    // retry-axios
    ['retry', 'retries'],
    ['noResponseRetries', 'retries'],
    ['httpMethodsToRetry', 'methods'],
    ['statusCodesToRetry', 'statuses'],
    ['onRetryAttempt', 'onRetry'],
    ['backoffType', 'jitter'],
    ['checkRetryAfter', 'retryAfter'],
    ['maxRetryDelay', 'maxDelay'],
    // and others: axios' own is per attempt, and stands in the request
    ['timeout', 'totalTimeout'],
    ['maxRetries', 'retries'],
    ['numRetries', 'retries'],
  ])('of another plugin: %s is %s here', (theirs, ours) => {
    expect(thrownBy(() => resolveOptions(given(theirs, 3))).message).toBe(`axios-jitter: unknown option "${theirs}"; did you mean "${ours}"?`);
  });

  it.each([41, 1_000_000])('of %d characters is not printed in full', (length) => {
    const { message } = thrownBy(() => resolveOptions(given('#'.repeat(length), 1)));
    expect(message).toContain(`axios-jitter: unknown option "${'#'.repeat(40)}"; known are retries, `);
  });

  it('that resembles none gets the list of those that are known', () => {
    const { message } = thrownBy(() => resolveOptions(given('somethingElseAltogether', 1)));
    expect(message).toContain(`; known are ${Object.keys(RULES).join(', ')}`);
  });

  it('is refused even with the value undefined: it is misspelt all the same', () => {
    expect(() => resolveOptions(given('retires', undefined))).toThrow(/unknown option "retires"/);
  });

  it.each(['constructor', 'toString', 'hasOwnProperty', '__proto__'])('is never found on the prototype: %s', (name) => {
    const options = Object.defineProperty({}, name, { value: noop, enumerable: true });
    expect(() => resolveOptions(options)).toThrow(`unknown option "${name}"`);
  });
});

describe('the options themselves', () => {
  it.each([
    [null, 'null'],
    [3, '3'],
    [false, 'false'],
    ['fast', "'fast'"],
    [[], 'an array of 0'],
    [noop, 'a function'],
  ])('must be an object for attachRetry, not %p', (options, came) => {
    const error = thrownBy(() => resolveOptions(options as RetryOptions));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toBe(`axios-jitter: options must be an object; got ${came}`);
  });
});
