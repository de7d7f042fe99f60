/** The colours of charts, for light and dark pages. */
import { visible } from './text';

/** Blue and orange are told apart by those who cannot tell red from green; the second line is dashed, too. */
const LIGHT = '--ink: #1f2328; --soft: #59636e; --line: #d1d9e0; --page: #ffffff; --panel: #f6f8fa; --one: #0072b2; --two: #c85200; --shade: #8c959f33; --accent: #0969da;';
const DARK = '--ink: #e6edf3; --soft: #9da7b1; --line: #3d444d; --page: #0d1117; --panel: #151b23; --one: #56b4e9; --two: #f0a030; --shade: #8b949e33; --accent: #4493f8;';

export function colours(selector: string): string {
  return `${selector} { ${LIGHT} }
@media (prefers-color-scheme: dark) { ${selector} { ${DARK} } }`;
}

/** What charts look like, wherever they stand. */
export const CHART_STYLE = `
svg text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: var(--ink); }
svg .soft { fill: var(--soft); }
svg .title { font-size: 14px; font-weight: 600; }
svg .heading { font-size: 17px; font-weight: 600; }
svg .axis { stroke: var(--line); fill: none; }
svg .limit { stroke: var(--ink); stroke-dasharray: 5 4; fill: none; }
svg .halo { paint-order: stroke; stroke: var(--page); stroke-width: 3px; stroke-linejoin: round; }
svg .outage { fill: var(--shade); }
svg .load.one { fill: var(--one); } svg .load.two { fill: var(--two); }
svg .share { fill: none; stroke-width: 2.5px; stroke-linejoin: round; }
svg .share.one { stroke: var(--one); } svg .share.two { stroke: var(--two); stroke-dasharray: 7 4; }`;

export const SVG_STYLE = `
${colours('svg')}${CHART_STYLE}`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text for XML and HTML, in one line: controls, which XML forbids, made visible. */
export function escape(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

/** The same for many lines. */
export function escapeLines(text: string): string {
  return text.split('\n').map(escape).join('\n');
}
