// A body that can be read only once, put there where the snapshot does not see it: never sent twice.
import { Readable } from 'node:stream';
import FormDataPackage from 'form-data';
import type { AxiosInstance, InternalAxiosRequestConfig } from 'axios';
import { attachRetry, getRetryReport, RetryBudget, type RetryOptions } from '../../../lib/index';
import axios from '../../helpers/axios';
import { instant, rejectionOf } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';

const server = useRecordingServer();

/** An instance where `body` is put on the request in one of the places that see it after the snapshot. */
function putting(place: string, body: () => unknown, options: RetryOptions = {}): AxiosInstance {
  const api = axios.create({ baseURL: server.url, ...(place === 'transformRequest' && { transformRequest: body }) });
  const edit = (config: InternalAxiosRequestConfig): InternalAxiosRequestConfig => Object.assign(config, { data: body() });
  if (place === 'an inner interceptor') api.interceptors.request.use(edit);
  const more: RetryOptions = place === 'beforeRetry' ? { beforeRetry: edit } : place === 'an outer interceptor' ? { requestInterceptors: 'all' } : {};
  attachRetry(api, { ...instant, ...more, ...options });
  if (place === 'an outer interceptor') api.interceptors.request.use(edit);
  return api;
}

const texts = (): string[] => server.requests.map(({ body }) => body.toString());
const PLACES = ['an inner interceptor', 'an outer interceptor', 'transformRequest', 'beforeRetry'];

describe.each(PLACES)('a body from %s', (place) => {
  const first = place === 'beforeRetry' ? ['given'] : [];

  it('that is the same stream again ends the call, with the real error', async () => {
    server.thenAlways(503);
    const stream = Readable.from(['content']);
    const budget = new RetryBudget({ capacity: 10 });
    const error = await rejectionOf(putting(place, () => stream, { budget }).put('/', 'given'));
    expect(texts()).toEqual([...first, 'content']);
    expect(error).toMatchObject({ response: { status: 503 } });
    expect(getRetryReport(error)).toMatchObject({ reason: 'body', attempts: first.length + 1 });
  });

  it('that is a fresh stream for every attempt is sent in full', async () => {
    server.script(503, 'reset', 200);
    await putting(place, () => Readable.from(['content'])).put('/', 'given');
    expect(texts()).toEqual([...first, 'content', 'content', 'content'].slice(0, 3));
  });
});

it('an object that axios itself makes a form of is sent in full each time', async () => {
  server.script(503, 503, 200);
  const api = putting('', () => undefined);
  await api.put('/', { a: '1' }, { headers: { 'Content-Type': 'multipart/form-data' } });
  expect(server.requests.map(({ body }) => /name="a"\r\n\r\n1\r\n/.test(body.toString()))).toEqual([true, true, true]);
});

it('the token of the retry that did not leave goes back', async () => {
  server.thenAlways(503);
  const stream = Readable.from(['content']);
  const budget = new RetryBudget({ capacity: 10 });
  await rejectionOf(putting('an inner interceptor', () => stream, { budget }).put('/', 'given'));
  expect(budget.tokens(server.url, performance.now())).toBe(10);
});

describe('the option `body` that later gives', () => {
  const spent = (stream: Readable): Promise<Readable> => new Promise((resolve) => stream.on('end', () => resolve(stream)).resume());
  const destroyed = Readable.from(['x']);
  destroyed.destroy();
  const form = new FormDataPackage();
  form.append('a', 'b');
  form.resume();

  it.each<[string, () => unknown]>([
    ['an empty buffer', () => Buffer.alloc(0)],
    ['an empty array of bytes', () => new Uint8Array(0)],
    ['an empty ArrayBuffer', () => new ArrayBuffer(0)],
    ['an empty Blob', () => new Blob([])],
    ['no parameters', () => new URLSearchParams()],
    ['an empty form', () => new FormData()],
    ['false', () => false],
    ['a stream that was destroyed', () => destroyed],
    ['a stream that was read', () => spent(Readable.from(['x']))],
    ['a form that was read', () => form],
  ])('%s ends the call', async (_, make) => {
    server.thenAlways(503);
    const later = await make();
    const bodies = ['content', later];
    const api = axios.create({ baseURL: server.url });
    attachRetry(api, instant);
    const error = await rejectionOf(api.put('/', undefined, { retry: { body: () => bodies.shift() } }));
    expect(texts()).toEqual(['content']);
    expect(getRetryReport(error)).toMatchObject({ reason: 'hook-failed', attempts: 1 });
    expect(error).toMatchObject({ response: { status: 503 } });
  });
});
