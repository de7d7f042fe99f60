/** An API with a quota: beyond it 429, with the whole seconds until the window ends as Retry-After. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { quota } from './setting';

export interface Api {
  readonly url: string;
  /** The first window begins; times are counted from here, in ms. */
  begin(): void;
  /** When each request came, and which were served. */
  readonly requests: readonly number[];
  readonly served: readonly number[];
  close(): void;
}

export async function startApi(): Promise<Api> {
  const requests: number[] = [];
  const served: number[] = [];
  let startedAt = performance.now();
  let current = -1;
  let count = 0;
  const server = createServer((_, response) => {
    const now = performance.now() - startedAt;
    const window = Math.floor(now / quota.window);
    if (window !== current) count = 0;
    current = window;
    requests.push(now);
    if (++count <= quota.requests) {
      served.push(now);
      response.end('{}');
    } else {
      const left = (window + 1) * quota.window - now;
      response.writeHead(429, { 'retry-after': String(Math.ceil(left / 1_000)) }).end();
    }
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  const begin = (): void => void (startedAt = performance.now());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, begin, requests, served, close };
}
