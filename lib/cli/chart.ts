/** Requests over time as SVG: one panel per policy, all on one scale. */
import { max, ticks } from 'd3-array';
import { area, curveStepAfter } from 'd3-shape';
import { escape, STYLE } from './colours';
import { formatCount, squeeze } from './format';

export interface Panel {
  title: string;
  /** To the right of the title. */
  note: string;
  /** Requests per bucket, from time 0 on. */
  counts: readonly number[];
  isHerd: boolean;
}

export interface ChartOptions {
  heading: string;
  /** Width of a bucket in ms. */
  bucket: number;
  /** The end of the time axis, in ms. */
  until: number;
  /** What the service can serve in a bucket. */
  limit?: number;
  outage?: { start: number; end: number };
  /** `log` keeps a herd from hiding what comes after it. */
  scale: 'linear' | 'log';
  /** In px. @default 720 */
  width?: number;
  /** Of a panel's plot, in px. @default 90 */
  height?: number;
}

const LEFT = 64;
const RIGHT = 24;
const HEADER = 34;
const TITLE = 26;
const FOOT = 26;

interface Frame {
  readonly plot: number;
  readonly height: number;
  readonly x: (ms: number) => number;
  readonly y: (count: number) => number;
  readonly highest: number;
}

const fixed = (value: number): string => String(Math.round(value * 10) / 10);

function frameOf(panels: readonly Panel[], { until, bucket, limit = 0, scale, width = 720, height = 90 }: ChartOptions): Frame {
  const shown = Math.ceil(until / bucket);
  const highest = Math.max(limit, max(panels, ({ counts }) => max(counts.slice(0, shown)) ?? 0) ?? 0, 1);
  const plot = width - LEFT - RIGHT;
  const level = scale === 'log' ? (count: number) => Math.log1p(count) / Math.log1p(highest) : (count: number) => count / highest;
  return { plot, height, highest, x: (ms) => (ms / until) * plot, y: (count) => height - level(count) * height };
}

function yTicks(highest: number, scale: ChartOptions['scale']): number[] {
  if (scale === 'linear') return ticks(0, highest, 3);
  return [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000].filter((count) => count <= highest);
}

function grid({ x, y, highest, plot, height }: Frame, { until, scale }: ChartOptions): string {
  const rows = yTicks(highest, scale).map(
    (count) => `<path class="axis" d="M0 ${fixed(y(count))}H${plot}"/><text class="soft" x="-8" y="${fixed(y(count) + 4)}" text-anchor="end">${formatCount(count)}</text>`,
  );
  const columns = ticks(0, until, 8).map((ms) => `<text class="soft" x="${fixed(x(ms))}" y="${height + 16}" text-anchor="middle">${formatCount(ms / 1_000)} s</text>`);
  return rows.join('') + columns.join('');
}

function shape({ counts, isHerd }: Panel, { x, y, height, plot }: Frame, { until, bucket }: ChartOptions): string {
  const buckets = Math.ceil(until / bucket);
  const all = Array.from({ length: buckets }, (_, index) => counts[index] ?? 0);
  const columns = squeeze(all, Math.floor(plot / 2));
  const step = until / columns.length;
  const path = area<number>()
    .x((_, index) => Math.round(x(index * step) * 10) / 10)
    .y0(height)
    .y1((count) => Math.round(y(count) * 10) / 10)
    .curve(curveStepAfter)([...columns, 0]);
  return `<path class="${isHerd ? 'herd' : 'calm'}" d="${path ?? ''}"/>`;
}

function background({ x, y, plot, height }: Frame, { outage, limit }: ChartOptions): string {
  const down = outage && outage.end > outage.start
    ? `<rect class="outage" x="${fixed(x(outage.start))}" width="${fixed(x(outage.end - outage.start))}" height="${height}"/><text class="soft halo" x="${fixed(x(outage.end) + 6)}" y="12">← outage</text>`
    : '';
  const capacity = limit === undefined
    ? ''
    : `<path class="limit" d="M0 ${fixed(y(limit))}H${plot}"/><text class="limit-text halo" x="${plot}" y="${fixed(y(limit) - 4)}" text-anchor="end">capacity</text>`;
  return down + capacity;
}

/** A whole SVG document; light and dark follow the reader's system. */
export function drawChart(panels: readonly Panel[], options: ChartOptions): string {
  const frame = frameOf(panels, options);
  const width = options.width ?? 720;
  const step = TITLE + frame.height + FOOT;
  const body = panels.map((panel, index) => {
    const title = `<text class="title" x="0" y="-9">${escape(panel.title)}</text><text class="soft" x="${frame.plot}" y="-9" text-anchor="end">${escape(panel.note)}</text>`;
    // The lines lie over the shape: a herd must not hide the capacity.
    const content = title + grid(frame, options) + shape(panel, frame, options) + background(frame, options);
    return `<g transform="translate(${LEFT} ${HEADER + index * step + TITLE})">${content}</g>`;
  });
  const height = HEADER + panels.length * step;
  const summary = panels.map(({ title, note }) => `${title}: ${note}`).join('; ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(`${options.heading}. ${summary}`)}">
<style>${STYLE}</style>
<text class="heading" x="${LEFT}" y="22">${escape(options.heading)}</text>
${body.join('\n')}
</svg>
`;
}
