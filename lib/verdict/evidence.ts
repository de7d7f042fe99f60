/** Where a failure happened: on the first hop, at the address that was asked, before TLS stood? Proof that nothing arrived. */
import type { AxiosError } from 'axios';
import { wireRequestOf } from '../axios/recognize';
import { memberOf, textOf } from '../checks/checks';

/** Nothing was sent: TLS does not stand yet. */
export const isSecuring = (error: AxiosError): boolean => memberOf(memberOf(wireRequestOf(error), 'socket'), 'secureConnecting') === true;

/** Whether an error of fetch names the address that was asked. A resolved address may be anybody's, so the name must be known. */
function isAt(link: object, { hostname, origin, port, protocol }: URL, isListed: boolean): boolean {
  const host = hostname.replace(/[[\]]/g, '');
  const asked = port || (protocol === 'http:' ? '80' : '443');
  const where = textOf(memberOf(link, 'hostname') ?? memberOf(link, 'host') ?? memberOf(link, 'address'));
  // undici tells in its message, Deno an URL there, Bun an URL as `path`.
  const text = `(${textOf(memberOf(link, 'path'))} ${textOf(memberOf(link, 'message'))} address: ${where}:${Number(memberOf(link, 'port')) || asked},`;
  // Both families were tried, as for a name; alone, ::1 is as likely another host's address.
  const names = host === 'localhost' ? [host, '127.0.0.1', ...(isListed ? ['::1'] : [])] : [host];
  return text.includes(`(${origin}/`) || names.some((name) => text.includes(`address: ${name}:${asked},`));
}

/**
 * Whether what failed may be another request than the caller's: a redirect was followed, or may have been and nobody says.
 * `isListed`: the failure is one of several, of one connection.
 */
export function isRedirected(error: AxiosError, link: object, isListed: boolean): boolean {
  const request = memberOf(error, 'request');
  // Of `follow-redirects`, in every version of axios.
  if (memberOf(request, '_redirectCount')) return true;
  // A Request of fetch.
  return memberOf(request, 'redirect') === 'follow' && !isAt(link, new URL(textOf(memberOf(request, 'url'))), isListed);
}
