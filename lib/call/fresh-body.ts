/** The `body` option: a body that has not been read yet, for each attempt. */
import { findOneShot } from '../axios/body';
import { answered, isThenable } from '../checks/checks';
import type { Call } from './call';
import type { ResolvedRetryOptions } from '../options/resolve';

const isNothing = (data: unknown): boolean => data === undefined || data === null || data === '';

/** A body for the first attempt. @throws what the option throws, and TypeError for a promise. */
export function firstBody({ body }: ResolvedRetryOptions): unknown {
  return answered('body', 'the body itself', (data): data is unknown => !isThenable(data), body?.());
}

/** A body for the next attempt. @throws TypeError for one that was read before, or none where there was one. */
export function freshBody(call: Call): unknown {
  const before = call.body;
  const oneShot = findOneShot(before);
  if (oneShot) (call.usedBodies ??= new WeakSet()).add(oneShot);
  const isFresh = (data: unknown): data is unknown => {
    const given = findOneShot(data);
    return given ? !call.usedBodies?.has(given) : isNothing(before) || !isNothing(data);
  };
  call.body = answered('body', 'a fresh body for every attempt', isFresh, firstBody(call.options));
  return call.body;
}
