/** Wiring: checks the options, registers our interceptors, hands out the handle. */
import type { Attachment } from './call/call';
import { hear } from './call/shared-retry-after';
import { newCounters, readStats } from './call/stats';
import { complaint, define, hasMethod } from './checks/checks';
import { watchAttachment } from './watch/observers';
import type { RetryStats } from './watch/stats';
import type { Instance } from './axios/instance';
import { registerInterceptors, type RetryInterceptors } from './interceptors';
import type { RequestRetry, RetryOptions } from './options/retry-options';
import { OriginTable } from './policy/origin-table';
import { resolveOptions, resolveRequest } from './options/resolve';

/** What an axios instance must have: typed by the members that are used, so that any axios version fits. */
export interface RetryableInstance {
  readonly defaults: object;
  readonly interceptors: { readonly request: InterceptorManager; readonly response: InterceptorManager };
  // axios' own signature is generic and differs between versions.
  request(config: never): Promise<unknown>;
}
interface InterceptorManager {
  use: (...args: never[]) => number;
  eject(id: number): void;
}

/** `using retry = attachRetry(api)`, for those whose `lib` knows disposables; the types compile without them. */
export type RetryDisposable = SymbolConstructor extends { readonly dispose: infer Dispose extends symbol }
  ? { readonly [Key in Dispose]: () => void }
  : unknown;

export interface RetryHandle {
  /** Takes the plugin off the instance. Calls that wait end at once with their last error, reason `detached`. */
  detach(): void;
  stats(): RetryStats;
}

// On the manager, and not in a table of this module: the ESM and the CommonJS copy must find each other's interceptors.
const OURS = Symbol.for('axios-jitter.interceptors');
type Marked = { [OURS]?: RetryInterceptors | undefined };

function checkInstance(instance: unknown): Instance {
  const { request, response } = ((instance as Partial<Instance> | undefined | null)?.interceptors ?? {}) as Partial<Instance['interceptors']>;
  const areManagers = [request, response].every((manager) => hasMethod(manager, 'use') && hasMethod(manager, 'forEach'));
  if (areManagers && hasMethod(instance, 'request')) return instance as Instance;
  throw complaint('attachRetry', 'needs an axios instance', instance);
}

// After `interceptors.clear()` ours may be gone.
function interceptorsOf(instance: Instance, known: RetryInterceptors | undefined): RetryInterceptors {
  if (known?.areThere()) return known;
  known?.eject();
  return registerInterceptors(instance);
}

function detach(ours: RetryInterceptors, attachment: Attachment): void {
  // Replaced by a later attachRetry: this handle has nothing left to detach.
  if (ours.attachment !== attachment) return;
  ours.eject();
  attachment.release?.();
  Reflect.deleteProperty(ours.registration.instance.interceptors.request, OURS);
  for (const call of [...attachment.waiting]) call.interrupt?.interrupt('detached');
}

/**
 * Attaches retries to an axios instance. Interceptors registered before are inside and run once per attempt;
 * those registered after are outside and run once per call. Attaching again replaces the options, at the same place in the order.
 *
 * @throws TypeError or RangeError for a wrong option: it names the option, what is allowed and what was given; also for one in `instance.defaults.retry`.
 */
export function attachRetry(instance: RetryableInstance, options?: RetryOptions): RetryHandle & RetryDisposable {
  const checked = checkInstance(instance);
  const resolved = resolveOptions(options);
  // Each call reads the defaults again; what is wrong with them by now need not wait for the first.
  resolveRequest(resolved, checked.defaults['retry'] as RequestRetry | undefined, undefined, '');
  const manager = checked.interceptors.request as Marked;
  const previous = manager[OURS]?.attachment;
  const ours = interceptorsOf(checked, manager[OURS]);
  const attachment: Attachment = {
    registration: ours.registration,
    waiting: previous?.waiting ?? new Set(),
    options: resolved,
    counters: newCounters(),
    breakers: new WeakMap(),
    pauses: new OriginTable(({ until }, now) => until > now),
  };
  const { retryAfterChannel } = resolved;
  const endHearing = retryAfterChannel && hear(attachment, retryAfterChannel);
  ours.attachment = attachment;
  previous?.release?.();
  define(manager, OURS, { value: ours, configurable: true });
  const handle = {
    detach: () => detach(ours, attachment),
    stats: () => readStats(attachment),
  };
  const endWatching = watchAttachment(resolved, handle);
  attachment.release = () => {
    endHearing?.();
    endWatching();
  };
  // Node 18 and older browsers have no Symbol.dispose.
  const dispose = (Symbol as { dispose?: symbol }).dispose ?? Symbol.for('Symbol.dispose');
  return Object.assign(handle, { [dispose]: handle.detach }) as unknown as RetryHandle & RetryDisposable;
}
