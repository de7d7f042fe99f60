// The channel over a real Redis, with the real clients.
import { once } from 'node:events';
import net from 'node:net';

import { Redis } from 'ioredis';
import { createClient, createClientPool, createCluster } from 'redis';

import { redisChannel, type RedisChannelOptions, type RedisClient } from 'axios-jitter/redis';

import { clients, type OpenClient } from './support/clients';
import { hear, note, until, type Heard } from './support/listener';
import { startRedis, type RedisServer } from './support/redis-server';

let server: RedisServer;
const open: { end(): void }[] = [];
const heard: Heard[] = [];

beforeAll(async () => void (server = await startRedis()));
afterAll(() => server.stop());
afterEach(async () => {
  heard.splice(0).forEach(({ stop }) => stop());
  open.splice(0).forEach((client) => client.end());
  await until(async () => (await connections()) === 0);
  await server.ask('FLUSHALL');
});

/** Connections beside the one that asks. */
async function connections(kind = 'normal|pubsub'): Promise<number> {
  const list = await server.ask('CLIENT', 'LIST');
  return list.split('\n').filter((line) => line.startsWith('id=') && !line.includes('cmd=client|list') && isOf(kind, line)).length;
}
const isOf = (kind: string, line: string): boolean => kind !== 'pubsub' || / sub=1 /.test(line);

/** In place of Redis, somebody who hangs up at once, `times` times. */
async function refuse(times: number): Promise<number> {
  let count = 0;
  const hangUp = net.createServer((socket) => {
    count++;
    socket.on('error', () => undefined).destroy();
  });
  hangUp.listen(server.port, '127.0.0.1');
  await until(() => count >= times);
  hangUp.close();
  await once(hangUp, 'close');
  return count;
}

const clientOf = (name: string): OpenClient => {
  const client = clients[name]?.(server.port);
  if (!client) throw new Error(`no client ${name}`);
  open.push(client);
  return client;
};

async function channelOf(name: string, tenant = 'payments:live', options?: RedisChannelOptions) {
  const client = clientOf(name);
  await client.connect();
  return redisChannel(client.client, tenant, options);
}

/** Hears, and resolves once Redis knows of it. */
async function listen(channel: ReturnType<typeof redisChannel>): Promise<Heard> {
  const before = await connections('pubsub');
  const listener = hear(channel);
  heard.push(listener);
  await until(async () => (await connections('pubsub')) > before);
  return listener;
}

const names = Object.keys(clients);

describe.each(names)('%s', (name) => {
  it.each(names)('is heard by %s as the plain data that was told', async (other) => {
    const listener = await listen(await channelOf(other));
    (await channelOf(name)).postMessage(note('https://api.example.com'));
    await until(() => listener.notes.length > 0);
    expect(listener.notes).toEqual([{ 'axios-jitter': 1, origin: 'https://api.example.com', retryAfter: 60_000 }]);
  });

  it('hears the last note when it comes late, with what is left of it', async () => {
    const teller = await channelOf(name);
    teller.postMessage(note('first'));
    teller.postMessage(note('last'));
    await until(async () => (await server.ask('GET', 'axios-jitter:payments:live')).includes('last'));
    const late = await listen(await channelOf(name));
    await until(() => late.notes.length > 0);
    expect(late.notes).toEqual([{ 'axios-jitter': 1, origin: 'last', retryAfter: 60_000, left: expect.any(Number) }]);
    expect(late.notes[0]?.left).toBeGreaterThan(0);
    expect(late.notes[0]?.left).toBeLessThanOrEqual(60_000);
  });

  it('keeps the last note for as long as the server asked, to the ms above', async () => {
    (await channelOf(name)).postMessage(note('fraction', 90_000.25));
    await until(async () => (await server.ask('EXISTS', 'axios-jitter:payments:live')) === ':1\r\n');
    const [, left] = /:(\d+)/.exec(await server.ask('PTTL', 'axios-jitter:payments:live')) ?? [];
    expect(Number(left)).toBeGreaterThan(60_000);
    expect(Number(left)).toBeLessThanOrEqual(90_001);
  });

  it('takes a time that Redis has no room for', async () => {
    (await channelOf(name)).postMessage(note('for ever', Number.MAX_SAFE_INTEGER));
    await until(async () => (await server.ask('GET', 'axios-jitter:payments:live')).includes('for ever'));
    expect(await server.ask('PTTL', 'axios-jitter:payments:live')).toMatch(/^:21474/);
  });

  it('does not hear another name', async () => {
    const listener = await listen(await channelOf(name, 'payments:live'));
    (await channelOf(name, 'payments:test')).postMessage(note('another tenant'));
    (await channelOf(name, 'payments:live')).postMessage(note('own'));
    await until(() => listener.notes.length > 0);
    const late = await listen(await channelOf(name, 'payments:live'));
    await until(() => late.notes.length > 0);
    expect([...listener.origins, ...late.origins]).toEqual(['own', 'own']);
  });

  it('writes nothing on a client that is not ready, not even later', async () => {
    const client = clientOf(name);
    redisChannel(client.client, 'payments:live').postMessage(note('early'));
    await client.connect();
    redisChannel(client.client, 'other').postMessage(note('marker'));
    await until(async () => (await server.ask('EXISTS', 'axios-jitter:other')) === ':1\r\n');
    expect(await server.ask('EXISTS', 'axios-jitter:payments:live')).toBe(':0\r\n');
  });

  it('hears with a client that never connects itself', async () => {
    const listener = await listen(redisChannel(clientOf(name).client, 'payments:live'));
    (await channelOf(name)).postMessage(note('heard'));
    await until(() => listener.notes.length > 0);
    expect(listener.origins).toEqual(['heard']);
  });

  it('opens one connection with the first listener and closes it with the last', async () => {
    const channel = await channelOf(name);
    expect(await connections()).toBe(1);
    const listeners = [hear(channel), hear(channel), hear(channel)];
    await until(async () => (await connections('pubsub')) === 1);
    expect(await connections()).toBe(2);
    listeners.slice(1).forEach(({ stop }) => stop());
    listeners[1]?.stop();
    expect(await connections()).toBe(2);
    listeners[0]?.stop();
    await until(async () => (await connections()) === 1);
  });

  it('can be listened to again', async () => {
    const channel = await channelOf(name);
    (await listen(channel)).stop();
    await until(async () => (await connections()) === 1);
    const listener = await listen(channel);
    channel.postMessage(note('again'));
    await until(() => listener.notes.length > 0);
    expect(listener.origins).toEqual(['again']);
  });

  it.each([0, 1, 2, 5])('leaves no connection when it is taken away while it connects (after %d ms)', async (ms) => {
    const channel = await channelOf(name);
    const listener = hear(channel);
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    listener.stop();
    await until(async () => (await connections()) === 1);
    // One that had been missed would have subscribed by now.
    (await listen(channel)).stop();
    await until(async () => (await connections()) === 1);
  });

  it('reads the key each time that it subscribes again', async () => {
    const onError = jest.fn();
    const listener = await listen(await channelOf(name, 'payments:live', { onError }));
    await server.ask('SET', 'axios-jitter:payments:live', JSON.stringify(note('missed')), 'PX', '50000');
    await server.ask('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await until(() => listener.notes.length > 0);
    expect(listener.notes).toEqual([{ ...note('missed'), left: expect.any(Number) }]);
    expect(onError).toHaveBeenCalledTimes(1);
  });

  it('hears although the key is of another type, and says so once', async () => {
    await server.ask('RPUSH', 'axios-jitter:payments:live', 'a list');
    const onError = jest.fn();
    const channel = await channelOf(name, 'payments:live', { onError });
    const listener = await listen(channel);
    await server.ask('PUBLISH', 'axios-jitter:payments:live', JSON.stringify(note('published')));
    await until(() => listener.notes.length > 0);
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ message: expect.stringContaining('WRONGTYPE') })]]);
  });

  it('takes a key without expiry for no note', async () => {
    await server.ask('SET', 'axios-jitter:payments:live', JSON.stringify(note('for ever')));
    const channel = await channelOf(name);
    const listener = await listen(channel);
    channel.postMessage(note('fresh'));
    await until(() => listener.notes.length > 0);
    expect(listener.origins).toEqual(['fresh']);
  });

  it('ignores what is no JSON and what is too long', async () => {
    const channel = await channelOf(name);
    const listener = await listen(channel);
    for (const text of ['', '{', 'undefined', '\u0000', JSON.stringify(note('x'.repeat(4_100)))]) {
      await server.ask('PUBLISH', 'axios-jitter:payments:live', text);
    }
    channel.postMessage(note('a note'));
    await until(() => listener.notes.length > 0);
    expect(listener.origins).toEqual(['a note']);
  });

  it('tells once of a Redis that goes away, and hears again when it is back', async () => {
    const onError = jest.fn();
    const listener = await listen(await channelOf(name, 'payments:live', { onError }));
    await server.kill();
    const attempts = await refuse(2);
    await server.start();
    await until(async () => (await connections('pubsub')) === 1);
    await server.ask('PUBLISH', 'axios-jitter:payments:live', JSON.stringify(note('back')));
    await until(() => listener.notes.length > 0);
    expect(onError).toHaveBeenCalledTimes(1);
    expect(attempts).toBeGreaterThanOrEqual(2);
  });

  it('hears its own note with what is left of it, so that a slow Redis begins no pause anew', async () => {
    const channel = await channelOf(name);
    const listener = await listen(channel);
    const other = await listen(await channelOf(name));
    server.freeze();
    channel.postMessage(note('own', 100));
    await new Promise((resolve) => setTimeout(resolve, 150));
    server.thaw();
    await until(() => listener.notes.length > 0 && other.notes.length > 0);
    expect(other.notes).toEqual([note('own', 100)]);
    expect(listener.notes).toEqual([{ ...note('own', 100), left: expect.any(Number) }]);
    expect(listener.notes[0]?.left).toBeLessThanOrEqual(0);
  });

  it('keeps what a frozen Redis does not take within bounds', async () => {
    const channel = await channelOf(name);
    await server.ask('CONFIG', 'RESETSTAT');
    server.freeze();
    for (let index = 0; index < 10_000; index++) channel.postMessage(note(`https://${index}.example.com`));
    server.thaw();
    await until(async () => (await server.ask('GET', 'axios-jitter:payments:live')).includes('//99.'));
    expect(await server.ask('INFO', 'commandstats')).toMatch(/cmdstat_set:calls=100,/);
    await until(async () => {
      channel.postMessage(note('afterwards'));
      return (await server.ask('GET', 'axios-jitter:payments:live')).includes('afterwards');
    });
  });
});

it.each<[string, () => unknown]>([
  ['nothing', () => undefined],
  ['null', () => null],
  ['an object', () => ({})],
  ['a text', () => 'redis://127.0.0.1'],
  ['a pool', () => createClientPool({ socket: { port: server.port } })],
  ['a cluster of redis', () => createCluster({ rootNodes: [{ url: server.url }] })],
  ['an old-fashioned client', () => createClient().legacy()],
])('refuses %s at once', (_, make) => {
  expect(() => redisChannel(make() as RedisClient, 'payments')).toThrow(
    /^axios-jitter: redisChannel: the client must be one of redis or ioredis, no cluster or pool$/,
  );
});

it('refuses a cluster of ioredis at once', () => {
  const cluster = new Redis.Cluster([{ host: '127.0.0.1', port: server.port }], { lazyConnect: true });
  expect(() => redisChannel(cluster, 'payments')).toThrow(TypeError);
});

it.each<[unknown, unknown, string]>([
  ['', {}, 'the name must be a text that is not blank'],
  ['  ', {}, 'the name must be a text that is not blank'],
  [undefined, {}, 'the name must be a text that is not blank'],
  ['x', { onerror: () => undefined }, 'unknown option "onerror"; known is onError'],
  ['x', { onError: 1 }, 'option "onError" must be a function; got number'],
])('refuses the name %p with the options %p', (tenant, options, message) => {
  expect(() => redisChannel(createClient(), tenant as string, options as RedisChannelOptions)).toThrow(
    new TypeError(`axios-jitter: redisChannel: ${message}`),
  );
});
