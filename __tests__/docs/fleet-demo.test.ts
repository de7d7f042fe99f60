// `npm run demo:fleet`, made small, with threads in place of Redis.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { root } from '../helpers/readme';

const folder = mkdtempSync(path.join(tmpdir(), 'fleet-demo-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('ends with a table of the three ways, no call lost, and a picture', async () => {
  const { FORCE_COLOR: _, ...env } = process.env;
  const picture = path.join(folder, 'fleet.svg');
  const run = ['--import', 'tsx', 'examples/fleet/run.ts', '--threads', '--svg', picture];
  const output = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, run, { cwd: root, env: { ...env, FLEET: 'small' } }, (error, stdout, stderr) => (error ? reject(error) : resolve(stdout + stderr)));
  });

  const rows = [...output.matchAll(/^(not shared|'all'.*?) +(\d+) +(\d+) +(\d+) +[\d.]+ s$/gm)].map(([, way, requests, refused, failed]) => ({ way, requests: Number(requests), refused: Number(refused), failed: Number(failed) }));
  expect(rows.map(({ way }) => way)).toEqual(['not shared', "'all' in each process", "'all' and a channel"]);
  for (const { requests, refused, failed } of rows) {
    // Each of the 40 calls was served once.
    expect({ failed, served: requests - refused }).toEqual({ failed: 0, served: 40 });
  }
  expect(readFileSync(picture, 'utf8')).toContain('2 workers, one quota of 20 requests per 1 s');
});
