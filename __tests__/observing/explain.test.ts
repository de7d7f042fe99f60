import axios, { type AxiosInstance } from 'axios';

import { explain } from '../../lib/explain';
import { attachRetry, getRetryReport, logRetries, type RetryOptions, type StopReason } from '../../lib/index';
import { REASONS } from '../../lib/explain/reasons';

type Answer = number | string | { status: number; headers: Record<string, string> };

/** An instance whose adapter gives these answers, the last one again and again: a status, or the code of an error. */
function answering(answers: readonly Answer[], options: RetryOptions = {}): AxiosInstance {
  let next = 0;
  const api = axios.create({
    baseURL: 'https://user:s3cret@api.example.com/v1',
    adapter: (config) => {
      const answer = answers[Math.min(next++, answers.length - 1)] ?? 200;
      if (typeof answer === 'string') return Promise.reject(new axios.AxiosError('s3cret', answer, config, {}));
      const { status, headers } = typeof answer === 'number' ? { status: answer, headers: {} } : answer;
      const response = { status, statusText: 's3cret', data: 's3cret', headers, config };
      if (status < 400) return Promise.resolve(response);
      return Promise.reject(new axios.AxiosError(`status ${status}`, 'ERR_BAD_RESPONSE', config, {}, response));
    },
  });
  attachRetry(api, { random: () => 0.5, sleep: () => Promise.resolve(), now: () => 0, ...options });
  return api;
}

const rejection = (call: Promise<unknown>): Promise<unknown> => call.then(() => 'resolved', (error: unknown) => error);

describe('explain', () => {
  it('tells the story of a call that failed, a sentence a line', async () => {
    const api = answering([503, { status: 429, headers: { 'retry-after': '2' } }, 'ECONNRESET', 503]);
    const error = await rejection(api.get('/orders?key=s3cret', { headers: { authorization: 's3cret' } }));

    expect(explain(error).split('\n')).toEqual([
      'GET https://api.example.com/v1/orders failed after 4 attempts in 0 ms.',
      'Attempt 1: status 503; waited 250 ms, the computed backoff.',
      'Attempt 2: status 429; waited 2.5 s, the server asked for 2 s (Retry-After).',
      'Attempt 3: ECONNRESET; waited 1 s, the computed backoff.',
      'Attempt 4: status 503.',
      'Why it was not retried any further: exhausted: all retries were used; `retries` allows more.',
    ]);
  });

  it('tells of a call that succeeded after a retry', async () => {
    const response = await answering([503, 200]).get('/orders');

    expect(explain(response).split('\n')).toEqual([
      'GET https://api.example.com/v1/orders succeeded after 2 attempts in 0 ms.',
      'Attempt 1: status 503; waited 250 ms, the computed backoff.',
    ]);
  });

  it('says which option would have let a write be repeated', async () => {
    const error = await rejection(answering(['ECONNRESET']).post('/orders', { card: 's3cret' }));

    expect(explain(error)).toMatch(/^POST .*\nAttempt 1: ECONNRESET\.\nWhy .*: method: .*`idempotencyKey`/);
  });

  it.each(Object.keys(REASONS) as StopReason[])('has a sentence for the reason %s', (reason) => {
    expect(explain({ attempts: 1, elapsed: 3, totalDelay: 0, reason, history: [] })).toContain(`: ${reason}: `);
  });

  it('reads a report that was parsed from a log', async () => {
    const error = await rejection(answering([503]).get('/orders'));
    const parsed: unknown = JSON.parse(JSON.stringify(getRetryReport(error)));

    expect(explain(parsed)).toMatch(/^The call failed after 4 attempts/);
  });

  describe('of one event', () => {
    const events: [string, unknown][] = [];
    const lines: string[] = [];
    beforeAll(async () => {
      const log = (line: string): void => void lines.push(line);
      const logger = { info: log, warn: log, error: log };
      const fields = (data: unknown): void => void events.push(['', data]);
      const observers = [logRetries(logger), logRetries({ info: fields, warn: fields, error: fields } as never, { fields: 'first' })];
      const waits = { status: 429, headers: { 'retry-after': '2' } };
      await answering([503, waits, 'ECONNRESET', 200], { observers }).get('/orders?key=s3cret');
      await rejection(answering(['ECONNRESET'], { observers }).post('/orders', 's3cret'));
    });

    const stories = [
      'GET https://api.example.com/v1/orders: attempt 1 of 4 failed after 0 ms and is followed by another: status 503; waited 250 ms, the computed backoff.',
      'GET https://api.example.com/v1/orders: attempt 2 of 4 failed after 0 ms and is followed by another: status 429; waited 2.5 s, the server asked for 2 s (Retry-After).',
      'GET https://api.example.com/v1/orders: attempt 3 of 4 failed after 0 ms and is followed by another: ECONNRESET; waited 1 s, the computed backoff.',
      'GET https://api.example.com/v1/orders succeeded at attempt 4 of 4 in 0 ms; the attempt before failed: network.',
      'POST https://api.example.com/v1/orders failed at attempt 1 of 4 in 0 ms: ECONNRESET.\nWhy it was not retried: method: the server may have acted on the request, and repeating this method may repeat the effect; `idempotencyKey` makes it safe, `methods` allows the method.',
    ];

    it('reads the lines of logRetries', () => {
      expect(lines.map((line) => explain(line))).toEqual(stories);
    });

    it('reads the data of diagnostics() and of loggers, and what JSON leaves of them', () => {
      expect(events.map(([, data]) => explain(data))).toEqual(stories);
      expect(events.map(([, data]) => explain(JSON.parse(JSON.stringify({ level: 40, ...(data as object), retries: null }))))).toEqual(
        stories.map((story) => story.replace(' of 4', '')),
      );
    });

    it('shows no query, and nothing that is no code', () => {
      const data = { event: 'give-up', attempt: 1, elapsed: 1, method: 'GET', origin: 'https://a.test', path: '/x?key=s3cret', code: 's3cret', kind: 's3cret', reason: 's3cret' };
      expect(explain(data)).toBe('GET https://a.test/x failed at attempt 1 in 1 ms: a failure.');
    });
  });

  it('has at most 30 lines', async () => {
    const error = await rejection(answering([503], { retries: 200, budget: false }).get('/orders'));
    const lines = explain(error).split('\n');

    expect(lines.length).toBeLessThanOrEqual(30);
    expect(lines).toContain('(76 more attempts.)');
  });

  it.each([
    ['a success at the first attempt', async () => [await answering([200]).get('/orders')]],
    ['a plain error', () => [new Error('s3cret')]],
    ['undefined', () => [undefined]],
    ['a number', () => [7]],
    ['an object with getters that throw', () => [Object.defineProperty({}, 'attempts', { get: () => { throw new Error('s3cret'); } })]],
    ['a revoked proxy', () => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return [proxy]; }],
  ])('says so where there is no report: %s', async (_, make) => {
    // In a list: to await a revoked proxy itself throws.
    const [value] = await make();
    expect(explain(value)).toMatch(/^There is no retry report here/);
  });

  it('tells `retry: false` from a wrong option', async () => {
    const api = answering([503]);
    const [off, wrong, unknown] = [await rejection(api.get('/', { retry: false })), await rejection(api.get('/', { retry: { retries: -1 } })), await rejection(api.get('/', { retry: { retrys: 1 } as never }))];
    expect(explain(off)).toBe('The call was not retried: `retry: false` is set in the request or in the defaults of the instance.');
    expect(explain(wrong)).toMatch(/^Nothing was sent: option "retries" \(GET .*\) must be a whole number >= 0, or Infinity; got -1\.$/);
    expect(explain(unknown)).toMatch(/^Nothing was sent: unknown option "retrys" .*; did you mean "retries"\?$/);
    expect(explain(new TypeError('axios-jitter: option "x" \u001b[31m'))).toMatch(/^There is no retry report here/);
  });

  it.each(['x-should-retry', 'stripe-should-retry'])('names %s: false as the cause', async (name) => {
    const refused = { status: 503, headers: { [name]: ' False ' } };
    expect(explain(await rejection(answering([refused]).get('/')))).toMatch(new RegExp(`not-retryable: the server said \`${name}: false\`; \`shouldRetry\` overrides it\\.$`));
    expect(explain(await rejection(answering([404]).get('/')))).not.toContain('the server said');
  });

  it('says that `shouldRetry` refused, also from the report alone', async () => {
    const error = await rejection(answering([503], { shouldRetry: () => false }).get('/'));
    for (const given of [error, getRetryReport(error)]) expect(explain(given)).toMatch(/not-retryable: `shouldRetry` said no to a failure that would have been retried\.$/);
    expect(explain(await rejection(answering([404], { shouldRetry: () => false }).get('/')))).not.toContain('said no');
  });

  describe('names what did not fit into a limit, and the limit', () => {
    const asked = { status: 503, headers: { 'retry-after': '30' } };
    const beyond = (options: RetryOptions, own = {}): Promise<unknown> => rejection(answering([asked], options).get('/', { retry: own }));

    it.each([
      ['totalTimeout of the instance', { totalTimeout: 5_000 }, {}, /deadline: the server asked for 30 s \(Retry-After\), which would not have ended within `totalTimeout` \(5 s\); a longer one allows more\.$/],
      ['totalTimeout of the request', { totalTimeout: 5_000 }, { totalTimeout: 2_000 }, /which would not have ended within `totalTimeout` \(2 s\); a longer one allows more\.$/],
      ['maxRetryAfter', { maxRetryAfter: 5_000 }, {}, /retry-after: the server asked for 30 s \(Retry-After\), more than `maxRetryAfter` \(5 s\) allows\.$/],
    ])('%s', async (_, options, own, sentence) => {
      expect(explain(await beyond(options, own))).toMatch(sentence);
    });

    it('from the report alone: without the figure that it does not hold', async () => {
      const report = (options: RetryOptions): Promise<unknown> => beyond(options).then(getRetryReport);
      expect(explain(await report({ totalTimeout: 5_000 }))).toMatch(/the server asked for 30 s \(Retry-After\), which would not have ended within `totalTimeout`; a longer one allows more\.$/);
      expect(explain(await report({ maxRetryAfter: 5_000 }))).toMatch(/the server asked for 30 s \(Retry-After\), more than `maxRetryAfter` allows\.$/);
    });

    it('from an error that was logged: what the request itself has', async () => {
      const error = (await beyond({}, { totalTimeout: 2_000 })) as { toJSON(): object };
      expect(explain(JSON.parse(JSON.stringify({ ...error.toJSON(), retry: getRetryReport(error) })))).toBe(explain(error));
    });

    it('a computed wait', async () => {
      expect(explain(await rejection(answering([503], { totalTimeout: 100 }).get('/')))).toMatch(/deadline: the next wait would not have ended within `totalTimeout` \(100 ms\); a longer one allows more\.$/);
    });

    it('an attempt that was cut, which the report alone cannot tell from one that timed out', async () => {
      const api = axios.create({ adapter: ({ signal }) => new Promise((_, reject) => signal?.addEventListener?.('abort', () => reject(new axios.CanceledError()))) });
      attachRetry(api, { totalTimeout: 20 });
      const error = await rejection(api.get('http://api.example.com/'));
      expect(explain(error)).toMatch(/deadline: `totalTimeout` \(20 ms\) ended the attempt that was running; a longer one allows more\.$/);
      expect(explain(getRetryReport(error))).toContain('deadline: the next wait or attempt would not have ended in time');
    });
  });

  it('tells that an error is not from axios: an interceptor mapped it', async () => {
    const api = answering([503]);
    api.interceptors.response.use(undefined, () => Promise.reject(new Error('s3cret')));
    expect(explain(await rejection(api.get('/')))).toMatch(/^There is no retry report here: this error is not from axios, and there is none along its `cause`\..*`\{ cause: error \}`/);

    const kept = answering([503]);
    kept.interceptors.response.use(undefined, (error: unknown) => Promise.reject(new Error('s3cret', { cause: error })));
    expect(explain(await rejection(kept.get('/')))).toContain('failed after 4 attempts');
  });

  it('reads the address of a URL object', async () => {
    const error = await rejection(answering([404]).get(new URL('https://other.example.com/orders?key=s3cret') as unknown as string));
    expect(explain(error)).toMatch(/^GET https:\/\/other\.example\.com\/orders failed/);
  });

  it('reads an error that was logged with its report: with method, origin and path, and no query', async () => {
    const error = await rejection(answering([503]).post('/orders?key=s3cret', { card: 's3cret' }, { retry: { methods: ['POST'] } }));
    const logged: unknown = JSON.parse(JSON.stringify({ ...(error as { toJSON(): object }).toJSON(), retry: getRetryReport(error) }));

    expect(explain(logged)).toBe(explain(error));
    expect(explain(logged)).toMatch(/^POST https:\/\/api\.example\.com\/v1\/orders failed after 4 attempts/);
    expect(explain(logged)).not.toContain('s3cret');
  });

  it.each([
    ['no config', {}],
    ['a config of strings', { config: 'x' }],
    ['odd members', { config: { url: 7, baseURL: {}, method: null, socketPath: 1 } }],
  ])('reads what is left of a logged error: %s', (_, more) => {
    expect(explain({ ...more, retry: { attempts: 2, elapsed: 5, history: [] } })).toMatch(/ failed after 2 attempts in 5 ms\.$|^The call succeeded|succeeded after 2 attempts in 5 ms\.$/);
  });

  it.each([
    ['no numbers', { attempts: 1, elapsed: 'long', history: [{ attempt: 'x', kind: '\u001b[31m', code: '<script>', delay: NaN }] }],
    ['entries that are none', { attempts: 1, elapsed: 1, history: [null, 7, 'x'] }],
    ['an unknown reason', { attempts: 1, elapsed: 1, reason: '\u001b[2J', history: [] }],
  ])('shows nothing raw of a report that somebody made up: %s', (_, report) => {
    expect(explain(report)).toMatch(/^The call /);
    for (const raw of ['\u001b', '<']) expect(explain(report)).not.toContain(raw);
  });
});
