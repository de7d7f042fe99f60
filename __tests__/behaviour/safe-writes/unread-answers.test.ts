import type { AxiosError, AxiosRequestConfig } from 'axios';
import { gzipSync } from 'node:zlib';
import '../../helpers/browser-xhr';
import axios, { isAtLeast } from '../../helpers/axios';
import { failureOf, watchedPolicy } from '../../helpers/watched-policy';
import { cut, serve, type Handler, type Reply } from '../../helpers/wire-server';
import { attachRetry, getRetryReport, type RetryOptions } from '../../../lib/index';

const ADAPTERS = isAtLeast('1.7') ? ['http', 'fetch', 'xhr'] : ['http', 'xhr'];
const PAGE = '<html>we are busy</html>';
const strict: AxiosRequestConfig = { responseType: 'json', transitional: { silentJSONParsing: false } };
const refuse = (status: number, headers = {}, body: string | Buffer = PAGE): Reply => ({ status, headers: { 'content-type': 'text/html', ...headers }, body });
const mine = new Error('not my format');
const throwing = (): never => {
  throw mine;
};

function client(adapter: string, options: RetryOptions = {}) {
  const policy = watchedPolicy(options);
  const api = axios.create({ adapter, timeout: 5_000, proxy: false });
  attachRetry(api, policy.options);
  return { api, policy };
}

describe.each(ADAPTERS)('a refusal that cannot be read, through the %s adapter', (adapter) => {
  // jsdom's XMLHttpRequest parses JSON itself, and then gives null.
  const asText: AxiosRequestConfig = adapter === 'xhr' ? {} : strict;

  it('S07 as the strict JSON that was asked for: a 503, sent again, and the caller gets the very error', async () => {
    const server = await serve(refuse(503));
    const { api, policy } = client(adapter);
    const error = await failureOf<AxiosError>(api.get(server.url, asText));
    expect(server.methods).toHaveLength(4);
    expect(policy.gaveUp.map(({ kind, reason, response }) => [kind, reason, response?.status])).toEqual([['status', 'exhausted', 503]]);
    expect(policy.gaveUp[0]?.error).toBe(error);
    if (asText === strict) expect([error.name, error.message]).toEqual(['SyntaxError', expect.stringMatching(/JSON/)]);
    expect(getRetryReport(error)?.history.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
  });

  it('S06 by an own transformResponse: a 503, sent again, and the caller gets what it threw', async () => {
    const server = await serve(refuse(503));
    const { api, policy } = client(adapter);
    const error = await failureOf(api.get(server.url, { transformResponse: throwing }));
    expect(error).toBe(mine);
    expect(server.methods).toHaveLength(4);
    expect(policy.gaveUp.map(({ kind, reason, response }) => [kind, reason, response?.status])).toEqual([['status', 'exhausted', 503]]);
  });

  it('S06 it heals: the caller gets the answer', async () => {
    const server = await serve(refuse(503), { status: 200, body: '{"fine":true}' });
    const { api } = client(adapter);
    const own = (data: string): unknown => (data.startsWith('<') ? throwing() : JSON.parse(data));
    const { data } = await api.get<unknown>(server.url, { transformResponse: [own] });
    expect(data).toEqual({ fine: true });
  });

  it('S06 its Retry-After is waited for, and its x-should-retry heard', async () => {
    // Another origin's headers are not for scripts, unless the server says so.
    const exposed = { 'access-control-expose-headers': 'retry-after, x-should-retry' };
    const server = await serve(refuse(503, { 'retry-after': '4', ...exposed }), refuse(503, { 'x-should-retry': 'false', ...exposed }));
    const { api, policy } = client(adapter, { retryAfterSpread: 0 });
    await failureOf(api.get(server.url, { transformResponse: throwing }));
    expect(policy.waits).toEqual([4_000]);
    expect(policy.reasons).toEqual(['not-retryable']);
  });

  it('S06 of a POST is sent once', async () => {
    const server = await serve(refuse(503));
    const { api, policy } = client(adapter);
    await failureOf(api.post(server.url, 'text', { transformResponse: throwing, headers: { 'Content-Type': 'text/plain' } }));
    expect(server.methods.filter((method) => method === 'POST')).toHaveLength(1);
    expect(policy.reasons).toEqual(['method']);
  });

  it.each<[string, number]>([
    ['a 404', 404],
    ['an accepted answer', 200],
  ])('S06 where the status is that of %s, it is permanent, and the caller gets what was thrown', async (_what, status) => {
    const server = await serve(refuse(status));
    const { api, policy } = client(adapter);
    expect(await failureOf(api.get(server.url, { transformResponse: throwing }))).toBe(mine);
    expect(server.methods).toHaveLength(1);
    expect(policy.gaveUp.map(({ kind, reason }) => [kind, reason])).toEqual([['permanent', 'not-retryable']]);
  });

  it('S06 what an inner interceptor throws after the answer was read stays a stranger’s', async () => {
    const server = await serve(refuse(503));
    const policy = watchedPolicy();
    const api = axios.create({ adapter, transformResponse: [(data: unknown) => data] });
    api.interceptors.response.use(undefined, throwing);
    attachRetry(api, policy.options);
    expect(await failureOf(api.get(server.url))).toBe(mine);
    expect(server.methods).toHaveLength(1);
    expect(policy.gaveUp.map(({ kind }) => kind)).toEqual(['permanent']);
  });

  it('S06 a config that is used again does not gather what was noted', async () => {
    const server = await serve(refuse(503), refuse(503), 200);
    const { api } = client(adapter, { retries: 0 });
    const error = await failureOf<AxiosError>(api.get(server.url, { transformResponse: [(data: unknown) => data] }));
    const config = error.config as AxiosRequestConfig;
    const again = await failureOf<AxiosError>(api.request(config));
    expect([again.config?.transformResponse].flat()).toHaveLength([config.transformResponse].flat().length);
  });
});

const READERS = isAtLeast('1.12') ? ['http', 'fetch'] : ['http'];

describe.each(READERS)('a body that is not what its headers say, through the %s adapter', (adapter) => {
  const plainAsGzip = (status: number, headers = {}): Reply => refuse(status, { 'content-encoding': 'gzip', ...headers });

  it('S08 a 503 that is no gzip: sent again, and the caller gets the very error', async () => {
    const server = await serve(plainAsGzip(503, { 'retry-after': '4' }));
    const { api, policy } = client(adapter, { retries: 2, retryAfterSpread: 0 });
    const error = await failureOf<AxiosError>(api.get(server.url));
    expect(server.methods).toHaveLength(3);
    expect(policy.gaveUp.map(({ kind, reason, response }) => [kind, reason, response?.status])).toEqual([['status', 'exhausted', 503]]);
    expect(policy.waits).toEqual([4_000, 4_000]);
    expect(error.message).toMatch(/incorrect header check|terminated/);
    expect(policy.gaveUp[0]?.error).toBe(error);
  });

  it('S08 a 503 that is no gzip and then an answer: the caller gets the answer', async () => {
    const server = await serve(plainAsGzip(503), { status: 200, headers: { 'content-encoding': 'gzip' }, body: gzipSync('{"fine":true}') });
    const { api } = client(adapter);
    expect((await api.get<unknown>(server.url)).data).toEqual({ fine: true });
  });

  it.each<[string, number]>([
    ['a 404', 404],
    ['a 200', 200],
  ])('S08 %s that is no gzip is permanent', async (_what, status) => {
    const server = await serve(plainAsGzip(status));
    const { api, policy } = client(adapter);
    await failureOf(api.get(server.url));
    expect(server.methods).toHaveLength(1);
    expect(policy.gaveUp.map(({ kind }) => kind)).toEqual(['permanent']);
  });

  it.each<[string, number, string]>([
    ['a 503', 503, 'status'],
    ['a 404', 404, 'permanent'],
    ['a 200', 200, 'permanent'],
  ])('S08 %s over maxContentLength is %s', async (_what, status, kind) => {
    const server = await serve(refuse(status, {}, 'x'.repeat(2_000)));
    const { api, policy } = client(adapter, { retries: 1 });
    if (adapter === 'fetch' && status === 200 && !isAtLeast('1.21')) return;
    await failureOf(api.get(server.url, { maxContentLength: 100 }));
    expect(policy.gaveUp[0]?.kind).toBe(kind);
    expect(server.methods).toHaveLength(kind === 'status' ? 2 : 1);
  });

  const cutWith = (status: number): Handler => (_request, response) => {
    response.writeHead(status, { 'content-type': 'text/plain', 'content-length': 1_000 });
    response.write('half', () => response.destroy());
  };

  it.each<[string, Handler, string]>([
    ['a 503', cutWith(503), 'status'],
    ['a 404', cutWith(404), 'permanent'],
    ['a 200', cut, 'network'],
  ])('S08 %s that is cut off in the middle', async (_what, step, kind) => {
    const server = await serve(step);
    const { api, policy } = client(adapter, { retries: 1 });
    await failureOf(api.get(server.url));
    expect(policy.gaveUp[0]?.kind).toBe(kind);
  });

  const stalled = (status: number): Handler => (_request, response) => {
    response.writeHead(status, { 'content-type': 'text/plain' }).write('half');
  };

  it.each<[string, number, string]>([
    ['a 503', 503, 'status'],
    ['a 404', 404, 'permanent'],
    // Under http axios says that the stream was aborted.
    ['a 200', 200, adapter === 'http' ? 'network' : 'timeout'],
  ])('S08 %s whose body does not come in time', async (_what, status, kind) => {
    const server = await serve(stalled(status));
    const { api, policy } = client(adapter, { retries: 0 });
    await failureOf(api.get(server.url, { timeout: 1_000 }));
    expect(policy.gaveUp[0]?.kind).toBe(kind);
  });

  it('S08 a fetch of the user’s is still the one that is called, once an attempt', async () => {
    const server = await serve(503, 200);
    const own = jest.fn((...request: Parameters<typeof fetch>) => fetch(...request));
    const { api } = client(adapter);
    await api.get(server.url, { env: { fetch: own } } as AxiosRequestConfig);
    expect(own).toHaveBeenCalledTimes(adapter === 'fetch' ? 2 : 0);
  });
});
