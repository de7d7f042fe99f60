/** An origin as labels, and a limit on how many there are. */
import type { Labels } from './measures';

const DEFAULT_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443 };
const ADDRESS = /^([a-z][a-z\d+.-]*):\/\/\[?([^/?#\]]*?)\]?(?::(\d+))?$/i;

/** Address and port of an origin; a key of the `origin` option's own making is an address without a port. */
export function addressLabels(origin: string): Labels {
  const [, scheme = '', host, port] = ADDRESS.exec(origin) ?? [];
  if (host === undefined) return { 'server.address': origin };
  const number = port === undefined ? DEFAULT_PORTS[scheme.toLowerCase()] : Number(port);
  return { 'server.address': host, ...(number !== undefined && { 'server.port': number }) };
}

const OTHER: Labels = { 'server.address': '_OTHER' };

/** The first origins keep labels of their own; those that come later share `_OTHER`, so that series stay bounded. */
export class OriginLabels {
  readonly #known = new Map<string, Labels>();

  of(origin: string, maxOrigins: number): Labels {
    const known = this.#known.get(origin);
    if (known) return known;
    if (this.#known.size >= maxOrigins) return OTHER;
    const labels = addressLabels(origin);
    this.#known.set(origin, labels);
    return labels;
  }
}
