// The bars: what has to hold, and whether it does.

const ratioOf = (rows, name) => rows.find((row) => row.name === name).ratio.median;
const times = (ratio) => `${ratio.toFixed(3)}x`;
const atMost = (what, value, bar, format) => ({ what, is: format(value), bar: `at most ${format(bar)}`, holds: value <= bar });

function waitingBars(waiting) {
  const find = (name) => waiting.find((result) => result.name === name);
  const [ours, peer] = [find('axios-jitter'), find('axios-retry')];
  const bytes = (value) => `${Math.round(value)} bytes`;
  const lessThanPeer = (what, phase) => ({
    what: `bytes per waiting call, ${what}`,
    is: bytes(ours[phase].bytes),
    bar: `less than axios-retry: ${bytes(peer[phase].bytes)}`,
    holds: ours[phase].bytes < peer[phase].bytes,
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
    lessThanPeer('no signal', 'settled'),
    lessThanPeer('a signal each', 'own'),
    { what: 'waiting calls that settle', is: `${ours.settled.ends.ok ?? 0}`, bar: `all ${ours.count}`, holds: ours.settled.ends.ok === ours.count },
    immediate('a signal each', 'own'),
    immediate('one signal', 'one'),
  ];
}

/** @returns [{ what, is, bar, holds }] */
export function checkBars({ success, retry, bytes, waiting, size }) {
  const ours = 'axios-jitter';
  return [
    ...success.map(({ concurrency, cpu }) =>
      atMost(`success path in memory, concurrency ${concurrency}, time over bare axios`, ratioOf(cpu, ours), 1.1, times),
    ),
    ...retry.map(({ concurrency, cpu }) =>
      atMost(`retry path, concurrency ${concurrency}, time per retry over the floor`, ratioOf(cpu, ours), 1.15, times),
    ),
    atMost('retry path, bytes per retry over the floor', ratioOf(bytes.retry, ours), 1.15, times),
    ...waitingBars(waiting),
    atMost('core bundle, minified and gzipped', size[ours].gzipped, 6_500, (value) => `${value} bytes`),
  ];
}
