/** The report: one HTML file that stands alone. */
import type { PolicyResult, Scenario, SimulationResult } from '../simulate';
import { drawChart, type Panel } from './chart';
import { escape, escapeLines, STYLE } from './colours';
import { formatCount, formatTime } from './format';
import { toJson } from './json';
import { COLUMNS_OF_REPORT, shownUntil, toRows } from './table';

const PAGE = `
:root { color-scheme: light dark; }
body { margin: 0; }
.report { background: var(--page); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; min-height: 100vh; }
main { max-width: 960px; margin: 0 auto; padding: 24px 16px 48px; }
h1 { font-size: 1.6rem; margin: 0 0 4px; } h2 { font-size: 1.15rem; margin: 32px 0 8px; }
p { margin: 8px 0; max-width: 72ch; } .soft { color: var(--soft); }
.wide { overflow-x: auto; } svg { width: 100%; min-width: 560px; height: auto; display: block; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { padding: 6px 10px; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; position: sticky; left: 0; background: var(--page); }
th { color: var(--soft); font-weight: 600; } pre { overflow-x: auto; padding: 12px; border: 1px solid var(--line); border-radius: 6px; font-size: 0.85rem; }`;

/** Twice the capacity or more in a tick after the outage: a herd. */
function isHerd({ peakAfterOutage }: PolicyResult, limit: number): boolean {
  return peakAfterOutage.requests > 10 * limit;
}

function outageOf({ outage }: Scenario): { start: number; end: number } {
  const start = outage?.start ?? 0;
  return { start, end: start + (outage?.length ?? 0) };
}

export function describeScenario({ processes = 0, clientsPerProcess = 0, clients = processes * clientsPerProcess, service, arrival, outage }: Scenario): string {
  const rate = typeof arrival === 'object' ? `${formatCount(arrival.rate)} a second` : 'all at once';
  const down = outage && outage.length > 0 ? `, an outage of ${formatTime(outage.length)}` : '';
  return `${formatCount(clients)} clients, ${rate}; a service of ${formatCount(service.capacity)} requests/s${down}`;
}

export function drawResult(result: SimulationResult, scenario: Scenario): string {
  const outage = outageOf(scenario);
  const limit = (scenario.service.capacity * result.bucket) / 1_000;
  const panels: Panel[] = result.policies.map((policy) => ({
    title: policy.policy,
    note: `${formatCount(policy.amplification)} requests a call, 99 % served: ${formatTime(policy.timeTo.p99)}`,
    counts: policy.requests,
    isHerd: isHerd(policy, scenario.service.capacity / 10),
  }));
  const heading = `Requests per ${formatTime(result.bucket)} at the service`;
  return drawChart(panels, { heading, bucket: result.bucket, until: shownUntil(result, scenario), limit, outage, scale: 'log' });
}

function table(result: SimulationResult): string {
  const head = COLUMNS_OF_REPORT.map(({ heading }) => `<th scope="col">${escape(heading)}</th>`).join('');
  const rows = toRows(result, COLUMNS_OF_REPORT).map((row) => `<tr>${row.map((cell) => `<td>${escape(cell)}</td>`).join('')}</tr>`);
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table>`;
}

export function renderReport(result: SimulationResult, scenario: Scenario): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>What the retry policy does to the service</title>
<style>${STYLE}${PAGE}</style>
</head>
<body class="report"><main>
<h1>What the retry policy does to the service</h1>
<p class="soft">${escape(describeScenario(scenario))}. Seed ${result.seed}.</p>
<h2>Load over time</h2>
<p>Each panel shows the requests that reach the service, on one logarithmic scale. Red: after the outage the crowd came
back with more than ten times the capacity in 100 ms.</p>
<div class="wide">${drawResult(result, scenario)}</div>
<h2>The numbers</h2>
<div class="wide">${table(result)}</div>
<p class="soft">Amplification: requests per call. Peak: the most retries in 100 ms, and how many times the mean that is. After outage: the
most requests in 100 ms once the service is back. 50, 95, 99 %: when that share of all calls was served. Waits: how long served calls took. Wasted: requests
served after their client had stopped waiting.</p>
<h2>The scenario</h2>
<pre>${escapeLines(toJson(scenario, 2))}</pre>
</main></body>
</html>
`;
}
