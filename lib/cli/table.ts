/** Results as tables: for a terminal, and as rows for the report. */
import type { PolicyResult, SimulationResult } from '../simulate';
import { formatCount, formatTime, sparkline, squeeze } from './format';

export const HEADINGS = [
  'policy', 'amplification', 'peak/100 ms', 'over mean', 'after outage', '50 %', '95 %', '99 % served', 'back under capacity', 'wait p50', 'wait p99', 'served', 'given up', 'wasted',
] as const;

function gaveUp({ gaveUp: reasons, unfinished }: PolicyResult): string {
  const parts = Object.entries(reasons).map(([reason, count]) => `${formatCount(count)} ${reason}`);
  if (unfinished > 0) parts.push(`${formatCount(unfinished)} unfinished`);
  return parts.join(', ') || '0';
}

/** One row per policy, in the order of `HEADINGS`. */
export function toRows({ policies }: SimulationResult): string[][] {
  return policies.map((result) => [
    result.policy,
    formatCount(result.amplification),
    formatCount(result.peak.requests),
    `${formatCount(result.peak.ratio)}x`,
    formatCount(result.peakAfterOutage.requests),
    formatTime(result.timeTo.p50),
    formatTime(result.timeTo.p95),
    formatTime(result.timeTo.p99),
    formatTime(result.backUnderCapacity),
    formatTime(result.waits.p50),
    formatTime(result.waits.p99),
    formatCount(result.successes),
    gaveUp(result),
    formatCount(result.wasted),
  ]);
}

/** Columns as wide as their widest cell; the first and `left` ones flush left, numbers flush right. */
export function renderTable(headings: readonly string[], rows: readonly (readonly string[])[], left: readonly number[] = [0]): string {
  const widths = headings.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, column) => (left.includes(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ').trimEnd();
  return [line(headings), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join('\n');
}

const SPARK_WIDTH = 60;

/** How far the time axis of pictures goes, in ms: until all that ends soon has ended. */
export function shownUntil({ policies }: SimulationResult, outageEnd: number): number {
  const ends = policies.flatMap(({ timeTo }) => (timeTo.p99 === undefined ? [] : [timeTo.p99]));
  const first = ends.length > 0 ? Math.min(...ends) : 0;
  return Math.ceil(Math.max(outageEnd * 1.5, first * 2, 1_000) / 1_000) * 1_000;
}

/** The whole answer for a terminal. */
export function renderResult(result: SimulationResult, heading: string, until: number): string {
  const shown = result.policies.map(({ requests }) => requests.slice(0, Math.ceil(until / result.bucket)));
  const highest = Math.max(1, ...shown.flatMap((counts) => squeeze(counts, SPARK_WIDTH)));
  const width = Math.max(...result.policies.map(({ policy }) => policy.length));
  const sparks = result.policies.map(({ policy }, index) => `${policy.padEnd(width)}  ${sparkline(shown[index] ?? [], SPARK_WIDTH, highest)}`);
  const notes = result.policies.flatMap(({ policy, notes: own, truncated }) =>
    [...own, ...(truncated ? ['ended before every call had its answer'] : [])].map((note) => `${policy}: ${note}`),
  );
  const main = toRows(result).map((row) => row.slice(0, 9));
  const more = toRows(result).map((row) => [row[0] ?? '', ...row.slice(9)]);
  return [
    heading,
    renderTable(HEADINGS.slice(0, 9), main),
    renderTable([HEADINGS[0], ...HEADINGS.slice(9)], more),
    `Requests from 0 to ${formatTime(until)} (logarithmic, ${formatCount(highest)} at the top):\n${sparks.join('\n')}`,
    ...(notes.length > 0 ? [notes.join('\n')] : []),
  ].join('\n\n');
}
