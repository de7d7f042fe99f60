/** The plugin's place among the interceptors: binds each call's handlers to the call while axios builds its chain. */
import type { Attachment, Config, Place } from './call/call';
import { mustExamine } from './call/failure';
import type { RetryOptions } from './options/retry-options';
import { handlersOf, type Handler, type Instance, type Managed } from './axios/instance';
import { prepareFirst, prepareFullReplay } from './call/begin';
import { retryCall } from './retry';
import { succeed } from './call/finish';
import { Attempt, RetryState } from './call/attempt';

/** A place, and whose options new calls get. */
export interface Layer extends Place {
  attachment: Attachment | undefined;
  /** Whether both handlers are still registered. */
  isWhole(): boolean;
  leave(): void;
}

interface Registered {
  readonly handler: Handler;
  isThere(): boolean;
  eject(): void;
}

function register(manager: Managed, getters: PropertyDescriptorMap): Registered {
  const id = manager.use(undefined, undefined, {});
  const handler = handlersOf(manager).at(-1) as Handler;
  Object.defineProperties(handler, getters);
  const isThere = (): boolean => handlersOf(manager).includes(handler);
  // After `interceptors.clear()` the id may be somebody else's.
  const eject = (): void => {
    if (isThere()) manager.eject(id);
  };
  return { handler, isThere, eject };
}

/** What this attempt is: a replay of ours, the first of a new call, or none of our business. */
function attemptFor(layer: Layer, config: Config): Attempt | undefined {
  const known = RetryState.attemptOf(config.retryState);
  const call = known?.call;
  if (!known || !call || call.hasEnded) return new Attempt(1);
  // Sent again by somebody else while its call runs: it belongs to that attempt.
  return known.phase === 'prepared' && call.attachment.place === layer ? known : undefined;
}

function onRequest(attachment: Attachment, attempt: Attempt, config: Config): Config {
  return attempt.call ? prepareFullReplay(attempt.call, attempt, config) : prepareFirst(attachment, attempt, config);
}

function onFulfilled(attempt: Attempt, value: unknown): unknown {
  const { call } = attempt;
  if (!call) return value;
  const isFine = attempt.number === 1 && !mustExamine(call, value);
  if (isFine) succeed(call, attempt, value);
  else attempt.settle({ ok: true, value });
  return isFine || attempt.number > 1 ? value : retryCall(call, attempt);
}

function onRejected(attempt: Attempt, error: unknown): Promise<unknown> {
  const { call } = attempt;
  attempt.settle({ ok: false, error });
  if (call && attempt.number === 1) return retryCall(call, attempt);
  throw error;
}

/**
 * The handlers' members. axios reads them synchronously, after it has called `runWhen` with the config: getters can
 * hand out functions that belong to the very call, so that its outcome is known whatever inner layers make of
 * config, response or error.
 */
function bindHandlers(layer: () => Layer): { request: PropertyDescriptorMap; response: PropertyDescriptorMap } {
  let building: Attempt | undefined;
  // Those that wait for a call which a `runWhen` has made while they were being built.
  const outer: (Attempt | undefined)[] = [];
  let isTimed = false;
  const runWhen = (config: Config): boolean => {
    const { attachment } = layer();
    if (building) {
      // Or somebody's `runWhen` threw: what is here after this turn belongs to nobody.
      outer.push(building);
      queueMicrotask(() => {
        building = undefined;
        outer.length = 0;
      });
    }
    building = attachment && attemptFor(layer(), config);
    isTimed = (attachment?.options.totalTimeout ?? (config.retry as RetryOptions | undefined)?.totalTimeout) !== undefined;
    return building !== undefined;
  };
  const bind = <T>(make: (attempt: Attempt) => T) => ({ get: () => building && make(building), enumerable: true });
  const onRequestOf = (attempt: Attempt) => {
    const { attachment } = layer();
    return (config: Config) => (attachment ? onRequest(attachment, attempt, config) : config);
  };
  const takeRejected = (): unknown => {
    const attempt = building;
    // The last member that is read: the call is built.
    building = outer.pop();
    return attempt && ((error: unknown) => onRejected(attempt, error));
  };
  return {
    request: {
      runWhen: { value: runWhen, enumerable: true },
      // Up to axios 1.13 what throws after synchronous handlers alone skips the response side: a deadline would stay.
      synchronous: { get: () => !isTimed, enumerable: true },
      fulfilled: bind(onRequestOf),
    },
    response: {
      fulfilled: bind((attempt) => (value: unknown) => onFulfilled(attempt, value)),
      rejected: { get: takeRejected, enumerable: true },
    },
  };
}

/** Takes a place after the interceptors that are there. */
export function takePlace(instance: Instance): Layer {
  const { request, response } = instance.interceptors;
  const hasInner = handlersOf(request).length + handlersOf(response).length > 0;
  const bound = bindHandlers(() => layer);
  const onRequestSide = register(request, bound.request);
  const onResponseSide = register(response, bound.response);
  const layer: Layer = {
    instance,
    hasInner,
    requestHandler: onRequestSide.handler,
    responseHandler: onResponseSide.handler,
    waiting: new Set(),
    isDetached: false,
    attachment: undefined,
    isWhole: () => onRequestSide.isThere() && onResponseSide.isThere(),
    leave() {
      layer.attachment = undefined;
      layer.isDetached = true;
      onRequestSide.eject();
      onResponseSide.eject();
    },
  };
  return layer;
}
