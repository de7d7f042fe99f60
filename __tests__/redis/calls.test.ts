// Calls while something happens to Redis: none differs from one without a channel, and the process ends.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import axios from 'axios';

import { attachRetry } from 'axios-jitter';
import { redisChannel } from 'axios-jitter/redis';

import { clients } from './support/clients';
import type { Told } from './support/caller';
import { note, until } from './support/listener';
import { startRedis, type RedisServer } from './support/redis-server';

const KEY = 'axios-jitter:payments';
let server: RedisServer;
beforeEach(async () => void (server = await startRedis()));
afterEach(() => server.stop());

const garbage = ['', '{', '[]', 'null', '7', '"text"', '{"axios-jitter":2}', '{"axios-jitter":1,"origin":5,"retryAfter":1}',
  JSON.stringify(note('http://api.test', -1)), JSON.stringify({ ...note('http://api.test'), retryAfter: 'x' }), JSON.stringify(note('x'.repeat(5_000)))];

/** Before the process starts, and once it listens. */
interface Disturbance {
  readonly before?: () => unknown;
  readonly then?: () => unknown;
}
const disturbances: Readonly<Record<string, Disturbance>> = {
  'as it should be, but with another origin in every note': { then: () => server.ask('PUBLISH', KEY, JSON.stringify(note('http://other.test'))) },
  'never there': { before: () => server.kill() },
  'killed in the middle': { then: () => void setTimeout(() => void server.kill(), 30) },
  frozen: { then: () => server.freeze() },
  'frozen before it starts': { before: () => server.freeze() },
  slow: { then: () => server.ask('CLIENT', 'PAUSE', '3000', 'ALL') },
  'answering WRONGTYPE': { before: () => server.ask('RPUSH', KEY, 'a list') },
  'flooded with notes': { then: () => server.flood(KEY, Array.from({ length: 10_000 }, (_, index) => JSON.stringify(note(`http://${index}.test`)))) },
  'flooded with garbage': { then: () => server.flood(KEY, Array.from({ length: 10_000 }, (_, index) => garbage[index % garbage.length] ?? '')) },
};

async function callWhile({ before, then }: Disturbance): Promise<Told & { code: number | null; signal: string | null }> {
  await before?.();
  const { FORCE_COLOR: _, ...env } = process.env;
  const root = path.resolve(__dirname, '../..');
  const child = fork(path.join(__dirname, 'support/caller.ts'), [String(server.port), 'redis', 'ioredis'], {
    cwd: root, env, execArgv: ['--expose-gc', '--import', 'tsx'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
  await once(child, 'message');
  await then?.();
  child.send('go');
  const [told] = (await once(child, 'message')) as [Told];
  // It has nothing more to do.
  const limit = setTimeout(() => child.kill('SIGKILL'), 30_000);
  const [code, signal] = await exit;
  clearTimeout(limit);
  return { ...told, code, signal };
}

describe.each(Object.entries(disturbances))('with Redis %s', (_, disturbance) => {
  it('no call differs, nothing is unhandled, the memory is flat and the process ends', async () => {
    const { calls, errors, unhandled, growth, code, signal } = await callWhile(disturbance);
    const without = calls['no channel'];
    expect(without).toHaveLength(200);
    const differing = ['redis', 'ioredis'].map((name) => calls[name]?.findIndex((call, index) => call !== without?.[index]));
    expect(differing).toEqual([-1, -1]);
    expect([unhandled, code, signal]).toEqual([[], 0, null]);
    expect(growth).toBeLessThan(15e6);
    expect(Object.values(errors).every((count) => count <= 2)).toBe(true);
  }, 120_000);
});

describe.each(Object.keys(clients))('a pause with %s', (name) => {
  const ends: (() => unknown)[] = [];
  afterEach(() => ends.splice(0).forEach((end) => end()));

  async function attach(tenant: string, status: number) {
    const client = clients[name]?.(server.port);
    if (!client) throw new Error(`no client ${name}`);
    await client.connect();
    const waits: number[] = [];
    const answer = { status, statusText: '', headers: { 'retry-after': '50' }, data: {} };
    const api = axios.create({
      baseURL: 'http://api.test',
      adapter: (config) => Promise.resolve({ ...answer, config }),
      validateStatus: () => true,
    });
    const retry = attachRetry(api, {
      shareRetryAfter: 'all', retryAfterChannel: redisChannel(client.client, tenant), retries: 0, retryAfterSpread: 0,
      sleep: async (ms) => void waits.push(ms),
    });
    ends.push(() => retry.detach(), () => client.end());
    return { api, retry, waits };
  }

  it('that began before a process started is honoured by its first call, and by no other tenant', async () => {
    const told = await attach('payments', 429);
    await told.api.get('/');
    await until(async () => (await server.ask('EXISTS', KEY)) === ':1\r\n');
    const late = await attach('payments', 200);
    const other = await attach('searches', 200);
    await until(() => late.retry.stats().pauses.length > 0);
    await late.api.get('/');
    await other.api.get('/');
    expect(late.waits).toEqual([expect.any(Number)]);
    expect(late.waits[0]).toBeGreaterThan(30_000);
    expect(late.waits[0]).toBeLessThanOrEqual(50_000);
    expect(other.waits).toEqual([]);
    expect(other.retry.stats().pauses).toEqual([]);
  });
});
