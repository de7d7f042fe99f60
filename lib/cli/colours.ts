/** The colours of charts, for light and dark pages. */
import { visible } from './text';

export const STYLE = `
svg, .report { --ink: #1f2328; --soft: #59636e; --line: #d1d9e0; --page: #ffffff; --herd: #d1242f; --calm: #1a7f37; --limit: #9a6700; --shade: #afb8c133; }
@media (prefers-color-scheme: dark) {
  svg, .report { --ink: #e6edf3; --soft: #9198a1; --line: #3d444d; --page: #0d1117; --herd: #ff7b72; --calm: #3fb950; --limit: #d29922; --shade: #6e768133; }
}
svg text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: var(--ink); }
svg .soft { fill: var(--soft); }
svg .title { font-size: 14px; font-weight: 600; }
svg .heading { font-size: 17px; font-weight: 600; }
svg .axis { stroke: var(--line); fill: none; }
svg .limit { stroke: var(--limit); stroke-dasharray: 5 4; fill: none; }
svg .limit-text { fill: var(--limit); }
svg .halo { paint-order: stroke; stroke: var(--page); stroke-width: 3px; }
svg .outage { fill: var(--shade); }
svg .herd { fill: var(--herd); }
svg .calm { fill: var(--calm); }`;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text for XML and HTML, in one line: controls, which XML forbids, made visible. */
export function escape(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

/** The same for many lines. */
export function escapeLines(text: string): string {
  return text.split('\n').map(escape).join('\n');
}
