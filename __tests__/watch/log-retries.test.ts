import { Writable } from 'node:stream';
import type { AxiosError, AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import pino from 'pino';
import winston from 'winston';
import { logRetries, type GiveUpEvent, type RetryEvent, type RetryLogger, type RetryWaitEvent } from '../../lib/index';

type Given = Partial<Omit<RetryEvent, 'config' | 'error' | 'response'>> & {
  config?: Partial<InternalAxiosRequestConfig>;
  error?: Partial<AxiosError>;
  status?: number;
};

function makeEvent({ config, error, status, ...rest }: Given = {}): RetryWaitEvent & GiveUpEvent {
  return {
    attempt: 1,
    retries: 3,
    kind: 'status',
    origin: 'https://api.example.com',
    elapsed: 12.4,
    willRetry: true,
    config: { method: 'get', url: '/orders', ...config } as InternalAxiosRequestConfig,
    ...(error && { error: error as AxiosError }),
    ...(status !== undefined && { response: { status } as AxiosResponse }),
    ...rest,
    // A test gives what its hook is told.
  } as RetryWaitEvent & GiveUpEvent;
}

/** Keeps the lines, in whatever way the logger is called. */
class Lines implements RetryLogger {
  readonly lines: string[] = [];
  info = (line: string): number => this.lines.push(`info ${line}`);
  warn = (line: string): number => this.lines.push(`warn ${line}`);
  error = (line: string): number => this.lines.push(`error ${line}`);
}

/** As pino: methods that need `this`, levels as numbers. */
class PinoLike implements RetryLogger {
  readonly #written: { level: number; msg: string }[] = [];
  info(msg: string): void {
    this.#write(30, msg);
  }
  warn(msg: string): void {
    this.#write(40, msg);
  }
  error(msg: string): void {
    this.#write(50, msg);
  }
  get written(): { level: number; msg: string }[] {
    return this.#written;
  }
  #write(level: number, msg: string): void {
    this.#written.push({ level, msg });
  }
}

/** As winston: each method returns the logger, and takes any number of arguments. */
class WinstonLike {
  readonly entries: { level: string; message: string; rest: unknown[] }[] = [];
  info(message: string, ...rest: unknown[]): this {
    return this.#log('info', message, rest);
  }
  warn(message: string, ...rest: unknown[]): this {
    return this.#log('warn', message, rest);
  }
  error(message: string, ...rest: unknown[]): this {
    return this.#log('error', message, rest);
  }
  #log(level: string, message: string, rest: unknown[]): this {
    this.entries.push({ level, message, rest });
    return this;
  }
}

function logAll(logger: RetryLogger): void {
  const observer = logRetries(logger);
  observer.onRetry?.(makeEvent({ status: 503, delay: 250.6, retryAfter: 200 }));
  observer.onGiveUp?.(makeEvent({ attempt: 4, status: 503, reason: 'exhausted', willRetry: false }));
  observer.onRecover?.(makeEvent({ attempt: 2, kind: 'network', status: 200, willRetry: false }));
}

const RETRY =
  'axios-jitter retry GET https://api.example.com/orders attempt=1/4 kind=status status=503 retryAfter=200ms delay=251ms elapsed=12ms';
const GIVE_UP =
  'axios-jitter give-up GET https://api.example.com/orders attempt=4/4 kind=status status=503 reason=exhausted elapsed=12ms';
const RECOVER = 'axios-jitter recover GET https://api.example.com/orders attempt=2/4 after=network status=200 elapsed=12ms';

function lineOf(given: Given): string {
  const logger = new Lines();
  logRetries(logger).onRetry?.(makeEvent(given));
  return logger.lines.join('\n');
}

describe('one line per event', () => {
  it('goes to the console as warn, error and info', () => {
    const calls: unknown[][] = [];
    for (const name of ['info', 'warn', 'error'] as const) {
      jest.spyOn(console, name).mockImplementation((...args) => void calls.push([name, ...args]));
    }
    logAll(console);
    expect(calls).toEqual([['warn', RETRY], ['error', GIVE_UP], ['info', RECOVER]]);
  });

  it('goes to a logger like pino', () => {
    const logger = new PinoLike();
    logAll(logger);
    expect(logger.written).toEqual([{ level: 40, msg: RETRY }, { level: 50, msg: GIVE_UP }, { level: 30, msg: RECOVER }]);
  });

  it('goes to a logger like winston, as the message alone', () => {
    const logger = new WinstonLike();
    logAll(logger);
    expect(logger.entries).toEqual([
      { level: 'warn', message: RETRY, rest: [] },
      { level: 'error', message: GIVE_UP, rest: [] },
      { level: 'info', message: RECOVER, rest: [] },
    ]);
  });

  it('says what failed where there is no response: the code', () => {
    expect(lineOf({ kind: 'network', error: { code: 'ECONNRESET' }, delay: 0 })).toContain(' kind=network code=ECONNRESET ');
  });

  it('comes about without method, address, code, delay and response', () => {
    const config = { method: undefined, url: undefined } as unknown as Given['config'] & object;
    expect(lineOf({ kind: 'network', config })).toBe(
      'warn axios-jitter retry GET https://api.example.com/ attempt=1/4 kind=network delay=0ms elapsed=12ms',
    );
  });
});

describe('giving up', () => {
  const give = (given: Given): string[] => {
    const logger = new Lines();
    logRetries(logger).onGiveUp?.(makeEvent({ willRetry: false, ...given }));
    return logger.lines;
  };

  it('is not logged for a first attempt that is not retryable: a 404 is the caller’s business', () => {
    expect(give({ kind: 'permanent', status: 404, reason: 'not-retryable' })).toEqual([]);
  });

  it('is logged for a later attempt that is not retryable', () => {
    expect(give({ attempt: 2, kind: 'permanent', status: 404, reason: 'not-retryable' })).toHaveLength(1);
  });

  it.each(['method', 'body', 'exhausted', 'retry-after', 'deadline', 'dry-run', 'budget', 'circuit-open', 'aborted', 'hook-failed', 'detached'] as const)(
    'is logged for a first attempt with the reason %s',
    (reason) => {
      expect(give({ status: 503, reason })).toEqual([expect.stringContaining(` reason=${reason} `)]);
    },
  );
});

describe('a give-up for the method', () => {
  it('says which option would change it', () => {
    const logger = new Lines();
    logRetries(logger).onGiveUp?.(makeEvent({ reason: 'method', status: 503, config: { method: 'post' } }));
    expect(logger.lines).toEqual([
      'error axios-jitter give-up POST https://api.example.com/orders attempt=1/4 kind=status status=503 reason=method option=idempotencyKey elapsed=12ms',
    ]);
  });
});

describe('the target', () => {
  it.each<[string, Given, string]>([
    ['method in capitals', { config: { method: 'post' } }, 'POST https://api.example.com/orders'],
    ['path of the base URL', { config: { baseURL: 'https://api.example.com/v1/' } }, 'GET https://api.example.com/v1/orders'],
    ['relative base URL', { config: { baseURL: '/api', url: 'orders' } }, 'GET https://api.example.com/api/orders'],
    ['absolute URL beats the base', { config: { baseURL: 'https://other.example.com/v1', url: 'https://api.example.com/a' } }, 'GET https://api.example.com/a'],
    ['path of an URL object', { config: { url: new URL('https://api.example.com/a?b=1') as unknown as string } }, 'GET https://api.example.com/a'],
    ['path under a base with a query', { config: { baseURL: 'https://api.example.com/v1?key=1' } }, 'GET https://api.example.com/v1/orders'],
    ['key of the origin option', { origin: 'shard-7' }, 'GET shard-7/orders'],
  ])('has the %s', (_what, given, target) => {
    expect(lineOf(given)).toContain(`axios-jitter retry ${target} attempt=`);
  });
});

describe('secrets', () => {
  const SECRET = 'hunter2';

  it.each<[string, Given]>([
    ['query in the URL', { config: { url: `/orders?token=${SECRET}` } }],
    ['fragment', { config: { url: `/orders#${SECRET}` } }],
    ['query of the base URL', { config: { baseURL: `https://api.example.com/v1?key=${SECRET}` } }],
    ['query after a line break', { config: { url: `/orders?a=1\n${SECRET}` } }],
    ['params', { config: { params: { token: SECRET } } }],
    ['headers', { config: { headers: { Authorization: `Bearer ${SECRET}` } as unknown as InternalAxiosRequestConfig['headers'] } }],
    ['body', { config: { data: { password: SECRET } } }],
    ['auth', { config: { auth: { username: 'me', password: SECRET } } }],
    ['credentials in the URL', { config: { url: `https://me:${SECRET}@api.example.com/orders` } }],
    ['F13 a base URL with a blank before it', { config: { baseURL: ` https://me:${SECRET}@api.example.com` } }],
    ['F13 a URL without slashes', { config: { url: `https:me:${SECRET}@api.example.com/orders` } }],
    ['F13 a URL with backslashes', { config: { url: `https:\\\\me:${SECRET}@api.example.com/orders` } }],
    ['F13 a URL that is combined', { config: { url: ` https://me:${SECRET}@h/orders`, baseURL: 'https://api.example.com' } }],
    ['credentials in the base URL', { config: { baseURL: `https://me:${SECRET}@api.example.com` } }],
    ['message of the error', { error: { code: 'ECONNRESET', message: SECRET } }],
  ])('do not get into the line from: %s', (_where, given) => {
    expect(lineOf({ status: 503, ...given })).not.toContain(SECRET);
    expect(lineOf({ status: 503, ...given })).toContain('/orders attempt=1/4');
  });
});

describe('F13 line breaks and bidi characters', () => {
  const FORGED = 'axios-jitter give-up';
  const breaks = ['\n', '\r\n', '\u2028', '\u2029', '\u0085', '\u000b', '\u001b[2K', '\u202e', '\u2066', '\u200f', '\u061c', '\ufeff'];

  it.each<[string, (text: string) => Given]>([
    ['the path', (text) => ({ config: { url: `/orders${text}${FORGED}` } })],
    ['the base URL', (text) => ({ config: { baseURL: `/api${text}${FORGED}` } })],
    ['the method', (text) => ({ config: { method: `GET${text}${FORGED}` } })],
    ['the origin', (text) => ({ origin: `https://a${text}${FORGED}` })],
    ['the status of a mock', (text) => ({ status: `503${text}${FORGED}` as unknown as number })],
    ['the code', (text) => ({ kind: 'network', error: { code: `E${text}${FORGED}` } })],
  ])('cannot be smuggled in through %s', (_where, make) => {
    for (const text of breaks) {
      expect(lineOf(make(text))).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(lineOf(make(text))).not.toContain(FORGED);
    }
  });
});

/** What an event is as data: the RETRY, GIVE_UP and RECOVER above. */
const DATA = [
  { event: 'retry', method: 'GET', origin: 'https://api.example.com', path: '/orders', attempt: 1, retries: 3, kind: 'status', elapsed: 12, status: 503, delay: 251, retryAfter: 200 },
  { event: 'give-up', method: 'GET', origin: 'https://api.example.com', path: '/orders', attempt: 4, retries: 3, kind: 'status', elapsed: 12, status: 503, reason: 'exhausted' },
  { event: 'recover', method: 'GET', origin: 'https://api.example.com', path: '/orders', attempt: 2, retries: 3, kind: 'network', elapsed: 12, status: 200 },
];

class Sink extends Writable {
  readonly records: Record<string, unknown>[] = [];
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    for (const line of chunk.toString().trim().split('\n')) this.records.push(JSON.parse(line) as Record<string, unknown>);
    done();
  }
}

describe('the event as data', () => {
  it('goes before the line to pino, with the line as its message', () => {
    const sink = new Sink();
    logAll(pino({ base: null, timestamp: false }, sink));
    expect(sink.records).toEqual([
      { level: 40, ...DATA[0], msg: RETRY },
      { level: 50, ...DATA[1], msg: GIVE_UP },
      { level: 30, ...DATA[2], msg: RECOVER },
    ]);
  });

  it('goes to a child of pino, too', () => {
    const sink = new Sink();
    logAll(pino({ base: null, timestamp: false }, sink).child({ request: 7 }));
    expect(sink.records).toEqual(expect.arrayContaining([{ level: 40, request: 7, ...DATA[0], msg: RETRY }]));
  });

  it.each([
    ['winston', (logger: winston.Logger) => logger],
    ['a child of winston', (logger: winston.Logger) => logger.child({})],
  ])('goes behind the line to %s', (_name, of) => {
    const sink = new Sink();
    const transports = [new winston.transports.Stream({ stream: sink })];
    logAll(of(winston.createLogger({ transports, format: winston.format.json() })));
    expect(sink.records).toEqual([
      { level: 'warn', message: RETRY, ...DATA[0] },
      { level: 'error', message: GIVE_UP, ...DATA[1] },
      { level: 'info', message: RECOVER, ...DATA[2] },
    ]);
  });

  it.each([
    ['first', [DATA[0], RETRY]],
    ['last', [RETRY, DATA[0]]],
    ['none', [RETRY]],
  ] as const)('goes to any logger as `fields: %s` says', (fields, expected) => {
    const warn = jest.fn();
    logRetries({ info: jest.fn(), warn, error: jest.fn() }, { fields }).onRetry?.(makeEvent({ status: 503, delay: 250.6, retryAfter: 200 }));
    expect(warn.mock.calls).toEqual([expected]);
  });

  it('can be cloned, whatever the event holds', () => {
    const warn = jest.fn();
    const event = makeEvent({ error: { code: 'ECONNRESET', toJSON: () => ({}) } as never, hookError: () => 1, delay: 0 });
    logRetries({ info: jest.fn(), warn, error: jest.fn() }, { fields: 'first' }).onRetry?.(event);
    const [data] = warn.mock.calls[0] as [object];
    expect(structuredClone(data)).toEqual({ ...DATA[0], status: undefined, retryAfter: undefined, code: 'ECONNRESET', delay: 0 });
  });

  it('has the code of an error only where there was no answer', () => {
    expect(lineOf({ status: 503, error: { code: 'ERR_BAD_RESPONSE' } })).not.toContain('code=');
  });
});

describe('the limit of lines', () => {
  interface Logged {
    at: number;
    origin?: string;
    reason?: 'not-retryable';
  }

  /** The lines of events at given times: the first words, and what was left out before. */
  function linesOf(options: object, events: Logged[]): string[] {
    const logger = new Lines();
    let now = 0;
    const observer = logRetries(logger, { ...options, now: () => now });
    return events.map(({ at, origin = 'https://a', reason }) => {
      now = at;
      const before = logger.lines.length;
      if (reason) observer.onGiveUp?.(makeEvent({ origin, reason }));
      else observer.onRetry?.(makeEvent({ origin }));
      const line = logger.lines[before];
      return line === undefined ? '-' : (/suppressed=\d+/.exec(line)?.[0] ?? 'line');
    });
  }

  const times = (count: number, at: number, more: object = {}): Logged[] => Array.from({ length: count }, () => ({ at, ...more }));

  it('is 10 in 10 seconds; the next line says how many were left out, once', () => {
    const told = linesOf({}, [...times(13, 0), ...times(1, 9_999), ...times(2, 10_000)]);
    expect(told).toEqual([...Array<string>(10).fill('line'), '-', '-', '-', '-', 'suppressed=4', 'line']);
  });

  it('can be set, and is of each origin', () => {
    const told = linesOf({ limit: 1, window: 100 }, [{ at: 0 }, { at: 1 }, { at: 2, origin: 'https://b' }, { at: 99 }, { at: 100 }, { at: 199 }, { at: 200 }]);
    expect(told).toEqual(['line', '-', 'line', '-', 'suppressed=2', '-', 'suppressed=1']);
  });

  it('holds for every window, whenever it begins', () => {
    expect(linesOf({ limit: 2, window: 100 }, [{ at: 0 }, { at: 90 }, { at: 110 }, { at: 120 }, { at: 190 }])).toEqual(['line', 'line', 'line', '-', 'suppressed=1']);
  });

  it('is not used up by what is the caller’s business', () => {
    expect(linesOf({ limit: 1 }, [...times(3, 0, { reason: 'not-retryable' }), { at: 0 }])).toEqual(['-', '-', '-', 'line']);
  });

  it('is counted apart for give-ups: a storm of retries does not hide them', () => {
    const logger = new Lines();
    const observer = logRetries(logger, { limit: 2, now: () => 0 });
    for (let call = 0; call < 5; call++) {
      for (let retry = 0; retry < 3; retry++) observer.onRetry?.(makeEvent());
      observer.onRecover?.(makeEvent({ willRetry: false }));
      observer.onGiveUp?.(makeEvent({ willRetry: false, reason: 'exhausted' }));
    }
    expect(logger.lines.map((line) => / (retry|recover|give-up) /.exec(line)?.[1])).toEqual(['retry', 'retry', 'give-up', 'give-up']);
  });

  it('says of each sort how many lines of that sort were left out', () => {
    const logger = new Lines();
    let now = 0;
    const observer = logRetries(logger, { limit: 1, window: 100, now: () => now });
    const both = (): void => {
      observer.onRetry?.(makeEvent());
      observer.onGiveUp?.(makeEvent({ willRetry: false, reason: 'exhausted' }));
    };
    for (now of [0, 1, 2]) both();
    observer.onRetry?.(makeEvent());
    now = 100;
    both();
    expect(logger.lines.map((line) => `${/ (retry|give-up) /.exec(line)?.[1]} ${/suppressed=\d+/.exec(line)?.[0] ?? 'none'}`)).toEqual([
      'retry none', 'give-up none', 'retry suppressed=3', 'give-up suppressed=2',
    ]);
  });

  it('may be none', () => {
    expect(linesOf({ limit: Infinity }, times(50, 0))).toEqual(Array<string>(50).fill('line'));
  });

  it('stands in the data, too', () => {
    const warn = jest.fn();
    let now = 0;
    const observer = logRetries({ info: jest.fn(), warn, error: jest.fn() }, { fields: 'first', limit: 1, window: 10, now: () => now });
    for (now of [0, 5, 10, 20]) observer.onRetry?.(makeEvent());
    expect(warn.mock.calls.map(([data]) => (data as { suppressed?: number }).suppressed)).toEqual([undefined, 1, undefined]);
  });

  it('leaves no timer behind', () => {
    jest.useFakeTimers();
    linesOf({}, times(20, 0));
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });
});

describe('settings and logger', () => {
  it.each<[object, string]>([
    [{ fields: 'middle' }, "logRetries setting \"fields\" must be 'first', 'last' or 'none'"],
    [{ limit: 0 }, 'logRetries setting "limit" must be a whole number >= 1'],
    [{ limit: 1.5 }, 'logRetries setting "limit" must be'],
    [{ window: 0 }, 'logRetries setting "window" must be a finite number > 0'],
    [{ window: NaN }, 'logRetries setting "window" must be'],
    [{ now: 5 }, 'logRetries setting "now" must be a function'],
    [{ limits: 5 }, 'unknown logRetries setting "limits"; did you mean "limit"?'],
  ])('%j is refused by name', (options, message) => {
    expect(() => logRetries(new Lines(), options)).toThrow(message);
  });

  it('of undefined are not given', () => {
    expect(() => logRetries(new Lines(), { fields: undefined, limit: undefined, window: undefined, now: undefined })).not.toThrow();
  });

  it.each([[undefined], [null], [{}], [{ info: 1, warn: 1, error: 1 }]])('%j is no logger', (logger) => {
    expect(() => logRetries(logger as never)).toThrow('axios-jitter: logRetries needs a logger with info, warn and error');
  });
});
