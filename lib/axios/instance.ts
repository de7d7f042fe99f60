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
  create?(config: object): Instance;
  getUri?(config: object): string;
}

/** The interceptors that are registered now. */
export function handlersOf(manager: Managed): Handler[] {
  const handlers: Handler[] = [];
  manager.forEach((handler) => handlers.push(handler));
  return handlers;
}
