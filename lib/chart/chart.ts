/** A picture that stands alone: per policy the requests over time and the share served, all on one linear scale. */
import { escape, SVG_STYLE } from './style';
import { clip } from './text';
import { drawLoad, drawShare, MARGIN, padded, servedShare, type Frame } from './plot';

export interface Panel {
  readonly title: string;
  /** To the right of the title. */
  readonly note: string;
  /** Requests per bucket, from time 0 on. */
  readonly requests: readonly number[];
  /** Calls served per bucket. */
  readonly served: readonly number[];
}

export interface ChartOptions {
  readonly heading: string;
  /** Calls that there are. */
  readonly clients: number;
  /** Width of a bucket in ms. */
  readonly bucket: number;
  /** The end of the time axis, in ms. */
  readonly until: number;
  /** What the service can serve in a bucket. */
  readonly limit?: number | undefined;
  /** What that is called. @default 'capacity' */
  readonly limitName?: string | undefined;
  readonly outage?: { readonly start: number; readonly end: number } | undefined;
  /** Of the plots, in px. @default 96 */
  readonly height?: number | undefined;
}

const WIDTH = 760;
const LEFT_PLOT = 400;
const RIGHT_PLOT = WIDTH - LEFT_PLOT - 2 * (MARGIN.left + MARGIN.right);
const HEADER = 60;
const TITLE = 30;

/** The highest count of all panels, as far as they are shown. */
export function highestOf(panels: readonly Pick<Panel, 'requests'>[], until: number, bucket: number): number {
  return Math.max(1, ...panels.map(({ requests }) => Math.max(...padded(requests, Math.ceil(until / bucket)))));
}

const at = (x: number, y: number, content: string): string => `<g transform="translate(${x} ${y})">${content}</g>`;

function drawPanel(panel: Panel, highest: number, options: ChartOptions): string {
  const { until, bucket, limit, limitName, outage, clients, height = 96 } = options;
  const frame: Frame = { width: LEFT_PLOT, height, until, outage };
  const shares = servedShare(panel.served, clients, Math.ceil(until / bucket));
  const title = `<text class="title" x="${MARGIN.left}" y="14">${escape(clip(panel.title, 40))}</text>`;
  const note = `<text class="soft" x="${WIDTH - MARGIN.right}" y="14" text-anchor="end">${escape(clip(panel.note, 80))}</text>`;
  const load = drawLoad({ counts: panel.requests, bucket, highest, limit, limitName, colour: 'one' }, frame);
  const share = drawShare([{ shares, colour: 'one' }], { ...frame, width: RIGHT_PLOT });
  return title + note + at(MARGIN.left, TITLE, load) + at(LEFT_PLOT + 2 * MARGIN.left + MARGIN.right, TITLE, share);
}

/** A whole SVG document; light and dark follow the reader's system. */
export function drawChart(panels: readonly Panel[], options: ChartOptions): string {
  const { heading, until, bucket, height = 96 } = options;
  const highest = highestOf(panels, until, bucket);
  const step = TITLE + height + MARGIN.bottom + 14;
  const body = panels.map((panel, index) => at(0, HEADER + index * step, drawPanel(panel, highest, options)));
  const summary = panels.map(({ title, note }) => `${title}: ${note}`).join('; ');
  const right = LEFT_PLOT + 2 * MARGIN.left + MARGIN.right;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEADER + panels.length * step}" role="img" aria-label="${escape(`${heading}. ${summary}`)}">
<style>${SVG_STYLE}</style>
<text class="heading" x="${MARGIN.left}" y="24">${escape(heading)}</text>
<text class="soft" x="${MARGIN.left}" y="46">requests per ${bucket} ms</text><text class="soft" x="${right}" y="46">share of the calls served</text>
${body.join('\n')}
</svg>
`;
}
