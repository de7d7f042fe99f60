/** Draws the README's pictures from the simulator: `npm run pictures`. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { CONTENTION_POLICIES, simulate, simulateContention, type ContentionPolicy } from 'axios-jitter/simulate';

import { drawChart } from '../../lib/chart/chart';
import { formatCount, formatTime } from '../../lib/chart/format';
import { drawLines } from './lines';

const clientCounts = [10, 20, 50, 100, 150, 200];

function save(name: string, svg: string): void {
  writeFileSync(path.join(import.meta.dirname, name), svg);
  console.log(`${name}: ${svg.length} bytes`);
}

function drawHerd(): void {
  const capacity = 500;
  const { policies, bucket } = simulate({
    clients: 10_000,
    service: { capacity },
    outage: { length: 10_000 },
    policies: ['exponential', 'full'],
  });
  const titles = { exponential: 'Without jitter', full: 'With full jitter' } as Record<string, string>;
  const panels = policies.map(({ policy, requests, served, peakAfterOutage, timeTo }) => ({
    title: titles[policy] ?? policy,
    note: `after the outage at most ${formatCount(peakAfterOutage.requests)} at once; 99% served after ${formatTime(timeTo.p99)}`,
    requests,
    served,
  }));
  const outage = { start: 0, end: 10_000 };
  const heading = '10,000 clients, a service of 500 requests/s, an outage of 10 s';
  save('herd.svg', drawChart(panels, { heading, clients: 10_000, bucket, until: 60_000, limit: capacity / 10, outage, height: 120 }));
}

function drawContention(): void {
  const results = new Map<ContentionPolicy, { calls: number; time: number }[]>(
    CONTENTION_POLICIES.map((policy) => [policy, clientCounts.map((clients) => simulateContention({ clients, policy }))]),
  );
  const lines = (of: 'calls' | 'time') =>
    [...results].map(([policy, values]) => ({ name: policy, points: values.map((value, index) => [clientCounts[index] as number, value[of]] as const) }));
  save('contention-calls.svg', drawLines(lines('calls'), 'Calls until every client has written once', formatCount));
  save('contention-time.svg', drawLines(lines('time'), 'Time until every client has written once', formatTime));
  console.log(`\n| clients | ${CONTENTION_POLICIES.join(' | ')} |\n| ---: | ${CONTENTION_POLICIES.map(() => '---:').join(' | ')} |`);
  clientCounts.forEach((clients, index) => {
    const cells = CONTENTION_POLICIES.map((policy) => results.get(policy)?.[index] ?? { calls: 0, time: 0 });
    console.log(`| ${clients} | ${cells.map(({ calls, time }) => `${formatCount(calls)}, ${formatTime(time)}`).join(' | ')} |`);
  });
}

drawHerd();
drawContention();
