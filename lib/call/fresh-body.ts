/** The `body` option: a body that has not been read yet, for each attempt. */
import { findOneShot } from '../axios/body';
import { answered, isA, isObject, isThenable, memberOf } from '../checks/checks';
import type { Call } from './call';
import type { ResolvedRetryOptions } from '../options/resolve';

/** Nothing in any form: an empty text, buffer, blob, form, or parameters. */
function isNothing(data: unknown): boolean {
  if (!isObject(data)) return data === undefined || data === null || data === '' || data === false;
  // A buffer, a Blob, URLSearchParams as older platforms have them.
  const size = memberOf(data, 'byteLength') ?? memberOf(data, 'size');
  return size === 0 || ((isA('URLSearchParams', data) || isA('FormData', data)) && [...(data as unknown as Iterable<unknown>)].length === 0);
}

/** A stream, or a `form-data` instance, that somebody has read, is reading or has destroyed. */
const isSpent = (stream: object): boolean => ['destroyed', 'readableEnded', 'readableDidRead', 'locked', '_released'].some((name) => memberOf(stream, name) === true);

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
    return given ? !call.usedBodies?.has(given) && !isSpent(given) : isNothing(before) || !isNothing(data);
  };
  call.body = answered('body', 'a fresh body for every attempt', isFresh, firstBody(call.options));
  return call.body;
}
