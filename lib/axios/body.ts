/** Bodies: which can be read only once, and how those that can be edited in place are copied. */
import { hasMethod, isA, isObject, isPlain } from '../checks/checks';

// Node streams and form-data instances have `pipe`, web streams `getReader`, generators `next`.
export function isOneShotItself(value: unknown): value is object {
  return isObject(value) && ['pipe', 'getReader', Symbol.asyncIterator, 'next'].some((name) => hasMethod(value, name));
}

const isBytes = (value: object): boolean => ArrayBuffer.isView(value) || value instanceof ArrayBuffer;

/** What of a body can be read only once: a stream, a `form-data` instance, an async iterable, also within an object. */
export function findOneShot(value: unknown, seen = new Set<unknown>()): object | undefined {
  if (!isObject(value) || isBytes(value) || seen.has(value)) return undefined;
  seen.add(value);
  if (isOneShotItself(value)) return value;
  for (const item of Object.values(value)) {
    const found = findOneShot(item, seen);
    if (found) return found;
  }
  return undefined;
}

/** Whether the body can be read only once. */
export const isOneShot = (value: unknown): boolean => findOneShot(value) !== undefined;

/** Calls `then` when a Node stream closes. False for others: a web stream does not tell. */
export function onceClosed(stream: object, then: () => void): boolean {
  if (!hasMethod(stream, 'once')) return false;
  (stream as { once(name: string, listener: () => void): void }).once('close', then);
  return true;
}

interface Stream {
  readonly locked?: unknown;
  on(name: string, listener: () => void): void;
  destroy(): void;
  cancel(): Promise<unknown>;
}

/** Frees what a stream holds; anything else is left alone, whatever its methods are called. Its error is nobody's business any more. */
export function discard(value: unknown): void {
  const stream = value as Stream;
  const has = (...names: string[]): boolean => names.every((name) => hasMethod(value, name));
  if (has('pipe', 'on', 'destroy')) {
    stream.on('error', () => undefined);
    stream.destroy();
  } else if (has('getReader', 'cancel') && stream.locked !== true) {
    Promise.resolve(stream.cancel()).catch(() => undefined);
  }
}

type Form = { append(name: string, value: unknown): void } & Iterable<[string, unknown]>;

function copyForm(form: Form): Form {
  const copy = new FormData() as unknown as Form;
  for (const field of form) copy.append(...field);
  return copy;
}

/**
 * A copy of what inner layers may edit in place: plain objects and arrays to any depth, URLSearchParams
 * and web FormData. All else goes by reference: it is not ours to clone.
 */
export function copyValue<T>(value: T, seen = new Map<unknown, unknown>()): T {
  if (!isObject(value)) return value;
  if (seen.has(value)) return seen.get(value) as T;
  if (isA('URLSearchParams', value)) return new URLSearchParams(String(value)) as unknown as T;
  if (isA('FormData', value) && Symbol.iterator in value) {
    return copyForm(value as unknown as Form) as unknown as T;
  }
  const isList = Array.isArray(value);
  if (!isList && !isPlain(value)) return value;
  const copy: object = isList ? new Array(value.length) : (Object.create(Object.getPrototypeOf(value) as object | null) as object);
  seen.set(value, copy);
  for (const [key, item] of Object.entries(value)) {
    // Defined, not assigned: a key may be `__proto__`.
    Object.defineProperty(copy, key, { value: copyValue(item, seen), writable: true, enumerable: true, configurable: true });
  }
  return copy as T;
}
