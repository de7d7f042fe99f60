/** Telling what happens, safely: an observer cannot change the outcome. */
import type { RetryEvent, RetryObserver } from './events';
import type { ResolvedRetryOptions } from './resolve';

type Told = keyof RetryObserver;

/** Whether anybody listens for it. */
export function isWatched(options: ResolvedRetryOptions, name: Told): boolean {
  return options[name] !== undefined || options.observers.length > 0;
}

function report(options: ResolvedRetryOptions, error: unknown, event: RetryEvent): void {
  try {
    options.onObserverError(error, event);
  } catch {
    // Nobody is left to be told.
  }
}

/** Calls every observer; what one throws or rejects is reported once, and the others are still told. */
export function tell(options: ResolvedRetryOptions, name: Told, event: RetryEvent): void {
  for (const observer of [options, ...options.observers]) {
    try {
      const result = observer[name]?.(event);
      if (typeof (result as PromiseLike<unknown> | undefined)?.then === 'function') {
        Promise.resolve(result).catch((error: unknown) => report(options, error, event));
      }
    } catch (error) {
      report(options, error, event);
    }
  }
}
