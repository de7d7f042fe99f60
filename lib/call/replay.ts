/** Sending a call again: through the same instance, past the interceptors outside. */
import { cancellation } from '../axios/errors';
import { handlersOf, type Handler } from '../axios/instance';
import { sendPast, type Passing, type Side } from '../axios/send';
import { isReversed } from '../axios/order';
import { INTERRUPTED, unlessInterrupted } from '../time/interrupt';
import type { Attempt } from './attempt';
import { enterReplay, leaveFrom, restoreReplay } from './enter';
import type { Call, Config } from './call';
import { interrupted } from './hooks';

// What is registered now, with `stand` in the place of ours and without those outside, or with all. Ours lies outside of those
// before it, and of all others where somebody has cleared them.
function withStand(handlers: Handler[], ours: Handler, stand: Handler, hasOuter?: boolean): Handler[] {
  const index = handlers.indexOf(ours);
  const inner = index < 0 ? handlers : handlers.slice(0, index);
  return [...inner, stand, ...(hasOuter ? handlers.slice(inner.length + 1) : [])];
}

/** The request side of a replay: what it passes on its way down. */
function requestSide(call: Call, attempt: Attempt, handlers: Handler[]): Handler[] {
  const { registration, options } = call.attachment;
  const enter = (config: Config): Config => enterReplay(call, attempt, config);
  const leave = (config: Config): Config => leaveFrom(call, attempt, config);
  // The first one that is asked, with what axios has merged: those after it are asked with what is really sent.
  const restoring: Handler = {
    runWhen: (merged: Config) => {
      restoreReplay(call, attempt, merged);
      return false;
    },
  };
  const isTurned = isReversed(registration, attempt.config as Config);
  if (isTurned) handlers.reverse();
  const entering: Handler = { synchronous: true, fulfilled: enter };
  const passed = withStand(handlers, registration.requestHandler, entering, options.requestInterceptors === 'all');
  // Nobody is inside who could throw.
  if (passed.length === 1) return [restoring, { synchronous: true, fulfilled: (config: Config) => leave(enter(config)) }];
  // Innermost: past it only axios itself comes before the adapter. Not synchronous: after a synchronous handler
  // that throws axios may send all the same.
  const leaving: Handler = { fulfilled: leave };
  return isTurned ? [restoring, ...passed.reverse(), leaving] : [restoring, leaving, ...passed];
}

/** What a replay passes: the inner interceptors as they are registered now, and ours; with `requestInterceptors: 'all'` all on the way down. */
function passingOf(call: Call, attempt: Attempt): Passing {
  const { instance, responseHandler } = call.attachment.registration;
  return (side) => {
    const handlers = handlersOf(instance.interceptors[side]);
    // Notes a failure and resolves: axios 1.21 spends more on a rejection's stack than on the request itself.
    const noting = (error: unknown): void => attempt.end({ ok: false, error });
    return side === 'request' ? requestSide(call, attempt, handlers) : withStand(handlers, responseHandler, { rejected: noting });
  };
}

function send(call: Call, attempt: Attempt): Promise<unknown> {
  const { registration } = call.attachment;
  const config = attempt.config as Config;
  const passing = passingOf(call, attempt);
  const retryState = attempt.state;
  // What axios would merge is restored, so it gets next to nothing to merge. All, where that did not work the last time:
  // then interceptors outside are to see the request. A copy: who wraps `request` may edit what they get.
  const sent = { ...(registration.isDirect ? { url: config.url, method: config.method } : config), retryState };
  let last: Side | undefined;
  try {
    return sendPast(registration.instance, sent, (side) => {
      last = side;
      return passing(side);
    });
  } finally {
    registration.isDirect = last === 'response';
    if (!registration.isDirect) Object.assign(sent, config, { retryState });
  }
}

/** Sends `attempt`; afterwards it knows what it came to at our interceptor. @throws Stop where it has not left */
export async function replay(call: Call, attempt: Attempt): Promise<void> {
  const interrupt = call.watch();
  try {
    const sent = send(call, attempt);
    const value = interrupt.isArmed ? await unlessInterrupted(sent, interrupt) : await sent;
    if (value !== INTERRUPTED) attempt.end({ ok: true, value });
    else if (call.isWrapped && attempt.phase !== 'sent') attempt.refuse(interrupted(call));
    else attempt.outcome = { ok: false, error: await cancellation(call.instance, attempt.config as Config) };
  } catch (error) {
    attempt.end({ ok: false, error });
  }
  if (attempt.refusal) throw attempt.refusal;
}
