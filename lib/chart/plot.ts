/** The parts of a chart as SVG: a frame with axes, requests over time, the share served over time. All scales are linear. */
import { formatCount } from './format';

/** Where and how much is drawn; in px, and in ms. */
export interface Frame {
  /** Of the plot, without its axes' labels. */
  readonly width: number;
  readonly height: number;
  /** The end of the time axis. */
  readonly until: number;
  readonly outage?: { readonly start: number; readonly end: number } | undefined;
}

/** Room for the labels. */
export const MARGIN = { left: 52, right: 14, top: 8, bottom: 24 } as const;

const LABEL = 64;
const rounded = (value: number): string => String(Math.round(value * 10) / 10);

/** 1, 2 or 5 times a power of ten, so that about `count` of them make `highest`. */
function stepOf(highest: number, count: number): number {
  const rough = highest / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((each) => each * power >= rough) ?? 10;
  return factor * power;
}

/** Round values from 0 to `highest`. */
export function ticks(highest: number, count: number): number[] {
  const step = stepOf(highest, count);
  return Array.from({ length: Math.floor(highest / step + 1e-9) + 1 }, (_, index) => index * step);
}

const toTime = (ms: number, until: number): string => (until > 300_000 ? `${formatCount(ms / 60_000)} min` : `${formatCount(ms / 1_000)} s`);

function timeTicks(until: number, width: number): number[] {
  const unit = until > 300_000 ? 60_000 : 1_000;
  return ticks(until / unit, Math.max(2, width / LABEL)).map((tick) => tick * unit);
}

/** Text at the edge of the plot must not be cut off. */
function anchorOf(x: number, width: number): string {
  return x > width - 12 ? 'end' : 'middle';
}

function axes({ width, height, until }: Frame, rows: readonly (readonly [y: number, label: string])[]): string {
  const lines = rows.map(
    ([y, label]) => `<path class="axis" d="M0 ${rounded(y)}H${width}"/><text class="soft" x="-8" y="${rounded(y + 4)}" text-anchor="end">${label}</text>`,
  );
  const columns = timeTicks(until, width).map((ms) => {
    const x = (ms / until) * width;
    return `<text class="soft" x="${rounded(x)}" y="${height + 17}" text-anchor="${anchorOf(x, width)}">${toTime(ms, until)}</text>`;
  });
  return lines.join('') + columns.join('');
}

function outageOf({ width, height, until, outage }: Frame): string {
  if (!outage || outage.end <= outage.start) return '';
  const [from, to] = [outage.start, Math.min(outage.end, until)].map((ms) => (ms / until) * width) as [number, number];
  const band = `<rect class="outage" x="${rounded(from)}" width="${rounded(to - from)}" height="${height}"/>`;
  return to - from < 50 ? band : `${band}<text class="soft halo" x="${rounded(from + 6)}" y="14">outage</text>`;
}

/** At most `width` values, each the largest of its part. */
export function squeeze(values: readonly number[], width: number): number[] {
  if (values.length <= width) return [...values];
  const columns = new Array<number>(width).fill(0);
  values.forEach((value, index) => {
    const column = Math.floor((index * width) / values.length);
    columns[column] = Math.max(columns[column] as number, value);
  });
  return columns;
}

/** So many values, with 0 where there are no more. */
export function padded(values: readonly number[], length: number): number[] {
  return Array.from({ length }, (_, index) => values[index] ?? 0);
}

export interface Load {
  /** Requests per bucket, from time 0 on. */
  readonly counts: readonly number[];
  /** Width of a bucket in ms. */
  readonly bucket: number;
  /** The top of the scale; charts that are compared share one. */
  readonly highest: number;
  /** What the service can serve in a bucket. */
  readonly limit?: number | undefined;
  /** What that is called. @default 'capacity' */
  readonly limitName?: string | undefined;
  /** The class that gives the colour. */
  readonly colour: string;
}

function limitOf(label: string, { width }: Frame, y: number): string {
  const at = y > 22 ? y - 5 : y + 15;
  return `<path class="limit" d="M0 ${rounded(y)}H${width}"/><text class="soft halo" x="${width}" y="${rounded(at)}" text-anchor="end">${label}</text>`;
}

/** Requests over time. */
export function drawLoad({ counts, bucket, highest, limit, limitName = 'capacity', colour }: Load, frame: Frame): string {
  const { width, height, until } = frame;
  const top = Math.max(highest, limit ?? 0, 1);
  const y = (count: number): number => height - (count / top) * height;
  const columns = squeeze(padded(counts, Math.ceil(until / bucket)), Math.floor(width / 2));
  const step = width / columns.length;
  const path = columns.map((count, index) => `${index === 0 ? '' : `H${rounded(index * step)}`}V${rounded(y(count))}`).join('');
  // The lines lie over the shape: a herd must not hide the capacity.
  return [
    axes(frame, ticks(top, 4.5).map((tick) => [y(tick), formatCount(tick)])),
    outageOf(frame),
    `<path class="load ${colour}" d="M0 ${height}${path}H${width}V${height}Z"/>`,
    limit === undefined ? '' : limitOf(`${limitName} ${formatCount(limit)}`, frame, y(limit)),
  ].join('');
}

export interface Share {
  /** What share of the calls is served by the end of each bucket, 0 to 1. */
  readonly shares: readonly number[];
  readonly colour: string;
}

/** The share of the calls that is served, over time. */
export function drawShare(lines: readonly Share[], frame: Frame): string {
  const { width, height } = frame;
  const y = (share: number): number => height - share * height;
  const paths = lines.map(({ shares, colour }) => {
    const points = squeeze(shares, Math.floor(width / 2));
    const path = points.map((share, index) => `L${rounded(((index + 1) / points.length) * width)} ${rounded(y(share))}`).join('');
    return `<path class="share ${colour}" d="M0 ${height}${path}"/>`;
  });
  const rows = [0, 0.5, 1].map((share) => [y(share), `${share * 100}%`] as const);
  return axes(frame, rows) + outageOf(frame) + paths.join('');
}

/** What share of `clients` is served by the end of each bucket. */
export function servedShare(served: readonly number[], clients: number, buckets: number): number[] {
  let total = 0;
  return padded(served, buckets).map((count) => (total += count) / clients);
}
