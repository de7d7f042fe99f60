/** Results as tables: for a terminal, and as rows for the report. */
import type { PolicyResult, SimulationResult } from '../simulate';
import { padded, servedShare, squeeze } from '../chart/plot';
import { formatCount, formatLimit, formatShare, formatTime, sparkline } from '../chart/format';
import { clip, COLUMNS, padEnd, padStart, widthOf, wrap } from '../chart/text';

interface Column {
  /** Its heading in a report, and in the lines of a terminal. */
  readonly heading: string;
  readonly lines: readonly [string, string];
  readonly cell: (result: PolicyResult, clients: number) => string;
}
const column = (heading: string, lines: Column['lines'], cell: Column['cell']): Column => ({ heading, lines, cell });

const POLICY = column('policy', ['policy', ''], ({ policy }) => policy);
const MAIN: readonly Column[] = [
  POLICY,
  column('retries', ['', 'retries'], ({ maxRetries }) => formatLimit(maxRetries)),
  column('requests per call', ['requests', 'per call'], ({ amplification }) => formatCount(amplification)),
  column('most retries in 100 ms', ['most', 'retries'], ({ peak }) => formatCount(peak.requests)),
  column('most requests after the outage', ['after', 'outage'], ({ peakAfterOutage }) => formatCount(peakAfterOutage.requests)),
  column('served', ['', 'served'], ({ successes }, clients) => formatShare(successes / clients)),
  column('99% served', ['99%', 'served'], ({ timeTo }) => formatTime(timeTo.p99)),
];
const MORE: readonly Column[] = [
  POLICY,
  column('50% served', ['50%', 'served'], ({ timeTo }) => formatTime(timeTo.p50)),
  column('95% served', ['95%', 'served'], ({ timeTo }) => formatTime(timeTo.p95)),
  column('back under capacity', ['back', 'under'], ({ backUnderCapacity }) => formatTime(backUnderCapacity)),
  column('wait p50', ['wait', 'p50'], ({ waits }) => formatTime(waits.p50)),
  column('wait p99', ['wait', 'p99'], ({ waits }) => formatTime(waits.p99)),
  column('wasted', ['', 'wasted'], ({ wasted }) => formatCount(wasted)),
];
/** In a page there is room for all. */
export const COLUMNS_OF_REPORT: readonly Column[] = [...MAIN.slice(0, -1), ...MORE.slice(1, 3), ...MAIN.slice(-1), ...MORE.slice(3), column('given up', ['', ''], gaveUp)];

function gaveUp({ gaveUp: reasons, unfinished }: PolicyResult): string {
  const parts = Object.entries(reasons).map(([reason, count]) => `${formatCount(count)} ${reason}`);
  if (unfinished > 0) parts.push(`${formatCount(unfinished)} unfinished`);
  return parts.join(', ') || '0';
}

/** One row per policy. */
export function toRows({ policies, clients }: SimulationResult, columns: readonly Column[]): string[][] {
  return policies.map((result) => columns.map(({ cell }) => cell(result, clients)));
}

const GAP = 2;

/** Flush left are the first column and `left`; the first gives way where the table would be too wide. */
function layOut(lines: readonly (readonly string[])[], left: readonly number[]): string[] {
  const widths = (lines[0] ?? []).map((_, index) => Math.max(...lines.map((cells) => widthOf(cells[index] ?? ''))));
  const [first = 0, ...rest] = widths;
  const room = COLUMNS - rest.reduce((total, width) => total + width + GAP, 0);
  widths[0] = Math.max(8, Math.min(first, room));
  const pad = (cell: string, index: number): string => {
    const width = widths[index] ?? 0;
    return index === 0 || left.includes(index) ? padEnd(clip(cell, width), width) : padStart(cell, width);
  };
  return lines.map((cells) => cells.map(pad).join(' '.repeat(GAP)).trimEnd());
}

/** A table for a terminal, with a line under its headings; columns as wide as their widest cell. */
export function renderTable(headings: readonly string[] | readonly (readonly string[])[], rows: readonly (readonly string[])[], left: readonly number[] = []): string {
  const heads = headings.map((heading) => (typeof heading === 'string' ? [heading] : heading));
  const height = Math.max(...heads.map(({ length }) => length));
  const top = Array.from({ length: height }, (_, line) => heads.map((lines) => lines[line] ?? ''));
  const laid = layOut([...top, ...rows], left);
  const rule = '─'.repeat(Math.max(...laid.map(widthOf)));
  return [...laid.slice(0, height), rule, ...laid.slice(height)].join('\n');
}

const renderColumns = (result: SimulationResult, columns: readonly Column[]): string => renderTable(columns.map(({ lines }) => lines), toRows(result, columns));

const NAME = 23;
const SPARK = COLUMNS - NAME - GAP;

function sparks(result: SimulationResult, until: number): string {
  const buckets = Math.ceil(until / result.bucket);
  const shown = result.policies.map(({ requests }) => squeeze(padded(requests, buckets), SPARK));
  const highest = Math.max(1, ...shown.flat());
  const line = (policy: string, spark: string): string => `${padEnd(clip(policy, NAME), NAME + GAP)}${spark}`.trimEnd();
  return [
    `Requests per ${formatTime(result.bucket)} from 0 to ${formatTime(until)}, ${formatCount(highest)} at the top:`,
    ...result.policies.map(({ policy }, index) => line(policy, sparkline(shown[index] ?? [], highest))),
    '',
    `Share of calls served, 100% at the top:`,
    ...result.policies.map((each) => line(each.policy, sparkline(squeeze(servedShare(each.served, result.clients, buckets), SPARK), 1))),
  ].join('\n');
}

/** Policies with an end beside policies without: their times to a share served are no comparison. */
export function unlike({ policies }: SimulationResult): string | undefined {
  const ended = policies.filter(({ maxRetries }) => maxRetries < Infinity);
  if (ended.length === 0 || ended.length === policies.length) return undefined;
  const names = ended.map(({ policy, maxRetries }) => `${policy} (${formatCount(maxRetries)})`).join(', ');
  const lost = ended.every(({ successes }) => successes === 0) ? ' Here all of theirs fell into the outage.' : '';
  return `Not comparable as they are: ${names} stop after that many retries, the others keep trying.${lost} --retries sets one limit for all.`;
}

function notesOf(result: SimulationResult): string[] {
  const own = result.policies.flatMap((each) => [
    ...each.notes.map((note) => `${each.policy}: ${note}`),
    ...(each.truncated ? [`${each.policy}: stopped before every call had ended`] : []),
    ...(each.successes < result.clients ? [`${each.policy}, given up: ${gaveUp(each)}`] : []),
  ]);
  return [unlike(result), ...own].flatMap((note) => (note === undefined ? [] : [wrap(note, '  ')]));
}

/** The whole answer for a terminal. */
export function renderResult(result: SimulationResult, heading: string, until: number): string {
  const notes = notesOf(result);
  return [wrap(heading), renderColumns(result, MAIN), renderColumns(result, MORE), sparks(result, until), ...(notes.length > 0 ? [notes.join('\n')] : [])].join('\n\n');
}
