/** What the laboratory answers, as HTML: figures side by side, pictures, and what to take along. */
import type { PolicyResult, Scenario, SimulationResult } from '../simulate';
import { formatCount, formatLimit, formatShare, formatTime } from '../chart/format';
import { drawLoad, drawShare, MARGIN, servedShare, type Frame } from '../chart/plot';
import { highestOf } from '../chart/chart';
import { escape, escapeLines } from '../chart/style';
import { shownUntil } from '../chart/axis';

const COLOURS = ['one', 'two'] as const;
const HEIGHT = 150;
// Beside the table of figures.
const SHARE_HEIGHT = 210;

type Row = readonly [label: string, hint: string, cell: (result: PolicyResult) => string];

const rowsFor = (clients: number): readonly Row[] => [
  ['served', 'of all calls', ({ successes }) => formatShare(successes / clients)],
  ['requests per call', '1 would do', ({ amplification }) => formatCount(amplification)],
  ['most requests in 100 ms', 'after the outage', ({ peakAfterOutage }) => formatCount(peakAfterOutage.requests)],
  ['half served', 'by when', ({ timeTo }) => formatTime(timeTo.p50)],
  ['99% served', 'by when', ({ timeTo }) => formatTime(timeTo.p99)],
  ['wait of a served call', '99th percentile', ({ waits }) => formatTime(waits.p99)],
  ['given up', 'calls', ({ gaveUp, unfinished }) => formatCount(Object.values(gaveUp).reduce((sum, count) => sum + count, 0) + unfinished)],
  ['retries', 'at most, per call', ({ maxRetries }) => formatLimit(maxRetries)],
];

const swatch = (colour: string): string => `<svg class="swatch" viewBox="0 0 22 10" aria-hidden="true"><path class="share ${colour}" d="M1 5H21"/></svg>`;

function figures({ policies, clients }: SimulationResult): string {
  const head = policies.map(({ policy }, index) => `<th scope="col">${swatch(COLOURS[index] ?? 'one')} ${escape(policy)}</th>`);
  const rows = rowsFor(clients).map(
    ([label, hint, cell]) => `<tr><th scope="row">${label} <span class="soft">${hint}</span></th>${policies.map((each) => `<td>${cell(each)}</td>`).join('')}</tr>`,
  );
  return `<table class="figures"><thead><tr><td></td>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function svg(content: string, { width, height: plot }: Frame, label: string): string {
  const height = plot + MARGIN.top + MARGIN.bottom;
  return `<svg viewBox="0 0 ${width + MARGIN.left + MARGIN.right} ${height}" role="img" aria-label="${escape(label)}"><g transform="translate(${MARGIN.left} ${MARGIN.top})">${content}</g></svg>`;
}

/** The share served, and the requests of each. */
function pictures({ result, scenario, width }: Experiment): readonly [share: string, loads: string] {
  const { policies, clients, bucket } = result;
  const until = shownUntil(result, scenario);
  const { start = 0, length } = scenario.outage ?? { length: 0 };
  const frame: Frame = { width: width - MARGIN.left - MARGIN.right, height: HEIGHT, until, outage: { start, end: start + length } };
  const highest = highestOf(policies, until, bucket);
  const limit = (scenario.service.capacity * bucket) / 1_000;
  const figure = (title: string, content: string): string => `<figure><figcaption>${title}</figcaption>${content}</figure>`;
  const loads = policies.map((each, index) => {
    const colour = COLOURS[index] ?? 'one';
    const content = drawLoad({ counts: each.requests, bucket, highest, limit, colour }, frame);
    const label = `Requests per ${bucket} ms of ${each.policy}: ${formatCount(each.amplification)} per call, at most ${formatCount(each.peakAfterOutage.requests)} after the outage.`;
    return figure(`${swatch(colour)} <b>${escape(each.policy)}</b>: requests per ${bucket} ms`, svg(content, frame, label));
  });
  const lines = policies.map(({ served }, index) => ({ shares: servedShare(served, clients, Math.ceil(until / bucket)), colour: COLOURS[index] ?? 'one' }));
  const label = policies.map(({ policy, successes }) => `${policy}: ${formatShare(successes / clients)}`).join(', ');
  const tall = { ...frame, height: SHARE_HEIGHT };
  const share = figure('Share of the calls served', svg(drawShare(lines, tall), tall, `Share of the calls served, in the end: ${label}.`));
  return [share, loads.join('')];
}

/** Unlike policies are said to be unlike. */
function unlike({ policies }: SimulationResult): string {
  const limits = new Set(policies.map(({ maxRetries }) => maxRetries));
  return limits.size > 1 && limits.has(Infinity) ? '<p class="notice">Not comparable as they are: one of the two stops after so many retries, the other keeps trying.</p>' : '';
}

function notes({ policies }: SimulationResult): string {
  const cut = policies.filter(({ truncated }) => truncated).map(({ policy }) => escape(policy));
  return cut.length > 0 ? `<p class="notice">${cut.join(' and ')}: cut off before every call had its answer.</p>` : '';
}

/** JavaScript as people write it. */
function toCode(options: object): string {
  const entries = Object.entries(options).map(([name, value]) => {
    const text = typeof value === 'object' && value !== null ? `{ ${toCode(value as object)} }` : typeof value === 'string' ? `'${value}'` : String(value);
    return `${name}: ${text}`;
  });
  return entries.join(', ');
}

export interface Experiment {
  readonly result: SimulationResult;
  readonly scenario: Scenario;
  readonly options: object;
  /** Of a picture, in px. */
  readonly width: number;
}

/** The policy as code, to take along. */
export function toCall(options: object): string {
  const code = toCode(options);
  return code === '' ? 'attachRetry(api);' : `attachRetry(api, { ${code} });`;
}

export function renderAnswer(experiment: Experiment): string {
  const { result, options } = experiment;
  const [share, loads] = pictures(experiment);
  return `<div class="pair">${figures(result)}${share}</div>${unlike(result)}${notes(result)}<div class="pair">${loads}</div>
<h3>Your policy as code</h3>
<pre tabindex="0" aria-label="Your policy as code">${escapeLines(toCall(options))}</pre>`;
}

/** One sentence for those who hear it. */
export function summarize({ policies, clients }: SimulationResult): string {
  const parts = policies.map(({ policy, successes, amplification }) => `${policy}: ${formatShare(successes / clients)} served, ${formatCount(amplification)} requests per call`);
  return `${parts.join('; ')}.`;
}
