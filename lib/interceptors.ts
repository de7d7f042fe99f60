/** Our pair of interceptors: binds what axios runs to a call, while axios builds its chain. */
import { handlersOf, type Instance, type Managed, type Registration } from './axios/instance';
import { watchOrder } from './axios/order';
import { bindable, register, type Registered } from './axios/register';
import { Attempt, RetryState } from './call/attempt';
import { noteAsCalled, prepareFirst } from './call/begin';
import { enterFullReplay } from './call/enter';
import type { Attachment, Config } from './call/call';
import { mustExamine } from './call/failure';
import { succeed } from './call/finish';
import { isObject } from './checks/checks';
import { watchesCalls } from './watch/observers';
import { retryCall } from './retry';

/** Our interceptors on an instance, and whose options new calls get. */
export interface RetryInterceptors {
  readonly registration: Registration;
  attachment: Attachment | undefined;
  /** Whether both are still registered. */
  areThere(): boolean;
  eject(): void;
}

/** What this attempt is: a replay of ours, the first of a new call, or none of our business. */
function attemptFor(registration: Registration, config: Config): Attempt | undefined {
  const known = RetryState.attemptOf(config.retryState);
  const call = known?.call;
  if (!known || !call || call.hasEnded) return new Attempt(1);
  // Sent again by somebody else while its call runs: it belongs to that attempt.
  const isReplay = known.phase === 'prepared' && known.config !== undefined && call.attachment.registration === registration;
  return isReplay ? known : undefined;
}

function onRequest(attachment: Attachment | undefined, attempt: Attempt | undefined, config: Config): Config {
  if (!attempt || !attachment) return config;
  return attempt.call ? enterFullReplay(attempt.call, attempt, config) : prepareFirst(attachment, attempt, config);
}

function onFulfilled(attempt: Attempt | undefined, value: unknown): unknown {
  const call = attempt?.call;
  if (!call) return value;
  const isFine = attempt.number === 1 && !mustExamine(call, value);
  if (isFine) succeed(call, attempt, value);
  else attempt.end({ ok: true, value });
  return isFine || attempt.number > 1 ? value : retryCall(call, attempt);
}

function onRejected(attempt: Attempt | undefined, error: unknown): Promise<unknown> {
  attempt?.end({ ok: false, error });
  if (attempt?.call && attempt.number === 1) return retryCall(attempt.call, attempt);
  throw error;
}

// Up to axios 1.13 what throws after synchronous handlers alone skips the response side: a deadline would stay, and who watches a call would not hear of its end.
function mustSeeEnd(given: unknown): boolean {
  if (!isObject(given)) return false;
  const { totalTimeout, observers } = given;
  return totalTimeout !== undefined || (Array.isArray(observers) && watchesCalls(observers));
}

/**
 * The attempts whose chains axios is building: it asks `runWhen` with the config, then reads our members, all in one tick.
 * More than one where the `runWhen` of others makes calls of its own.
 */
type Building = (Attempt | undefined)[];

type Ours = Pick<RetryInterceptors, 'registration' | 'attachment'>;

function registerRequest(building: Building, ours: () => Ours, manager: Managed): Registered {
  let endWatch: (() => void) | undefined;
  const runWhen = (config: Config): boolean => {
    const { registration, attachment } = ours();
    const attempt = attachment && attemptFor(registration, config);
    // Or somebody's `runWhen` threw, and what is here belongs to nobody.
    if (building.length > 0) queueMicrotask(() => building.splice(0));
    building.push(attempt);
    if (!attempt) return false;
    const { options } = attachment;
    const isSynchronous = !(mustSeeEnd(options) || mustSeeEnd(registration.instance.defaults['retry']) || mustSeeEnd(config.retry));
    if (registered.handler.synchronous !== isSynchronous) Reflect.set(registered.handler, 'synchronous', isSynchronous);
    if (!attempt.call && options.requestInterceptors === 'all') noteAsCalled(attempt, config);
    if (registration.asksForOrder === undefined) endWatch = watchOrder(registration, config);
    return true;
  };
  const find = (): Attempt | undefined => {
    endWatch?.();
    endWatch = undefined;
    return building.at(-1);
  };
  const enter = bindable<Attempt>((attempt, config) => onRequest(ours().attachment, attempt, config), find);
  const registered = register(manager, [enter.unbound], { runWhen });
  enter.define(registered.handler, 'fulfilled');
  return registered;
}

function registerResponse(building: Building, manager: Managed): Registered {
  const fulfilled = bindable<Attempt>(onFulfilled, () => building.at(-1));
  // The last member that is read: the chain is built.
  const rejected = bindable<Attempt>(onRejected, () => building.pop());
  const registered = register(manager, [fulfilled.unbound, rejected.unbound], {});
  fulfilled.define(registered.handler, 'fulfilled');
  rejected.define(registered.handler, 'rejected');
  return registered;
}

/** Registers our interceptors after those that are there. */
export function registerInterceptors(instance: Instance): RetryInterceptors {
  const { request, response } = instance.interceptors;
  const hasInner = handlersOf(request).length + handlersOf(response).length > 0;
  const building: Building = [];
  const onRequestSide = registerRequest(building, () => ours, request);
  const onResponseSide = registerResponse(building, response);
  const registration: Registration = {
    instance,
    hasInner,
    requestHandler: onRequestSide.handler,
    responseHandler: onResponseSide.handler,
    isDetached: false,
  };
  const ours: RetryInterceptors = {
    registration,
    attachment: undefined,
    areThere: () => onRequestSide.isThere() && onResponseSide.isThere(),
    eject() {
      ours.attachment = undefined;
      registration.isDetached = true;
      onRequestSide.eject();
      onResponseSide.eject();
    },
  };
  return ours;
}
