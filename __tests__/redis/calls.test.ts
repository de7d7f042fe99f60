// Calls while something happens to Redis: none differs from one without a channel, and the process ends.
import { fork } from 'node:child_process';
import { once } from 'node:events';

import axios from 'axios';

import { attachRetry } from 'axios-jitter';
import { redisChannel } from 'axios-jitter/redis';

import { bundleProgram } from '../helpers/program';
import { clients } from './support/clients';
import type { Told } from './support/caller';
import { note, until } from './support/listener';
import { startRedis, type RedisServer } from './support/redis-server';

const KEY = 'axios-jitter:payments';

const garbage = ['', '{', '[]', 'null', '7', '"text"', '{"axios-jitter":2}', '{"axios-jitter":1,"origin":5,"retryAfter":1}',
  JSON.stringify(note('http://api.test', -1)), JSON.stringify({ ...note('http://api.test'), retryAfter: 'x' }), JSON.stringify(note('x'.repeat(5_000)))];

/** Before the process starts, and once it listens. */
interface Disturbance {
  readonly before?: (server: RedisServer) => unknown;
  readonly then?: (server: RedisServer) => unknown;
}
const publish = (server: RedisServer, text: (index: number) => string): Promise<void> => server.flood(KEY, Array.from({ length: 10_000 }, (_, index) => text(index)));
const disturbances: Readonly<Record<string, Disturbance>> = {
  'as it should be, but with another origin in every note': { then: (server) => server.ask('PUBLISH', KEY, JSON.stringify(note('http://other.test'))) },
  'never there': { before: (server) => server.kill() },
  'killed in the middle': { then: (server) => void setTimeout(() => void server.kill(), 30) },
  frozen: { then: (server) => server.freeze() },
  'frozen before it starts': { before: (server) => server.freeze() },
  slow: { then: (server) => server.ask('CLIENT', 'PAUSE', '3000', 'ALL') },
  'answering WRONGTYPE': { before: (server) => server.ask('RPUSH', KEY, 'a list') },
  'flooded with notes': { then: (server) => publish(server, (index) => JSON.stringify(note(`http://${index}.test`))) },
  'flooded with garbage': { then: (server) => publish(server, (index) => garbage[index % garbage.length] ?? '') },
};

type Ended = Told & { code: number | null; signal: string | null };

async function callWhile({ before, then }: Disturbance, server: RedisServer, program: string): Promise<Ended> {
  await before?.(server);
  const { FORCE_COLOR: _, ...env } = process.env;
  const child = fork(program, [String(server.port), 'redis', 'ioredis'], { env, execArgv: ['--expose-gc'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>;
  await once(child, 'message');
  await then?.(server);
  child.send('go');
  const [told] = (await once(child, 'message')) as [Told];
  // It has nothing more to do.
  const limit = setTimeout(() => child.kill('SIGKILL'), 30_000);
  const [code, signal] = await exit;
  clearTimeout(limit);
  return { ...told, code, signal };
}

describe('with Redis', () => {
  const ended: Record<string, Promise<Ended>> = {};
  // At the same time, each with a Redis of its own: what they mostly do is wait for it.
  beforeAll(() => {
    const program = bundleProgram('__tests__/redis/support/caller.ts');
    for (const [name, disturbance] of Object.entries(disturbances)) {
      ended[name] = startRedis().then((server) => callWhile(disturbance, server, program).finally(() => server.stop()));
      // It fails where it is awaited.
      ended[name]?.catch(() => undefined);
    }
  });

  it.each(Object.keys(disturbances))('%s: no call differs, nothing is unhandled, the memory is flat and the process ends', async (name) => {
    const { calls, errors, unhandled, growth, code, signal } = (await ended[name]) as Ended;
    const without = calls['no channel'];
    expect(without).toHaveLength(200);
    const differing = ['redis', 'ioredis'].map((client) => calls[client]?.findIndex((call, index) => call !== without?.[index]));
    expect(differing).toEqual([-1, -1]);
    expect([unhandled, code, signal]).toEqual([[], 0, null]);
    expect(growth).toBeLessThan(15e6);
    expect(Object.values(errors).every((count) => count <= 2)).toBe(true);
  }, 120_000);
});

describe.each(Object.keys(clients))('a pause with %s', (name) => {
  let server: RedisServer;
  beforeEach(async () => void (server = await startRedis()));
  afterEach(() => server.stop());
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
