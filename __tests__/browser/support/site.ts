// A web site with pages in Chromium: each test gets a site of its own, and with it an origin and pages; they close with it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSync, type BuildOptions } from 'esbuild';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { answers, startService, type Answer, type Received, type Step } from '../../helpers/local-service';
import type {} from './page';

export const root = path.resolve(__dirname, '../../..');
const dist = path.join(root, 'dist/index.js');

/** axios' adapters in a browser, in the newest axios and in the oldest that has them. */
export const transports = [
  { version: 'newest', adapter: 'xhr' },
  { version: 'newest', adapter: 'fetch' },
  { version: '1.2', adapter: 'xhr' },
  { version: '1.7', adapter: 'fetch' },
] as const;
export const adapters = ['xhr', 'fetch'] as const;

/** The strictest that lets a page load its own script and call its own server. */
const strict = "default-src 'self'; script-src 'self'; connect-src 'self'";

function build(options: BuildOptions): string {
  // Not this project's tsconfig: it has the package's name stand for its sources.
  const common: BuildOptions = { entryPoints: [path.join(__dirname, 'page.ts')], bundle: true, write: false, format: 'esm', tsconfigRaw: '{}' };
  return buildSync({ ...common, ...options }).outputFiles?.[0]?.text ?? '';
}

/** `page.ts` with what it imports left to the import map, taken from the server, or bundled. */
const variants: Readonly<Record<string, BuildOptions>> = {
  '/mapped.js': { external: ['axios', 'axios-jitter'] },
  '/served.js': { alias: { axios: '/axios/newest.js', 'axios-jitter': '/dist/index.js' }, external: ['/axios/*', '/dist/*'] },
  '/bundled.js': { alias: { 'axios-jitter': dist }, minify: true },
  '/background.js': { entryPoints: [path.join(__dirname, 'background.ts')] },
  // One file: a page that loads a dozen takes Chromium as long as the test itself.
  ...Object.fromEntries(['newest', '1.2', '1.7'].map((version) => [`/axios-${version}.js`, { alias: { axios: axiosFile(version), 'axios-jitter': dist } }])),
};
const scripts = new Map<string, string>();

function scriptAt(address: string): string | undefined {
  const options = variants[address];
  if (options && !scripts.has(address)) scripts.set(address, build(options));
  return scripts.get(address);
}

const importMap = (version: string): string =>
  `<script type="importmap">{ "imports": { "axios": "/axios/${version}.js", "axios-jitter": "/dist/index.js" } }</script>`;

const moduleScript = (name: string): string => `<script type="module" src="/${name}.js"></script>`;

function axiosFile(version: string): string {
  return path.join(root, 'node_modules', version === 'newest' ? 'axios' : `axios-${version}`, 'dist/esm/axios.js');
}

const type = { html: 'text/html', js: 'text/javascript' };

interface File {
  readonly type: string;
  readonly body: string;
  readonly policy?: string;
}

const page = (...scripts: string[]): string => `<!doctype html><title>page</title>${scripts.join('')}`;

/** `/background` takes the packages from an import map; `/served` and `/bundled` have none, and a strict policy. */
function findFile(url: URL): File | undefined {
  const { pathname, searchParams } = url;
  const [, folder, name = ''] = /^\/(axios|dist)\/(.+)$/.exec(pathname) ?? [];
  if (folder === 'axios') return { type: type.js, body: readFileSync(axiosFile(name.replace(/\.js$/, '')), 'utf8') };
  if (folder === 'dist') return { type: type.js, body: readFileSync(path.join(root, 'dist', path.basename(name)), 'utf8') };
  if (pathname === '/') return { type: type.html, body: page(moduleScript(`axios-${searchParams.get('axios') ?? 'newest'}`)) };
  if (pathname === '/served' || pathname === '/bundled') return { type: type.html, body: page(moduleScript(pathname.slice(1))), policy: strict };
  if (pathname === '/background') return { type: type.html, body: page(importMap('newest'), moduleScript('mapped'), moduleScript('background')) };
  if (pathname === '/favicon.ico') return { type: 'image/x-icon', body: '' };
  const body = scriptAt(pathname);
  return body === undefined ? undefined : { type: type.js, body };
}

/** Chromium sends a request again by itself when a connection that was used before breaks: here none is. */
function withoutReuse(answer: Answer): Answer {
  return (request, response, index) => {
    response.setHeader('connection', 'close');
    answer(request, response, index);
  };
}

export interface Service {
  readonly url: string;
  /** What came, pages and scripts left out. */
  readonly requests: readonly Received[];
  /** `GET /api/orders` of each. */
  readonly lines: readonly string[];
  /** Resolves when so many have come. */
  arrived(count: number): Promise<void>;
}

function counting(answer: Answer): { requests: Received[]; answer: Answer; arrived: Service['arrived'] } {
  const requests: Received[] = [];
  const waiting: (() => void)[] = [];
  const isThere = (count: number) => () => requests.length >= count;
  return {
    requests,
    answer: (request, response) => {
      requests.push(request);
      answer(request, response, requests.length - 1);
      for (const wake of waiting.splice(0)) wake();
    },
    async arrived(count) {
      while (!isThere(count)()) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}

const toService = (url: string, { requests, arrived }: Pick<Service, 'requests' | 'arrived'>): Service => ({
  url,
  requests,
  arrived,
  get lines() {
    return requests.map(({ method, path }) => `${method} ${path}`);
  },
});

/** Pages and scripts, and the given answers for all else. `host`: `page.test` is no secure context. */
export async function startSite(answer: Answer, host: 'localhost' | 'page.test' = 'localhost'): Promise<Service> {
  const counted = counting(answer);
  const { url } = await startService(
    withoutReuse((request, response, index) => {
      const file = findFile(new URL(request.path, 'http://localhost'));
      if (!file) return counted.answer(request, response, index);
      const policy = file.policy && { 'content-security-policy': file.policy };
      response.writeHead(200, { 'content-type': file.type, ...policy }).end(file.body);
    }),
  );
  return toService(url.replace('127.0.0.1', host), counted);
}

/** A service at another origin, which lets pages call it. `headers`: more of them, preflights included. */
export async function startOtherOrigin(steps: readonly [Step, ...Step[]], headers: Record<string, string> = {}): Promise<Service> {
  const play = answers(...steps);
  const counted = counting((request, response, index) => {
    for (const [name, value] of Object.entries({ 'access-control-allow-origin': '*', ...headers })) response.setHeader(name, value);
    if (request.method === 'OPTIONS') response.writeHead(204).end();
    else play(request, response, index);
  });
  const { url } = await startService(withoutReuse(counted.answer));
  return toService(url, counted);
}

let browser: Promise<Browser> | undefined;
// Of all tests of a file: a context is a window, which takes Chromium twice as long as a page.
let common: Promise<BrowserContext> | undefined;
const ends: (() => Promise<void>)[] = [];

afterEach(() => Promise.all(ends.splice(0).map((end) => end())));
afterAll(async () => (await browser?.catch(() => undefined))?.close());

function connect(): Promise<Browser> {
  const endpoint = process.env['CHROMIUM_ENDPOINT'];
  if (!endpoint) throw new Error(process.env['CHROMIUM_MISSING'] ?? 'No Chromium: run these tests with jest.config.ts');
  return chromium.connect(endpoint);
}

/** A context of its own for pages of another kind. */
export async function openContext(options: BrowserContextOptions): Promise<BrowserContext> {
  return (await (browser ??= connect())).newContext(options);
}

const usual: BrowserContextOptions = { ignoreHTTPSErrors: true };

/** An empty page, closed after the test. */
async function newPage(): Promise<Page> {
  const page = await (await (common ??= openContext(usual))).newPage();
  ends.push(() => page.close());
  return page;
}

// Goes from site to site: a new page takes Chromium several times as long as a new address.
let visitor: Promise<Page> | undefined;

/** An empty page, for tests that leave nothing behind in it but listeners and documents. */
export async function anyPage(): Promise<Page> {
  const page = await (visitor ??= (common ??= openContext(usual)).then((context) => context.newPage()));
  ends.push(async () => {
    page.removeAllListeners();
    await page.goto('about:blank');
  });
  return page;
}

async function load(page: Page, site: Service, address: string): Promise<Page> {
  await page.goto(site.url + address);
  return page;
}

/** A page that has `inPage`. `prepare`: before it is loaded. */
export async function open(site: Service, address = '/', prepare?: (page: Page) => Promise<void>): Promise<Page> {
  const page = await (prepare ? newPage() : anyPage());
  await prepare?.(page);
  return load(page, site, address);
}

/** One with a context of its own, whose clock, connection and other pages are the test's. */
export async function openAlone(site: Service, address = '/'): Promise<Page> {
  const context = await openContext(usual);
  ends.push(() => context.close());
  return load(await context.newPage(), site, address);
}
