/** Our pair of interceptors: binds what axios runs to a call, while axios builds its chain. */
import { handlersOf, type Instance, type Managed, type Registration } from './axios/instance';
import { watchOrder } from './axios/order';
import { BoundFunction, register, type Registered, type Run } from './axios/register';
import { Attempt, RetryState } from './call/attempt';
import { noteAsCalled, prepareFirst } from './call/begin';
import { enterFullReplay } from './call/enter';
import type { Attachment, Config } from './call/call';
import { mustExamine } from './call/failure';
import { succeed } from './call/finish';
import { define, hasMethod, isObject } from './checks/checks';
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

function onRequest(attachment: Attachment, attempt: Attempt, config: Config): Config {
  return attempt.call ? enterFullReplay(attempt.call, attempt, config) : prepareFirst(attachment, attempt, config);
}

function onFulfilled(attempt: Attempt, value: unknown): unknown {
  const { call } = attempt;
  if (!call) return value;
  const isFine = attempt.number === 1 && !mustExamine(call, value);
  if (isFine) succeed(call, attempt, value);
  else attempt.end({ ok: true, value });
  return isFine || attempt.number > 1 ? value : retryCall(call, attempt);
}

function onRejected(attempt: Attempt, error: unknown): Promise<unknown> {
  const { call } = attempt;
  attempt.end({ ok: false, error });
  if (call && attempt.number === 1) return retryCall(call, attempt);
  throw error;
}

const pass: Run = (value) => value;
const passError: Run = (error) => {
  throw error as Error;
};

const watchesCalls = (observers: unknown): boolean => Array.isArray(observers) && observers.some((observer) => hasMethod(observer, 'onCall'));

// Up to axios 1.13 what throws after synchronous handlers alone skips the response side: a deadline would stay, and who watches a call would not hear of its end.
const mustSeeEnd = (given: unknown): boolean => isObject(given) && (given['totalTimeout'] !== undefined || watchesCalls(given['observers']));

/**
 * The attempts whose chains axios is building: it asks `runWhen` with the config, then reads our members, all in one tick.
 * More than one where the `runWhen` of others makes calls of its own.
 */
class Building {
  readonly #stack: (Attempt | undefined)[] = [];
  readonly last = (): Attempt | undefined => this.#stack.at(-1);
  readonly end = (): Attempt | undefined => this.#stack.pop();

  begin(attempt: Attempt | undefined): void {
    // Or somebody's `runWhen` threw, and what is here belongs to nobody.
    if (this.#stack.length > 0) queueMicrotask(() => this.#stack.splice(0));
    this.#stack.push(attempt);
  }
}

type Ours = Pick<RetryInterceptors, 'registration' | 'attachment'>;

function registerRequest(building: Building, ours: () => Ours, manager: Managed): Registered {
  let isSynchronous = true;
  let endWatch: (() => void) | undefined;
  const runWhen = (config: Config): boolean => {
    const { registration, attachment } = ours();
    const attempt = attachment && attemptFor(registration, config);
    building.begin(attempt);
    if (!attempt) return false;
    const { options } = attachment;
    isSynchronous = !(mustSeeEnd(options) || mustSeeEnd(registration.instance.defaults['retry']) || mustSeeEnd(config.retry));
    if (!attempt.call && options.requestInterceptors === 'all') noteAsCalled(attempt, config);
    if (registration.asksForOrder === undefined) endWatch = watchOrder(registration, config);
    return true;
  };
  const find = (): Attempt | undefined => {
    endWatch?.();
    endWatch = undefined;
    return building.last();
  };
  const enter = new BoundFunction<Attempt>((attempt, config) => {
    const { attachment } = ours();
    return attachment ? onRequest(attachment, attempt, config) : config;
  }, pass);
  const registered = register(manager, [enter.unbound], { runWhen });
  enter.define(registered.handler, 'fulfilled', find);
  define(registered.handler, 'synchronous', { get: () => isSynchronous, set: () => undefined, enumerable: true });
  return registered;
}

function registerResponse(building: Building, manager: Managed): Registered {
  const fulfilled = new BoundFunction<Attempt>(onFulfilled, pass);
  const rejected = new BoundFunction<Attempt>(onRejected, passError);
  const registered = register(manager, [fulfilled.unbound, rejected.unbound], {});
  fulfilled.define(registered.handler, 'fulfilled', building.last);
  // The last member that is read: the chain is built.
  rejected.define(registered.handler, 'rejected', building.end);
  return registered;
}

/** Registers our interceptors after those that are there. */
export function registerInterceptors(instance: Instance): RetryInterceptors {
  const { request, response } = instance.interceptors;
  const hasInner = handlersOf(request).length + handlersOf(response).length > 0;
  const building = new Building();
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
