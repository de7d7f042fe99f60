import type { AxiosError, AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import { logRetries, type RetryEvent, type RetryLogger } from '../../lib/index';

type Given = Partial<Omit<RetryEvent, 'config' | 'error' | 'response'>> & {
  config?: Partial<InternalAxiosRequestConfig>;
  error?: Partial<AxiosError>;
  status?: number;
};

function makeEvent({ config, error, status, ...rest }: Given = {}): RetryEvent {
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
  };
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

describe('the target', () => {
  it.each<[string, Given, string]>([
    ['method in capitals', { config: { method: 'post' } }, 'POST https://api.example.com/orders'],
    ['path of the base URL', { config: { baseURL: 'https://api.example.com/v1/' } }, 'GET https://api.example.com/v1/orders'],
    ['relative base URL', { config: { baseURL: '/api', url: 'orders' } }, 'GET https://api.example.com/api/orders'],
    ['absolute URL beats the base', { config: { baseURL: 'https://other.example.com/v1', url: 'https://api.example.com/a' } }, 'GET https://api.example.com/a'],
    ['path of an URL object', { config: { url: new URL('https://api.example.com/a?b=1') as unknown as string } }, 'GET https://api.example.com/a'],
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
    ['credentials in the base URL', { config: { baseURL: `https://me:${SECRET}@api.example.com` } }],
    ['message of the error', { error: { code: 'ECONNRESET', message: SECRET } }],
  ])('do not get into the line from: %s', (_where, given) => {
    expect(lineOf({ status: 503, ...given })).not.toContain(SECRET);
    expect(lineOf({ status: 503, ...given })).toContain('/orders attempt=1/4');
  });
});

describe('line breaks', () => {
  const FORGED = 'axios-jitter give-up';
  const breaks = ['\n', '\r\n', '\u2028', '\u2029', '\u0085', '\u000b', '\u001b[2K'];

  it.each<[string, (text: string) => Given]>([
    ['the path', (text) => ({ config: { url: `/orders${text}${FORGED}` } })],
    ['the base URL', (text) => ({ config: { baseURL: `/api${text}${FORGED}` } })],
    ['the method', (text) => ({ config: { method: `GET${text}${FORGED}` } })],
    ['the origin', (text) => ({ origin: `https://a${text}${FORGED}` })],
    ['the code', (text) => ({ kind: 'network', error: { code: `E${text}${FORGED}` } })],
  ])('cannot be smuggled in through %s', (_where, make) => {
    for (const text of breaks) {
      expect(lineOf(make(text))).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
      expect(lineOf(make(text))).not.toContain(FORGED);
    }
  });
});
