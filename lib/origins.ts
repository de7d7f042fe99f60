/** Where a request goes, as a key; and a bounded table by that key. */
import type { InternalAxiosRequestConfig } from 'axios';

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
// Scheme, credentials, host, port. A pattern and not `URL`, which React Native has only in part.
const ABSOLUTE = /^([a-z][a-z\d+.-]*:)?\/\/(?:[^/?#]*@)?([^/?#:]*|\[[^\]]*\])(?::(\d*))?(?:[/?#]|$)/i;

// What relative addresses go to: a page may say so with <base href>, a worker has no document.
function pageOrigin(): string {
  const { document, location } = globalThis as { document?: { baseURI?: string }; location?: { origin?: string } };
  return originOfUrl(document?.baseURI) ?? location?.origin ?? '';
}

function originOfUrl(url: string | undefined): string | undefined {
  const [match, scheme, host = '', port] = ABSOLUTE.exec(url ?? '') ?? [];
  if (match === undefined) return undefined;
  // `//host/path` takes the page's scheme.
  const protocol = (scheme ?? (pageOrigin().split('//')[0] || 'http:')).toLowerCase();
  const suffix = !port || port === DEFAULT_PORTS[protocol] ? '' : `:${port}`;
  return `${protocol}//${host.toLowerCase()}${suffix}`;
}

/** Scheme, host and port that axios will send this config to; a socket's path where there is one. */
export function originOf(config: InternalAxiosRequestConfig): string {
  if (typeof config.socketPath === 'string') return `unix:${config.socketPath}`;
  const mustCombine = config.allowAbsoluteUrls === false && Boolean(config.baseURL);
  return (mustCombine ? undefined : originOfUrl(config.url)) ?? originOfUrl(config.baseURL) ?? pageOrigin();
}

/** How many origins are kept at most. */
export const MAX_ORIGINS = 1_000;
/** How long an origin that nobody asks for is kept, in ms. */
export const MAX_IDLE = 600_000;

interface Entry<T> {
  value: T;
  usedAt: number;
}

/**
 * A table by origin that cannot grow without limit: at most 1,000 entries, the least recently used
 * goes first; an entry idle for 10 minutes is gone. No timer: what is stale is dropped when the table is used.
 * A Map keeps the order of insertion, so the first entry is always the one that was used longest ago.
 */
export class OriginTable<T> {
  readonly #entries = new Map<string, Entry<T>>();

  get size(): number {
    return this.#entries.size;
  }

  /** The value kept for the origin; it counts as used now. `now` in ms, monotonic. */
  get(origin: string, now: number): T | undefined {
    this.#dropIdle(now);
    const entry = this.#entries.get(origin);
    if (!entry) return undefined;
    this.#entries.delete(origin);
    this.#entries.set(origin, entry);
    entry.usedAt = now;
    return entry.value;
  }

  set(origin: string, value: T, now: number): void {
    this.#entries.delete(origin);
    this.#entries.set(origin, { value, usedAt: now });
    this.#dropIdle(now);
    if (this.#entries.size > MAX_ORIGINS) this.#entries.delete(this.#entries.keys().next().value as string);
  }

  delete(origin: string): void {
    this.#entries.delete(origin);
  }

  /** Origins and values, the one used longest ago first. Reading does not count as use. */
  *list(now: number): Iterable<[string, T]> {
    this.#dropIdle(now);
    for (const [origin, entry] of this.#entries) yield [origin, entry.value];
  }

  #dropIdle(now: number): void {
    for (const [origin, entry] of this.#entries) {
      if (now - entry.usedAt < MAX_IDLE) return;
      this.#entries.delete(origin);
    }
  }
}
