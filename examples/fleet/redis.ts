/** A Redis of the demo's own, where `redis-server` is installed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface OwnRedis {
  readonly url: string;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function isListening(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1');
  const [isUp] = await Promise.race([once(socket, 'connect').then(() => [true]), once(socket, 'close').then(() => [false])]).catch(() => [false]);
  socket.destroy();
  return isUp ?? false;
}

/** `undefined`: there is no redis-server here. */
export async function startOwnRedis(program = process.env['REDIS_SERVER_PATH'] ?? 'redis-server'): Promise<OwnRedis | undefined> {
  const port = await freePort();
  const folder = mkdtempSync(path.join(tmpdir(), 'fleet-redis-'));
  const child = spawn(program, ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''], { stdio: 'ignore' });
  let isGone = false;
  child.once('error', () => (isGone = true)).once('exit', () => (isGone = true));
  while (!isGone && !(await isListening(port))) await sleep(50);
  const stop = async (): Promise<void> => {
    const exit = isGone ? undefined : once(child, 'exit');
    child.kill();
    await exit;
    rmSync(folder, { recursive: true, force: true });
  };
  if (!isGone) return { url: `redis://127.0.0.1:${port}`, stop };
  await stop();
  return undefined;
}
