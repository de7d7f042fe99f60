// Once for all browser tests: dist/ as it would be published, and one Chromium.
import { execFileSync } from 'node:child_process';
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { chromium, type BrowserServer } from 'playwright-core';

declare global {
  var chromiumServer: BrowserServer | undefined;
}

const root = path.resolve(__dirname, '../../..');
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function findChromium(): string {
  const given = process.env['CHROMIUM_PATH'];
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const candidates = given ? [given] : folders.flatMap((folder) => names.map((name) => path.join(folder, name)));
  const found = candidates.find(isExecutable);
  if (found) return found;
  const where = given ? `CHROMIUM_PATH is ${given}, which cannot be run` : `there is no ${names.join(', ')} on PATH`;
  throw new Error(`The browser tests need Chromium, and ${where}. Install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.`);
}

function changedAt(file: string): number {
  const stats = statSync(file);
  // A folder changes when a file of it comes or goes.
  const inside = stats.isDirectory() ? readdirSync(file).map((name) => changedAt(path.join(file, name))) : [];
  return Math.max(stats.mtimeMs, ...inside);
}

function isBuilt(): boolean {
  const built = statSync(path.join(root, 'dist/index.js'), { throwIfNoEntry: false });
  const sources = ['lib', 'rollup.config.mjs', 'package.json', 'tsconfig.json', 'tsconfig.lib.json'];
  return built !== undefined && sources.every((name) => changedAt(path.join(root, name)) <= built.mtimeMs);
}

function build(): void {
  const rollup = path.join(root, 'node_modules/rollup/dist/bin/rollup');
  execFileSync(process.execPath, [rollup, '-c', '--silent'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
}

const launch = (executablePath: string): Promise<BrowserServer> =>
  chromium.launchServer({
    executablePath,
    args: [
      '--disable-gpu',
      '--disable-quic',
      '--disable-sync',
      // Nothing leaves this machine. `page.test` is a page without a secure context, which `localhost` is.
      '--host-resolver-rules=MAP page.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
    ],
    // As users have it: a page that is left may come back.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });

/** What goes wrong here fails the browser tests, and not those that need no browser. */
export default async function setUp(): Promise<void> {
  try {
    const executable = findChromium();
    if (!isBuilt()) build();
    globalThis.chromiumServer = await launch(executable);
    process.env['CHROMIUM_ENDPOINT'] = globalThis.chromiumServer.wsEndpoint();
  } catch (error) {
    process.env['CHROMIUM_MISSING'] = error instanceof Error ? error.message : String(error);
  }
}
