/** How much of a simulation pictures show. */
interface Shown {
  readonly clients: number;
  readonly policies: readonly { readonly timeTo: { readonly p99: number | undefined } }[];
}
interface Crowd {
  readonly arrival?: 'at-once' | { readonly rate: number } | undefined;
  readonly outage?: { readonly start?: number | undefined; readonly length: number } | undefined;
}

/** The end of the time axis, in ms: past the outage and the last arrival, until all that ends soon has ended. */
export function shownUntil({ policies, clients }: Shown, { outage, arrival }: Crowd): number {
  const ends = policies.flatMap(({ timeTo }) => (timeTo.p99 === undefined ? [] : [timeTo.p99]));
  const first = ends.length > 0 ? Math.min(...ends) : 0;
  const outageEnd = (outage?.start ?? 0) + (outage?.length ?? 0);
  const arrived = typeof arrival === 'object' ? (clients / arrival.rate) * 1_000 : 0;
  return Math.ceil(Math.max(outageEnd * 1.5, arrived * 1.2, first * 1.5, 1_000) / 1_000) * 1_000;
}
