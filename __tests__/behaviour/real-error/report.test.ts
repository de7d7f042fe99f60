// The story of a call on its error or response, and who else finds it.
import type { AxiosInstance, AxiosResponse } from 'axios';
import { attachRetry, getRetryReport, type RetryOptions, type RetryReport } from '../../../lib/index';
import axios, { isAtLeast, itSince } from '../../helpers/axios';
import { rejectionOf, serve, SERVICE, startServer, timeless } from '../../helpers/observed';

function makeApi(retry: RetryOptions = {}, prepare: (api: AxiosInstance) => void = () => undefined): AxiosInstance {
  const api = axios.create({ baseURL: SERVICE });
  prepare(api);
  attachRetry(api, { ...timeless().options, jitter: 'none', budget: false, ...retry });
  return api;
}

const failed = (attempt: number, status: number, delay?: number): object => ({
  attempt,
  kind: 'status',
  status,
  code: 'ERR_BAD_RESPONSE',
  ...(delay !== undefined && { delay }),
});

describe('error.retry', () => {
  it('tells the whole story of a call that failed', async () => {
    serve([500, 502, 503]);
    const error = await rejectionOf(makeApi({ retries: 2 }).get('/orders'));
    expect((error as { retry: RetryReport }).retry).toEqual({
      attempts: 3,
      reason: 'exhausted',
      elapsed: 1_500,
      totalDelay: 1_500,
      history: [failed(1, 500, 500), failed(2, 502, 1_000), failed(3, 503)],
    });
  });

  it('is there for a failure of the first attempt, with its reason', async () => {
    serve([404]);
    const error = await rejectionOf(makeApi().get('/orders'));
    expect(error).toMatchObject({ retry: { attempts: 1, reason: 'not-retryable', totalDelay: 0, history: [{ status: 404 }] } });
  });

  it('has the Retry-After that the server sent last', async () => {
    serve([{ status: 429, headers: { 'Retry-After': '2' } }, { status: 429, headers: { 'Retry-After': '120' } }]);
    const error = await rejectionOf(makeApi().get('/orders'));
    expect(error).toMatchObject({ retry: { attempts: 2, reason: 'retry-after', retryAfter: 120_000, totalDelay: 2_000 } });
  });

  it('sits on the very error of the last attempt, whose own members are as axios made them', async () => {
    serve([500, 503]);
    const errors: unknown[] = [];
    const api = makeApi({ retries: 1 }, ({ interceptors }) => {
      interceptors.response.use(undefined, (error) => {
        errors.push(error);
        throw error;
      });
    });
    const error = await rejectionOf(api.get('/orders'));
    expect(error).toBe(errors[1]);
    expect(error).toBeInstanceOf(axios.AxiosError);
    expect(error).toMatchObject({ code: 'ERR_BAD_RESPONSE', response: { status: 503 }, config: { url: '/orders' } });
    expect(errors[0]).not.toHaveProperty('retry');
  });

  it('does not show: it is not enumerable, on errors and on responses', async () => {
    serve([500, 200, 404]);
    const api = makeApi();
    const response = await api.get('/orders');
    const error = await rejectionOf(api.get('/orders'));
    for (const carrier of [response, error as object]) {
      expect(Object.hasOwn(carrier, 'retry')).toBe(true);
      expect(Object.keys(carrier)).not.toContain('retry');
      expect(JSON.stringify({ ...carrier, request: null, config: null, response: null })).not.toContain('history');
    }
  });

  it('keeps the last 100 failures of a call that has more', async () => {
    serve([500]);
    const error = await rejectionOf(makeApi({ retries: 104, baseDelay: 0 }).get('/orders'));
    const { attempts, history } = getRetryReport(error) as RetryReport;
    expect([attempts, history.length, history[0]?.attempt, history.at(-1)?.attempt]).toEqual([105, 100, 6, 105]);
  });
});

describe('response.retry', () => {
  it('R88 tells of a call that recovered, without a reason', async () => {
    serve([500, 200]);
    const response = await makeApi().get('/orders');
    expect(response.retry).toEqual({ attempts: 2, elapsed: 500, totalDelay: 500, history: [failed(1, 500, 500)] });
  });

  it('is not there for a call that succeeds at once', async () => {
    serve([200]);
    const response = await makeApi().get('/orders');
    expect('retry' in response).toBe(false);
    expect(getRetryReport(response)).toBeUndefined();
  });

  it('has the reason where the response resolves although its attempts are used up', async () => {
    serve([{ status: 200, body: 'pending' }]);
    const api = makeApi({ retries: 1, shouldRetryResponse: ({ data }) => data === 'pending' });
    const { data, retry } = await api.get('/orders');
    expect(data).toBe('pending');
    expect(retry).toMatchObject({ attempts: 2, reason: 'exhausted' });
    expect(retry?.history).toEqual([
      { attempt: 1, kind: 'response', status: 200, delay: 500 },
      { attempt: 2, kind: 'response', status: 200 },
    ]);
  });
});

describe('R65 the history', () => {
  it('says what each attempt failed with, over answers and broken connections', async () => {
    let count = 0;
    const { url, stop } = await startServer((request, response) => {
      count += 1;
      if (count === 3) request.socket.destroy();
      else response.writeHead([500, 502, 0, 503][count - 1] ?? 200).end('secret');
    });
    const call = makeApi().get('/orders', { baseURL: url, headers: { Authorization: 'secret' } });
    const error = await rejectionOf(call).finally(stop);
    const report = getRetryReport(error) as RetryReport;
    expect(report.history).toEqual([
      failed(1, 500, 500),
      failed(2, 502, 1_000),
      { attempt: 3, kind: 'network', code: 'ECONNRESET', delay: 2_000 },
      failed(4, 503),
    ]);
    expect(JSON.stringify(report)).not.toContain('secret');
  });

  it('is plain data, that survives a round trip through JSON', async () => {
    serve([500]);
    const report = getRetryReport(await rejectionOf(makeApi({ retries: 1 }).get('/orders')));
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  it('belongs to one call alone', async () => {
    serve([500, 200, 500, 200]);
    const api = makeApi();
    const [first, second] = [await api.get('/orders'), await api.get('/orders')];
    expect([first.retry?.history.length, second.retry?.history.length]).toEqual([1, 1]);
    expect(first.retry).not.toBe(second.retry);
  });
});

describe('getRetryReport', () => {
  class ApiError extends Error {
    constructor(override readonly cause: unknown) {
      super('mapped');
    }
  }

  it('is the report of an error and of a response', async () => {
    serve([500, 200, 404]);
    const api = makeApi();
    const response = await api.get('/orders');
    const error = (await rejectionOf(api.get('/orders'))) as { retry: RetryReport };
    expect(getRetryReport(response)).toBe(response.retry);
    expect(getRetryReport(error)).toBe(error.retry);
    expect(error.retry.attempts).toBe(1);
  });

  it.each([1, 3])('finds it through %d errors that inner layers wrapped around', async (layers) => {
    serve([500]);
    const api = makeApi({ retries: 1 }, ({ interceptors }) => {
      for (let layer = 0; layer < layers; layer++) {
        interceptors.response.use(undefined, (error) => Promise.reject(new ApiError(error)));
      }
    });
    const error = await rejectionOf(api.get('/orders'));
    expect(error).toBeInstanceOf(ApiError);
    expect(Object.hasOwn(error as object, 'retry')).toBe(false);
    expect(getRetryReport(error)).toMatchObject({ attempts: 2, reason: 'exhausted' });
  });

  it('finds it through an error of an outer layer', async () => {
    serve([500]);
    const api = makeApi({ retries: 1 });
    api.interceptors.response.use(undefined, (error) => Promise.reject(new ApiError(error)));
    expect(getRetryReport(await rejectionOf(api.get('/orders')))).toMatchObject({ attempts: 2 });
  });

  it('is undefined for a request that is switched off', async () => {
    serve([500]);
    expect(getRetryReport(await rejectionOf(makeApi().get('/orders', { retry: false })))).toBeUndefined();
  });

  const circular = new ApiError(undefined);
  Object.assign(circular, { cause: circular });
  it.each([undefined, null, 0, 'failed', {}, [], new Error('failed'), { retry: 3 }, { retry: {} }, circular])(
    'is undefined for what is no outcome of a call: %p',
    (value) => {
      expect(getRetryReport(value)).toBeUndefined();
    },
  );
});

describe('what is not ours to mark', () => {
  async function rejectWith(make: (error: unknown) => unknown, retry: RetryOptions = {}): Promise<unknown> {
    const api = makeApi({ retries: 1, ...retry }, ({ interceptors }) => {
      interceptors.response.use(undefined, (error) => Promise.reject(make(error)));
    });
    return rejectionOf(api.get('/orders'));
  }

  // Not 1.2: it is 1.6 that appends to the stack of whatever error comes.
  const frozen = isAtLeast('1.6') ? itSince('1.7', 'fails itself on a frozen error') : it;

  frozen('is a frozen error: it is retried all the same, and passes through untouched', async () => {
    const seen = serve([500]);
    const error = await rejectWith((given) => Object.freeze(given));
    expect(error).toMatchObject({ response: { status: 500 } });
    expect(Object.isFrozen(error)).toBe(true);
    expect(error).not.toHaveProperty('retry');
    expect(seen).toHaveLength(2);
  });

  it('is a frozen response: it is handed out untouched', async () => {
    serve([500, 200]);
    const api = makeApi({}, ({ interceptors }) => interceptors.response.use((response) => Object.freeze(response)));
    const response: AxiosResponse = await api.get('/orders');
    expect(response.status).toBe(200);
    expect(response).not.toHaveProperty('retry');
  });

  frozen('is a frozen error of somebody else', async () => {
    serve([500]);
    const failure = Object.freeze(new Error('mapped'));
    expect(await rejectWith(() => failure)).toBe(failure);
  });

  it.each([
    ['a plain error', new Error('mapped')],
    ['a frozen object', Object.freeze({ status: 'failed' })],
    ['an object', { status: 'failed' }],
    ['a string', 'mapped'],
    ['nothing', undefined],
  ])('is %s of somebody else: it passes through with no member more', async (_what, failure) => {
    serve([500]);
    const before = Object.getOwnPropertyNames(Object(failure));
    expect(await rejectWith(() => failure)).toBe(failure);
    expect(Object.getOwnPropertyNames(Object(failure))).toEqual(before);
  });
});
