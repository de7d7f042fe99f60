import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import net from 'node:net';
import type { LookupFunction } from 'node:net';
import { AxiosError, type AxiosRequestConfig } from 'axios';
import axios, { isAtLeast, itSince } from '../../helpers/axios';
import { failureOf, watchedPolicy } from '../../helpers/watched-policy';
import { serve } from '../../helpers/wire-server';
import { selfSigned } from '../../helpers/self-signed';
import { attachRetry, DEFAULT_STATUSES, type FailureKind, type RetryOptions } from '../../../lib/index';

const ADAPTERS = isAtLeast('1.7') ? ['http', 'fetch'] : ['http'];
const servers = new Set<net.Server>();
const sockets = new Set<net.Socket>();

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all([...servers].map((server) => new Promise((resolve) => server.close(resolve))));
  sockets.clear();
  servers.clear();
});

async function listen(server: net.Server): Promise<number> {
  servers.add(server);
  server.on('connection', (socket: net.Socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as net.AddressInfo).port;
}

function client(config: AxiosRequestConfig, options: RetryOptions = {}) {
  const policy = watchedPolicy({ retries: 1, ...options });
  const api = axios.create({ timeout: 5_000, proxy: false, ...config });
  attachRetry(api, policy.options);
  return { api, policy };
}

/** Kind and number of attempts of a POST that fails. */
async function postTo(url: string, config: AxiosRequestConfig): Promise<[FailureKind | undefined, number | undefined]> {
  const { api, policy } = client(config);
  await failureOf(api.post(url, { order: 1 }));
  return [policy.gaveUp[0]?.kind, policy.gaveUp[0]?.attempt];
}

describe.each(ADAPTERS)('a connection on which TLS never stood, through the %s adapter', (adapter) => {
  it('S09 closed: nothing was sent, a POST is sent again', async () => {
    const port = await listen(net.createServer((socket) => socket.once('data', () => socket.end())));
    expect(await postTo(`https://127.0.0.1:${port}/`, { adapter })).toEqual(['unsent', 2]);
  });

  it('S09 reset: nothing was sent, which only the http adapter can tell', async () => {
    const port = await listen(net.createServer((socket) => socket.once('data', () => socket.resetAndDestroy())));
    expect(await postTo(`https://127.0.0.1:${port}/`, { adapter })).toEqual(adapter === 'http' ? ['unsent', 2] : ['network', 1]);
  });

  it('S23 settings that do not fit are permanent: TLS to a port without', async () => {
    const port = await listen(http.createServer());
    expect(await postTo(`https://127.0.0.1:${port}/`, { adapter })).toEqual(['permanent', 1]);
  });
});

describe('once TLS stands', () => {
  const trusting = { adapter: 'http', httpsAgent: new https.Agent({ ca: selfSigned.cert, maxCachedSessions: 0 }) };

  it('S09 a connection that is reset is network: a POST is sent once', async () => {
    const server = https.createServer(selfSigned, (request) => request.resume().on('end', () => request.socket.destroy()));
    expect(await postTo(`https://localhost:${await listen(server)}/`, trusting)).toEqual(['network', 1]);
  });

  it('S23 a record that was damaged on the way is network', async () => {
    const target = await listen(https.createServer(selfSigned, (request, response) => void request.resume().on('end', () => response.end('x'.repeat(1_000)))));
    const proxy = net.createServer((inward) => {
      const outward = net.connect(target, '127.0.0.1');
      sockets.add(outward.on('error', () => undefined));
      // What the server sends after the client's request is the answer.
      let isAsked = false;
      inward.on('data', (data) => outward.write(data)).once('data', () => inward.once('data', () => (isAsked = true)));
      outward.on('data', (data: Buffer) => {
        const record = Buffer.from(data);
        if (isAsked) record[0] = 99;
        inward.write(record);
      });
    });
    const [kind] = await postTo(`https://localhost:${await listen(proxy)}/`, trusting);
    expect(kind).toBe('network');
  });
});

describe('what the system lacks', () => {
  const failing = (error: Error): http.Agent =>
    Object.assign(new http.Agent(), {
      createConnection: (_options: object, done: (reason: Error) => void): void => void setImmediate(done, error),
    });
  const connect = (code: string): Error => Object.assign(new Error(`connect ${code} 127.0.0.1:80`), { code, syscall: 'connect', address: '127.0.0.1', port: 80 });

  it.each(['EADDRNOTAVAIL', 'EMFILE', 'ENOBUFS'])('S02 connect %s is unsent: a POST is sent again', async (code) => {
    expect(await postTo('http://127.0.0.1/', { adapter: 'http', httpAgent: failing(connect(code)) })).toEqual(['unsent', 2]);
  });

  it('S02 so is a list of what all addresses said', async () => {
    const errors = [connect('EADDRNOTAVAIL'), connect('ECONNREFUSED')];
    const error = Object.assign(new AggregateError(errors, 'no address'), { code: 'EADDRNOTAVAIL' });
    expect(await postTo('http://127.0.0.1/', { adapter: 'http', httpAgent: failing(error) })).toEqual(['unsent', 2]);
  });

  it.each(['EHOSTUNREACH', 'ENETDOWN', 'ETIMEDOUT'])('S03 F02 %s of a read proves nothing: a POST is sent once', async (code) => {
    const error = Object.assign(new Error(`read ${code}`), { code, syscall: 'read' });
    expect(await postTo('http://127.0.0.1/', { adapter: 'http', httpAgent: failing(error) })).toEqual(['network', 1]);
  });

  it.each(['ETIMEOUT', 'ESERVFAIL', 'EAI_FAIL'])('S11 a lookup that fails with %s is unsent', async (code) => {
    const lookup: LookupFunction = (_host, _options, done) => done(Object.assign(new Error(`queryA ${code}`), { code }), []);
    expect(await postTo('http://nobody.example/', { adapter: 'http', httpAgent: new http.Agent({ lookup }) })).toEqual(['unsent', 2]);
  });

  it('S12 an unix socket that is not there yet is unsent', async () => {
    expect(await postTo('http://localhost/', { adapter: 'http', socketPath: `/tmp/none-${process.pid}.sock` })).toEqual(['unsent', 2]);
  });
});

describe('what fetch refuses to do', () => {
  itSince('1.7', 'has no fetch adapter')('S19 is permanent: a port that is not allowed', async () => {
    const { api, policy } = client({ adapter: 'fetch' });
    await failureOf(api.get('http://127.0.0.1:6000/'));
    expect(policy.gaveUp.map(({ kind, attempt }) => [kind, attempt])).toEqual([['permanent', 1]]);
  });

  itSince('1.7', 'has no fetch adapter')('S19 is permanent: a redirect that the caller does not want', async () => {
    const server = await serve((_request, response) => void response.writeHead(303, { location: '/' }).end());
    const { api, policy } = client({ adapter: 'fetch' });
    await failureOf(api.get(server.url, { fetchOptions: { redirect: 'error' } } as AxiosRequestConfig));
    expect(policy.gaveUp.map(({ kind, attempt }) => [kind, attempt])).toEqual([['permanent', 1]]);
    expect(server.methods).toHaveLength(1);
  });
});

describe('an answer', () => {
  it('S24 of status 0 is none: network', async () => {
    const adapter: AxiosRequestConfig['adapter'] = (config) => {
      const response = { status: 0, statusText: '', headers: {}, data: '', config };
      return Promise.reject(new AxiosError('Request failed with status code 0', 'ERR_BAD_REQUEST', config, {}, response));
    };
    const { api, policy } = client({ adapter });
    await failureOf(api.get('http://127.0.0.1/'));
    expect(policy.gaveUp.map(({ kind, attempt, reason }) => [kind, attempt, reason])).toEqual([['network', 2, 'exhausted']]);
  });

  it.each([520, 521, 522, 523, 524, 529])('S14 of a CDN with %d can heal', async (status) => {
    const server = await serve(status, 200);
    expect((await client({}).api.get(server.url)).status).toBe(200);
  });

  it.each([519, 525, 526, 528, 530])('S14 with %d cannot', async (status) => {
    const server = await serve(status, 200);
    await failureOf(client({}).api.get(server.url));
    expect(server.methods).toHaveLength(1);
  });

  it('S14 who adds to the default list keeps what belongs to it: 413 with Retry-After', async () => {
    const server = await serve(530, { status: 413, headers: { 'retry-after': '0' } }, 200);
    const { api } = client({}, { retries: 2, statuses: [...DEFAULT_STATUSES, 530] });
    expect((await api.get(server.url)).status).toBe(200);
  });

  it('S14 an accepted status in such a list counts', async () => {
    const server = await serve(202, 200);
    const { api } = client({}, { statuses: [...DEFAULT_STATUSES, 202] });
    expect((await api.get(server.url)).status).toBe(200);
  });

  it.each([
    [409, 'true', 2],
    [503, 'false', 1],
  ])('with %d and stripe-should-retry: %s is sent %d time(s)', async (status, wish, times) => {
    const server = await serve({ status, headers: { 'stripe-should-retry': wish } });
    await failureOf(client({}).api.get(server.url));
    expect(server.methods).toHaveLength(times);
  });
});

describe('over HTTP/2', () => {
  const overHttp2 = { adapter: 'http', httpVersion: 2, http2Options: { sessionTimeout: 10 } } as AxiosRequestConfig;
  const since = itSince('1.21', 'leaves the error of a session unhandled');

  async function serveHttp2(answer: (stream: http2.ServerHttp2Stream, index: number) => void): Promise<{ url: string; methods: unknown[] }> {
    const methods: unknown[] = [];
    const server = http2.createServer();
    server.on('session', (session) => session.on('error', () => undefined));
    server.on('stream', (stream, headers) => {
      stream.on('error', () => undefined).resume();
      answer(stream, methods.push(headers[':method']) - 1);
    });
    return { url: `http://127.0.0.1:${await listen(server as unknown as net.Server)}`, methods };
  }
  const endSession = (stream: http2.ServerHttp2Stream, index: number): void => {
    if (index > 0) stream.respond({ ':status': 200 }, { endStream: true });
    else stream.session?.destroy(new Error('restart'), http2.constants.NGHTTP2_INTERNAL_ERROR);
  };

  since('S05 a session that the server ends with an error is network: a GET is sent again over a new one', async () => {
    const { url, methods } = await serveHttp2(endSession);
    const { api, policy } = client(overHttp2);
    expect((await api.get(url)).status).toBe(200);
    expect(policy.retried.map(({ kind }) => kind)).toEqual(['network']);
    expect(methods).toEqual(['GET', 'GET']);
  });

  since('S05 a POST is not: it may have arrived', async () => {
    const { url, methods } = await serveHttp2(endSession);
    expect(await postTo(url, overHttp2)).toEqual(['network', 1]);
    expect(methods).toEqual(['POST']);
  });

  since('S05 a stream that waited for a connection which never came is unsent', async () => {
    const server = net.createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    servers.delete(server);
    expect(await postTo(`http://127.0.0.1:${port}/`, overHttp2)).toEqual(['unsent', 2]);
  });
});
