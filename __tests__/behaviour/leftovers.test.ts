// What a call leaves behind on the caller's signal: nothing.
import { getEventListeners } from 'node:events';
import { attachRetry, type RetryEvent } from '../../lib/index';
import axios, { itSince } from '../helpers/axios';
import { instant, rejectionOf } from '../helpers/instant';
import { useRecordingServer } from '../helpers/recording-server';

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

itSince('1.7')('a web stream that was had by a retry leaves no listener', async () => {
  server.script(503, 200);
  const api = axios.create({ baseURL: server.url, adapter: 'fetch', responseType: 'stream' });
  attachRetry(api, instant);
  const { signal } = new AbortController();
  const { data } = await api.get<ReadableStream>('/', { signal });
  await new Response(data).text();
  expect(listeners(signal)).toBe(0);
});
