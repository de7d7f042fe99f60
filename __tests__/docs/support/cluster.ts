// Three real workers with the recipe of docs/fleet.md. One is told to wait; each says what it then knows.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';

import axios, { AxiosError, type InternalAxiosRequestConfig } from 'axios';
import { attachRetry } from 'axios-jitter';

import { clusterChannel } from '../../../examples/fleet/cluster';

interface Said {
  readonly requests: number;
  readonly pauses: string[];
}

const isSaid = (message: unknown): message is Said => typeof message === 'object' && message !== null && 'pauses' in message;

/** One listener until it has come: on a busy machine it may arrive in the same turn as a note before it. */
function answerOf(worker: Worker, message: string): Promise<Said> {
  return new Promise((resolve) => {
    const listen = (said: unknown): void => {
      if (!isSaid(said)) return;
      worker.off('message', listen);
      resolve(said);
    };
    worker.on('message', listen).send(message);
  });
}

async function lead(): Promise<void> {
  const workers = [cluster.fork(), cluster.fork(), cluster.fork()];
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  const told = [await answerOf(workers[0] as Worker, 'call')];
  for (const worker of workers.slice(1)) told.push(await answerOf(worker, 'listen'));
  process.send?.({ requests: told.reduce((sum, { requests }) => sum + requests, 0), pauses: told.map(({ pauses }) => pauses) });
  workers.forEach((worker) => worker.kill());
  process.disconnect();
}

function work(): void {
  let requests = 0;
  const refuse = (config: InternalAxiosRequestConfig): Promise<never> => {
    requests++;
    const response = { status: 429, statusText: '', headers: { 'retry-after': '30' }, data: {}, config };
    return Promise.reject(new AxiosError('refused', 'ERR_BAD_REQUEST', config, {}, response as never));
  };
  const api = axios.create({ baseURL: 'http://api.test', adapter: refuse });
  const retry = attachRetry(api, { shareRetryAfter: 'all', retryAfterChannel: clusterChannel, totalTimeout: 1_000 });
  const known = (): string[] => retry.stats().pauses.map(({ origin }) => origin);
  process.on('message', (message) => {
    if (message === 'call') void api.get('/').catch(() => process.send?.({ requests, pauses: known() }));
    if (message !== 'listen') return;
    const timer = setInterval(() => {
      if (known().length === 0) return;
      clearInterval(timer);
      process.send?.({ requests, pauses: known() });
    }, 10);
  });
  process.send?.('ready');
}

if (cluster.isPrimary) void lead();
else work();
