/** A line chart with a logarithmic scale, for light and dark pages. */
import { max, min } from 'd3-array';
import { line } from 'd3-shape';

export interface Line {
  name: string;
  points: readonly (readonly [x: number, y: number])[];
}

const SIZE = { width: 720, height: 300, left: 64, right: 116, top: 44, bottom: 40 };
const COLOURS = [
  ['#59636e', '#9198a1'],
  ['#d1242f', '#ff7b72'],
  ['#9a6700', '#d29922'],
  ['#1a7f37', '#3fb950'],
  ['#0969da', '#58a6ff'],
];

const LABEL_HEIGHT = 15;

/** Places for the names at the ends of the lines, none on top of another. */
function spread(ends: readonly number[]): number[] {
  const order = ends.map((_, index) => index).sort((a, b) => (ends[a] as number) - (ends[b] as number));
  const places = [...ends];
  order.forEach((index, rank) => {
    const before = order[rank - 1];
    if (before !== undefined) places[index] = Math.max(places[index] as number, (places[before] as number) + LABEL_HEIGHT);
  });
  return places;
}

export function drawLines(lines: readonly Line[], heading: string, format: (value: number) => string): string {
  const { width, height, left, right, top, bottom } = SIZE;
  const points = lines.flatMap((each) => each.points);
  const widest = max(points, ([x]) => x) ?? 1;
  const [low, high] = [Math.log10(min(points, ([, y]) => y) ?? 1), Math.log10(max(points, ([, y]) => y) ?? 10)];
  const x = (value: number): number => Math.round((left + (value / widest) * (width - left - right)) * 10) / 10;
  const y = (value: number): number => Math.round((height - bottom - ((Math.log10(value) - low) / (high - low)) * (height - top - bottom)) * 10) / 10;
  const powers = [1, 10, 100, 1_000, 10_000, 100_000].filter((value) => Math.log10(value) >= low && Math.log10(value) <= high);
  const rows = powers.map((value) => `<path class="axis" d="M${left} ${y(value)}H${width - right}"/><text class="soft" x="${left - 8}" y="${y(value) + 4}" text-anchor="end">${format(value)}</text>`);
  const columns = [0, 50, 100, 150, 200].map((value) => `<text class="soft" x="${x(value)}" y="${height - bottom + 18}" text-anchor="middle">${value}</text>`);
  const draw = line<readonly [number, number]>().x(([at]) => x(at)).y(([, value]) => y(value));
  const ends = spread(lines.map((each) => y(each.points.at(-1)?.[1] ?? 1)));
  const shapes = lines.map(({ name, points: own }, index) =>
    `<path class="line line${index}" d="${draw(own) ?? ''}"/><text class="name${index}" x="${width - right + 8}" y="${(ends[index] ?? 0) + 4}">${name}</text>`,
  );
  const style = (tone: 0 | 1): string => COLOURS.map((pair, index) => `.line${index} { stroke: ${pair[tone]}; } text.name${index} { fill: ${pair[tone]}; }`).join(' ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${heading}">
<style>
text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
.heading { font-size: 17px; font-weight: 600; } .soft { fill: #59636e; } .axis { stroke: #d1d9e0; } .line { fill: none; stroke-width: 2; }
${style(0)}
@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } .soft { fill: #9198a1; } .axis { stroke: #3d444d; } ${style(1)} }
</style>
<text class="heading" x="${left}" y="24">${heading}</text>
${[...rows, ...columns, ...shapes].join('\n')}
<text class="soft" x="${(left + width - right) / 2}" y="${height - 6}" text-anchor="middle">contending clients</text>
</svg>
`;
}
