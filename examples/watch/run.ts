// `npm run demo:watch`: calls to a server that fails for six seconds, their metrics on loopback, and a dashboard drawn
// from what was scraped there. `-- --out FILE` says where the picture goes.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import axios from 'axios';
import { attachRetry } from 'axios-jitter';
import { circuitBreaker } from 'axios-jitter/cockatiel';
import { prometheus } from 'axios-jitter/prometheus';
import { Registry } from 'prom-client';

import { drawDashboard, type Panel } from './draw';
import { parseMetrics, quantileOf, rateOf, sumOf, type Point, type Scrape } from './scrape';

const { values } = parseArgs({ options: { out: { type: 'string', default: 'reports/dashboard.svg' } } });

/** All in ms. */
const LENGTH = 20_000;
const OUTAGE = [5_000, 11_000] as const;
const BETWEEN_CALLS = 20;
const BETWEEN_SCRAPES = 250;

async function listen(listener: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const start = performance.now();
const elapsed = (): number => performance.now() - start;

const service = await listen((_, response) => {
  const isDown = elapsed() > OUTAGE[0] && elapsed() < OUTAGE[1];
  const isUnlucky = Math.random() < 0.08;
  setTimeout(() => response.writeHead(isDown || isUnlucky ? 503 : 200).end(), 5 + Math.random() * 20);
});

const registry = new Registry();
const api = axios.create({ baseURL: service.url, timeout: 1_000 });
attachRetry(api, {
  baseDelay: 300,
  budget: { capacity: 60 },
  circuitBreaker: circuitBreaker({ window: 2_000, minimumAttempts: 60, threshold: 0.9, breakDelay: 1_000, maxBreakDelay: 2_000 }),
  observers: [prometheus({ registry })],
});
const metrics = await listen((_, response) => {
  void registry.metrics().then((text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text));
});

console.log(`Metrics:  ${metrics.url}/metrics`);
console.log(`${1_000 / BETWEEN_CALLS} calls per second for ${LENGTH / 1_000} s; the server answers 503 from second ${OUTAGE[0] / 1_000} to ${OUTAGE[1] / 1_000},`);
console.log('and to 8% of the requests before and after.');

const scrapes: Scrape[] = [];
const calls: Promise<unknown>[] = [];
const callAll = async (): Promise<void> => {
  while (elapsed() < LENGTH) {
    calls.push(api.get('/orders').catch(() => undefined));
    await wait(BETWEEN_CALLS);
  }
};
const scrapeAll = async (): Promise<void> => {
  while (elapsed() < LENGTH) {
    const { data } = await axios.get<string>(`${metrics.url}/metrics`, { responseType: 'text' });
    scrapes.push({ at: elapsed() / 1_000, samples: parseMetrics(data) });
    await wait(BETWEEN_SCRAPES);
  }
};
await Promise.all([callAll(), scrapeAll()]);
await Promise.all(calls);

const count = (name: string, labels: Record<string, string> = {}) => (scrape: Scrape) => sumOf(scrape, `axios_jitter_${name}`, labels);
const now = (name: string, labels: Record<string, string> = {}): Point[] =>
  scrapes.filter(({ samples }) => samples.some((sample) => sample.name === `axios_jitter_${name}`)).map((scrape) => [scrape.at, count(name, labels)(scrape)]);
const rate = (name: string, labels: Record<string, string> = {}): Point[] => rateOf(scrapes, count(name, labels));
const perCall = rate('retries_total').map(([at, retries], index): Point => [at, retries / Math.max(1, rate('calls_total')[index]?.[1] ?? 1)]);
const percent = (value: number): string => `${Math.round(value * 100)}%`;
const plain = (value: number): string => String(Math.round(value * 100) / 100);

const panels: Panel[] = [
  { title: 'Retries per call', format: percent, lines: [{ name: '127.0.0.1', points: perCall }] },
  {
    title: 'Calls by outcome, per second',
    format: plain,
    lines: [
      { name: 'success at once', points: rate('calls_total', { axios_jitter_outcome: 'success', axios_jitter_retried: 'false' }) },
      { name: 'after a retry', points: rate('calls_total', { axios_jitter_outcome: 'success', axios_jitter_retried: 'true' }) },
      { name: 'failure', points: rate('calls_total', { axios_jitter_outcome: 'failure' }) },
    ],
  },
  {
    title: 'Calls given up, by reason, per second',
    format: plain,
    lines: ['budget', 'circuit-open', 'exhausted'].map((reason) => ({ name: reason, points: rate('give_ups_total', { axios_jitter_reason: reason }) })),
  },
  {
    title: 'Duration of calls, waits included',
    format: (value) => `${plain(value)} s`,
    lines: [
      { name: 'half of the calls', points: quantileOf(scrapes, 'axios_jitter_call_duration_seconds', 0.5) },
      { name: '95% of the calls', points: quantileOf(scrapes, 'axios_jitter_call_duration_seconds', 0.95) },
    ],
  },
  { title: 'Calls that wait', format: plain, lines: [{ name: 'waiting', points: now('call_waiting') }] },
  {
    title: 'Retry tokens left, circuits open',
    format: plain,
    lines: [
      { name: 'tokens', points: now('budget_tokens') },
      { name: 'open circuits', points: now('circuit_state', { axios_jitter_state: 'open' }) },
    ],
  },
];
const file = path.resolve(values.out);
mkdirSync(path.dirname(file), { recursive: true });
writeFileSync(file, drawDashboard(panels, [OUTAGE[0] / 1_000, OUTAGE[1] / 1_000], LENGTH / 1_000));

const last = scrapes.at(-1);
if (last) {
  console.log(`\ncalls ${count('calls_total')(last)}, retries ${count('retries_total')(last)}, given up ${count('give_ups_total')(last)}; the last scrape has ${last.samples.length} samples, e.g.`);
  for (const { name, labels, value } of last.samples.filter(({ name: own }) => /(retries|give_ups)_total$/.test(own))) {
    console.log(`  ${name}{${Object.entries(labels).map(([label, own]) => `${label}="${own}"`).join(',')}} ${value}`);
  }
}
console.log(`\nPicture:  ${path.relative('.', file)}`);
for (const { server } of [service, metrics]) {
  server.closeAllConnections();
  server.close();
}
