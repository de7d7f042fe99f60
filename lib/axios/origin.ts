/** Where a request goes, as a key. */
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
