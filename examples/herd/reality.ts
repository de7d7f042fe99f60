/** One policy in reality: real axios clients against the server, over loopback. */
import { fork, type ChildProcess } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import { Agent } from 'node:http';
import path from 'node:path';

import axios from 'axios';
import { attachRetry, type RetryOptions } from 'axios-jitter';

import type { Counts } from './server';
import { attemptHeader, clients, limit, timeout } from './setting';

export interface Reality extends Counts {
  /** When each call was served, in ms, in order. */
  servedAt: number[];
}

async function ask<T>(server: ChildProcess): Promise<T> {
  const [answer] = await once(server, 'message');
  return answer as T;
}

/** @throws if the server does not start. */
export async function runForReal(policy: RetryOptions): Promise<Reality> {
  const server = fork(path.join(import.meta.dirname, 'server.ts'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const { port } = await ask<{ port: number }>(server);
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  const api = axios.create({ baseURL: `http://127.0.0.1:${port}`, timeout, httpAgent: agent, proxy: false });
  const retry = attachRetry(api, { ...policy, attemptHeader });
  const servedAt: number[] = [];
  // Connections and compiled code first: a crowd that is still getting dressed is no crowd.
  for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: clients }, () => api.get('/warm-up', { timeout: 0 })));
  const end = new AbortController();
  setMaxListeners(0, end.signal);
  const timer = setTimeout(() => end.abort(), limit);
  const startedAt = performance.now();
  const calls = Array.from({ length: clients }, async () => {
    await api.get('/', { signal: end.signal });
    servedAt.push(performance.now() - startedAt);
  });
  await Promise.allSettled(calls);
  clearTimeout(timer);
  retry.detach();
  server.send('report');
  const { counts } = await ask<{ counts: Counts }>(server);
  agent.destroy();
  return { ...counts, servedAt };
}
