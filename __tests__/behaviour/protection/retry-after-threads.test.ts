// A Retry-After that worker threads hear: real threads, each with the plugin bundled from its sources.
import { once } from 'node:events';
import path from 'node:path';
import { BroadcastChannel, MessageChannel, Worker, type MessagePort, type WorkerOptions } from 'node:worker_threads';
import { buildSync } from 'esbuild';
import { attachRetry, type RetryOptions } from '../../../lib/index';
import axios from '../../helpers/axios';
import { rejectionOf } from '../../helpers/instant';
import { answers, startService } from '../../helpers/local-service';

const root = path.resolve(__dirname, '../../..');

/** Attaches to the channel that it is given, calls the URL once it has heard something, and tells what it waited. */
const program = `
  import { BroadcastChannel, workerData } from 'node:worker_threads';
  import axios from 'axios';
  import { attachRetry } from ${JSON.stringify(path.join(root, 'lib/index.ts'))};
  const { name, port, url, answerTo } = workerData;
  const waits = [];
  const channel = port ?? new BroadcastChannel(name).unref();
  const api = axios.create();
  const retry = attachRetry(api, {
    shareRetryAfter: 'all', retryAfterChannel: channel, now: () => 0, random: () => 0.5,
    sleep: (ms) => (waits.push(ms), Promise.resolve()),
  });
  answerTo.postMessage('ready');
  (async () => {
    while (url && retry.stats().pauses.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    if (url) answerTo.postMessage({ status: (await api.get(url)).status, pauses: retry.stats().pauses, waits });
    port?.close();
    answerTo.close();
  })();
`;
const bundle = (): string => {
  const stdin = { contents: program, resolveDir: root, loader: 'ts' as const };
  const { outputFiles } = buildSync({ stdin, bundle: true, write: false, format: 'cjs', platform: 'node', packages: 'external', tsconfigRaw: '{}' });
  return outputFiles[0]?.text ?? '';
};

let code: string;
beforeAll(() => {
  code = bundle();
});

interface Thread {
  readonly worker: Worker;
  /** Its exit code. Asked for before it can have ended. */
  readonly exited: Promise<unknown[]>;
  /** The next thing that it tells. */
  told(): Promise<unknown>;
}
async function start(workerData: { name?: string; port?: MessagePort; url?: string }): Promise<Thread> {
  const { port1, port2 } = new MessageChannel();
  const transferList: WorkerOptions['transferList'] = workerData.port ? [port2, workerData.port] : [port2];
  const worker = new Worker(code, { eval: true, workerData: { ...workerData, answerTo: port2 }, transferList });
  const exited = once(worker, 'exit');
  const told = async (): Promise<unknown> => ((await once(port1, 'message')) as unknown[])[0];
  expect(await told()).toBe('ready');
  return { worker, exited, told };
}

const channelName = (): string => `axios-jitter-threads-${process.pid}-${Math.random()}`;

async function tellFrom(retryAfterChannel: RetryOptions['retryAfterChannel'], url: string): Promise<void> {
  const api = axios.create();
  const { detach } = attachRetry(api, { shareRetryAfter: 'all', retries: 0, retryAfterChannel });
  await rejectionOf(api.get(url));
  detach();
}

it('threads that share a BroadcastChannel wait for what another one was told', async () => {
  const name = channelName();
  const channel = new BroadcastChannel(name);
  const service = await startService(answers([429, { 'retry-after': '5' }], 200));
  const threads = await Promise.all([1, 2].map(() => start({ name, url: service.url })));
  const told = Promise.all(threads.map(({ told }) => told()));
  const exited = Promise.all(threads.map((thread) => thread.exited));
  await tellFrom(channel, service.url);
  const heard = { status: 200, pauses: [{ origin: service.url, timeLeft: 5_000 }], waits: [6_250] };
  expect(await told).toEqual([heard, heard]);
  channel.close();
  expect(await exited).toEqual([[0], [0]]);
});

it('a thread that has a MessagePort waits for what its parent was told', async () => {
  const { port1, port2 } = new MessageChannel();
  const service = await startService(answers([429, { 'retry-after': '5' }], 200));
  const thread = await start({ port: port2, url: service.url });
  const told = thread.told();
  await tellFrom(port1, service.url);
  expect(await told).toEqual({ status: 200, pauses: [{ origin: service.url, timeLeft: 5_000 }], waits: [6_250] });
  expect(await thread.exited).toEqual([0]);
  port1.close();
});

it('the parent waits for what a thread was told', async () => {
  const { port1, port2 } = new MessageChannel();
  const service = await startService(answers([429, { 'retry-after': '5' }], [429, { 'retry-after': '5' }], 200));
  const thread = await start({ port: port2, url: service.url });
  const api = axios.create();
  const { stats, detach } = attachRetry(api, { shareRetryAfter: 'all', retryAfterChannel: port1, now: () => 0 });
  const told = thread.told();
  // The thread sends when it has heard of anything: then it is refused itself, for longer.
  port1.postMessage({ 'axios-jitter': 1, origin: service.url, retryAfter: 1_000 });
  await told;
  while (stats().pauses.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(stats().pauses).toEqual([{ origin: service.url, timeLeft: 5_000 }]);
  detach();
  port1.close();
});

it("a thread that is attached to an unref'd channel ends when its work is done", async () => {
  const thread = await start({ name: channelName() });
  expect(await thread.exited).toEqual([0]);
});
