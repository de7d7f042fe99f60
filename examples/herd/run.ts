/** `npm run demo:herd`: an outage in reality and in the simulation, with a fixed delay and with full jitter, side by side. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { simulate, type PolicyResult } from 'axios-jitter/simulate';

import { drawChart, type Panel } from '../../lib/cli/chart';
import { formatCount, formatTime, sparkline, squeeze } from '../../lib/cli/format';
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
  peakAfter: 'most requests in 100 ms after the outage',
  amplification: 'requests per call',
  p99: 'time to 99 % served',
};

function figuresOf({ requests, retries, servedAt }: Reality): Figures {
  const total = requests.reduce((sum, count) => sum + count, 0);
  const after = requests.slice(Math.ceil(outage / 100));
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
    return [name, WORDS[figure], format(a), format(b), `${Math.round(difference * 100)} %`, `${TOLERANCE[figure] * 100} %`, verdict];
  });
}

function panel(title: string, counts: number[], { p99, amplification }: Figures, isHerd: boolean): Panel {
  return { title, note: `${formatCount(amplification)} requests a call, 99 % served: ${formatTime(p99)}`, counts, isHerd };
}

async function main(): Promise<void> {
  const rows: string[][] = [];
  const panels: Panel[] = [];
  for (const [name, policy] of Object.entries(policies)) {
    console.log(`${name}: ${clients} axios clients, an outage of ${formatTime(outage)} ...`);
    const real = await runForReal(policy);
    const { policies: results } = simulate({
      clients, service, timeout, horizon: limit, outage: { length: outage }, network, policies: { [name]: policy },
    });
    const [model] = results as [PolicyResult];
    const isHerd = policy.jitter === 'none';
    rows.push(...compare(name, figuresOf(real), simulated(model)));
    panels.push(panel(`${name}, real`, real.requests, figuresOf(real), isHerd), panel(`${name}, simulated`, model.requests, simulated(model), isHerd));
  }
  const highest = Math.max(...panels.flatMap(({ counts }) => counts));
  console.log(`\nRequests per 100 ms as the server sees them (${highest} at the top):`);
  const longest = Math.max(...panels.map(({ counts }) => counts.length));
  for (const { title, counts } of panels) {
    const padded = Array.from({ length: longest }, (_, index) => counts[index] ?? 0);
    console.log(`${title.padEnd(17)} ${sparkline(squeeze(padded, 60), highest)}`);
  }
  console.log(`\n${renderTable(['policy', 'figure', 'real', 'simulated', 'difference', 'tolerance', 'within'], rows, [0, 1])}`);
  const heading = `Requests per 100 ms: ${clients} axios clients, a service of ${service.capacity} requests/s`;
  const file = path.join(import.meta.dirname, 'herd.svg');
  const until = Math.ceil(longest / 10) * 1_000;
  writeFileSync(file, drawChart(panels, { heading, bucket: 100, until, limit: service.capacity / 10, outage: { start: 0, end: outage }, scale: 'log' }));
  console.log(`\nThe picture: ${path.relative(process.cwd(), file)}`);
}

await main();
