/** Sending a call again: through the layers inside the plugin's place, and no others. */
import { cancellation } from '../axios/errors';
import { laneOf, type Call, type Config } from './call';
import { interrupted } from './hooks';
import { handlersOf, type Handler } from '../axios/instance';
import type { Layers } from '../axios/send';
import { prepareReplay } from './begin';
import { INTERRUPTED, unlessInterrupted } from '../time/interrupt';
import { isReversed } from '../axios/snapshot';
import { RetryState, type Attempt } from './attempt';

/** Registered before the plugin is inside; on the request side it is the other way round where axios is told so. */
function innerHandlers(handlers: Handler[], ours: Handler): Handler[] {
  const place = handlers.indexOf(ours);
  return place < 0 ? handlers : handlers.slice(0, place);
}

/** What an attempt passes: the inner layers as they are registered now, and outside of them the plugin. */
function layersOf(call: Call, attempt: Attempt): Layers {
  const { place } = call.attachment;
  const { instance, requestHandler, responseHandler } = place;
  // Puts the snapshot in the place of what axios has merged.
  const restoring: Handler = {
    synchronous: true,
    fulfilled: (merged: Config) => prepareReplay(call, attempt, merged),
  };
  // Innermost: past it only axios itself comes before the adapter. Not synchronous: after a synchronous handler
  // that throws axios may send all the same.
  const leaving: Handler = {
    fulfilled: (sent: Config) => {
      if (!call.isWrapped) attempt.leave();
      return sent;
    },
  };
  // Notes a failure and resolves: axios 1.21 spends more on a rejection's stack than on the request itself.
  const noting: Handler = { rejected: (error: unknown) => attempt.settle({ ok: false, error }) };
  return {
    request(visit) {
      const handlers = handlersOf(instance.interceptors.request);
      const isTurned = isReversed(place, attempt.config as Config);
      const inner = isTurned ? handlers.slice(handlers.indexOf(requestHandler) + 1) : innerHandlers(handlers, requestHandler);
      (isTurned ? [restoring, ...inner, leaving] : [leaving, ...inner, restoring]).forEach(visit);
    },
    response(visit) {
      [...innerHandlers(handlersOf(instance.interceptors.response), responseHandler), noting].forEach(visit);
    },
  };
}

/** Sends `attempt`; afterwards it knows what it came to at our layer. Never rejects. */
export async function replay(call: Call, attempt: Attempt): Promise<void> {
  const interrupt = call.watch();
  const { place } = call.attachment;
  const config = attempt.config as Config;
  try {
    // A copy: a `runWhen` of an inner layer, or a wrapper, may look at it or edit it before it is restored.
    const sent = laneOf(place).send(layersOf(call, attempt), { ...config, retryState: new RetryState(attempt) });
    const value = interrupt.isArmed ? await unlessInterrupted(sent, interrupt) : await sent;
    if (value === INTERRUPTED && attempt.phase === 'held') attempt.refuse(interrupted(call));
    else if (value === INTERRUPTED) attempt.outcome = { ok: false, error: await cancellation(place, attempt.config as Config) };
    else attempt.settle({ ok: true, value });
  } catch (error) {
    attempt.settle({ ok: false, error });
  }
}
