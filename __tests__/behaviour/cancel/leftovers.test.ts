// What a call leaves behind on the caller's signal: nothing.
import { getEventListeners, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import type { AxiosInstance } from 'axios';
import { attachRetry, type RetryEvent, type RetryOptions } from '../../../lib/index';
import axios, { itSince } from '../../helpers/axios';
import { instant, rejectionOf } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';

const server = useRecordingServer();

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

it('a body that cannot be transformed ends the call, and leaves no listener and no deadline', async () => {
  const api = axios.create({ baseURL: server.url });
  const told: RetryEvent[] = [];
  attachRetry(api, { ...instant, onGiveUp: (event) => told.push(event) });
  const { signal } = new AbortController();
  const wrong = new Error('cannot be transformed');
  const transformRequest = (): never => {
    throw wrong;
  };
  const retry = { totalTimeout: 2_000 };
  expect(await rejectionOf(api.post('/', {}, { signal, transformRequest, retry }))).toBe(wrong);
  expect(listeners(signal)).toBe(0);
  expect(told.map(({ reason }) => reason)).toEqual(['not-retryable']);
});

itSince('1.7', 'has no fetch adapter')('a web stream that was had by a retry leaves no listener', async () => {
  server.script(503, 200);
  const api = axios.create({ baseURL: server.url, adapter: 'fetch', responseType: 'stream' });
  attachRetry(api, instant);
  const { signal } = new AbortController();
  const { data } = await api.get<ReadableStream>('/', { signal });
  await new Response(data).text();
  expect(listeners(signal)).toBe(0);
});

describe('under a deadline an abort still reaches a stream that the caller reads', () => {
  it.each<[string, (api: AxiosInstance) => void, RetryOptions]>([
    ['that an inner layer unwrapped', (api) => api.interceptors.response.use((response) => response.data), {}],
    ['of an answer that was given up', () => undefined, { retries: 0, shouldRetryResponse: () => true }],
  ])('%s', async (_, addInner, options) => {
    const dripping = createServer((request, response) => response.write('slowly')).listen(0, '127.0.0.1');
    await once(dripping, 'listening');
    try {
      const api = axios.create({ baseURL: `http://127.0.0.1:${(dripping.address() as AddressInfo).port}` });
      addInner(api);
      attachRetry(api, { ...instant, totalTimeout: 60_000, ...options });
      const controller = new AbortController();
      const got: { data?: Readable } & Readable = await api.get('/', { responseType: 'stream', signal: controller.signal });
      const stream: Readable = got.data ?? got;
      const failed = once(stream, 'error');
      stream.resume();
      controller.abort();
      const [error] = await failed;
      expect(axios.isCancel(error)).toBe(true);
    } finally {
      dripping.closeAllConnections();
      dripping.close();
    }
  });
});
