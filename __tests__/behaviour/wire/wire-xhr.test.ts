import { abortAll } from '../../helpers/browser-xhr';
import type { AxiosError, InternalAxiosRequestConfig } from 'axios';
import axios from '../../helpers/axios';
import { selfSigned } from '../../helpers/self-signed';
import { failureOf, settled, watchedPolicy } from '../../helpers/watched-policy';
import { closedPort, drop, hang, reset, serve, serveTls, type Handler } from '../../helpers/wire-server';
import { attachRetry, type FailureKind } from '../../../lib/index';

// A page is not told why a request failed: refused, reset and untrusted look the same.
describe('through the xhr adapter', () => {
  function client(options = {}) {
    const policy = watchedPolicy(options);
    const api = axios.create({ adapter: 'xhr', timeout: 5_000 });
    const sent: (string | undefined)[] = [];
    api.interceptors.request.use((config) => {
      sent.push(config.method);
      return config;
    });
    attachRetry(api, policy.options);
    return { api, policy, sent };
  }

  const broken: [string, FailureKind, Handler][] = [
    ['R119 the connection ends before the answer', 'network', drop],
    ['R119 the connection is reset before the answer', 'network', reset],
    ['R18 no answer comes in time', 'timeout', hang],
  ];

  it.each(broken)('%s: %s, so a GET is sent again', async (_what, kind, step) => {
    const server = await serve(step, { status: 200, body: '{"whole":true}' });
    // Time enough for the second attempt, however slow the machine is.
    const { api, policy, sent } = client({ beforeRetry: (config: InternalAxiosRequestConfig) => void (config.timeout = 10_000) });
    const response = await api.get(server.url, step === hang ? { timeout: 100 } : {});
    expect(response.data).toEqual({ whole: true });
    expect(sent).toEqual(['get', 'get']);
    expect(policy.retried.map((event) => event.kind)).toEqual([kind]);
  });

  it.each(broken)('R51 %s: %s, so a POST is not', async (_what, kind, step) => {
    const server = await serve(step, 200);
    const { api, policy, sent } = client();
    await failureOf(api.post(server.url, 'text', { headers: { 'Content-Type': 'text/plain' }, ...(step === hang && { timeout: 100 }) }));
    expect(sent).toEqual(['post']);
    expect(policy.gaveUp.map((event) => [event.kind, event.reason])).toEqual([[kind, 'method']]);
  });

  it('R119 a refused connection is network: ERR_NETWORK says no more', async () => {
    const { api, policy } = client({ retries: 1 });
    const error = await failureOf<AxiosError>(api.get(`http://127.0.0.1:${await closedPort()}/`));
    expect(error.code).toBe('ERR_NETWORK');
    expect(policy.gaveUp.map((event) => [event.kind, event.reason])).toEqual([['network', 'exhausted']]);
  });

  it('a certificate that nobody has signed is network as well', async () => {
    const server = await serveTls(selfSigned, 200);
    const { api, policy } = client({ retries: 1 });
    await failureOf(api.get(server.url.replace('127.0.0.1', 'localhost')));
    expect(policy.gaveUp[0]?.kind).toBe('network');
  });

  it('R40 R49 Retry-After counts where CORS lets the page see it, else the backoff', async () => {
    const hidden = { status: 503, headers: { 'retry-after': '3' } };
    const shown = { status: 503, headers: { 'retry-after': '3', 'access-control-expose-headers': 'Retry-After' } };
    const server = await serve(hidden, shown, 200);
    const { api, policy } = client();
    await api.get(server.url);
    expect(policy.waits).toEqual([250, 3_750]);
    expect(policy.retried.map((event) => event.retryAfter)).toEqual([undefined, 3_000]);
  });

  it.each([401, 404, 501])('R59 %d is an answer for good', async (status) => {
    const server = await serve(status);
    const { api, policy } = client();
    const error = await failureOf<AxiosError>(api.get(server.url));
    expect(error.response?.status).toBe(status);
    expect(policy.reasons).toEqual(['not-retryable']);
    expect(server.methods).toHaveLength(1);
  });

  it('R58 JSON that is none, where the caller wants to hear of it, is sent once', async () => {
    const server = await serve({ status: 200, body: '{"half":' });
    const { api, policy } = client();
    await failureOf(api.get(server.url, { responseType: 'json', transitional: { silentJSONParsing: false } }));
    expect(policy.reasons).toEqual(['not-retryable']);
    expect(server.methods).toHaveLength(1);
  });

  it('R35 the caller’s abort in flight is final', async () => {
    const server = await serve(hang);
    const { api, policy, sent } = client();
    const controller = new AbortController();
    const failing = failureOf(api.get(server.url, { signal: controller.signal }));
    await server.arrived(1);
    controller.abort();
    expect(axios.isCancel(await failing)).toBe(true);
    await settled();
    expect(sent).toEqual(['get']);
    expect(policy.reasons).toEqual(['aborted']);
    expect(policy.retried).toEqual([]);
  });

  it('the browser’s own abort, when the page is left, is never sent again', async () => {
    const server = await serve(hang);
    const { api, policy, sent } = client();
    const failing = failureOf<AxiosError>(api.get(server.url));
    await server.arrived(1);
    abortAll();
    const error = await failing;
    expect([error.code, error.message]).toEqual(['ECONNABORTED', 'Request aborted']);
    expect(policy.gaveUp.map((event) => [event.kind, event.reason])).toEqual([['cancelled', 'aborted']]);
    expect(sent).toEqual(['get']);
  });
});
