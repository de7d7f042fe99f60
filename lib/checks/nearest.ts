/** The known name that an unknown one resembles: a slip of the keyboard, or another retry plugin's word. */

// Whether `edits` single characters, changed, added or left out, make one name the other.
function isWithin(edits: number, a: string, b: string): boolean {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  const isEqual = same === a.length && same === b.length;
  return isEqual || (edits > 0 && [[1, 1], [1, 0], [0, 1]].some(([x = 0, y = 0]) => isWithin(edits - 1, a.slice(same + x), b.slice(same + y))));
}

// Names of other retry plugins that resemble none of ours.
const PEERS: Readonly<Record<string, string>> = {
  retry: 'retries',
  retryCondition: 'shouldRetry',
  shouldResetTimeout: 'totalTimeout',
  statusCodesToRetry: 'statuses',
  validateResponse: 'shouldRetryResponse',
  onMaxRetryTimesExceeded: 'onGiveUp',
  maxRetryDelay: 'maxDelay',
  backoffType: 'jitter',
  timeout: 'totalTimeout',
};

/** What was meant by an unknown name, for the end of a message. */
export function nearest(name: string, names: string[]): string {
  const given = name.toLowerCase();
  const find = (fits: (known: string) => boolean) => names.find((known) => fits(known.toLowerCase()));
  let best = names.find((known) => known === PEERS[name]);
  for (let edits = 0; edits <= 3; edits++) best ??= find((known) => isWithin(edits, given, known));
  best ??= find((known) => given.includes(known));
  return best ? `; did you mean "${best}"?` : `; known are ${names.join(', ')}`;
}
