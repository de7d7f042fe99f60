/** The members of an axios instance that are used: public ones, of any version. */

/** What an axios interceptor manager keeps per interceptor. */
export interface Handler {
  fulfilled?: unknown;
  rejected?: unknown;
  synchronous?: unknown;
  runWhen?: unknown;
}
/** The public members of an interceptor manager; `forEach` is missing in axios' types. */
export interface Managed {
  use(fulfilled: unknown, rejected: unknown, options?: unknown): number;
  eject(id: number): void;
  forEach(visit: (handler: Handler) => void): void;
}
/** The members of an axios instance that are used. */
export interface Instance {
  defaults: Record<string, unknown>;
  interceptors: { request: Managed; response: Managed };
  request(config: object): Promise<unknown>;
  getUri?(config: object): string;
}

/** Our two interceptors on an instance, and what is known of it. It stays when `attachRetry` is called again. */
export interface Registration {
  readonly instance: Instance;
  readonly requestHandler: Handler;
  readonly responseHandler: Handler;
  /** Whether others were registered before, on either side: they may edit what they get. */
  readonly hasInner: boolean;
  /** Whether this axios asks `transitional` for the order of request interceptors: from 1.13 on. */
  asksForOrder?: boolean;
  /** Whether axios has built the chain of the last replay before the instance returned. */
  isDirect?: boolean;
  isDetached: boolean;
}

/** The interceptors that are registered now. */
export function handlersOf(manager: Managed): Handler[] {
  const handlers: Handler[] = [];
  manager.forEach((handler) => handlers.push(handler));
  return handlers;
}
