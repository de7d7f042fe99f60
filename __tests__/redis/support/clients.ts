// The real clients, as users make them: each with a listener for errors, as both packages ask for.
import { Redis } from 'ioredis';
import { createClient } from 'redis';

import type { RedisClient } from 'axios-jitter/redis';

export interface OpenClient {
  readonly client: RedisClient;
  /** As users begin: resolves once it is ready. */
  connect(): Promise<void>;
  end(): void;
}

const ignore = (): void => undefined;

function nodeRedis(port: number, RESP: 2 | 3): OpenClient {
  const client = createClient({ socket: { host: '127.0.0.1', port }, RESP });
  client.on('error', ignore);
  return { client, connect: async () => void (await client.connect()), end: () => client.destroy() };
}

function ioRedis(port: number, protocol: 2 | 3): OpenClient {
  const client = new Redis({ host: '127.0.0.1', port, protocol, lazyConnect: true });
  client.on('error', ignore);
  return { client, connect: () => client.connect(), end: () => client.disconnect() };
}

/** By name: both packages, and both protocols, for Redis before 6 speaks the older one alone. */
export const clients: Readonly<Record<string, (port: number) => OpenClient>> = {
  redis: (port) => nodeRedis(port, 3),
  'redis (RESP2)': (port) => nodeRedis(port, 2),
  ioredis: (port) => ioRedis(port, 3),
  'ioredis (RESP2)': (port) => ioRedis(port, 2),
};
