/** Numbers for people, and sparklines. */

export function formatCount(value: number): string {
  if (value === Infinity) return 'no end';
  const [whole = '', fraction] = String(Math.abs(value) < 100 ? Math.round(value * 100) / 100 : Math.round(value)).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** A number of retries. */
export function formatLimit(value: number): string {
  return value === Infinity ? 'endless' : formatCount(value);
}

/** A share of 1. Not all is not 100 %, and some is not 0 %. */
export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return '<0.1%';
  if (percent > 99.9 && percent < 100) return '>99.9%';
  return `${Math.round(percent * 10) / 10}%`;
}

export function formatTime(ms: number | undefined): string {
  if (ms === undefined) return 'never';
  if (ms === Infinity) return 'no end';
  if (Math.round(ms) < 1_000) return `${Math.round(ms)} ms`;
  return ms < 120_000 ? `${(ms / 1_000).toFixed(1)} s` : `${formatCount(ms / 60_000)} min`;
}

const BLOCKS = '▁▂▃▄▅▆▇█';

/** Counts as blocks, linear: what is there at all has the lowest one. One column each. */
export function sparkline(counts: readonly number[], highest: number): string {
  const block = (count: number): string => BLOCKS[Math.max(0, Math.min(7, Math.ceil((count / highest) * 8) - 1))] as string;
  return counts.map((count) => (count === 0 ? ' ' : block(count))).join('');
}
