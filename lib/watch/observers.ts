/** Telling what happens, safely: an observer cannot change the outcome. */
import { hasMethod, isObject, isThenable } from '../checks/checks';
import type { RetryEvent } from './events';
import type { RetryStats } from './stats';
import type { CallObserver, CallStart, EventObserver, RetryObserver } from './observer';

const ignore = (): void => undefined;

/** The options that say who watches. */
export interface Watchers extends EventObserver {
  readonly observers: readonly RetryObserver[];
  readonly onObserverError: (error: unknown, event?: RetryEvent) => unknown;
}

/** Whether anybody listens for it. */
export function isWatched(options: Watchers, name: keyof EventObserver): boolean {
  return options[name] !== undefined || options.observers.length > 0;
}

/** Runs what changes nothing here, whatever it throws or rejects: then there is no result. */
export function safely<T>(run: () => T, onError: (error: unknown) => void = ignore): T | undefined {
  try {
    const result = run();
    if (isThenable(result)) result.then(undefined, onError);
    return result;
  } catch (error) {
    onError(error);
    return undefined;
  }
}

/** Runs what an observer does: what it throws or rejects is reported once. When the report fails, nobody is left to be told. */
export function observe<T>(options: Watchers, run: () => T, event?: RetryEvent): T | undefined {
  return safely(run, (error) => safely(() => options.onObserverError(error, event)));
}

type Told = Partial<Record<keyof EventObserver, (event: RetryEvent) => unknown>>;

/** Calls every observer, also those of the very call; what one throws or rejects is reported once, and the others are still told. */
export function tell(options: Watchers, name: keyof EventObserver, event: RetryEvent, ofCall: readonly CallObserver[] = []): void {
  // Who makes the event knows whom it is for.
  const all = [options, ...options.observers, ...(name === 'onRetry' ? ofCall : [])] as Told[];
  for (const observer of all) observe(options, () => observer[name]?.(event), event);
}

/** Tells that an attachment begins. Returns what tells that it has ended. */
export function watchAttachment(options: Watchers, handle: { stats(): RetryStats }): () => void {
  const ends = options.observers.map((observer) => observe(options, () => observer.onAttach?.(handle)));
  return () => ends.forEach((end) => observe(options, () => typeof end === 'function' && end()));
}

/** Whether somebody would watch a call from its beginning to its end. */
export const watchesCalls = (observers: readonly unknown[]): boolean => observers.some((observer) => hasMethod(observer, 'onCall'));

/** Tells that a call begins, and gathers those who watch it to its end. */
export function watchCall(options: Watchers, start: CallStart): readonly CallObserver[] {
  return options.observers.map((observer) => observe(options, () => observer.onCall?.(start))).filter(isObject);
}

/** Whether somebody wants to be around the attempts. */
export function hasOnAttempt(options: Watchers, ofCall: readonly CallObserver[]): boolean {
  return ofCall.some((observer) => observe(options, () => observer.onAttempt) !== undefined);
}

/** Runs `send` inside every `onAttempt`, the first one outermost: exactly once and synchronously, whatever they do. */
export function runAttempt(options: Watchers, ofCall: readonly CallObserver[], attempt: number, send: () => void): void {
  const [outermost, ...inner] = ofCall;
  if (!outermost) return send();
  let isDone = false;
  const sendOnce = (): void => {
    if (isDone) return;
    isDone = true;
    runAttempt(options, inner, attempt, send);
  };
  observe(options, () => outermost.onAttempt?.(attempt, sendOnce));
  sendOnce();
}
