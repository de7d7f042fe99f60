/** One worker: a process, or a thread where there is no Redis. Told what to do, it says when it is ready, and in the end what failed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, BroadcastChannel } from 'node:worker_threads';

import axios from 'axios';
import { attachRetry, type RetryAfterChannel, type RetryOptions } from 'axios-jitter';
import { redisChannel } from 'axios-jitter/redis';
import { createClient } from 'redis';

import { calls, every, timeout, type Done, type Task } from './setting';

const hear = (listener: (message: unknown) => void): unknown => parentPort?.on('message', listener) ?? process.on('message', listener);
const tell = (message: 'ready' | Done): unknown => (parentPort ? parentPort.postMessage(message) : process.send?.(message));

async function channelOf(redisUrl: string | undefined): Promise<{ channel: RetryAfterChannel; close(): void }> {
  if (redisUrl === undefined) {
    const channel = new BroadcastChannel('payments');
    return { channel, close: () => channel.close() };
  }
  const client = createClient({ url: redisUrl });
  client.on('error', (error) => console.error(error));
  await client.connect();
  return { channel: redisChannel(client, 'payments'), close: () => client.destroy() };
}

async function work({ mode, url, redisUrl }: Task): Promise<void> {
  const shared = mode === 'channel' ? await channelOf(redisUrl) : undefined;
  const share: RetryOptions = mode === 'alone' ? {} : { shareRetryAfter: 'all' };
  const api = axios.create({ baseURL: url, timeout });
  const retry = attachRetry(api, { ...share, retryAfterChannel: shared?.channel });
  const gone = new Promise<void>((resolve) => void hear((message) => message === 'go' && resolve()));
  // A moment for the channel to stand.
  await sleep(300);
  tell('ready');
  await gone;
  const offset = Math.random() * every;
  const ends = await Promise.allSettled(Array.from({ length: calls }, async (_, index) => {
    await sleep(offset + index * every);
    await api.get('/');
  }));
  retry.detach();
  shared?.close();
  tell({ failed: ends.filter(({ status }) => status === 'rejected').length });
  parentPort?.close();
  if (!parentPort) process.disconnect();
}

hear((message) => {
  if (typeof message === 'object') void work(message as Task);
});
