// Real servers that do what goes wrong on the wire. All are closed after the test that started them.
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void;
export interface Reply {
  readonly status: number;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}
/** A status, an answer, or what else to do with the request. */
export type Step = number | Reply | Handler;

export interface WireServer {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** The methods of the requests so far, in order; its length counts them. */
  readonly methods: string[];
  /** Resolves when so many requests have arrived. */
  arrived(count: number): Promise<void>;
}

type Closable = net.Server;

const open = new Set<Closable>();
const sockets = new Set<net.Socket>();

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all([...open].map((server) => new Promise((resolve) => server.close(resolve))));
  open.clear();
  sockets.clear();
});

async function listen(server: Closable, scheme: string): Promise<string> {
  open.add(server);
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function reply(response: http.ServerResponse, step: number | Reply): void {
  const { status, headers = {}, body = '{}' } = typeof step === 'number' ? { status: step } : step;
  // `*` for XMLHttpRequest, which asks.
  response.writeHead(status, { 'content-type': 'application/json', 'access-control-allow-origin': '*', ...headers });
  response.end(body);
}

function counter(): { methods: string[]; note(method: string): void; arrived(count: number): Promise<void> } {
  const methods: string[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  return {
    methods,
    note(method) {
      methods.push(method);
      for (const { count, resolve } of waiting) if (methods.length >= count) resolve();
    },
    arrived: (count) =>
      new Promise((resolve) => {
        if (methods.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
  };
}

function script(steps: readonly Step[], note: (method: string) => void): Handler {
  let next = 0;
  return (request, response) => {
    const step = steps[Math.min(next, steps.length - 1)] ?? 200;
    next += 1;
    note(request.method ?? '');
    if (typeof step === 'function') step(request, response);
    else reply(response, step);
  };
}

/** Does one step per request; the last one goes on for ever. */
export async function serve(...steps: readonly Step[]): Promise<WireServer> {
  const { methods, note, arrived } = counter();
  const url = await listen(http.createServer(script(steps, note)), 'http');
  return { url, methods, arrived };
}

/** The same under a certificate that nobody has signed. */
export async function serveTls(identity: { key: string; cert: string }, ...steps: readonly Step[]): Promise<WireServer> {
  const { methods, note, arrived } = counter();
  const server = https.createServer(identity, script(steps, note));
  server.on('tlsClientError', () => note('TLS'));
  return { url: await listen(server, 'https'), methods, arrived };
}

/** Answers each connection's first bytes with the given ones, and ends it. */
export async function serveBytes(bytes: string): Promise<WireServer> {
  const { methods, note, arrived } = counter();
  const server = net.createServer((socket) => {
    socket.once('data', (data) => {
      note(data.toString('latin1').split(' ')[0] ?? '');
      socket.end(bytes);
    });
  });
  return { url: await listen(server, 'http'), methods, arrived };
}

/** A port where nobody listens, nor will: below those that a system hands out, where the next server of the test might get it. */
export async function closedPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const server = net.createServer();
    const isFree = await new Promise<boolean>((resolve) => server.on('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true)));
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
}

/** Never answers. */
export const hang: Handler = () => undefined;

/** Reads the request, then ends the connection without an answer. */
export const drop: Handler = (request) => {
  request.resume().on('end', () => request.socket.destroy());
};

/** The same with a TCP reset. */
export const reset: Handler = (request) => {
  request.resume().on('end', () => request.socket.resetAndDestroy());
};

function cutAfter(headers: http.OutgoingHttpHeaders, part: string | Buffer): Handler {
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*', ...headers });
    response.write(part, () => response.destroy());
  };
}

/** Ends the connection in the middle of the body. */
export const cut = cutAfter({ 'content-length': 1_000 }, '{"half":');
/** The same where the body has no length. */
export const cutChunked = cutAfter({}, '{"half":');

/** The same in the middle of a compressed body. */
export const cutGzip: Handler = (request, response) => {
  void promisify(gzip)(JSON.stringify({ text: 'x'.repeat(2_000) })).then((whole) => {
    const headers = { 'content-encoding': 'gzip', 'content-length': whole.length };
    cutAfter(headers, whole.subarray(0, whole.length - 12))(request, response);
  });
};

/** A body that comes byte by byte and never ends. */
export const drip: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
  response.write('"');
  const timer = setInterval(() => response.write('x'), 10);
  response.on('close', () => clearInterval(timer));
};
