// The figures of README.md that are counted, not written down: requests of this plugin and its peers, shared Retry-After.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';

import axios, { type AxiosAdapter, type AxiosInstance, type InternalAxiosRequestConfig } from 'axios';
import axiosRetry from 'axios-retry';
import * as retryAxios from 'retry-axios';

import { attachRetry, type RetryOptions } from '../../lib/index';
import { root, tableOf } from '../helpers/readme';
import { seededRandom, until, VirtualTime } from '../helpers/virtual-time';

function rejectWithStatus(config: InternalAxiosRequestConfig, status: number, headers: Record<string, string> = {}): never {
  const response = { status, statusText: '', data: '', headers, config };
  throw new axios.AxiosError(`status ${status}`, 'ERR_BAD_RESPONSE', config, {}, response);
}

const statusAdapter =
  (status: number, headers?: Record<string, string>): AxiosAdapter =>
  async (config) =>
    rejectWithStatus(config, status, headers);

const codeAdapter =
  (code: string, message = code): AxiosAdapter =>
  async (config) => {
    throw new axios.AxiosError(message, code, config, {});
  };

describe('the table of requests in the README', () => {
  const plugins: Readonly<Record<string, (api: AxiosInstance) => void>> = {
    'axios-jitter': (api) => {
      attachRetry(api, { baseDelay: 0 });
    },
    'axios-retry': (api) => {
      axiosRetry(api);
    },
    'retry-axios': (api) => {
      Object.assign(api.defaults, { raxConfig: { retryDelay: 0 } });
      retryAxios.attach(api);
    },
  };
  const calls: Readonly<Record<string, readonly [method: string, adapter: AxiosAdapter]>> = {
    'GET, response 503': ['GET', statusAdapter(503)],
    'GET, response 408': ['GET', statusAdapter(408)],
    'GET, response 501': ['GET', statusAdapter(501)],
    'GET, response 503 with `Retry-After: 0`': ['GET', statusAdapter(503, { 'retry-after': '0' })],
    'GET, timeout': ['GET', codeAdapter('ECONNABORTED', 'timeout of 1ms exceeded')],
    'GET, certificate expired': ['GET', codeAdapter('CERT_HAS_EXPIRED')],
    'POST, connection refused': ['POST', codeAdapter('ECONNREFUSED')],
    'POST, connection reset': ['POST', codeAdapter('ECONNRESET')],
    'POST, response 503': ['POST', statusAdapter(503)],
  };
  const stream = 'PUT of a Node stream, response 503';

  async function countRequests(plugin: string, [method, adapter]: readonly [string, AxiosAdapter]): Promise<string> {
    let requests = 0;
    const api = axios.create({
      adapter: (config) => {
        requests += 1;
        return adapter(config);
      },
    });
    plugins[plugin]?.(api);
    await expect(api.request({ method, url: 'https://api.example.com/' })).rejects.toThrow();
    return String(requests);
  }

  /** What a server gets of a stream. */
  async function countStreamed(plugin: string): Promise<string> {
    const sizes: number[] = [];
    const server = createServer((request, response) => {
      let size = 0;
      request.on('data', (chunk: Buffer) => (size += chunk.length));
      request.on('end', () => {
        sizes.push(size);
        response.writeHead(503).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const api = axios.create({ baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, maxRedirects: 0, proxy: false });
    plugins[plugin]?.(api);
    await expect(api.put('/', Readable.from(['a body']))).rejects.toThrow('503');
    server.closeAllConnections();
    server.close();
    const empty = sizes.filter((size) => size === 0).length;
    return empty === 0 ? `${sizes.length}` : `${sizes.length} (${empty} of them empty)`;
  }

  const versionOf = (name: string): string => {
    const text = readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8');
    return (JSON.parse(text) as { version: string }).version;
  };
  const table = tableOf('Why', 'call');
  // What follows the name is for the reader.
  const nameOf = (call: string): string => [...Object.keys(calls), stream].filter((name) => call.startsWith(name)).at(-1) ?? call;
  const rows = table.rows.map(([call = '', ...cells]) => [nameOf(call), cells.slice(0, 3)] as const);

  it('has a row for each call that is counted here, and names the versions', () => {
    expect(rows.map(([call]) => call).sort()).toEqual([...Object.keys(calls), stream].sort());
    const [, ...peers] = Object.keys(plugins);
    expect(table.columns.slice(1, 4)).toEqual(['axios-jitter', ...peers.map((name) => `${name} ${versionOf(name)}`)]);
  });

  it.each(rows)('counts the requests of: %s', async (call, counts) => {
    const scenario = calls[call];
    const counted: string[] = [];
    for (const plugin of Object.keys(plugins)) counted.push(await (scenario ? countRequests(plugin, scenario) : countStreamed(plugin)));

    expect(counted).toEqual(counts);
  });
});

describe('shared Retry-After in the README', () => {
  const CALLS = 200;
  const BETWEEN_CALLS = 100;
  const REFUSES_FOR = 10_000;

  interface Figures {
    refused: number;
    failed: number;
  }

  /** 10 calls per second; one refusal of `every` carries a Retry-After. */
  async function simulateShared(every: number, shareRetryAfter: NonNullable<RetryOptions['shareRetryAfter']>): Promise<Figures> {
    const time = new VirtualTime();
    const pass = (ms: number): Promise<void> => time.sleep(ms, new AbortController().signal);
    const figures = { refused: 0, failed: 0 };
    const api = axios.create({
      adapter: async (config) => {
        const left = REFUSES_FOR - time.now();
        if (left <= 0) return { status: 200, statusText: '', data: '', headers: {}, config };
        figures.refused += 1;
        const isTold = (figures.refused - 1) % every === 0;
        return rejectWithStatus(config, 429, isTold ? { 'retry-after': String(Math.ceil(left / 1_000)) } : {});
      },
    });
    attachRetry(api, { shareRetryAfter, budget: false, random: seededRandom(1), now: time.now, sleep: time.sleep });
    let settled = 0;
    const callAt = async (ms: number): Promise<void> => {
      await pass(ms);
      await api.get('https://api.example.com/').catch(() => (figures.failed += 1));
      settled += 1;
    };
    const all = Promise.all(Array.from({ length: CALLS }, (_, index) => callAt(index * BETWEEN_CALLS)));
    while (settled < CALLS) {
      time.advance(10);
      // Long enough for whatever a call does between two waits.
      let turns = 0;
      await until(() => turns++ === 3);
    }
    await all;
    return figures;
  }

  const { rows } = tableOf('Shared Retry-After', '`Retry-After` is in');

  it('has a row for each combination', () => {
    expect(rows).toHaveLength(6);
  });

  it.each(rows)('is simulated: %s, %s', async (where = '', mode = '', refused = '', failed = '') => {
    const modes = { '`false`': false, '`true`': true, "`'all'`": 'all' } as const;
    const every = where === 'every refusal' ? 1 : 10;

    const figures = await simulateShared(every, modes[mode as keyof typeof modes]);

    // Chance has its share in them.
    expect(Math.abs(figures.refused - Number(refused))).toBeLessThanOrEqual(0.1 * Number(refused));
    expect(Math.abs(figures.failed - Number(failed))).toBeLessThanOrEqual(0.1 * Number(failed));
  });
});
