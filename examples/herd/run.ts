/**
 * `npm run demo:herd`: an outage in reality and in the simulation, with a fixed delay and with full jitter, side by side.
 * `npm run demo:herd -- --svg herd.svg` draws a picture, too.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';

import { simulate, type PolicyResult } from 'axios-jitter/simulate';

import { drawChart, type Panel } from '../../lib/chart/chart';
import { formatCount, formatTime, sparkline } from '../../lib/chart/format';
import { padded, squeeze } from '../../lib/chart/plot';
import { renderTable } from '../../lib/cli/table';
import { runForReal, type Reality } from './reality';
import { clients, limit, network, outage, policies, service, timeout } from './setting';

interface Figures {
  peak: number;
  peakAfter: number;
  amplification: number;
  p99: number | undefined;
}

/** How far reality may be from the simulation, as a share of the larger of the two. */
const TOLERANCE: Readonly<Record<keyof Figures, number>> = { peak: 0.4, peakAfter: 0.4, amplification: 0.2, p99: 0.2 };
const WORDS: Readonly<Record<keyof Figures, string>> = {
  peak: 'most retries in 100 ms',
  peakAfter: 'most after the outage',
  amplification: 'requests per call',
  p99: 'time to 99% served',
};
const HEADINGS = ['policy', 'figure', 'real', 'simulated', 'difference', 'allowed', 'within'];
const TICK = 100;
const SPARK = 60;

function figuresOf({ requests, retries, servedAt }: Reality): Figures {
  const total = requests.reduce((sum, count) => sum + count, 0);
  const after = requests.slice(Math.ceil(outage / TICK));
  return { peak: Math.max(...retries), peakAfter: Math.max(...after), amplification: total / clients, p99: servedAt[Math.ceil(clients * 0.99) - 1] };
}

function simulated({ peak, peakAfterOutage, amplification, timeTo }: PolicyResult): Figures {
  return { peak: peak.requests, peakAfter: peakAfterOutage.requests, amplification, p99: timeTo.p99 };
}

function compare(name: string, real: Figures, model: Figures): string[][] {
  return (Object.keys(WORDS) as (keyof Figures)[]).map((figure) => {
    const [a, b] = [real[figure] ?? Infinity, model[figure] ?? Infinity];
    const difference = a === b ? 0 : Math.abs(a - b) / Math.max(a, b);
    const format = figure === 'p99' ? formatTime : formatCount;
    const verdict = difference <= TOLERANCE[figure] ? 'yes' : 'NO';
    return [name, WORDS[figure], format(a), format(b), `${Math.round(difference * 100)}%`, `${TOLERANCE[figure] * 100}%`, verdict];
  });
}

function countPerTick(times: readonly number[]): number[] {
  const counts = padded([], Math.ceil(((times.at(-1) ?? 0) + 1) / TICK));
  for (const time of times) counts[Math.floor(time / TICK)] = (counts[Math.floor(time / TICK)] ?? 0) + 1;
  return counts;
}

function panel(title: string, { p99, amplification }: Figures, requests: readonly number[], served: readonly number[]): Panel {
  return { title, note: `${formatCount(amplification)} requests per call, 99% served: ${formatTime(p99)}`, requests, served };
}

function simulateOnce(name: string): PolicyResult {
  const policy = policies[name as keyof typeof policies];
  const { policies: results } = simulate({ clients, service, timeout, horizon: limit, outage: { length: outage }, network, policies: { [name]: policy } });
  return results[0] as PolicyResult;
}

function showSparks(panels: readonly Panel[]): void {
  const longest = Math.max(...panels.map(({ requests }) => requests.length));
  const columns = panels.map(({ requests }) => squeeze(padded(requests, longest), SPARK));
  const highest = Math.max(...columns.flat());
  console.log(`\nRequests per ${TICK} ms as the server sees them, ${highest} at the top:`);
  panels.forEach(({ title }, index) => console.log(`${title.padEnd(18)}${sparkline(columns[index] ?? [], highest)}`.trimEnd()));
}

function draw(panels: readonly Panel[], file: string): void {
  const heading = `${clients} axios clients, a service of ${service.capacity} requests/s`;
  const until = Math.ceil(Math.max(...panels.map(({ requests }) => requests.length)) / 10) * 1_000;
  const options = { clients, bucket: TICK, until, limit: service.capacity / 10, outage: { start: 0, end: outage } };
  writeFileSync(file, drawChart(panels, { heading, ...options }));
  console.log(`\nThe picture: ${file}`);
}

function warnIfBusy(): void {
  const [load = 0] = loadavg();
  console.log(`This needs a quiet machine: ${clients} clients and a server in real time, for up to ${(2 * limit) / 1_000} s.`);
  if (load > availableParallelism() / 4) {
    console.log(`It is busy now (load ${load.toFixed(1)} on ${availableParallelism()} CPUs): some figures may be out of bounds.`);
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { svg: { type: 'string' } } });
  warnIfBusy();
  const rows: string[][] = [];
  const panels: Panel[] = [];
  for (const [name, policy] of Object.entries(policies)) {
    console.log(`${name}: ${clients} axios clients, an outage of ${formatTime(outage)} ...`);
    const real = await runForReal(policy);
    const model = simulateOnce(name);
    rows.push(...compare(name, figuresOf(real), simulated(model)));
    panels.push(panel(`${name}, real`, figuresOf(real), real.requests, countPerTick(real.servedAt)));
    panels.push(panel(`${name}, simulated`, simulated(model), model.requests, model.served));
  }
  showSparks(panels);
  console.log(`\n${renderTable(HEADINGS, rows, [0, 1])}`);
  if (values.svg !== undefined) draw(panels, values.svg);
}

await main();
