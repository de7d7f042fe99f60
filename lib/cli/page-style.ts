/** What the page looks like. Its colours are the charts'. */

export const PAGE_STYLE = `
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; font-variant-numeric: tabular-nums; }
.inner { max-width: 1240px; margin: 0 auto; padding: 0 16px; }
header { border-bottom: 1px solid var(--line); background: var(--panel); }
header .inner { padding: 20px 16px; }
.brand { margin: 0; color: var(--soft); font-size: .85rem; font-weight: 600; letter-spacing: .04em; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 2px 0 0; }
h2 { font-size: 1.3rem; margin: 32px 0 4px; } h3 { font-size: 1rem; margin: 20px 0 4px; }
p { margin: 6px 0; max-width: 75ch; } .soft { color: var(--soft); font-weight: 400; }
.notice { border-left: 3px solid var(--two); padding-left: 10px; }
a { color: var(--accent); }
svg { display: block; width: 100%; height: auto; } svg.swatch { display: inline-block; width: 22px; vertical-align: middle; margin-right: 4px; }
pre { margin: 8px 0; overflow-x: auto; padding: 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--panel); font: .85rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }

.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 340px), 1fr)); gap: 16px; margin: 12px 0; }
figure { margin: 0; min-width: 0; } figcaption { font-size: .85rem; margin: 0 0 4px; }
.card { border: 1px solid var(--line); border-radius: 8px; padding: 14px 14px 8px; min-width: 0; }
.card h3 { margin: 0; overflow-wrap: anywhere; } .card p { margin: 0 0 8px; font-size: .85rem; color: var(--soft); } .card .what { margin: 6px 0 0; }

table { border-collapse: collapse; font-size: .9rem; width: 100%; }
th, td { padding: 6px 10px; border-bottom: 1px solid var(--line); text-align: right; vertical-align: bottom; }
th:first-child, td:first-child { text-align: left; padding-left: 0; overflow-wrap: anywhere; }
.numbers { font-size: .85rem; } .numbers th, .numbers td { padding: 6px 7px; } .numbers th:first-child { min-width: 12em; padding-left: 0; } .numbers td { white-space: nowrap; } .numbers td:last-child { white-space: normal; }
thead th { color: var(--soft); font-weight: 600; } tbody th { font-weight: 600; }
.numbers td:last-child, .numbers th:last-child { text-align: left; }
@media (max-width: 900px) {
  .numbers, .numbers tbody { display: block; }
  .numbers thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); display: block; }
  .numbers tr { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); padding: 8px 0; border-bottom: 1px solid var(--line); }
  .numbers th, .numbers th:first-child, .numbers td, .numbers td:last-child { display: block; min-width: 0; border: 0; padding: 1px 12px 1px 0; text-align: left; white-space: normal; }
  .numbers tbody th { grid-column: 1 / -1; font-size: 1rem; } .numbers td::before { content: attr(data-label) ": "; color: var(--soft); }
}

.bench { display: grid; gap: 24px; margin-top: 12px; }
.groups { display: grid; gap: 12px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 260px), 1fr)); }
fieldset { border: 1px solid var(--line); border-radius: 8px; padding: 4px 12px 10px; margin: 0; min-width: 0; background: var(--panel); }
legend { font-weight: 600; padding: 0 6px; font-size: .95rem; }
.field { display: grid; grid-template-columns: minmax(0, auto) auto; justify-content: space-between; gap: 0 8px; align-items: center; padding: 3px 0; font-size: .85rem; }
.field output { font-weight: 600; text-align: right; white-space: nowrap; }
.field input { grid-column: 1 / -1; width: 100%; margin: 2px 0 0; height: 20px; accent-color: var(--one); }
select, button { font: inherit; color: inherit; background: var(--page); border: 1px solid var(--line); border-radius: 6px; padding: 3px 8px; max-width: 100%; min-height: 28px; }
button { padding: 6px 14px; cursor: pointer; }
#answer { min-width: 0; } #answer[aria-busy=true] { opacity: .55; }
#status { position: sticky; top: 0; z-index: 1; margin: 0; max-width: none; min-height: 2.4em; padding: 8px 0; background: var(--page); border-bottom: 1px solid var(--line); font-size: .9rem; }
.figures { font-size: .82rem; } .figures th, .figures td { padding: 5px 8px; } .figures tbody th { width: 58%; } .figures thead th { color: var(--ink); white-space: nowrap; } .figures th .soft { display: inline-block; }
.pair { display: grid; gap: 20px 24px; margin: 0 0 20px; align-items: start; } .pair > * { min-width: 0; }
@media (min-width: 1000px) {
  .bench { grid-template-columns: 290px minmax(0, 1fr); align-items: start; } .groups { grid-template-columns: 1fr; }
  #answer { position: sticky; top: 56px; } .pair { grid-template-columns: 1fr 1fr; }
}`;
