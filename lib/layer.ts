/** The plugin's place among the interceptors: binds each call's handlers to the call while axios builds its chain. */
import type { Attachment, Config, Handler, Instance, Managed, Place } from './call';
import { mustExamine } from './examine';
import { prepareFirst, prepareReplay } from './request-side';
import { retryCall } from './retry';
import { succeed } from './settle';
import { Attempt, RetryState } from './state';

/** A place, and whose options new calls get. */
export interface Layer extends Place {
  attachment: Attachment | undefined;
  /** Whether both handlers are still registered. */
  isWhole(): boolean;
  leave(): void;
}

function handlersOf(manager: Managed): Handler[] {
  const handlers: Handler[] = [];
  manager.forEach((handler) => handlers.push(handler));
  return handlers;
}

function register(manager: Managed, getters: PropertyDescriptorMap): { handler: Handler; id: number } {
  const id = manager.use(undefined, undefined, {});
  const handler = handlersOf(manager).at(-1) as Handler;
  Object.defineProperties(handler, getters);
  return { handler, id };
}

/** What this attempt is: a replay of ours, the first of a new call, or none of our business. */
function attemptFor(layer: Layer, config: Config): Attempt | undefined {
  const known = RetryState.attemptOf(config.retryState);
  const call = known?.call;
  if (!known || !call || call.hasEnded) return new Attempt(1);
  // Sent again by somebody else while its call runs: it belongs to that attempt.
  if (known.hasEntered || known.number === 1 || call.attachment.place !== layer) return undefined;
  known.hasEntered = true;
  return known;
}

function onRequest(attachment: Attachment, attempt: Attempt, config: Config): Config {
  return attempt.call ? prepareReplay(attempt.call, attempt, config) : prepareFirst(attachment, attempt, config);
}

function onFulfilled(attempt: Attempt, value: unknown): unknown {
  const { call } = attempt;
  if (!call) return value;
  if (attempt.number > 1) attempt.outcome = { ok: true, value };
  else if (mustExamine(call, value)) return retryCall(call, attempt, { ok: true, value });
  else succeed(call, value);
  return value;
}

function onRejected(attempt: Attempt, error: unknown): Promise<unknown> {
  const { call } = attempt;
  if (call && attempt.number === 1) return retryCall(call, attempt, { ok: false, error });
  if (call) attempt.outcome = { ok: false, error };
  return Promise.reject(error as Error);
}

/**
 * Takes a place after the interceptors that are there. axios reads a handler's members synchronously, after it
 * has called `runWhen` with the config: getters can hand out functions that belong to the very call, so that
 * its outcome is known whatever inner layers make of config, response or error.
 */
export function takePlace(instance: Instance): Layer {
  const { request, response } = instance.interceptors;
  const hasInner = handlersOf(request).length + handlersOf(response).length > 0;
  let building: Attempt | undefined;
  const runWhen = (config: Config): boolean => {
    building = layer.attachment && attemptFor(layer, config);
    return building !== undefined;
  };
  const bind = <T>(make: (attempt: Attempt) => T) => ({ get: () => building && make(building), enumerable: true });
  const onRequestSide = register(request, {
    runWhen: { value: runWhen, enumerable: true },
    synchronous: { value: true, enumerable: true },
    fulfilled: bind((attempt) => {
      const { attachment } = layer;
      return (config: Config) => (attachment ? onRequest(attachment, attempt, config) : config);
    }),
  });
  const onResponseSide = register(response, {
    fulfilled: bind((attempt) => (value: unknown) => onFulfilled(attempt, value)),
    rejected: {
      get: () => {
        const attempt = building;
        building = undefined;
        return attempt && ((error: unknown) => onRejected(attempt, error));
      },
      enumerable: true,
    },
  });
  const layer: Layer = {
    instance,
    hasInner,
    requestHandler: onRequestSide.handler,
    responseHandler: onResponseSide.handler,
    waiting: new Set(),
    isDetached: false,
    attachment: undefined,
    isWhole: () => handlersOf(request).includes(onRequestSide.handler) && handlersOf(response).includes(onResponseSide.handler),
    leave() {
      request.eject(onRequestSide.id);
      response.eject(onResponseSide.id);
    },
  };
  return layer;
}
