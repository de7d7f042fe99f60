// A real Redis of the test's own: on a free port, in a folder of its own, ended by its process id.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { needTool } from '../../../scripts/test-tools';

export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** One command of its own connection; the reply as it comes over the wire. */
  ask(...command: string[]): Promise<string>;
  /** Publishes all the texts, as fast as one connection can. */
  flood(name: string, texts: readonly string[]): Promise<void>;
  /** SIGSTOP: connections stand, nothing is answered. */
  freeze(): void;
  thaw(): void;
  /** SIGKILL, in the middle of whatever it does. */
  kill(): Promise<void>;
  /** Once more on the same port, with nothing in it. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const encode = (command: readonly string[]): string =>
  `*${command.length}\r\n${command.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;

async function ask(port: number, command: readonly string[]): Promise<string> {
  const socket = net.connect(port, '127.0.0.1');
  socket.write(encode(command));
  try {
    let reply = '';
    for await (const chunk of socket.setEncoding('utf8')) {
      reply += String(chunk);
      const [, length] = /^\$(\d+)\r\n/.exec(reply) ?? [];
      const head = reply.indexOf('\r\n') + 2;
      if (length === undefined ? reply.endsWith('\r\n') : Buffer.byteLength(reply.slice(head)) >= Number(length) + 2) return reply;
    }
    throw new Error(`Redis ended the connection after ${JSON.stringify(reply)}`);
  } finally {
    socket.destroy();
  }
}

async function flood(port: number, name: string, texts: readonly string[]): Promise<void> {
  const socket = net.connect(port, '127.0.0.1');
  socket.resume().write(texts.map((text) => encode(['PUBLISH', name, text])).join('') + encode(['QUIT']));
  await once(socket, 'close');
}

function spawnRedis(port: number, folder: string): ChildProcess {
  const flags = { '--port': String(port), '--bind': '127.0.0.1', '--dir': folder, '--save': '', '--appendonly': 'no', '--loglevel': 'warning' };
  return spawn(needTool('Redis'), Object.entries(flags).flat(), { stdio: 'ignore' });
}

async function untilReady(port: number, child: ChildProcess): Promise<void> {
  let failure: unknown;
  child.once('error', (error) => (failure = error));
  for (;;) {
    if (failure !== undefined) throw new Error('redis-server cannot be started', { cause: failure });
    if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
    const reply = await ask(port, ['PING']).catch(() => '');
    if (reply === '+PONG\r\n') return;
    await sleep(20);
  }
}

export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  const folder = mkdtempSync(path.join(tmpdir(), 'axios-jitter-redis-'));
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    child = spawnRedis(port, folder);
    await untilReady(port, child);
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  await start();
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    ask: (...command) => ask(port, command),
    flood: (name, texts) => flood(port, name, texts),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    kill,
    start,
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
