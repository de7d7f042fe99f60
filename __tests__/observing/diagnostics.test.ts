import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import axios from 'axios';

import { diagnostics } from '../../lib/diagnostics';
import { attachRetry } from '../../lib/index';
import nock from '../helpers/nock';

const NAMES = ['axios-jitter:retry', 'axios-jitter:give-up', 'axios-jitter:recover'];
const context = new AsyncLocalStorage<string>();
const published: { name: string | symbol; message: unknown; context: string | undefined }[] = [];
const onMessage = (message: unknown, name: string | symbol): void => void published.push({ name, message, context: context.getStore() });

beforeEach(() => {
  published.length = 0;
  for (const name of NAMES) subscribe(name, onMessage);
});
afterEach(() => NAMES.forEach((name) => unsubscribe(name, onMessage)));

function attach(): ReturnType<typeof axios.create> {
  const api = axios.create({ baseURL: 'https://api.example.com' });
  attachRetry(api, { retries: 1, random: () => 0.5, now: () => 0, observers: [diagnostics()] });
  return api;
}

describe('diagnostics', () => {
  it('publishes each event as plain data, in the asynchronous context of the caller', async () => {
    nock('https://api.example.com').get('/orders').query(true).reply(503).get('/orders').query(true).reply(200);
    await context.run('the caller', () => attach().get('/orders?key=s3cret'));

    const common = { method: 'GET', origin: 'https://api.example.com', path: '/orders', retries: 1, kind: 'status', elapsed: 0 };
    expect(published).toEqual([
      { name: 'axios-jitter:retry', message: { event: 'retry', ...common, attempt: 1, status: 503, delay: 250 }, context: 'the caller' },
      { name: 'axios-jitter:recover', message: { event: 'recover', ...common, attempt: 2, status: 200 }, context: 'the caller' },
    ]);
    expect(structuredClone(published.map(({ message }) => message))).toEqual(published.map(({ message }) => message));
  });

  it('publishes that a call is given up, and why', async () => {
    nock('https://api.example.com').get('/orders').reply(404);
    await attach().get('/orders').catch(() => undefined);

    expect(published).toMatchObject([{ name: 'axios-jitter:give-up', message: { reason: 'not-retryable', status: 404 } }]);
  });

  it('builds nothing without a subscriber', async () => {
    for (const name of NAMES) unsubscribe(name, onMessage);
    const read: string[] = [];
    const config = new Proxy({}, { get: (_, name) => void read.push(String(name)) });
    diagnostics().onRetry?.({ config } as never);

    expect(read).toEqual([]);
  });
});
