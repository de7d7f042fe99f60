import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { needTool } from '../../scripts/test-tools';
import { chromiumArguments } from './support/chromium';
import { startSite } from './support/site';

const profile = mkdtempSync(path.join(tmpdir(), 'axios-jitter-chromium-'));
let chromium: ChildProcess | undefined;

// Children of the browser may still write for a while when it has ended: then the folder is listed anew.
async function removeProfile(triesLeft: number): Promise<void> {
  try {
    rmSync(profile, { recursive: true, force: true });
  } catch (error) {
    if (triesLeft === 0) throw error;
    await sleep(100);
    await removeProfile(triesLeft - 1);
  }
}

afterEach(async () => {
  if (chromium?.exitCode === null && chromium.kill()) await once(chromium, 'exit');
  await removeProfile(100);
});

it('retries in a tab in the background, where timers are slowed down', async () => {
  const failed = new Set<string>();
  const site = await startSite(({ path: address }, response) => {
    const isFirst = address !== '/api/report' && !failed.has(address);
    failed.add(address);
    response.writeHead(isFirst ? 503 : 200).end();
  });
  // Without Playwright, which keeps all pages in front and their timers fast.
  const own = ['--headless', '--no-sandbox', '--no-first-run', '--disable-background-networking', '--disable-component-update'];
  const args = [...own, ...chromiumArguments, '--disable-popup-blocking', `--user-data-dir=${profile}`, `${site.url}/background`];
  chromium = spawn(needTool('Chromium'), args, { stdio: 'ignore', env: { ...process.env, TMPDIR: profile } });
  await site.arrived(5);
  const recovered = { status: 200, attempts: 2, kinds: ['status'] };
  expect(JSON.parse(site.requests[4]?.body ?? '')).toMatchObject({ visibility: 'hidden', outcomes: [recovered, recovered] });
});
