/** The panels of the dashboard as one picture, for light and dark pages. */
import { max } from 'd3-array';
import { line } from 'd3-shape';

import type { Point } from './scrape';

export interface Panel {
  readonly title: string;
  readonly lines: readonly { readonly name: string; readonly points: readonly Point[] }[];
  readonly format: (value: number) => string;
}

const PANEL = { width: 380, height: 190, left: 46, right: 16, top: 34, bottom: 44 };
const COLUMNS = 2;
/** Okabe and Ito's colours, which the colour-blind can tell; lighter ones on dark pages. */
const COLOURS = [['#0072b2', '#56b4e9'], ['#d55e00', '#e69f00'], ['#009e73', '#40c9a2'], ['#cc79a7', '#e6a5c8']] as const;

const round = (value: number): number => Math.round(value * 10) / 10;

/** 1, 2 or 5 times a power of ten. */
function niceTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

function drawPanel({ title, lines, format }: Panel, index: number, length: number): string {
  const { width, height, left, right, top, bottom } = PANEL;
  const highest = max(lines.flatMap(({ points }) => points), ([, value]) => value) ?? 0;
  const limit = highest > 0 ? niceTop(highest) : 1;
  const x = (at: number): number => round(left + (at / length) * (width - left - right));
  const y = (value: number): number => round(height - bottom - (value / limit) * (height - top - bottom));
  const rows = [0, limit / 2, limit].map((value) => `<path class="axis" d="M${left} ${y(value)}H${width - right}"/><text class="soft" x="${left - 6}" y="${y(value) + 4}" text-anchor="end">${format(value)}</text>`);
  const seconds = [0, 5, 10, 15, 20].filter((at) => at <= length).map((at) => `<text class="soft" x="${x(at)}" y="${height - bottom + 15}" text-anchor="middle">${at} s</text>`);
  const draw = line<Point>().x(([at]) => x(at)).y(([, value]) => y(value));
  const shapes = lines.map(({ points }, place) => `<path class="line line${place % COLOURS.length}" d="${draw([...points]) ?? ''}"/>`);
  let offset = left;
  const names = lines.map(({ name }, place) => {
    const text = `<path class="line line${place % COLOURS.length}" d="M${offset} ${height - 12}h14"/><text class="soft" x="${offset + 18}" y="${height - 8}">${name}</text>`;
    offset += 32 + name.length * 6.2;
    return text;
  });
  const [column, row] = [index % COLUMNS, Math.floor(index / COLUMNS)];
  return `<g transform="translate(${column * width} ${row * height})"><text class="heading" x="${left}" y="20">${title}</text>${[...rows, ...seconds, ...shapes, ...names].join('')}</g>`;
}

/** `outage`: from and to, in s; shaded in all panels. `length`: of the time axis, in s. */
export function drawDashboard(panels: readonly Panel[], outage: Point, length: number): string {
  const { width, height, left, right, top, bottom } = PANEL;
  const size = [width * COLUMNS, height * Math.ceil(panels.length / COLUMNS)];
  const x = (at: number): number => round(left + (at / length) * (width - left - right));
  const shade = panels.map((_, index) => `<rect class="outage" x="${(index % COLUMNS) * width + x(outage[0])}" y="${Math.floor(index / COLUMNS) * height + top}" width="${round(x(outage[1]) - x(outage[0]))}" height="${height - top - bottom}"/>`);
  const style = (tone: 0 | 1): string => COLOURS.map((pair, index) => `.line${index} { stroke: ${pair[tone]}; }`).join(' ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.join(' ')}" role="img" aria-label="What the metrics show of an outage: ${panels.map(({ title }) => title).join(', ')}">
<style>
text { font: 11px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; } .heading { font-size: 13px; font-weight: 600; } .soft { fill: #59636e; }
.axis { stroke: #d1d9e0; } .outage { fill: #afb8c1; opacity: 0.28; } .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
${style(0)}
@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .soft { fill: #9198a1; } .axis { stroke: #3d444d; } .outage { fill: #6e7681; } ${style(1)} }
</style>
${shade.join('\n')}
${panels.map((panel, index) => drawPanel(panel, index, length)).join('\n')}
</svg>
`;
}
