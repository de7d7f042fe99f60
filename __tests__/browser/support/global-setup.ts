// Once for all browser tests: the scripts of dist/ as they would be published, and one Chromium.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { chromium, type BrowserServer } from 'playwright-core';
import { findTool } from '../../../scripts/test-tools';
import { chromiumArguments } from './chromium';

declare global {
  var chromiumServer: BrowserServer | undefined;
}

const root = path.resolve(__dirname, '../../..');
function changedAt(file: string): number {
  const stats = statSync(file);
  // A folder changes when a file of it comes or goes.
  const inside = stats.isDirectory() ? readdirSync(file).map((name) => changedAt(path.join(file, name))) : [];
  return Math.max(stats.mtimeMs, ...inside);
}

function isBuilt(): boolean {
  const built = statSync(path.join(root, 'dist/index.js'), { throwIfNoEntry: false });
  const sources = ['lib', 'scripts', 'rollup.config.mjs', 'package.json', 'tsconfig.json', 'tsconfig.lib.json'];
  return built !== undefined && sources.every((name) => changedAt(path.join(root, name)) <= built.mtimeMs);
}

/** Without the types, which no browser reads; but where they are, they stay: that dist/ may be about to be published. */
function build(): void {
  const rollup = path.join(root, 'node_modules/rollup/dist/bin/rollup');
  const what = existsSync(path.join(root, 'dist/index.d.ts')) ? [] : ['--configScriptsOnly'];
  execFileSync(process.execPath, [rollup, '-c', ...what, '--silent'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
}

const launch = (executablePath: string): Promise<BrowserServer> =>
  chromium.launchServer({
    executablePath,
    args: [...chromiumArguments],
    // As users have it: a page that is left may come back.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });

/** What goes wrong here fails the browser tests, and not those that need no browser. */
export default async function setUp(): Promise<void> {
  const executable = findTool('Chromium');
  if (executable === undefined) return; // These tests are skipped.
  try {
    if (!isBuilt()) build();
    globalThis.chromiumServer = await launch(executable);
    process.env['CHROMIUM_ENDPOINT'] = globalThis.chromiumServer.wsEndpoint();
  } catch (error) {
    process.env['CHROMIUM_MISSING'] = error instanceof Error ? error.message : String(error);
  }
}
