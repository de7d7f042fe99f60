/** The page around report and laboratory: one self-contained HTML file, which may load nothing. */
import { createHash } from 'node:crypto';
import { colours, CHART_STYLE, escape } from '../chart/style';
import { laboratory } from '../lab/markup';
import type { Setting } from '../lab/setting';
import { toJson } from './json';
import { PAGE_STYLE } from './page-style';

/** The laboratory's script, put in by the build. */
declare const PAGE: string;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** What the page may do: run what stands in it, and its worker. */
function policyOf(style: string, script: string): string {
  const rules = [`style-src ${hashOf(style)}`, `script-src ${hashOf(script)}`, 'worker-src blob:', 'img-src data:', "base-uri 'none'", "form-action 'none'"];
  return ["default-src 'none'", ...rules].join('; ');
}

// JSON in a page must not end its element.
const inPage = (value: unknown): string => toJson(value).replaceAll('<', '\\u003c');

/** @param before what stands above the laboratory, as HTML */
export function renderPage(title: string, setting: Setting, before = '', script = PAGE): string {
  const style = `${colours(':root')}${CHART_STYLE}${PAGE_STYLE}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(style, script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escape(title)}</title>
<style>${style}</style>
</head>
<body>
<header><div class="inner"><p class="brand">axios-jitter</p><h1>${escape(title)}</h1></div></header>
<main class="inner">
${before}${laboratory(setting)}
</main>
<script type="application/json" id="setting">${inPage(setting)}</script>
<script>${script}</script>
</body>
</html>
`;
}
