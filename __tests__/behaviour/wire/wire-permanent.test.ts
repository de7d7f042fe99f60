import { gzipSync } from 'node:zlib';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { AxiosError, AxiosRequestConfig } from 'axios';
import axios, { isAtLeast, itSince } from '../../helpers/axios';
import { selfSigned } from '../../helpers/self-signed';
import { failureOf, watchedPolicy } from '../../helpers/watched-policy';
import { serve, serveBytes, serveTls, type Handler } from '../../helpers/wire-server';
import { attachRetry, getRetryReport } from '../../../lib/index';

const ADAPTERS = isAtLeast('1.7') ? ['http', 'fetch'] : ['http'];

const loop: Handler = (request, response) => {
  response.writeHead(302, { location: request.url === '/a' ? '/b' : '/a' }).end();
};

describe.each(ADAPTERS)('R58 what cannot get better is sent once through the %s adapter', (adapter) => {
  function client(defaults: AxiosRequestConfig = {}) {
    const policy = watchedPolicy();
    const api = axios.create({ adapter, timeout: 5_000, ...defaults });
    return { api, policy, retry: attachRetry(api, policy.options) };
  }
  function chainOf(error: Error): AxiosError[] {
    const chain: AxiosError[] = [];
    // Errors of fetch are of another realm than jest's: no instanceof.
    for (let current: unknown = error; typeof current === 'object' && current !== null; current = (current as Error).cause) {
      chain.push(current as AxiosError);
    }
    return chain;
  }
  const codeOf = (error: Error): unknown[] => chainOf(error).map(({ code }) => code);
  const onHttp = adapter === 'http';

  it('a certificate that nobody has signed', async () => {
    const server = await serveTls(selfSigned, 200);
    const { api, policy, retry } = client();
    const error = await failureOf(api.get(server.url.replace('127.0.0.1', 'localhost')));
    expect(codeOf(error)).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(policy.reasons).toEqual(['not-retryable']);
    expect(policy.gaveUp[0]?.kind).toBe('permanent');
    expect(retry.stats().attempts).toBe(1);
  });

  it('redirects that never end', async () => {
    const server = await serve(loop);
    const { api, policy, retry } = client();
    const error = await failureOf(api.get(`${server.url}/a`));
    expect(axios.isAxiosError(error)).toBe(true);
    expect(codeOf(error)[0]).toBe(onHttp ? 'ERR_FR_TOO_MANY_REDIRECTS' : 'ERR_NETWORK');
    expect(policy.reasons).toEqual(['not-retryable']);
    expect(retry.stats().attempts).toBe(1);
    expect(server.methods.length).toBeLessThan(30);
  });

  it('an answer that is no HTTP', async () => {
    const server = await serveBytes('220 mail.example.com ESMTP\r\n');
    const { api, policy, retry } = client();
    const error = await failureOf(api.get(server.url));
    // The fetch of Node 24 has the name alone, and no code.
    expect(chainOf(error).some(({ code, name }) => /^HPE_/.test(String(code)) || name === 'HTTPParserError')).toBe(true);
    expect(policy.reasons).toEqual(['not-retryable']);
    expect(retry.stats().attempts).toBe(1);
  });

  it('a URL that is none', async () => {
    const { api, policy } = client();
    const error = await failureOf<TypeError>(api.get('http://exa mple.com/'));
    expect(String(error.message)).toMatch(/URL/);
    expect(policy.retried).toEqual([]);
    expect(policy.reasons).toEqual(['not-retryable']);
  });

  it('JSON that is none, where the caller wants to hear of it', async () => {
    const server = await serve({ status: 200, body: '{"half":' });
    const { api, policy } = client();
    const strict = { responseType: 'json' as const, transitional: { silentJSONParsing: false } };
    const error = await failureOf(api.get(server.url, strict));
    expect(error.name).toBe('SyntaxError');
    expect(server.methods).toEqual(['GET']);
    expect(policy.reasons).toEqual(['not-retryable']);
  });

  it('a compressed body that is wrong, and not cut', async () => {
    const wrong = Buffer.concat([gzipSync('x').subarray(0, 10), Buffer.alloc(50, 0xff)]);
    const server = await serve({ status: 200, headers: { 'content-encoding': 'gzip' }, body: wrong });
    const { api, policy } = client();
    const error = await failureOf(api.get(server.url));
    expect(codeOf(error)).toContain('Z_DATA_ERROR');
    expect(server.methods).toEqual(['GET']);
    expect(policy.reasons).toEqual(['not-retryable']);
  });

  it('R59 every status that is an answer for good', async () => {
    const server = await serve(401);
    const { api, policy } = client();
    const error = await failureOf<AxiosError>(api.get(server.url));
    expect(error.response?.status).toBe(401);
    expect(server.methods).toEqual(['GET']);
    expect(policy.reasons).toEqual(['not-retryable']);
  });

  const sizes = onHttp ? it : itSince('1.21', 'keeps no size limit under fetch');

  sizes('an answer above maxContentLength', async () => {
    const server = await serve({ status: 200, body: JSON.stringify('x'.repeat(1_000)) });
    const { api, policy } = client({ maxContentLength: 100 });
    const error = await failureOf<AxiosError>(api.get(server.url));
    expect([error.code, error.message]).toEqual(['ERR_BAD_RESPONSE', 'maxContentLength size of 100 exceeded']);
    expect(server.methods).toEqual(['GET']);
    expect(policy.reasons).toEqual(['not-retryable']);
  });

  sizes('a request above maxBodyLength', async () => {
    const server = await serve(200);
    const { api, policy, retry } = client({ maxBodyLength: 100 });
    const error = await failureOf<AxiosError>(api.put(server.url, 'x'.repeat(1_000)));
    expect(error.message).toContain('maxBodyLength');
    expect(server.methods).toEqual([]);
    expect(policy.reasons).toEqual(['not-retryable']);
    expect(retry.stats().attempts).toBe(1);
  });

  it('leaves the error a report: one attempt, not retryable', async () => {
    const server = await serve(404);
    const { api } = client();
    const error = await failureOf(api.get(server.url));
    expect(getRetryReport(error)).toMatchObject({ attempts: 1, reason: 'not-retryable', totalDelay: 0 });
  });
});

describe('over HTTP/2', () => {
  itSince('1.13', 'does not speak HTTP/2')('a stream that the server refused is unsent: a POST is sent again', async () => {
    const paths: string[] = [];
    const sessions = new Set<http2.Http2Session>();
    const server = http2.createServer();
    server.on('session', (session) => sessions.add(session));
    server.on('stream', (stream, headers) => {
      paths.push(String(headers[':method']));
      stream.on('error', () => undefined);
      if (paths.length === 1) stream.close(http2.constants.NGHTTP2_REFUSED_STREAM);
      else stream.resume().respond({ ':status': 200 }, { endStream: true });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const policy = watchedPolicy();
      const api = axios.create({ adapter: 'http', timeout: 5_000, httpVersion: 2, http2Options: { sessionTimeout: 10 } });
      attachRetry(api, policy.options);
      const response = await api.post(`http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`, { order: 1 });
      expect(response.status).toBe(200);
      expect(policy.retried.map((event) => event.kind)).toEqual(['unsent']);
      expect(paths).toEqual(['POST', 'POST']);
    } finally {
      for (const session of sessions) session.destroy();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});
