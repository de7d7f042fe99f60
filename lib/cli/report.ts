/** What a simulation found, as a picture and as a page. */
import type { PolicyResult, Scenario, SimulationResult } from '../simulate';
import { shownUntil } from '../chart/axis';
import { drawChart, highestOf } from '../chart/chart';
import { formatCount, formatLimit, formatShare, formatTime } from '../chart/format';
import { drawLoad, drawShare, MARGIN, servedShare, type Frame } from '../chart/plot';
import { escape, escapeLines } from '../chart/style';
import { toSetting } from '../lab/setting';
import { toJson } from './json';
import { renderPage } from './page';
import { COLUMNS_OF_REPORT, toRows, unlike } from './table';

function outageOf({ outage }: Scenario): { start: number; end: number } {
  const start = outage?.start ?? 0;
  return { start, end: start + (outage?.length ?? 0) };
}

const limitOf = ({ service }: Scenario, bucket: number): number => (service.capacity * bucket) / 1_000;

export function describeScenario({ processes = 0, clientsPerProcess = 0, clients = processes * clientsPerProcess, service, arrival, outage }: Scenario): string {
  const rate = typeof arrival === 'object' ? `${formatCount(arrival.rate)} a second` : 'all at once';
  const down = outage && outage.length > 0 ? `, an outage of ${formatTime(outage.length)}` : '';
  return `${formatCount(clients)} clients, ${rate}; a service of ${formatCount(service.capacity)} requests/s${down}`;
}

const noteOf = ({ successes, amplification, timeTo }: PolicyResult, clients: number): string =>
  `${formatCount(amplification)} requests per call; ${formatShare(successes / clients)} served; 99% by: ${formatTime(timeTo.p99)}`;

/** The picture of `--svg`. */
export function drawResult(result: SimulationResult, scenario: Scenario): string {
  const { bucket, clients, policies } = result;
  const panels = policies.map((each) => ({ title: each.policy, note: noteOf(each, clients), requests: each.requests, served: each.served }));
  const options = { clients, bucket, until: shownUntil(result, scenario), limit: limitOf(scenario, bucket), outage: outageOf(scenario) };
  return drawChart(panels, { heading: describeScenario(scenario), ...options });
}

const CARD = { width: 340, height: 90 };

function svg(content: string, label: string): string {
  const height = CARD.height + MARGIN.top + MARGIN.bottom;
  return `<svg viewBox="0 0 ${CARD.width} ${height}" role="img" aria-label="${escape(label)}"><g transform="translate(${MARGIN.left} ${MARGIN.top})">${content}</g></svg>`;
}

function cards(result: SimulationResult, scenario: Scenario): string {
  const { bucket, clients, policies } = result;
  const until = shownUntil(result, scenario);
  const highest = highestOf(policies, until, bucket);
  const limit = limitOf(scenario, bucket);
  const frame: Frame = { width: CARD.width - MARGIN.left - MARGIN.right, height: CARD.height, until, outage: outageOf(scenario) };
  const drawn = policies.map((each) => {
    const shares = servedShare(each.served, clients, Math.ceil(until / bucket));
    const load = svg(drawLoad({ counts: each.requests, bucket, highest, limit, colour: 'one' }, frame), `Requests per ${bucket} ms of ${each.policy}`);
    const share = svg(drawShare([{ shares, colour: 'one' }], frame), `Share of the calls of ${each.policy} that is served`);
    return `<div class="card"><h3>${escape(each.policy)}</h3><p>${formatLimit(each.maxRetries)} retries; ${noteOf(each, clients)}</p>
<p class="what">requests per ${bucket} ms</p>${load}<p class="what">share of the calls served</p>${share}</div>`;
  });
  return `<div class="cards">${drawn.join('\n')}</div>`;
}

function table(result: SimulationResult): string {
  const headings = COLUMNS_OF_REPORT.map(({ heading }) => escape(heading));
  const head = headings.map((heading) => `<th scope="col" role="columnheader">${heading}</th>`).join('');
  const rows = toRows(result, COLUMNS_OF_REPORT).map(([policy = '', ...cells]) => {
    const data = cells.map((cell, index) => `<td role="cell" data-label="${headings[index + 1] ?? ''}">${escape(cell)}</td>`);
    return `<tr role="row"><th scope="row" role="rowheader">${escape(policy)}</th>${data.join('')}</tr>`;
  });
  return `<table class="numbers" role="table"><thead role="rowgroup"><tr role="row">${head}</tr></thead><tbody role="rowgroup">${rows.join('\n')}</tbody></table>`;
}

/** The page of `--html`: what was simulated, and a laboratory that begins there. */
export function renderReport(result: SimulationResult, scenario: Scenario, script?: string): string {
  const warning = unlike(result);
  const report = `<section aria-labelledby="report-title">
<h2 id="report-title">What was simulated</h2>
<p>${escape(describeScenario(scenario))}. Seed ${result.seed}. All pictures have one linear scale.</p>
${warning === undefined ? '' : `<p class="notice">${escape(warning)}</p>`}
${cards(result, scenario)}
<h2>The numbers</h2>
${table(result)}
<p class="soft">Most requests after the outage: in 100 ms, once the service is back. 50, 95, 99% served: when that share of all calls had been served.
Back under capacity: from then on no second has more requests than the service can serve. Wait: how long served calls took. Wasted: requests served after their client had stopped waiting.</p>
<details><summary>The scenario: <code>axios-jitter simulate scenario.json</code></summary>
<pre tabindex="0" aria-label="The scenario as JSON">${escapeLines(toJson(scenario, 2))}</pre></details>
</section>
`;
  return renderPage('What a retry policy does to the service', toSetting(scenario), report, script);
}

/** The page of `lab`. */
export function renderLaboratory(scenario: Scenario, script?: string): string {
  return renderPage('A laboratory for retry policies', toSetting(scenario), '', script);
}
