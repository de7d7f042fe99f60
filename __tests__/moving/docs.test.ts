// The code of docs/migrating.md and docs/beside.md, run (docs/readme.test.ts compiles it); the line of sed, run on files; what the tables say in numbers.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import axios, { type AxiosInstance, type CreateAxiosDefaults } from 'axios';
import * as authRefresh from 'axios-auth-refresh';
import * as cacheInterceptor from 'axios-cache-interceptor';
import * as core from 'axios-jitter';
import * as axiosRetryDropIn from 'axios-jitter/axios-retry';
import * as cockatiel from 'cockatiel';
import { families } from '../../scripts/compare/cases/index';
import { blocksOf, pages } from '../helpers/readme';
import { runBlock } from '../helpers/run-block';
import { programs as forAxiosRetry } from './services/for-axios-retry';
import { programs as forRetryAxios } from './services/for-retry-axios';

const all = ['docs/migrating.md', 'docs/beside.md'].flatMap(blocksOf);
const blocks = all.filter(({ language }) => language === 'ts');

interface Served {
  readonly url: string;
  readonly seen: { method: string; path: string; token: string | undefined; body: string }[];
  /** The most requests that were under way at once. */
  most: number;
}
type Answer = (request: { method: string; path: string; token: string | undefined }, index: number) => readonly [status: number, body?: object];

let server: http.Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  jest.restoreAllMocks();
});

async function serve(answer: Answer): Promise<Served> {
  const served: Served = { url: '', seen: [], most: 0 };
  let running = 0;
  server = http.createServer((request, response) => {
    served.most = Math.max(served.most, ++running);
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const seen = { method: request.method ?? '', path: request.url ?? '', token: request.headers.authorization };
      served.seen.push({ ...seen, body });
      const [status, data = {}] = answer(seen, served.seen.length - 1);
      setTimeout(() => {
        running -= 1;
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(data));
      }, 5);
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return Object.assign(served, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

/** Runs a block with its address led to the service, and without its waits. */
async function runOn<T extends object>(name: string, { url }: Served): Promise<T> {
  const block = blocks.find((one) => one.name === name);
  if (!block) throw new Error(`No block ${name}`);
  const here = { ...block, code: block.code.replaceAll('https://api.example.com', url) };
  const create = axios.create.bind(axios);
  jest.spyOn(axios, 'create').mockImplementation((config?: CreateAxiosDefaults): AxiosInstance => create({ proxy: false, ...config }));
  const modules = { axios: Object.assign(axios, { default: axios, __esModule: true }), 'axios-jitter': core, 'axios-jitter/axios-retry': axiosRetryDropIn, cockatiel, 'axios-auth-refresh': authRefresh, 'axios-cache-interceptor': cacheInterceptor };
  const quick = (callback: () => void): unknown => setImmediate(callback);
  return (await runBlock(here, modules, { setTimeout: name.startsWith('Retry waiting') ? setTimeout : quick, console: { log: () => undefined } })) as T;
}

const flaky: Answer = (_request, index) => [index === 0 ? 503 : 200];

describe('the pages for those who move over', () => {
  beforeEach(() => {
    // Delays of chance are 0.
    jest.spyOn(Math, 'random').mockReturnValue(0);
  });

  it('say how many programs and situations there are', () => {
    const page = pages['docs/migrating.md'] ?? '';
    const situations = families.reduce((sum, { cases }) => sum + cases.length, 0);
    expect(page).toContain(`${forAxiosRetry.length + forRetryAxios.length} programs`);
    expect(page).toContain(`in ${situations} situations`);
  });

  it.each([['From axios-retry 4 1'], ['From axios-retry 4 2']])('%s: one retry of the request', async (name) => {
    const served = await serve((_request, index) => [index === 0 ? 423 : 200]);
    await runOn(name, served);
    expect(served.seen.map(({ path: seen }) => seen)).toEqual(['/orders', '/orders']);
  });

  it('an interceptor of your own', async () => {
    const served = await serve(flaky);
    await runOn('From an interceptor of your own 1', served);
    expect(served.seen.length).toBe(2);
  });

  it('a limit on requests at once', async () => {
    const served = await serve(flaky);
    const { answers } = await runOn<{ answers: unknown[] }>('A limit on concurrent requests 1', served);
    expect([answers.length, served.seen.length]).toEqual([20, 21]);
    // A busy machine may be slow to begin them.
    expect(served.most).toBeGreaterThan(1);
    expect(served.most).toBeLessThanOrEqual(5);
  });

  it('priorities', async () => {
    const served = await serve(() => [200]);
    await runOn('Priorities 1', served);
    expect(served.seen.map(({ path: seen }) => seen)).toEqual(['/login', '/orders', '/report']);
  });

  it('a new token after a 401, and a retry', async () => {
    const served = await serve(({ path: seen, token }, index) => (seen === '/token' ? [200, { token: 'new' }] : token === 'Bearer new' ? [index < 3 ? 503 : 200] : [401]));
    const { response } = await runOn<{ response: { status: number } }>('A new token after a 401 1', served);
    expect([response.status, served.seen.map(({ path: seen, token }) => `${seen} ${token ?? ''}`.trim())]).toEqual([
      200,
      ['/orders Bearer old', '/token', '/orders Bearer new', '/orders Bearer new'],
    ]);
  });

  it('a cache', async () => {
    const served = await serve(flaky);
    const { first, second } = await runOn<{ first: { cached: boolean }; second: { cached: boolean } }>('A cache 1', served);
    expect([first.cached, second.cached, served.seen.length]).toEqual([false, true, 2]);
  });

  it('retry the waiting ones now', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.999);
    const served = await serve(flaky);
    const { api, retryNow } = await runOn<{ api: AxiosInstance; retryNow: () => void }>('Retry waiting calls now 1', served);
    api.defaults.retry = { baseDelay: 1e9, maxDelay: 1e9 };
    const call = api.get('/orders');
    while (served.seen.length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
    const poll = setInterval(retryNow, 10);
    await expect(call).resolves.toMatchObject({ status: 200 });
    clearInterval(poll);
  });

  it('send the failed ones later', async () => {
    let isDown = true;
    const served = await serve(() => [isDown ? 500 : 200]);
    const { api, sendFailed } = await runOn<{ api: AxiosInstance; sendFailed: () => Promise<{ status: number }[]> }>('Send failed calls later 1', served);
    await Promise.all([api.get('/a').catch(() => 0), api.post('/b', { a: 1 }).catch(() => 0)]);
    isDown = false;
    expect((await sendFailed()).map(({ status }) => status)).toEqual([200, 200]);
    expect(served.seen.slice(-2).map(({ path: seen, body }) => seen + body).sort()).toEqual(['/a', '/b{"a":1}']);
    expect(await sendFailed()).toEqual([]);
  });
});

describe('the line of sed', () => {
  const before = `import axiosRetry, { isNetworkError } from 'axios-retry';
import * as rax from "retry-axios";
import type { IAxiosRetryConfig } from 'axios-retry';
import 'axios-retry';
const late = await import('axios-retry');
const a = require('axios-retry').default; const { attach } = require("retry-axios");
jest.mock('axios-retry', () => jest.requireActual('axios-retry'));
jest.mock<typeof import('axios-retry')>('axios-retry');
jest.unmock('retry-axios'); vi.doMock("axios-retry");
require.resolve('axios-retry');
api.get('/x', { 'axios-retry': { retries: 0 } }); config['axios-retry']; // axios-retry
import other from 'axios-retry-after'; import own from './axios-retry';
`;
  const after = before
    .split('\n')
    .map((line) => (line.startsWith('api.get') || line.startsWith('import other') ? line : line.replaceAll(/(['"])(axios-retry|retry-axios)\1/g, '$1axios-jitter/$2$1')))
    .join('\n');

  it('changes imports, require and mocks, and no key; a second run changes nothing', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'moving-'));
    try {
      mkdirSync(path.join(folder, 'src'));
      const file = path.join(folder, 'src', 'a.ts');
      writeFileSync(file, before);
      const line = all.find(({ language }) => language === 'sh')?.code ?? '';
      for (const _run of [1, 2]) {
        execFileSync('bash', ['-c', line], { cwd: folder });
        expect(readFileSync(file, 'utf8')).toBe(after);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('a key that is left in a request', () => {
  it('says nothing to attachRetry', async () => {
    const served = await serve(() => [503]);
    const api = axios.create({ baseURL: served.url, proxy: false });
    core.attachRetry(api, { retries: 1, baseDelay: 0 });
    await expect(api.get('/', { 'axios-retry': { retries: 5 } })).rejects.toMatchObject({ response: { status: 503 } });
    expect(served.seen.length).toBe(2);
  });
});
