/** Sending a call again: through the same instance, but only through the layers inside the plugin's place. */
import { cancellation } from './axios-errors';
import type { Call, Config, Handler, Managed, Place } from './call';
import { prepareReplay } from './request-side';
import { INTERRUPTED, unlessInterrupted } from './sleep';
import { isReversed } from './snapshot';
import { RetryState, type Attempt } from './state';

type Walk = (visit: (handler: Handler) => void) => void;

// `Axios.request` reads both chains synchronously through `forEach`, so an own `forEach` for the length of one
// call decides what it sees. Public names only; replacing `handlers` would break `eject` in axios 1.21.
function shadow(manager: Managed, makeWalk: (original: Walk, restore: () => void) => Walk): () => void {
  const original = Reflect.get(manager, 'forEach');
  const wasOwn = Object.hasOwn(manager, 'forEach');
  const restore = (): void => {
    if (manager.forEach !== walk) return;
    if (wasOwn) manager.forEach = original;
    else Reflect.deleteProperty(manager, 'forEach');
  };
  const walk = makeWalk((visit) => original.call(manager, visit), restore);
  manager.forEach = walk;
  return restore;
}

function collect(walk: Walk): Handler[] {
  const handlers: Handler[] = [];
  walk((handler) => handlers.push(handler));
  return handlers;
}

/**
 * Registered before the plugin is inside; on the request side it is the other way round where axios is told so. `ours`
 * is outermost, also where somebody has cleared the interceptors while the call waited.
 */
function innerRequest(walk: Walk, { requestHandler }: Place, ours: Handler, isTurned: boolean): Handler[] {
  const handlers = collect(walk);
  const place = handlers.indexOf(requestHandler);
  if (isTurned) return [ours, ...handlers.slice(place + 1)];
  return [...(place < 0 ? handlers : handlers.slice(0, place)), ours];
}

function innerResponse(walk: Walk, { responseHandler }: Place): Handler[] {
  const handlers = collect(walk);
  const place = handlers.indexOf(responseHandler);
  return place < 0 ? handlers : handlers.slice(0, place);
}

// Notes the outcome and resolves: axios 1.21 spends more on a rejection's stack than on the request itself.
const notingOutcome = (attempt: Attempt): Handler => ({
  fulfilled: (value: unknown) => {
    attempt.settle({ ok: true, value });
  },
  rejected: (error: unknown) => {
    attempt.settle({ ok: false, error });
  },
});

// Puts the snapshot in the place of what axios has merged.
const restoring = (call: Call, attempt: Attempt): Handler => ({
  synchronous: true,
  fulfilled: (merged: Config) => {
    attempt.hasEntered = true;
    return prepareReplay(call, attempt, merged);
  },
});

/**
 * Makes axios see the inner layers only, in the one call that carries `attempt`, until the returned function is called.
 * A wrapper around `request` may make other calls first: they see all layers. Where it is asynchronous, nothing is used
 * up, and the attempt passes all layers once more.
 */
function showInnerLayers(call: Call, attempt: Attempt): () => void {
  const { place } = call.attachment;
  const { request, response } = place.instance.interceptors;
  const seen = { isOurs: false, isReversed: false, isBuilt: false };
  const recognise = (config: Config): boolean => {
    seen.isOurs = RetryState.attemptOf(config.retryState) === attempt;
    seen.isReversed = isReversed(config);
    return false;
  };
  const restoreRequest = shadow(request, (walk, restore) => (visit) => {
    // Not an interceptor: a look at the config of the call that is being built.
    visit({ synchronous: true, runWhen: recognise });
    if (!seen.isOurs) return walk(visit);
    restore();
    innerRequest(walk, place, restoring(call, attempt), seen.isReversed).forEach(visit);
    // Not before: a `runWhen` on the way may make a call of its own.
    seen.isBuilt = true;
  });
  const restoreResponse = shadow(response, (walk, restore) => (visit) => {
    if (!seen.isBuilt) return walk(visit);
    restore();
    [...innerResponse(walk, place), notingOutcome(attempt)].forEach(visit);
  });
  return () => {
    restoreRequest();
    restoreResponse();
  };
}

/** Sends `attempt`; afterwards it knows what it came to at our layer. Never rejects. */
export async function replay(call: Call, attempt: Attempt): Promise<void> {
  const { interrupt } = call;
  const { place } = call.attachment;
  const config = attempt.config as Config;
  const restore = showInnerLayers(call, attempt);
  try {
    // A copy, for wrappers that edit what they are given.
    const sent = place.instance.request({ ...config, retryState: new RetryState(attempt) });
    restore();
    const value = interrupt?.isArmed ? await unlessInterrupted(sent, interrupt) : await sent;
    if (value === INTERRUPTED) attempt.outcome = { ok: false, error: await cancellation(place, config) };
    else attempt.settle({ ok: true, value });
  } catch (error) {
    attempt.settle({ ok: false, error });
  } finally {
    restore();
  }
}
