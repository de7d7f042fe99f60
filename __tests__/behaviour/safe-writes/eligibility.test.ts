import http from 'node:http';
import type { LookupFunction } from 'node:net';
import type { AxiosError, InternalAxiosRequestConfig } from 'axios';
import axios from '../../helpers/axios';
import nock from '../../helpers/nock';
import { failureOf, settled, watchedPolicy } from '../../helpers/watched-policy';
import { hang, serve } from '../../helpers/wire-server';
import { attachRetry, type RetryEvent, type RetryOptions } from '../../../lib/index';

function client(options: RetryOptions = {}) {
  const policy = watchedPolicy(options);
  const api = axios.create();
  const retry = attachRetry(api, policy.options);
  return { api, policy, retry };
}

describe('statuses', () => {
  it.each([408, 425, 429, 500, 502, 503, 504])('R59 a GET with %d is sent again', async (status) => {
    const server = await serve(status, 200);
    const { api, policy } = client();
    const response = await api.get(server.url);
    expect(response.status).toBe(200);
    expect(policy.retried.map((event) => event.kind)).toEqual(['status']);
  });

  it.each([400, 401, 403, 404, 409, 410, 422, 501, 505])('R59 a GET with %d is not', async (status) => {
    const server = await serve(status, 200);
    const { api, policy } = client();
    const error = await failureOf<AxiosError>(api.get(server.url));
    expect(error.response?.status).toBe(status);
    expect(policy.gaveUp.map((event) => [event.kind, event.reason])).toEqual([['permanent', 'not-retryable']]);
    expect(server.methods).toHaveLength(1);
  });

  it.each<[string, RetryOptions, number[]]>([
    ['numbers', { statuses: [404, 418] }, [404, 418]],
    ['a range', { statuses: [[500, 502]] }, [500, 501, 502]],
    ['a predicate', { statuses: (status) => status === 418 || status === 503 }, [418, 503]],
    ['none', { statuses: [] }, []],
  ])('can be %s instead', async (_what, options, expected) => {
    const retried: number[] = [];
    for (const status of [404, 418, 429, 500, 501, 502, 503]) {
      const server = await serve(status, 200);
      const { api } = client(options);
      await api.get(server.url).then(
        () => retried.push(status),
        () => undefined,
      );
    }
    expect(retried).toEqual(expected);
  });

  it('can be accepted ones: polls until the answer is another', async () => {
    const server = await serve(202, 202, 200);
    const { api } = client({ statuses: [202] });
    const response = await api.get(server.url);
    expect(response.status).toBe(200);
    expect(server.methods).toHaveLength(3);
  });
});

describe('methods', () => {
  it.each(['get', 'HEAD', 'options', 'Put', 'delete', 'TRACE'])('%s is sent again', async (method) => {
    const server = await serve(503, 200);
    const { api } = client();
    await api.request({ url: server.url, method });
    expect(server.methods).toEqual([method.toUpperCase(), method.toUpperCase()]);
  });

  it.each(['post', 'PATCH'])('%s is not', async (method) => {
    const server = await serve(503, 200);
    const { api, policy } = client();
    const error = await failureOf<AxiosError>(api.request({ url: server.url, method, data: {} }));
    expect(error.response?.status).toBe(503);
    expect(server.methods).toHaveLength(1);
    expect(policy.reasons).toEqual(['method']);
  });

  it('R52 a POST is let in by one option, and a 400 still ends it', async () => {
    const options = { retry: { methods: ['post'], statuses: [503] } };
    const healing = await serve(503, 200);
    const hopeless = await serve(400, 200);
    const { api, policy } = client();
    await api.post(healing.url, {}, options);
    await failureOf(api.post(hopeless.url, {}, options));
    expect(healing.methods).toEqual(['POST', 'POST']);
    expect(hopeless.methods).toEqual(['POST']);
    expect(policy.reasons).toEqual(['not-retryable']);
  });

  it('R53 a POST that was refused with 429 is not sent again by default, and is with one option', async () => {
    const refused = { status: 429, headers: { 'retry-after': '1' } };
    const strict = await serve(refused, 200);
    const lenient = await serve(refused, 200);
    const { api, policy } = client();
    await failureOf(api.post(strict.url, {}));
    expect(policy.reasons).toEqual(['method']);
    const shouldRetry = ({ response }: RetryEvent): boolean | undefined => response?.status === 429 || undefined;
    await api.post(lenient.url, {}, { retry: { shouldRetry } });
    expect([strict.methods, lenient.methods]).toEqual([['POST'], ['POST', 'POST']]);
    expect(policy.waits).toEqual([1_250]);
  });
});

describe('a timeout', () => {
  const patient = { beforeRetry: (config: InternalAxiosRequestConfig) => void (config.timeout = 10_000) };

  it('R16 of a GET is retried, of a POST not, unless its method is let in', async () => {
    const run = async (method: string, options: RetryOptions = {}): Promise<number> => {
      const server = await serve(hang, 200);
      const { api, retry } = client({ ...patient, ...options });
      await api.request({ url: server.url, method, timeout: 80 }).catch(() => undefined);
      return retry.stats().attempts;
    };
    expect([await run('get'), await run('post'), await run('post', { methods: ['POST'] })]).toEqual([2, 1, 2]);
  });

  it('R17 can be told from a status by its kind: retry the one and not the other', async () => {
    const shouldRetry = ({ kind }: RetryEvent): boolean => kind === 'status';
    const slow = await serve(hang, 200);
    const busy = await serve(503, 200);
    const { api, policy } = client({ shouldRetry });
    await failureOf(api.get(slow.url, { timeout: 80 }));
    await api.get(busy.url);
    expect(policy.gaveUp.map((event) => [event.kind, event.reason])).toEqual([['timeout', 'not-retryable']]);
    expect(busy.methods).toHaveLength(2);
  });
});

describe('shouldRetry', () => {
  it('R59 sees the parsed body: a quota that is used up is not retried, another 429 is', async () => {
    const shouldRetry = ({ response }: RetryEvent): boolean | undefined =>
      (response?.data as { code?: string } | undefined)?.code === 'quota' ? false : undefined;
    const spent = await serve({ status: 429, body: '{"code":"quota"}' }, 200);
    const busy = await serve({ status: 429, body: '{"code":"slow-down"}' }, 200);
    const { api, policy } = client({ shouldRetry });
    const error = await failureOf<AxiosError>(api.get(spent.url));
    await api.get(busy.url);
    expect(error.response?.data).toEqual({ code: 'quota' });
    expect([spent.methods.length, busy.methods.length]).toEqual([1, 2]);
    expect(policy.reasons).toEqual(['not-retryable']);
  });

  it.each<[string, number, RetryOptions['shouldRetry']]>([
    ['true', 2, () => true],
    ['a promise of true', 2, () => Promise.resolve(true)],
    ['false', 1, () => false],
    ['undefined', 1, () => undefined],
    ['a promise of undefined', 1, () => Promise.resolve(undefined)],
  ])('that says %s about the 404 of a POST: %d request(s)', async (_what, requests, shouldRetry) => {
    const server = await serve(404, 200);
    const { api } = client({ shouldRetry });
    await api.post(server.url, {}).catch(() => undefined);
    expect(server.methods).toHaveLength(requests);
  });

  it.each<[string, number, RetryOptions['shouldRetry']]>([
    ['false', 1, () => false],
    ['undefined', 2, () => undefined],
  ])('that says %s about the 503 of a GET: %d request(s)', async (_what, requests, shouldRetry) => {
    const server = await serve(503, 200);
    const { api } = client({ shouldRetry });
    await api.get(server.url).catch(() => undefined);
    expect(server.methods).toHaveLength(requests);
  });

  it('is told what the plugin would do by itself', async () => {
    const told: boolean[] = [];
    const shouldRetry = ({ willRetry }: RetryEvent): undefined => void told.push(willRetry);
    const { api } = client({ shouldRetry, retries: 1 });
    const [busy, missing] = [await serve(503), await serve(404)];
    await failureOf(api.get(busy.url));
    await failureOf(api.get(missing.url));
    await failureOf(api.post(busy.url, {}));
    expect(told).toEqual([true, false, false, false]);
  });

  it('cannot go on beyond the retries', async () => {
    const server = await serve(503);
    const { api, policy } = client({ shouldRetry: () => true, retries: 2 });
    await failureOf(api.get(server.url));
    expect(server.methods).toHaveLength(3);
    expect(policy.reasons).toEqual(['exhausted']);
  });

  it('is not asked about a cancellation', async () => {
    const server = await serve(hang);
    const shouldRetry = jest.fn(() => true);
    const { api } = client({ shouldRetry });
    const controller = new AbortController();
    const failing = failureOf(api.get(server.url, { signal: controller.signal }));
    await server.arrived(1);
    controller.abort();
    await failing;
    expect(shouldRetry).not.toHaveBeenCalled();
  });

  it('R120 can take one code out: a host that is not found is unsent, and permanent for those who say so', async () => {
    const lookup: LookupFunction = (_host, _options, done) =>
      done(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' }), []);
    const httpAgent = new http.Agent({ lookup });
    const { api, policy } = client({ retries: 1 });
    await failureOf(api.get('http://nobody.example/', { httpAgent }));
    const shouldRetry = ({ error }: RetryEvent): boolean | undefined => (error?.code === 'ENOTFOUND' ? false : undefined);
    await failureOf(api.get('http://nobody.example/', { httpAgent, retry: { shouldRetry } }));
    expect(policy.gaveUp.map((event) => [event.kind, event.reason])).toEqual([
      ['unsent', 'exhausted'],
      ['unsent', 'not-retryable'],
    ]);
  });
});

it('R64 a failure is caught once, by the caller: nothing is left unhandled', async () => {
  const server = await serve(500);
  const { api } = client();
  const caught: unknown[] = [];
  try {
    await api.get(server.url);
  } catch (error) {
    caught.push(error);
  }
  // jest fails a test that leaves a rejection unhandled.
  await settled();
  expect(caught).toHaveLength(1);
  expect(server.methods).toHaveLength(4);
});

describe('under nock', () => {
  it('R114 a request that nobody mocked fails at once, and says so', async () => {
    nock.disableNetConnect();
    const { api, policy } = client();
    const unmocked = await failureOf(api.get('http://unmocked.example/orders'));
    nock('http://half.example').get('/other').reply(200);
    const unmatched = await failureOf(api.get('http://half.example/orders'));
    expect([unmocked.message, unmatched.message]).toEqual([expect.stringMatching(/^Nock: /), expect.stringMatching(/^Nock: /)]);
    expect(policy.retried).toEqual([]);
    expect(policy.reasons).toEqual(['not-retryable', 'not-retryable']);
  });

  it('R114 one switch turns retries off for tests', async () => {
    const { api, policy } = client();
    Object.assign(api.defaults, { retry: false });
    nock('http://mocked.example').get('/').reply(503);
    const error = await failureOf<AxiosError>(api.get('http://mocked.example/'));
    expect(error.response?.status).toBe(503);
    expect([...policy.retried, ...policy.gaveUp]).toEqual([]);
  });
});
