/** A server on loopback that fails in one way per path, then recovers. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface UnreliableServer {
  readonly url: string;
  /** Requests to a path, and how many charges that were: each payment is one, but for a repeated key. */
  countOf(path: string): { readonly requests: number; readonly charges: number };
  close(): Promise<void>;
}

const ok: Answer = (_request, response) => response.end('{"ok":true}');
const busy: Answer = (_request, response) => response.writeHead(503).end();
const limited: Answer = (_request, response) => response.writeHead(429, { 'Retry-After': '1' }).end();
const reset: Answer = (request) => request.socket.resetAndDestroy();
const stall: Answer = () => undefined;
const cut: Answer = (request, response) => {
  response.writeHead(200, { 'Content-Length': '1000' });
  response.write('{"only":"the first part', () => request.socket.destroy());
};

/** What each path answers, request by request; then it answers 200. */
const answers: Readonly<Record<string, readonly Answer[]>> = {
  '/busy': [busy, busy],
  '/limited': [limited],
  '/reset': [reset],
  '/slow': [stall],
  '/cut': [cut],
  '/payments': [reset],
  '/payments-no-key': [reset],
};

/** Listens on `port`, or on a free one. */
export async function startUnreliableServer(port = 0): Promise<UnreliableServer> {
  const seen = new Map<string, number>();
  const keys = new Map<string, Set<unknown>>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const count = seen.get(path) ?? 0;
    seen.set(path, count + 1);
    if (path.startsWith('/payments')) keys.set(path, (keys.get(path) ?? new Set()).add(request.headers['idempotency-key'] ?? count));
    request.resume().on('end', () => (answers[path]?.[count] ?? ok)(request, response));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    countOf: (path) => ({ requests: seen.get(path) ?? 0, charges: keys.get(path)?.size ?? 0 }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A port on which nothing listens now. */
export async function findClosedPort(): Promise<number> {
  const server = await startUnreliableServer();
  await server.close();
  return Number(new URL(server.url).port);
}
