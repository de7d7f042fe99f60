/** A service in its own process that collapses above its capacity: turning requests away keeps it from serving others. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { attemptHeader, outage, service, timeout } from './setting';

/** Requests per 100 ms since the first one. */
export interface Counts {
  requests: number[];
  retries: number[];
}

const work = 1_000 / service.capacity;
const counts: Counts = { requests: [], retries: [] };
let startedAt: number | undefined;
let inHand = 0;
let busyUntil = 0;

function count(series: number[], now: number): void {
  const tick = Math.floor((now - (startedAt ?? now)) / 100);
  while (series.length <= tick) series.push(0);
  series[tick] = (series[tick] ?? 0) + 1;
}

function answerAt(response: ServerResponse, status: number, at: number, now: number): void {
  setTimeout(() => {
    if (status === 200) inHand--;
    response.writeHead(status).end();
  }, Math.max(0, at - now));
}

function handle(response: ServerResponse, now: number): void {
  if (now - (startedAt ?? now) < outage) return answerAt(response, 503, now, now);
  const share = inHand < service.concurrency ? 1 : service.rejectCost;
  // Where even a refusal would come too late there is none.
  if (share < 1 && busyUntil - now > timeout) return;
  busyUntil = Math.max(now, busyUntil) + share * work;
  if (share < 1) return answerAt(response, 503, busyUntil, now);
  inHand++;
  answerAt(response, 200, Math.max(now + service.latency, busyUntil), now);
}

const server = createServer((request, response) => {
  if (request.url === '/warm-up') {
    response.writeHead(204).end();
    return;
  }
  const now = performance.now();
  startedAt ??= now;
  count(counts.requests, now);
  if (request.headers[attemptHeader] !== undefined) count(counts.retries, now);
  handle(response, now);
});
server.keepAliveTimeout = 60_000;
server.listen({ host: '127.0.0.1', port: 0, backlog: 1_024 }, () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('message', () => process.send?.({ counts }, () => process.exit(0)));
process.on('disconnect', () => process.exit(0));
