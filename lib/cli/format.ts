/** Numbers for people, and sparklines. */

/** What a person gave that makes no sense: exit code 2. */
export class UsageError extends Error {}

export function formatCount(value: number): string {
  if (value === Infinity) return 'no end';
  const [whole = '', fraction] = String(Math.abs(value) < 100 ? Math.round(value * 100) / 100 : Math.round(value)).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

export function formatTime(ms: number | undefined): string {
  if (ms === undefined) return 'never';
  if (ms === Infinity) return 'no end';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 120_000 ? `${(ms / 1_000).toFixed(1)} s` : `${formatCount(ms / 60_000)} min`;
}

/** `500`, `500ms`, `10s`, `2m` in ms. */
export function parseTime(text: string): number {
  const [, digits, unit = 'ms'] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text) ?? [];
  if (digits === undefined) throw new UsageError(`must be a time such as 500, 500ms, 10s or 2m; came '${text}'`);
  return Number(digits) * (unit === 'm' ? 60_000 : unit === 's' ? 1_000 : 1);
}

/** A number >= 0, also `Infinity`. */
export function parseNumber(text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text.replaceAll('_', '')) ? Number(text.replaceAll('_', '')) : NaN;
  if (Number.isNaN(value) && text !== 'Infinity') throw new UsageError(`must be a number >= 0; came '${text}'`);
  return text === 'Infinity' ? Infinity : value;
}

const BLOCKS = '▁▂▃▄▅▆▇█';

/** At most `width` columns, each the largest count of its part. */
export function squeeze(counts: readonly number[], width: number): number[] {
  if (counts.length <= width) return [...counts];
  const columns = new Array<number>(width).fill(0);
  counts.forEach((count, index) => {
    const column = Math.floor((index * width) / counts.length);
    columns[column] = Math.max(columns[column] as number, count);
  });
  return columns;
}

/** Counts as blocks on a logarithmic scale: a herd must not hide what comes after it. */
export function sparkline(counts: readonly number[], width: number, highest: number): string {
  const scale = Math.log1p(highest) || 1;
  return squeeze(counts, width)
    .map((count) => (count === 0 ? ' ' : BLOCKS[Math.min(7, Math.floor((Math.log1p(count) / scale) * 8))] as string))
    .join('');
}
