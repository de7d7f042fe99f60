/** Takes the photographs of laboratory and report in docs/images, in Chromium: `npm run build && npm run photographs`. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { chromium, type Browser, type BrowserContextOptions } from 'playwright-core';

import { needTool } from '../../scripts/test-tools';

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'axios-jitter-pictures-'));
const pageOf = (name: string, ...args: string[]): string => {
  const file = path.join(folder, name);
  execFileSync(process.execPath, [path.join(root, 'dist/cli.js'), ...args, '--html', file]);
  return pathToFileURL(file).href;
};

interface Photograph {
  readonly name: string;
  readonly address: string;
  readonly view: BrowserContextOptions;
}

async function take(browser: Browser, { name, address, view }: Photograph): Promise<void> {
  const context = await browser.newContext(view);
  const page = await context.newPage();
  await page.goto(address);
  await page.getByText(/Simulated in \d+ ms/).waitFor();
  await page.screenshot({ path: path.join(root, 'docs/images', name) });
  await context.close();
}

const lab = pageOf('lab.html', 'lab', '--no-open');
const report = pageOf('report.html', 'simulate', '--clients', '2000', '--capacity', '200', '--outage', '3s', '--policies', 'default,axios-retry,full');
const photographs: Photograph[] = [
  { name: 'laboratory.png', address: `${lab}#jitter=equal&baseDelay=1000`, view: { viewport: { width: 1120, height: 800 } } },
  { name: 'laboratory-phone.png', address: lab, view: { viewport: { width: 390, height: 700 }, colorScheme: 'dark' } },
  { name: 'report.png', address: report, view: { viewport: { width: 1120, height: 760 } } },
];
const browser = await chromium.launch({ executablePath: needTool('Chromium') });
try {
  for (const one of photographs) await take(browser, one);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
