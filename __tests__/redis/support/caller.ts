// A process that calls with channels of both clients while something happens to Redis, and says how each call went.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import axios, { AxiosError, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import { attachRetry, getRetryReport, type RetryAfterChannel } from 'axios-jitter';
import { redisChannel } from 'axios-jitter/redis';

import { clients, type OpenClient } from './clients';

export interface Told {
  /** How the calls went without a channel, and with one of each client. */
  readonly calls: Readonly<Record<string, readonly string[]>>;
  /** What was told of Redis, by client. */
  readonly errors: Readonly<Record<string, number>>;
  readonly unhandled: readonly string[];
  /** In bytes, over what all the calls and notes have left. */
  readonly growth: number;
}

const CALLS = 200;
/** What the service answers to the attempts of the n-th call. */
const ANSWERS = [[200], [429, 200], [503, 503, 200], [404], [429, 429, 429, 429], [429, 503, 200]];

function answer(status: number, config: InternalAxiosRequestConfig): Promise<AxiosResponse> {
  const headers = { 'retry-after-ms': status === 429 ? '40' : undefined };
  const response = { status, statusText: '', headers, data: {}, config } as unknown as AxiosResponse;
  return status < 400 ? Promise.resolve(response) : Promise.reject(new AxiosError(`status ${status}`, 'ERR', config, {}, response));
}

/** What can be compared of two runs: how each call ended, and each of its attempts. */
async function callAll(retryAfterChannel: RetryAfterChannel | undefined): Promise<string[]> {
  let chance = 1;
  const random = (): number => (chance = (chance * 48_271) % 2_147_483_647) / 2_147_483_647;
  const api = axios.create({ baseURL: 'http://api.test' });
  attachRetry(api, {
    shareRetryAfter: 'all', retryAfterChannel, budget: false, random,
    // A turn of the event loop, in which Redis may come in between.
    sleep: () => sleep(0),
  });
  const calls: string[] = [];
  for (let call = 0; call < CALLS; call++) {
    const answers = [...(ANSWERS[call % ANSWERS.length] ?? [])];
    const adapter = (config: InternalAxiosRequestConfig): Promise<AxiosResponse> => answer(answers.shift() ?? 200, config);
    const outcome: unknown = await api.get(`/${call}`, { adapter }).catch((error: unknown) => error);
    const { response = outcome as AxiosResponse } = outcome as { response?: AxiosResponse };
    const { attempts, reason, history } = getRetryReport(outcome) ?? {};
    calls.push(JSON.stringify([response.status, attempts, reason, history?.map(({ kind, status }) => [kind, status])]));
  }
  return calls;
}

async function main(port: number, names: readonly string[]): Promise<Told> {
  const unhandled: string[] = [];
  process.on('unhandledRejection', (reason) => unhandled.push(String(reason)));
  const errors: Record<string, number> = {};
  const open = names.map((name) => ({ name, client: (clients[name] as (port: number) => OpenClient)(port) }));
  await Promise.race([Promise.allSettled(open.map(({ client }) => client.connect())), sleep(1_000)]);
  const channels = open.map(({ name, client }) => ({
    name,
    channel: redisChannel(client.client, 'payments', { onError: () => void (errors[name] = (errors[name] ?? 0) + 1) }),
  }));
  const listening = channels.map(({ channel }) => channel.addEventListener('message', () => undefined));
  await sleep(300);
  process.send?.(`listening ${listening.length}`);
  await once(process, 'message');
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const calls: Record<string, string[]> = { 'no channel': await callAll(undefined) };
  for (const { name, channel } of channels) calls[name] = await callAll(channel);
  globalThis.gc?.();
  const growth = process.memoryUsage().heapUsed - before;
  // The user's own clients are the user's to close; nothing is detached.
  open.forEach(({ client }) => client.end());
  return { calls, errors, unhandled, growth };
}

const [port, ...names] = process.argv.slice(2);
void main(Number(port), names).then((told) => process.send?.(told, () => process.disconnect()));
