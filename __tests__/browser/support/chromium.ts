import { accessSync, constants } from 'node:fs';
import path from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @throws Error that says what to install. */
export function findChromium(): string {
  const given = process.env['CHROMIUM_PATH'];
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  const candidates = given ? [given] : folders.flatMap((folder) => names.map((name) => path.join(folder, name)));
  const found = candidates.find(isExecutable);
  if (found) return found;
  const where = given ? `CHROMIUM_PATH is ${given}, which cannot be run` : `there is no ${names.join(', ')} on PATH`;
  throw new Error(`The browser tests need Chromium, and ${where}. Install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.`);
}

export const chromiumArguments = [
  '--disable-gpu',
  '--disable-quic',
  '--disable-sync',
  // Nothing leaves this machine. `page.test` is a page without a secure context, which `localhost` is.
  '--host-resolver-rules=MAP page.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
] as const;
