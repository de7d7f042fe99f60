/** Telling what happens, safely: an observer cannot change the outcome. */
import { isThenable } from '../checks/checks';
import type { RetryEvent, RetryObserver } from './events';
import type { ResolvedRetryOptions } from '../options/resolve';

const ignore = (): void => undefined;

type Told = keyof RetryObserver;

/** Whether anybody listens for it. */
export function isWatched(options: ResolvedRetryOptions, name: Told): boolean {
  return options[name] !== undefined || options.observers.length > 0;
}

function report(options: ResolvedRetryOptions, error: unknown, event: RetryEvent): void {
  try {
    const told: unknown = options.onObserverError(error, event);
    if (isThenable(told)) told.then(undefined, ignore);
  } catch {
    // Nobody is left to be told.
  }
}

function tellOne(options: ResolvedRetryOptions, observer: RetryObserver, name: Told, event: RetryEvent): void {
  const onError = (error: unknown): void => {
    report(options, error, event);
  };
  try {
    const result = observer[name]?.(event);
    if (isThenable(result)) result.then(undefined, onError);
  } catch (error) {
    onError(error);
  }
}

/** Calls every observer; what one throws or rejects is reported once, and the others are still told. */
export function tell(options: ResolvedRetryOptions, name: Told, event: RetryEvent): void {
  for (const observer of [options, ...options.observers]) tellOne(options, observer, name, event);
}
