/** Registering interceptors of ours that axios gets bound to the very request whose chain it builds. */
import { complaint, define, isFunction } from '../checks/checks';
import { handlersOf, type Handler, type Managed } from './instance';

export type Run = (value: never) => unknown;

/** One of our functions, and how it takes its place in a handler. */
export interface BoundFunction {
  readonly unbound: Run;
  /** Makes it the member of a handler. */
  define(handler: Handler, name: 'fulfilled' | 'rejected'): void;
}

/**
 * One of our functions. To axios it is bound to the request whose chain is being built (`find` says which, when axios reads it),
 * whatever inner interceptors make of config, response or error. To all others it is an ordinary one, which they may wrap: what
 * they make of it is run in its stead, and comes back to it in the same tick.
 */
export function bindable<T extends object>(run: (bound: T | undefined, value: never) => unknown, find: () => T | undefined): BoundFunction {
  let current: T | undefined;
  const unbound: Run = (value) => run(current, value);
  const runWrapped = (bound: T, wrapped: Run, value: never): unknown => {
    const before = current;
    current = bound;
    try {
      return wrapped(value);
    } finally {
      current = before;
    }
  };
  const defineIn: BoundFunction['define'] = (handler, name) => {
    let given = handler[name] as Run;
    const get = (): Run => {
      const bound = find();
      if (!bound) return given;
      return given === unbound ? (value) => run(bound, value) : (value) => runWrapped(bound, given, value);
    };
    const set = (wrapped: Run): void => {
      given = wrapped;
    };
    define(handler, name, { get, set, enumerable: true, configurable: true });
  };
  return { unbound, define: defineIn };
}

export interface Registered {
  readonly handler: Handler;
  isThere(): boolean;
  eject(): void;
}

/** Registers, and finds what was registered: somebody may have patched `use`, to wrap functions or to register more. */
export function register(manager: Managed, functions: readonly [fulfilled: Run, rejected?: Run], options: Handler): Registered {
  const before = handlersOf(manager);
  const id = manager.use(functions[0], functions[1], options);
  const added = handlersOf(manager).filter((handler) => !before.includes(handler));
  const handler = added.find(({ fulfilled, runWhen }) => fulfilled === functions[0] || (runWhen && runWhen === options.runWhen)) ?? added[0];
  if (!handler) throw complaint('attachRetry', 'needs an axios instance that takes interceptors', manager);
  // A `use` of somebody's may have dropped the options.
  if (options.runWhen && !isFunction(handler.runWhen)) handler.runWhen = options.runWhen;
  const isThere = (): boolean => handlersOf(manager).includes(handler);
  // After `interceptors.clear()` the id may be somebody else's.
  const eject = (): void => {
    if (isThere()) manager.eject(id);
  };
  return { handler, isThere, eject };
}
