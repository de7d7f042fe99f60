import axios, { isAtLeast } from '../../helpers/axios';
import { failureOf, watchedPolicy } from '../../helpers/watched-policy';
import { closedPort, cut, cutChunked, cutGzip, drop, hang, reset, serve, type Handler } from '../../helpers/wire-server';
import { attachRetry, getRetryReport, type FailureKind } from '../../../lib/index';
import type { AxiosError, InternalAxiosRequestConfig } from 'axios';

const ADAPTERS = isAtLeast('1.7') ? ['http', 'fetch'] : ['http'];

describe.each(ADAPTERS)('through the %s adapter', (adapter) => {
  function client(options = {}) {
    const policy = watchedPolicy(options);
    const api = axios.create({ adapter, timeout: 5_000 });
    // What is sent, also where the time is up before the server has seen it.
    const sent: (string | undefined)[] = [];
    api.interceptors.request.use((config) => {
      sent.push(config.method);
      return config;
    });
    attachRetry(api, policy.options);
    return { api, policy, sent };
  }

  const broken: [string, FailureKind, Handler][] = [
    ['R120 the connection ends before the answer', 'network', drop],
    ['R120 the connection is reset before the answer', 'network', reset],
    ['the body is cut before its length', 'network', cut],
    ['a chunked body is cut', 'network', cutChunked],
    ['a compressed body is cut', 'network', cutGzip],
    ['R16 R18 no answer comes in time', 'timeout', hang],
  ];

  it.each(broken)('%s: %s, so a GET is sent again', async (_what, kind, step) => {
    const server = await serve(step, { status: 200, body: '{"whole":true}' });
    // Time enough for the second attempt, however slow the machine is.
    const { api, policy, sent } = client({ beforeRetry: (config: InternalAxiosRequestConfig) => void (config.timeout = 10_000) });
    const response = await api.get(server.url, step === hang ? { timeout: 500 } : {});
    expect(response.data).toEqual({ whole: true });
    expect(sent).toEqual(['get', 'get']);
    expect(policy.retried.map((event) => event.kind)).toEqual([kind]);
    expect(policy.waits).toEqual([250]);
  });

  it.each(broken)('R51 %s: %s, so a POST is not: the server may have acted', async (_what, kind, step) => {
    const server = await serve(step, 200);
    const { api, policy, sent } = client();
    const error = await failureOf<AxiosError>(api.post(server.url, { order: 1 }, step === hang ? { timeout: 80 } : {}));
    expect(axios.isAxiosError(error)).toBe(true);
    expect(sent).toEqual(['post']);
    expect(policy.gaveUp.map((event) => [event.kind, event.reason])).toEqual([[kind, 'method']]);
    expect(policy.retried).toEqual([]);
  });

  it.each(broken)('%s on every attempt: the very error of the last one', async (_what, kind, step) => {
    const server = await serve(step);
    const { api, policy, sent } = client({ retries: 2 });
    const error = await failureOf<AxiosError>(api.get(server.url, step === hang ? { timeout: 80 } : {}));
    expect(sent).toEqual(['get', 'get', 'get']);
    expect(policy.gaveUp.map((event) => [event.kind, event.reason, event.error === error])).toEqual([[kind, 'exhausted', true]]);
    expect(getRetryReport(error)?.history.map((attempt) => attempt.kind)).toEqual([kind, kind, kind]);
  });

  it.each(['get', 'post'])('R120 a refused connection is unsent, so a %s is sent again', async (method) => {
    const port = await closedPort();
    const { api, policy } = client({ retries: 2 });
    const error = await failureOf<AxiosError>(api.request({ method, url: `http://127.0.0.1:${port}/` }));
    expect(policy.waits).toEqual([250, 500]);
    expect(policy.gaveUp.map((event) => [event.kind, event.reason])).toEqual([['unsent', 'exhausted']]);
    expect(getRetryReport(error)?.attempts).toBe(3);
  });

  it('R120 a name with several addresses that all refuse is unsent', async () => {
    const port = await closedPort();
    const { api, policy } = client({ retries: 1 });
    await failureOf(api.post(`http://localhost:${port}/`, {}));
    expect(policy.gaveUp.map((event) => [event.kind, event.reason])).toEqual([['unsent', 'exhausted']]);
  });

  it('R94 counts answers and broken connections in one: 4 requests, then it fails', async () => {
    const server = await serve(500, drop, 500, drop, 200);
    const { api, policy } = client({ retries: 3 });
    const error = await failureOf<AxiosError>(api.get(server.url));
    expect(server.methods).toHaveLength(4);
    expect(policy.gaveUp.map((event) => [event.kind, event.reason])).toEqual([['network', 'exhausted']]);
    expect(getRetryReport(error)?.history.map((attempt) => attempt.kind)).toEqual(['status', 'network', 'status', 'network']);
  });

  it('R48 a failure without response has no Retry-After: the real error comes after the backoff', async () => {
    const server = await serve(drop);
    const { api, policy } = client({ retries: 1 });
    const error = await failureOf<AxiosError>(api.get(server.url));
    expect(axios.isAxiosError(error)).toBe(true);
    expect(error.response).toBeUndefined();
    expect(policy.waits).toEqual([250]);
    expect(policy.retried[0]).not.toHaveProperty('retryAfter');
  });

  it.each([true, false])('R18 a timeout is judged alike with clarifyTimeoutError: %j', async (clarifyTimeoutError) => {
    const server = await serve(hang);
    const { api, policy, sent } = client({ retries: 2 });
    const transitional = { clarifyTimeoutError };
    await failureOf(api.get(server.url, { timeout: 80, transitional }));
    await failureOf(api.post(server.url, {}, { timeout: 80, transitional }));
    expect(sent).toEqual(['get', 'get', 'get', 'post']);
    expect(policy.gaveUp.map((event) => [event.kind, event.reason])).toEqual([
      ['timeout', 'exhausted'],
      ['timeout', 'method'],
    ]);
  });
});
