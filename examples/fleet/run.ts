/**
 * `npm run demo:fleet`: a quota that many processes share, first each call for itself, then 'all' in each process, then with a channel.
 * `npm run demo:fleet -- --svg fleet.svg` draws a picture, too; `--threads` takes threads and a BroadcastChannel in place of Redis.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { drawChart, type Panel } from '../../lib/chart/chart';
import { renderTable } from '../../lib/cli/table';
import { runCrew } from './crew';
import { startOwnRedis, type OwnRedis } from './redis';
import { startApi } from './server';
import { calls, every, quota, workers, type Mode } from './setting';

const BUCKET = 100;
const TITLES: Readonly<Record<Mode, string>> = { alone: 'not shared', all: "'all' in each process", channel: "'all' and a channel" };

interface Run {
  readonly title: string;
  readonly requests: readonly number[];
  readonly served: readonly number[];
  readonly failed: number;
  readonly endedAt: number;
}

async function run(mode: Mode, redisUrl: string | undefined): Promise<Run> {
  const api = await startApi();
  try {
    const failed = await runCrew({ mode, url: api.url, redisUrl }, () => api.begin());
    const { requests, served } = api;
    return { title: TITLES[mode], requests, served, failed, endedAt: Math.max(...requests) };
  } finally {
    api.close();
  }
}

function perBucket(times: readonly number[]): number[] {
  const counts = new Array<number>(Math.ceil((Math.max(0, ...times) + 1) / BUCKET)).fill(0);
  for (const time of times) counts[Math.floor(time / BUCKET)] = (counts[Math.floor(time / BUCKET)] ?? 0) + 1;
  return counts;
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const refusedOf = ({ requests, served }: Run): number => requests.length - served.length;

function draw(runs: readonly Run[], file: string): void {
  const panels: Panel[] = runs.map((one) => ({
    title: one.title,
    note: `${refusedOf(one)} refused, ${one.failed} failed, ended after ${seconds(one.endedAt)}`,
    requests: perBucket(one.requests),
    served: perBucket(one.served),
  }));
  const heading = `${workers} workers, one quota of ${quota.requests} requests per ${quota.window / 1_000} s`;
  const until = Math.ceil(Math.max(...runs.map(({ endedAt }) => endedAt)) / 1_000) * 1_000;
  const options = { clients: workers * calls, bucket: BUCKET, until, limit: (quota.requests / quota.window) * BUCKET, limitName: 'quota', outage: { start: 0, end: 0 } };
  writeFileSync(file, drawChart(panels, { heading, ...options }));
  console.log(`\nThe picture: ${file}`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { svg: { type: 'string' }, threads: { type: 'boolean' } } });
  const redis: OwnRedis | undefined = values.threads ? undefined : await startOwnRedis();
  const where = redis ? 'real processes, and a Redis of its own' : 'threads over a BroadcastChannel for want of Redis';
  console.log(`${workers} workers with ${calls} calls each, ${(workers * 1_000) / every} requests/s against a quota of ${(quota.requests * 1_000) / quota.window}.`);
  console.log(`The channel: ${where}.\n`);
  try {
    const runs: Run[] = [];
    for (const mode of ['alone', 'all', 'channel'] as const) runs.push(await run(mode, redis?.url));
    const rows = runs.map((one) => [one.title, String(one.requests.length), String(refusedOf(one)), String(one.failed), seconds(one.endedAt)]);
    console.log(renderTable(['Retry-After', 'requests', 'refused', 'failed', 'time to the end'], rows));
    if (values.svg !== undefined) draw(runs, values.svg);
  } finally {
    await redis?.stop();
  }
}

// Where the process ends before the table is there, somebody should hear of it.
const sayUnfinished = (): void => {
  process.exitCode = 1;
  console.error('The demo ended before its table was there.');
};
process.once('exit', sayUnfinished);
await main();
process.off('exit', sayUnfinished);
