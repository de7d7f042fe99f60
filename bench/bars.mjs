// The bars: what has to hold, and whether it does.
const ratioOf = (rows, name) => rows.find((row) => row.name === name).ratio.median;
const times = (ratio) => `${ratio.toFixed(3)}x`;
const atMost = (what, value, bar, format) => ({ what, is: format(value), bar: `at most ${format(bar)}`, holds: value <= bar });

function waitingBars(waiting) {
  const find = (name) => waiting.find((result) => result.name === name);
  const [ours, peer] = [find('axios-jitter'), find('axios-retry')];
  const bytes = (value) => `${Math.round(value)} bytes`;
  const likePeer = (what, phase) => ({
    what: `bytes per waiting call, its last error included, ${what}`,
    is: bytes(ours[phase].bytes),
    bar: `at most 1.5x of axios-retry: ${bytes(1.5 * peer[phase].bytes)}`,
    holds: ours[phase].bytes <= 1.5 * peer[phase].bytes,
  });
  // No call waits on, and ending them costs no more than it does in axios-retry: CPU time, for the machine may be busy.
  const ms = (value) => `${Math.round(value)} ms`;
  const immediate = (what, phase) => ({
    what: `abort all waiting calls, ${what}`,
    is: ours[phase].abort === undefined ? 'they wait on' : `${ms(ours[phase].cpu)} CPU`,
    bar: `all are cancelled; less than axios-retry: ${ms(peer[phase].cpu)}`,
    holds: ours[phase].ends.ERR_CANCELED === ours.count && ours[phase].cpu < peer[phase].cpu,
  });
  return [
    likePeer('no signal', 'settled'),
    likePeer('a signal each', 'own'),
    { what: 'waiting calls that settle', is: `${ours.settled.ends.ok ?? 0}`, bar: `all ${ours.count}`, holds: ours.settled.ends.ok === ours.count },
    immediate('a signal each', 'own'),
    immediate('one signal', 'one'),
  ];
}

/** What a finished call leaves, beside bare axios. */
function keptBars(kept) {
  const kB = 1_000;
  return kept.map(({ end, bytes: { bare, 'axios-jitter': ours } }) =>
    atMost(`bytes that a kept result holds, ${end}`, ours, bare + kB, (value) => `${Math.round(value)} bytes`),
  );
}

/** What stands in the docs for those that have a bar. */
const EXTRAS = [
  ['OpenTelemetry observer without', 1.05],
  ['a channel', 1.02],
];
const extrasBars = (extras) =>
  extras.flatMap(({ what, concurrency, ratio }) =>
    EXTRAS.filter(([start]) => what.startsWith(start)).map(([, bar]) => atMost(`success path, concurrency ${concurrency}, ${what}`, ratio.median, bar, times)),
  );

/** @returns [{ what, is, bar, holds }] */
export function checkBars({ success, retry, bytes, waiting, kept, extras, size }) {
  const ours = 'axios-jitter';
  return [
    ...success.map(({ concurrency, cpu }) =>
      atMost(`success path in memory, concurrency ${concurrency}, time over bare axios`, ratioOf(cpu, ours), 1.08, times),
    ),
    ...retry.map(({ concurrency, cpu }) =>
      atMost(`retry path, concurrency ${concurrency}, time per retry over the floor`, ratioOf(cpu, ours), 1.1, times),
    ),
    atMost('retry path, bytes per retry over the floor', ratioOf(bytes.retry, ours), 1.25, times),
    ...waitingBars(waiting),
    ...keptBars(kept),
    ...extrasBars(extras),
    ...size.limited.map(({ what, limit, gzipped }) => atMost(`${what}, minified and gzipped`, gzipped, limit, (value) => `${value} bytes`)),
  ];
}
