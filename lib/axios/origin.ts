/** Where a request goes: the key of budget and breaker, and what may be printed of an address. */
import type { Instance } from './instance';

/** The members of a config that say where it goes. */
interface Target {
  /** axios takes an URL object, too. */
  readonly url?: string | URL | undefined;
  readonly baseURL?: string | undefined;
  readonly allowAbsoluteUrls?: boolean | undefined;
  readonly socketPath?: unknown;
}
type Address = readonly [origin: string, path: string];

// Scheme, slashes, credentials and host, path. In each text a `\` is a slash, as the URL standard has it.
const PARTS = /^([a-z][a-z\d+.-]*:)?([\\/]*)([^\\/?#]*)([^?#]*)/i;

// What relative addresses go to: a page may say so with <base href>, a worker has no document.
function pageOrigin(): string {
  const { document, location } = globalThis as { document?: { baseURI?: string }; location?: { origin?: string } };
  const page = document?.baseURI ?? location?.origin;
  return page ? parse(page, '')[0] : '';
}

function originOfAuthority(protocol: string, authority: string): string {
  const host = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
  try {
    // It knows the other ways to write a host. React Native has it only in part, mini programs not at all.
    return `${protocol}//${new URL(`${protocol}//${host}`).host}`;
  } catch {
    // What is no host may be half of a password.
    return `${protocol}//${/^(\[.*\]|[^:]*)(:\d*)?$/.exec(host)?.[0] ?? ''}`;
  }
}

// Blanks before the address and line breaks in it are dropped by everybody who sends it.
function parse(text: string, page = pageOrigin()): Address {
  const [, scheme = '', slashes = '', given = '', rest = ''] = PARTS.exec(text.replace(/^[^!-\uffff]+|[\t\n\r]/g, '')) ?? [];
  // A slash in a password ends the host for everybody. Nobody sends that, and what may be half of a password is shown to nobody.
  const isHost = /^(\[.*\]|[^:]+)(:\d*)?$/.test(given.slice(given.lastIndexOf('@') + 1));
  const [, authority = given, path = isHost ? rest : ''] = isHost ? [] : (/^.*@([^\\/]*)(.*)/s.exec(rest) ?? []);
  const protocol = scheme.toLowerCase();
  const isWeb = /^https?:/.test(protocol);
  // Without two slashes, too, where it is not the scheme of the page.
  if (slashes.length > 1 || (isWeb && !page.startsWith(protocol))) {
    return [originOfAuthority(protocol || page.split('//')[0] || 'http:', authority), path];
  }
  return protocol && !isWeb ? [protocol, ''] : [page, slashes + authority + path];
}

// axios before 1.8 takes an absolute URL as it is, whatever the config says.
const canCombineAll = (instance: Pick<Instance, 'getUri'>): boolean => {
  const uri: unknown = instance.getUri?.({ baseURL: 'a', url: '//b', allowAbsoluteUrls: false });
  return uri !== '//b';
};

function addressOf({ url: given, baseURL }: Target, mustCombine: boolean): Address {
  const url = String(given ?? '');
  if (!baseURL || (!mustCombine && /^([a-z][a-z\d+.-]*:)?\/\//i.test(url))) return parse(url);
  return parse(url ? `${baseURL.replace(/(?<!\/)\/+$/, '')}/${url.replace(/^\/+/, '')}` : baseURL);
}

/**
 * Scheme, host and port that the axios of `instance` will send this config to; a socket's path where there is one.
 */
export function originOf(config: Target, instance: Pick<Instance, 'getUri'> = {}): string {
  const { socketPath: socket } = config;
  return typeof socket === 'string' ? `unix:${socket}` : addressOf(config, config.allowAbsoluteUrls === false && canCombineAll(instance))[0];
}

/** At most 1,000 characters, without blanks, line breaks, control and bidi characters: what others chose starts no line of its own. */
export const clean = (text: string): string => text.slice(0, 1_000).replace(/[\s\p{Cc}\p{Cf}]/gu, encodeURIComponent);

// Another address in a path may come with user and password.
function print([, path]: Address): string {
  const host = path.lastIndexOf('@') + 1;
  const plain = path.slice(0, host).replace(/(:|[\\/]{2}).*/s, '$1') + path.slice(host);
  return clean(plain.replace(/^\/*/, '/'));
}

/** The path of what was sent to `origin`, to be printed: no query, no credentials. A query of the base is not taken for the end. */
export function pathOf({ url, baseURL, allowAbsoluteUrls }: Target, origin: string): string {
  const config = { url, baseURL: baseURL?.split(/[?#]/, 1)[0] };
  const combined = addressOf(config, allowAbsoluteUrls === false);
  const apart = addressOf(config, false);
  return print(combined[0] !== origin && apart[0] === origin ? apart : combined);
}

/** Method and address as the caller gave it, to be printed. */
export function describeRequest({ method = 'get', url }: Target & { readonly method?: string | undefined }): string {
  const address = addressOf({ url }, false);
  return `${clean(method.toUpperCase())} ${clean(address[0])}${print(address)}`;
}

interface Request extends Target {
  readonly method?: string | undefined;
  readonly params?: unknown;
  readonly data?: unknown;
}

/** What a request asks for: the same parts, the same operation. undefined where it cannot be told. */
export function operationOf({ method = 'get', url, baseURL, params, data }: Request): readonly unknown[] | undefined {
  try {
    return [method.toLowerCase(), String(url), baseURL, String(params), JSON.stringify(params), data];
  } catch {
    return undefined; // a circle in `params`
  }
}
