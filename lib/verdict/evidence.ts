/** Where a failure happened: on the first hop, at the address that was asked, before TLS stood? Proof that nothing arrived. */
import type { AxiosError } from 'axios';
import { wireRequestOf } from '../axios/recognize';
import { memberOf, textOf } from '../checks/checks';

/** What the adapter's request tells. */
export interface Evidence {
  /** A redirect was followed: what failed is not what the caller asked for. */
  readonly isRedirected: boolean;
  /** Nothing was sent: TLS does not stand yet. */
  readonly isSecuring: boolean;
  /** Where the first hop went, if a redirect may have been followed and nobody says. */
  readonly asked: URL | undefined;
}

export function gatherEvidence(error: AxiosError): Evidence {
  const request = memberOf(error, 'request');
  return {
    // Of `follow-redirects`, in every version of axios.
    isRedirected: Number(memberOf(request, '_redirectCount')) > 0,
    isSecuring: memberOf(memberOf(wireRequestOf(error), 'socket'), 'secureConnecting') === true,
    // A Request of fetch.
    asked: memberOf(request, 'redirect') === 'follow' ? new URL(textOf(memberOf(request, 'url'))) : undefined,
  };
}

const LOOPBACK = /^(127\.0\.0\.1|::1)$/;

/** Whether an error of fetch names the address that was asked. A resolved address may be anybody's, so the name must be known. */
export function isAt(link: object, { hostname, origin, port, protocol }: URL): boolean {
  const host = hostname.replace(/[[\]]/g, '');
  const asked = port || (protocol === 'https:' ? '443' : '80');
  const where = memberOf(link, 'hostname') ?? memberOf(link, 'host') ?? memberOf(link, 'address');
  if (where !== undefined) {
    const isHost = where === host || (host === 'localhost' && LOOPBACK.test(textOf(where)));
    return isHost && Number(memberOf(link, 'port') ?? asked) === Number(asked);
  }
  // undici tells in its message, Deno an URL there, Bun an URL as `path`.
  const text = `(${textOf(memberOf(link, 'path'))} ${textOf(memberOf(link, 'message'))}`;
  return text.includes(`(${origin}/`) || text.includes(`address: ${host}:${asked},`);
}
