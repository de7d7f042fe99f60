/** Reading and copying headers, whatever holds them: AxiosHeaders of any version, or a plain object. */

import { isA, isObject } from '../checks/checks';

type HeaderBag = Record<string, unknown>;

// axios marks a header as "do not send" with false or null.
function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

/** The header's value in any letter case, or undefined. */
export function getHeader(headers: unknown, name: string): string | undefined {
  if (!isObject(headers)) return undefined;
  const wanted = name.toLowerCase();
  const key = Object.keys(headers).find((one) => one.toLowerCase() === wanted && isPresent(headers[one]));
  if (key !== undefined) return String(headers[key]);
  // A web Headers object, from a custom adapter, has no own keys.
  return isA('Headers', headers) ? ((headers as unknown as Headers).get(name) ?? undefined) : undefined;
}

/** Sets the header in the place of those that have its name in another letter case. */
export function setHeader(headers: HeaderBag, name: string, value: string): void {
  for (const key of Object.keys(headers)) if (key.toLowerCase() === name.toLowerCase()) Reflect.deleteProperty(headers, key);
  headers[name] = value;
}

/** The headers as axios has them, where somebody gave plain ones: interceptors call their methods. */
export function likeHeaders<T extends object>(given: T, model: T): T {
  const { constructor: Headers } = model as { constructor: new (given: T) => T };
  return given instanceof Headers ? given : new Headers(given);
}

/** A copy with the same class. Own keys cost a fraction of what `headers.concat()` costs. */
export function copyHeaders<T>(headers: T): T {
  if (!isObject(headers)) return headers;
  const copy = Object.create(Object.getPrototypeOf(headers) as object | null) as HeaderBag;
  for (const key of Object.keys(headers)) {
    const value: unknown = headers[key];
    copy[key] = Array.isArray(value) ? value.slice() : value;
  }
  return copy as T;
}
