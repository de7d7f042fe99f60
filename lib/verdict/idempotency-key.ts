/** Keys that make a write safe to repeat: one per call, the same on all attempts. */
import type { InternalAxiosRequestConfig } from 'axios';
import { answered, isKey, KEY } from '../checks/checks';
import { getHeader, setHeader } from '../axios/headers';
import type { ResolvedRetryOptions } from '../options/resolve';

/** A random UUID, version 4 (RFC 9562, section 5.4). @throws Error where there is no secure source of chance. */
export function randomUuid(): string {
  const source = (globalThis as { crypto?: Partial<Crypto> }).crypto;
  // Missing on pages that are not secure contexts, and in React Native.
  if (source?.randomUUID) return source.randomUUID();
  if (!source?.getRandomValues) {
    throw new Error('axios-jitter: option "idempotencyKey" needs crypto.getRandomValues; give a function instead of true');
  }
  const bytes = source.getRandomValues(new Uint8Array(16));
  // Byte 6 begins with the version, byte 8 with the variant: the two highest bits are 10.
  const digits = Array.from(bytes, (byte, at) => (at === 6 ? (byte & 15) | 320 : at === 8 ? (byte & 63) | 384 : byte | 256).toString(16).slice(1));
  return digits.join('').replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** The key that stands there, if it is one that arrives: printable ASCII, and more than the commas of an empty list. */
export function keyOf(headers: unknown, { idempotencyHeader }: ResolvedRetryOptions): string | undefined {
  return /^(?=[ ,]*[^ ,])[ -~]+$/.exec(getHeader(headers, idempotencyHeader)?.trim() ?? '')?.[0];
}

/** Whether the request goes without the key that makes it safe to send. */
export const lacksKey = ({ headers }: Pick<InternalAxiosRequestConfig, 'headers'>, needed: string | undefined, options: ResolvedRetryOptions): boolean =>
  needed !== undefined && keyOf(headers, options) !== needed;

/**
 * Puts the key on the request, unless the caller has set one in any letter case, and returns it.
 * Source: draft-ietf-httpapi-idempotency-key-header.
 *
 * @throws TypeError when the function gives no key; what it throws itself.
 */
export function addIdempotencyKey(config: InternalAxiosRequestConfig, options: ResolvedRetryOptions): string | undefined {
  const { idempotencyKey: wanted, methods } = options;
  if (keyOf(config.headers, options) !== undefined) return undefined;
  // A header on each GET would cost browsers a preflight, for nothing.
  if (wanted === true && methods.has((config.method ?? 'get').toUpperCase())) return undefined;
  const made: unknown = wanted === true ? randomUuid() : typeof wanted === 'function' ? wanted(config) : wanted;
  const key = answered('idempotencyKey', KEY, isKey, made);
  setHeader(config.headers, options.idempotencyHeader, key);
  return key;
}
