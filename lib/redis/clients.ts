/** What is used of a client of `redis` or of `ioredis`, in words that hold for both. */
import { hasMethod } from '../checks/checks';
import { later } from '../time/later';

/** A client of `redis` or `ioredis`, typed by members that both have: neither package is needed to compile. */
export interface RedisClient {
  duplicate(...overrides: never[]): unknown;
  publish(...command: never[]): unknown;
  on(event: never, listener: never): unknown;
}

/** Told of each error, and of the end. */
export type EndListener = (error?: unknown) => void;

/** A connection to Redis: the user's, of which only the first three are used, or one of ours. */
export interface Connection {
  isReady(): boolean;
  send(...command: string[]): Promise<unknown>;
  /** Another one, not yet open, that neither reconnects by itself nor keeps the process alive. */
  duplicate(onEnd: EndListener): Connection;
  /** Resolves once it is ready. */
  open(): Promise<unknown>;
  subscribe(name: string, onMessage: (text: unknown) => void): Promise<unknown>;
  close(): void;
}

interface Common {
  on(event: string, listener: (...values: unknown[]) => void): unknown;
  connect(): Promise<unknown>;
  subscribe(name: string, listener?: (text: unknown) => void): Promise<unknown>;
}
interface NodeRedis extends Common {
  readonly isReady: boolean;
  readonly options?: { readonly socket?: object | undefined } | undefined;
  sendCommand(command: string[]): Promise<unknown>;
  duplicate(overrides: object): NodeRedis;
  unref(): void;
  destroy(): void;
}
interface IoRedis extends Common {
  readonly status: string;
  readonly stream?: { unref?(): void } | null | undefined;
  call(...command: string[]): Promise<unknown>;
  duplicate(overrides: object): IoRedis;
  disconnect(): void;
}

function listen<T extends Common>(client: T, onEnd: EndListener): T {
  client.on('error', onEnd);
  client.on('end', () => onEnd());
  return client;
}

// What keeps a process alive: reconnecting, pings, moving to another server. The cache belongs to the user's connection.
const NODE_REDIS = { pingInterval: 0, clientSideCache: undefined, maintNotifications: 'disabled' };

function nodeRedis(client: NodeRedis): Connection {
  let isClosed = false;
  const close = (): void => {
    isClosed = true;
    client.destroy();
  };
  return {
    isReady: () => client.isReady,
    send: (...command) => client.sendCommand(command),
    duplicate(onEnd) {
      const socket = { ...client.options?.socket, reconnectStrategy: false };
      return nodeRedis(listen(client.duplicate({ ...NODE_REDIS, socket }), onEnd));
    },
    async open() {
      client.unref();
      await client.connect();
      // What was closed before its socket stood has opened it all the same.
      if (isClosed) close();
    },
    subscribe: (name, onMessage) => client.subscribe(name, onMessage),
    close,
  };
}

// Here also what sends commands in another order, and what waits before it closes.
const IOREDIS = {
  lazyConnect: true, retryStrategy: null, sentinelRetryStrategy: null, failoverDetector: false,
  enableReadyCheck: false, disconnectTimeout: 0, enableAutoPipelining: false,
};

function ioRedis(client: IoRedis): Connection {
  const unref = (): void => client.stream?.unref?.();
  return {
    isReady: () => client.status === 'ready',
    send: (...command) => client.call(...command),
    duplicate: (onEnd) => ioRedis(listen(client.duplicate(IOREDIS), onEnd)),
    open() {
      client.on('connect', unref);
      // The socket is made a moment later.
      later(0, unref);
      return client.connect();
    },
    subscribe(name, onMessage) {
      client.on('message', (_name, text) => onMessage(text));
      return client.subscribe(name);
    },
    close: () => client.disconnect(),
  };
}

/** The connection of a client that talks to one server, or undefined: clusters, pools and sentinels are something else. */
export function connectionOf(client: unknown): Connection | undefined {
  const { isReady, status, isCluster } = Object(client) as Partial<NodeRedis & IoRedis & { isCluster: unknown }>;
  if (typeof isReady === 'boolean' && hasMethod(client, 'unref')) return nodeRedis(client as NodeRedis);
  if (typeof status === 'string' && hasMethod(client, 'call') && isCluster !== true) return ioRedis(client as IoRedis);
  return undefined;
}
