// Keep-alive pools that count what leaves the client, for each adapter.
import http from 'node:http';

/** Told for each request, with the call's id, when it is handed to the pool. */
export type OnRequest = (call: number) => void;

export interface Wire {
  /** What the axios instance is created with. */
  readonly config: object;
  close(): Promise<void> | void;
}

/** Not in Node's types: the agent's part in every `http.request`. */
interface AgentInternals {
  addRequest(request: http.ClientRequest, options: object): void;
}

class CountingAgent extends http.Agent {
  constructor(
    options: http.AgentOptions,
    private readonly onRequest: OnRequest,
  ) {
    super(options);
  }

  addRequest(request: http.ClientRequest, options: object): void {
    this.onRequest(Number(request.getHeader('x-call')));
    (http.Agent.prototype as unknown as AgentInternals).addRequest.call(this, request, options);
  }
}

export function httpWire(sockets: number, isFifo: boolean, onRequest: OnRequest): Wire {
  const agent = new CountingAgent({ keepAlive: true, maxSockets: sockets, scheduling: isFifo ? 'fifo' : 'lifo' }, onRequest);
  return { config: { adapter: 'http', httpAgent: agent }, close: () => agent.destroy() };
}

interface Dispatcher {
  dispatch(options: { headers?: unknown }, handler: unknown): boolean;
  destroy(): Promise<void>;
}

// Node does not export the pool behind its fetch. The one in use is kept on the global object that fetch belongs to,
// once something was fetched.
async function makePool(connections: number): Promise<Dispatcher> {
  await fetch('data:,');
  const realm = (fetch.constructor as FunctionConstructor)('return globalThis')() as Record<symbol, object>;
  const { constructor } = realm[Symbol.for('undici.globalDispatcher.1')] as { constructor: unknown };
  return new (constructor as new (options: object) => Dispatcher)({ connections });
}

function callIn(headers: unknown): number {
  const entries = Array.isArray(headers) ? headers.flat() : Object.entries(headers ?? {}).flat();
  const place = entries.findIndex((entry) => String(entry).toLowerCase() === 'x-call');
  return Number(entries[place + 1]);
}

// A class, because axios clones plain objects.
class CountingDispatcher {
  constructor(
    private readonly pool: Dispatcher,
    private readonly onRequest: OnRequest,
  ) {}

  dispatch(options: { headers?: unknown }, handler: unknown): boolean {
    this.onRequest(callIn(options.headers));
    return this.pool.dispatch(options, handler);
  }
}

export async function fetchWire(sockets: number, onRequest: OnRequest): Promise<Wire> {
  const pool = await makePool(sockets);
  return {
    config: { adapter: 'fetch', fetchOptions: { dispatcher: new CountingDispatcher(pool, onRequest) } },
    close: () => pool.destroy(),
  };
}
