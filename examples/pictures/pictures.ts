/** The pictures of the docs, and the table of the contention experiment: the same each time. */
import { CONTENTION_POLICIES, simulate, simulateContention, type ContentionPolicy, type ContentionResult } from 'axios-jitter/simulate';

import { drawChart } from '../../lib/chart/chart';
import { formatCount, formatTime } from '../../lib/chart/format';
import { drawLines } from './lines';

const CLIENT_COUNTS = [10, 20, 50, 100, 150, 200];

export function drawHerd(): string {
  const capacity = 500;
  const clients = 10_000;
  const { policies, bucket } = simulate({ clients, service: { capacity }, outage: { length: 10_000 }, policies: ['exponential', 'full'] });
  const titles = { exponential: 'Without jitter', full: 'With full jitter' } as Record<string, string>;
  const panels = policies.map(({ policy, requests, served, peakAfterOutage, timeTo }) => ({
    title: titles[policy] ?? policy,
    note: `after the outage at most ${formatCount(peakAfterOutage.requests)} at once; 99% served after ${formatTime(timeTo.p99)}`,
    requests,
    served,
  }));
  const heading = '10,000 clients, a service of 500 requests/s, an outage of 10 s';
  return drawChart(panels, { heading, clients, bucket, until: 60_000, limit: capacity / 10, outage: { start: 0, end: 10_000 }, height: 120 });
}

export type Contention = ReadonlyMap<ContentionPolicy, readonly ContentionResult[]>;

/** For each policy a result for each count of clients. */
export function runContention(counts: readonly number[] = CLIENT_COUNTS): Contention {
  return new Map(CONTENTION_POLICIES.map((policy) => [policy, counts.map((clients) => simulateContention({ clients, policy }))]));
}

export function drawContention(results: Contention): Readonly<Record<string, string>> {
  const lines = (of: 'calls' | 'time') =>
    [...results].map(([policy, values]) => ({ name: policy, points: values.map((value, index) => [CLIENT_COUNTS[index] as number, value[of]] as const) }));
  return {
    'contention-calls.svg': drawLines(lines('calls'), 'Calls until every client has written once', formatCount),
    'contention-time.svg': drawLines(lines('time'), 'Time until every client has written once', formatTime),
  };
}
