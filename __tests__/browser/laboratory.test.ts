// The pages that `axios-jitter lab` and `simulate --html` write, in a real Chromium, from the disk.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import axe from 'axe-core';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

import { formatShare } from '../../lib/chart/format';
import { FIELDS } from '../../lib/lab/fields';
import { INITIAL, toScenario } from '../../lib/lab/setting';
import { simulate } from '../../lib/simulate';
import { anyPage, openContext, root } from './support/site';

const folder = mkdtempSync(path.join(tmpdir(), 'axios-jitter-lab-'));
const file = (name: string): string => path.join(folder, name);
const addressOf = (name: string): string => pathToFileURL(file(name)).href;

function axiosJitter(...args: string[]): void {
  execFileSync(process.execPath, [path.join(root, 'dist/cli.js'), ...args], { cwd: folder });
}

beforeAll(() => {
  axiosJitter('lab', '--no-open', '--html', 'lab.html');
  const policies = { default: 'default', 'axios-retry': 'axios-retry', full: 'full', ['a name that is long '.repeat(9)]: { retries: 2 }, averylongname: 'fixed', ['x'.repeat(150)]: 'equal' };
  writeFileSync(file('scenario.json'), JSON.stringify({ clients: 500, service: { capacity: 100 }, outage: { length: 2_000 }, policies, seed: 4 }));
  axiosJitter('simulate', 'scenario.json', '--html', 'report.html');
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Opened {
  readonly page: Page;
  /** What the page asked for, itself left out. */
  readonly requests: string[];
  readonly complaints: string[];
}

const answered = (page: Page) => page.waitForFunction(() => document.getElementById('answer')?.getAttribute('aria-busy') === 'false');

// Of the test that runs.
const contexts: BrowserContext[] = [];
afterEach(() => Promise.all(contexts.splice(0).map((context) => context.close())));

async function pageOf(options: BrowserContextOptions): Promise<Page> {
  const context = await openContext(options);
  contexts.push(context);
  return context.newPage();
}

async function open(address: string, options?: BrowserContextOptions): Promise<Opened> {
  const page = await (options === undefined ? anyPage() : pageOf(options));
  const opened: Opened = { page, requests: [], complaints: [] };
  page.on('request', (request) => void opened.requests.push(request.url()));
  page.on('pageerror', ({ message }) => void opened.complaints.push(message));
  page.on('console', (message) => void (message.type() === 'error' && opened.complaints.push(message.text())));
  await page.goto(address);
  return opened;
}

const statusOf = (page: Page): Promise<string | null> => page.textContent('#status');
const servedOf = (page: Page): Promise<string[]> => page.locator('.figures tbody tr').first().locator('td').allTextContents();

/** Sets a slider or a list by hand, and waits for the answer. */
async function move(page: Page, name: string, keys: readonly string[]): Promise<void> {
  await page.focus(`#${name}`);
  for (const key of keys) await page.keyboard.press(key);
  await answered(page);
}

describe('the laboratory', () => {
  it('answers for 1,000 clients what the simulator says in Node', async () => {
    const { page, complaints } = await open(addressOf('lab.html'));
    await answered(page);
    const { policies } = simulate(toScenario(INITIAL));
    expect(INITIAL['clients']).toBe(1_000);
    expect(await servedOf(page)).toEqual(policies.map(({ successes }) => formatShare(successes / 1_000)));
    expect(await page.locator('.figures thead th').allTextContents()).toEqual([' yours', ' axios-retry'].map((name) => expect.stringContaining(name.trim())));
    expect(await page.locator('#answer svg[role=img]').count()).toBe(3);
    expect(await statusOf(page)).toMatch(/^yours: .* served, .* requests per call; axios-retry: .*Simulated in \d+ ms\.$/);
    expect(complaints).toEqual([]);
  });

  it('asks for nothing but itself', async () => {
    const { page, requests } = await open(addressOf('lab.html'));
    await answered(page);
    await move(page, 'clients', ['ArrowRight']);
    expect(requests.filter((url) => !url.startsWith('blob:') && !url.startsWith('data:'))).toEqual([addressOf('lab.html')]);
  });

  it('works by keyboard: sliders and lists answer to keys, and the address keeps the setting', async () => {
    const { page } = await open(addressOf('lab.html'));
    await answered(page);
    const before = await statusOf(page);
    await move(page, 'retries', ['ArrowRight', 'ArrowRight']);
    await move(page, 'jitter', ['ArrowDown', 'ArrowDown', 'ArrowDown']);
    expect(await page.textContent('#retries-value')).toBe('5');
    expect(await page.getAttribute('#retries', 'aria-valuetext')).toBe('5');
    expect(new URL(page.url()).hash).toBe('#retries=5&jitter=none');
    expect(await page.textContent('#answer pre')).toBe("attachRetry(api, { retries: 5, jitter: 'none' });");
    expect((await statusOf(page))?.replace(/Simulated.*/, '')).not.toBe(before?.replace(/Simulated.*/, ''));
  });

  it('is walked through with the tab key, in the order of what is read', async () => {
    const { page } = await open(addressOf('lab.html'));
    await answered(page);
    const seen: string[] = [];
    for (let stop = 0; stop < FIELDS.length + 1; stop++) {
      await page.keyboard.press('Tab');
      seen.push(await page.evaluate(() => document.activeElement?.id ?? ''));
    }
    expect(seen).toEqual([...FIELDS.map(({ name }) => name), 'reset']);
  });

  it('begins with the setting of its address, and follows a new one', async () => {
    const { page } = await open(`${addressOf('lab.html')}#retries=Infinity&baseDelay=350&peer=retry-axios&jitter=equal`);
    await answered(page);
    expect(await page.textContent('#retries-value')).toBe('endless');
    expect(await page.textContent('#baseDelay-value')).toBe('350 ms');
    expect(await page.inputValue('#peer')).toBe('retry-axios');
    await page.evaluate(() => (location.hash = '#clients=200'));
    await page.waitForFunction(() => document.getElementById('clients-value')?.textContent === '200');
    expect(await page.textContent('#retries-value')).toBe('3');
  });

  it.each(['#retries=-1&clients=1e9&jitter=<b>&peer=constructor&seed=x', '#%', '#__proto__=1&clients=', '#retries=NaN'])(
    'takes no nonsense from an address: %s',
    async (fragment) => {
      const { page, complaints } = await open(addressOf('lab.html') + fragment);
      await answered(page);
      expect(await page.textContent('#answer pre')).toBe('attachRetry(api);');
      expect(await page.textContent('#clients-value')).toBe('1,000');
      expect(complaints).toEqual([]);
    },
  );

  it('goes back to the beginning', async () => {
    const { page } = await open(`${addressOf('lab.html')}#retries=9`);
    await answered(page);
    await page.click('#reset');
    await answered(page);
    expect(page.url()).toBe(addressOf('lab.html'));
    expect(await page.textContent('#retries-value')).toBe('3');
  });

  it('shows the newest setting, however fast it is moved', async () => {
    const { page } = await open(`${addressOf('lab.html')}#clients=5000&over=0&retries=Infinity&peer=full`);
    for (let index = 0; index < 15; index++) await page.press('#clients', index % 2 === 0 ? 'ArrowLeft' : 'ArrowRight');
    await move(page, 'clients', ['Home']);
    expect(new URL(page.url()).hash).toContain('clients=10');
    const { policies } = simulate({ ...toScenario({ ...INITIAL, clients: 10, over: 0, retries: Infinity, peer: 'full' }) });
    expect(await servedOf(page)).toEqual(policies.map(({ successes }) => formatShare(successes / 10)));
  }, 60_000);

  it('says what it cannot compare', async () => {
    const { page } = await open(`${addressOf('lab.html')}#peer=full`);
    await answered(page);
    expect(await page.textContent('.notice')).toContain('Not comparable as they are');
  });

  it('every field can be moved to each of its ends', async () => {
    const { page, complaints } = await open(`${addressOf('lab.html')}#clients=10`);
    for (const { name } of FIELDS) {
      for (const key of ['End', 'Home']) {
        // A crowd of 20,000 that never stops takes its time.
        if (name !== 'clients' || key === 'Home') await move(page, name, [key]);
        expect(await statusOf(page)).toContain('served');
      }
    }
    expect(complaints).toEqual([]);
  }, 60_000);
});

describe('its policy', () => {
  const policyOf = (name: string): string => /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(readFileSync(file(name), 'utf8'))?.[1] ?? '';

  it.each(['lab.html', 'report.html'])('%s lets nothing in but what stands in it', async (name) => {
    expect(policyOf(name)).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; worker-src blob:; img-src data:; base-uri 'none'; form-action 'none'$/);
    const { page } = await open(addressOf(name));
    await answered(page);
    const blocked = page.evaluate(
      () =>
        new Promise<string[]>((resolve) => {
          const seen: string[] = [];
          addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
            if (seen.push(effectiveDirective) === 3) resolve(seen.sort());
          });
          const script = document.createElement('script');
          script.textContent = 'document.title = "taken over"';
          document.head.append(script);
          document.body.insertAdjacentHTML('beforeend', '<p style="color: red">x</p>');
          fetch('http://127.0.0.1:9/').catch(() => undefined);
        }),
    );
    expect(await blocked).toEqual(['connect-src', 'script-src-elem', 'style-src-attr']);
    expect(await page.title()).not.toBe('taken over');
  });

  it('is enough for a server that sends it as a header, too', async () => {
    const header = policyOf('lab.html');
    const server = createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': header });
      response.end(request.url === '/' ? readFileSync(file('lab.html')) : '');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { page, requests, complaints } = await open(url);
    await answered(page);
    expect(requests.filter((one) => one.startsWith('http'))).toEqual([url]);
    expect(complaints).toEqual([]);
    server.closeAllConnections();
    server.close();
  });
});

const sizes = [
  [390, 844],
  [1_280, 900],
] as const;
const schemes = ['light', 'dark'] as const;
const views = ['lab.html', 'report.html'].flatMap((name) => sizes.flatMap(([width, height]) => schemes.map((scheme) => [name, width, height, scheme] as const)));

describe.each(views)('%s at %d x %d px, %s', (name, width, height, colorScheme) => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await open(addressOf(name), { viewport: { width, height }, colorScheme }));
    // It stays for all tests of the view.
    contexts.splice(0);
    await answered(page);
    for (const details of await page.locator('details').all()) await details.evaluate((element) => element.setAttribute('open', ''));
  });
  afterAll(() => page.context().close());

  it('does not scroll sideways, and no table leaves its box', async () => {
    const widths = await page.evaluate(() => ({
      page: document.documentElement.scrollWidth,
      tables: [...document.querySelectorAll('table')].filter((table) => table.getBoundingClientRect().right > innerWidth).length,
    }));
    expect(widths).toEqual({ page: width, tables: 0 });
  });

  it('has the colours of the scheme', async () => {
    const [page0, ink] = await page.evaluate(() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]);
    expect([page0, ink]).toEqual(colorScheme === 'light' ? ['rgb(255, 255, 255)', 'rgb(31, 35, 40)'] : ['rgb(13, 17, 23)', 'rgb(230, 237, 243)']);
  });

  // What axe looks at does not depend on both: two of four views.
  if ((width === 390) === (colorScheme === 'dark')) it('has nothing that axe finds', async () => {
    await page.evaluate(axe.source);
    const violations = await page.evaluate(async () => {
      const { violations: found } = await (globalThis as unknown as { axe: typeof axe }).axe.run();
      return found.map(({ id, impact, nodes }) => `${id} (${String(impact)}): ${nodes[0]?.html.slice(0, 120)}`);
    });
    expect(violations).toEqual([]);
  });
});

describe('the report', () => {
  it('is read without JavaScript', async () => {
    const { page } = await open(addressOf('report.html'), { javaScriptEnabled: false });
    expect(await page.locator('.card').count()).toBe(6);
    expect(await page.locator('.numbers tbody tr').count()).toBe(6);
    expect(await page.textContent('noscript')).toContain('needs JavaScript');
  });

  it('begins its laboratory with the crowd that was simulated', async () => {
    const { page } = await open(addressOf('report.html'));
    await answered(page);
    expect(await page.textContent('#clients-value')).toBe('500');
    expect(await page.textContent('#capacity-value')).toBe('100 requests/s');
    expect(await page.textContent('#seed-value')).toBe('4');
    expect(page.url()).toBe(addressOf('report.html'));
  });
});
