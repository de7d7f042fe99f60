// docs/testing.md: its table of switches is counted.
import axios, { type AxiosInstance } from 'axios';

import { attachRetry, type RequestRetry, type RetryHandle } from '../../lib/index';
import nock from '../helpers/nock';
import { pages, tableOf } from '../helpers/readme';

const { columns, rows } = tableOf('Retries off in a test suite', 'switch');

const switches: Readonly<Record<string, (api: AxiosInstance, handle: RetryHandle) => void>> = {
  'no switch': () => undefined,
  '`api.defaults.retry = false`': (api) => (api.defaults.retry = false),
  '`api.defaults.retry = { retries: 0 }`': (api) => (api.defaults.retry = { retries: 0 }),
  '`attachRetry(api, { retries: 0 })`': (api) => attachRetry(api, { retries: 0 }),
  '`api.defaults.retry = { dryRun: true }`': (api) => (api.defaults.retry = { dryRun: true }),
  '`handle.detach()`': (_, handle) => handle.detach(),
};
const calls: Readonly<Record<string, readonly [method: string, retry?: RequestRetry]>> = {
  GET: ['GET'],
  'POST with `retry: { idempotencyKey: true }`': ['POST', { idempotencyKey: true }],
  'GET with `retry: { retries: 2 }`': ['GET', { retries: 2 }],
  'GET with `retry: 2`': ['GET', 2],
};

/** What a call sends that always gets a 503, and the keys among it. */
async function send([method, retry]: readonly [method: string, retry?: RequestRetry], set: (typeof switches)[string]): Promise<{ requests: number; keys: number }> {
  const sent = { requests: 0, keys: 0 };
  nock('https://api.example.com').persist().intercept('/', method).reply(function () {
    sent.requests += 1;
    sent.keys += Number(this.req.headers['idempotency-key'] !== undefined);
    return [503, {}];
  });
  const api = axios.create({ baseURL: 'https://api.example.com' });
  const immediately = { random: () => 0, sleep: () => Promise.resolve() };
  set?.(api, attachRetry(api, immediately));
  await expect(api.request({ method, url: '/', ...(retry !== undefined && { retry }) })).rejects.toThrow('503');
  nock.cleanAll();
  return sent;
}

// A second `attachRetry` replaces all options of the first, `random` and `sleep` too.
beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));

describe('the table of switches', () => {
  it('has each switch and each call', () => {
    expect(rows.map(([name]) => name)).toEqual(Object.keys(switches));
    expect(columns.slice(1)).toEqual(Object.keys(calls));
  });

  it.each(rows)('is counted: %s', async (name = '', ...counts) => {
    const counted: string[] = [];
    for (const call of Object.values(calls)) counted.push(String((await send(call, switches[name] as never)).requests));
    expect(counted).toEqual(counts);
  });

  it('is told apart by the keys that are sent', async () => {
    const call = calls['POST with `retry: { idempotencyKey: true }`'] as readonly ['POST', RequestRetry];
    const keys = async (name: string): Promise<number> => (await send(call, switches[name] as never)).keys;
    expect([await keys('`api.defaults.retry = { retries: 0 }`'), await keys('`api.defaults.retry = { dryRun: true }`'), await keys('`handle.detach()`')]).toEqual([1, 1, 0]);
  });

  it('holds for `axios.defaults`, for instances made later', async () => {
    axios.defaults.retry = { retries: 0 };
    try {
      expect(pages['docs/testing.md']).toContain('`axios.defaults.retry = { retries: 0 }` before `axios.create`');
      expect((await send(calls['POST with `retry: { idempotencyKey: true }`'] as never, () => undefined)).requests).toBe(1);
    } finally {
      delete axios.defaults.retry;
    }
  });
});
