// Bodies that can be read only once are sent once.
import { PassThrough, Readable } from 'node:stream';
import FormDataPackage from 'form-data';
import type { AxiosInstance, AxiosRequestConfig } from 'axios';
import { attachRetry, getRetryReport } from '../../../lib/index';
import axios, { itSince } from '../../helpers/axios';
import { endlessStream, nodeStream, TEXT, webStream } from '../../helpers/bodies';
import { instant, keepLog, rejectionOf } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';

const server = useRecordingServer();

const create = (): AxiosInstance => axios.create({ baseURL: server.url });

async function* iterate(): AsyncGenerator<string> {
  yield* TEXT;
}
function* iterateNow(): Generator<string> {
  yield* TEXT;
}
class Lines {
  [Symbol.asyncIterator] = iterate;
}
class Upload {
  constructor(readonly file: Readable) {}
}
function formOfPackage(): FormDataPackage {
  const form = new FormDataPackage();
  form.append('file', nodeStream(), 'text.txt');
  return form;
}

const MULTIPART: AxiosRequestConfig = { headers: { 'Content-Type': 'multipart/form-data' } };
const AS_STREAM: AxiosRequestConfig = { transformRequest: (data: AsyncIterable<string>) => Readable.from(data) };

type OneShot = [name: string, make: () => unknown, config: AxiosRequestConfig];

const oneShots: OneShot[] = [
  ['a Node stream', nodeStream, {}],
  ['a duplex stream', () => nodeStream().pipe(new PassThrough()), {}],
  ['R19 a `form-data` instance', formOfPackage, {}],
  ['an async generator', iterate, AS_STREAM],
  ['an async iterable', () => new Lines(), AS_STREAM],
  ['a generator', iterateNow, AS_STREAM],
  ['an object that holds a stream', () => ({ name: 'x', file: nodeStream() }), MULTIPART],
  ['an object that holds a stream deep inside', () => ({ a: { b: [{ file: nodeStream() }] } }), MULTIPART],
  ['an instance of a class that holds a stream', () => new Upload(nodeStream()), MULTIPART],
];

it.each(oneShots)('refuses to send %s again, with the error of the attempt', async (_, make, config) => {
  server.script(503, 200);
  const api = create();
  const errors: unknown[] = [];
  api.interceptors.response.use(undefined, (error) => Promise.reject(errors.push(error) && error));
  const { lines, observer } = keepLog();
  attachRetry(api, { ...instant, ...observer, methods: ['POST'] });
  const error = await rejectionOf(api.post('/', make(), config));
  expect(error).toBe(errors[0]);
  expect(error).toMatchObject({ response: { status: 503, data: { request: 1 } } });
  expect(getRetryReport(error)).toMatchObject({ attempts: 1, reason: 'body', totalDelay: 0 });
  expect(lines).toEqual(['give-up body']);
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]?.body.includes(TEXT.slice(0, 40))).toBe(true);
});

it.each(oneShots)('refuses to send %s again after a reset', async (_, make, config) => {
  server.script('reset', 200);
  const api = create();
  attachRetry(api, { ...instant, methods: ['POST'] });
  const error = await rejectionOf(api.post('/', make(), config));
  expect(getRetryReport(error)).toMatchObject({ reason: 'body', history: [{ kind: 'network' }] });
  expect(server.requests).toHaveLength(1);
});

it('refuses to send a stream again though the connection was refused', async () => {
  const api = axios.create({ baseURL: 'http://127.0.0.1:1' });
  attachRetry(api, instant);
  expect(getRetryReport(await rejectionOf(api.put('/', nodeStream())))).toMatchObject({ reason: 'body' });
});

it('refuses to send a stream again though `shouldRetry` wants it', async () => {
  server.script(503, 200);
  const api = create();
  attachRetry(api, { ...instant, shouldRetry: () => true });
  expect(getRetryReport(await rejectionOf(api.post('/', nodeStream())))).toMatchObject({ reason: 'body' });
  expect(server.requests).toHaveLength(1);
});

it('refuses where interceptors and transforms lie inside, too', async () => {
  server.script(503, 200);
  const api = create();
  api.interceptors.request.use((config) => config);
  attachRetry(api, { ...instant, methods: ['POST'] });
  const config = { ...MULTIPART, transformRequest: [(data: unknown) => data].concat(axios.defaults.transformRequest as never) };
  expect(getRetryReport(await rejectionOf(api.post('/', { file: nodeStream() }, config)))).toMatchObject({ reason: 'body' });
  expect(server.requests).toHaveLength(1);
});

it('sends a stream in full where nothing fails', async () => {
  const api = create();
  attachRetry(api, instant);
  await api.put('/', nodeStream());
  expect(server.requests.map(({ body }) => body.toString())).toEqual([TEXT]);
});

it('leaves other reasons their place: method first', async () => {
  server.script(503);
  const api = create();
  attachRetry(api, instant);
  expect(getRetryReport(await rejectionOf(api.post('/', nodeStream())))).toMatchObject({ reason: 'method' });
});

itSince('1.7', 'has no fetch adapter')('R24 refuses to send a web stream again under fetch', async () => {
  server.script(503, 200);
  const api = create();
  attachRetry(api, instant);
  const error = await rejectionOf(api.put('/', webStream(), { adapter: 'fetch' }));
  expect(error).toMatchObject({ response: { status: 503 } });
  expect(getRetryReport(error)).toMatchObject({ reason: 'body' });
  expect(server.requests.map(({ body }) => body.toString())).toEqual([TEXT]);
});

itSince('1.7', 'has no fetch adapter')('R24 sends JSON again under fetch', async () => {
  server.script(503, 'reset', 200);
  const api = create();
  attachRetry(api, instant);
  await api.put('/', { a: 1 }, { adapter: 'fetch' });
  expect(server.requests.map(({ body }) => body.toString())).toEqual(Array(3).fill('{"a":1}'));
});

it('R111 hands a stream to the adapter by reference, with the `maxRedirects` of the caller', async () => {
  const seen: unknown[] = [];
  const api = axios.create({
    adapter: (config) => {
      seen.push(config.data, config.maxRedirects);
      return Promise.resolve({ status: 200, statusText: 'OK', data: '', headers: {}, config });
    },
  });
  attachRetry(api, instant);
  const stream = endlessStream();
  await api.put('/', stream);
  await api.put('/', stream, { maxRedirects: 0 });
  expect(seen).toEqual([stream, undefined, stream, 0]);
  expect(stream.readableFlowing).toBe(null);
  expect(stream.destroyed).toBe(false);
});

it('R54 sends a POST once where nothing makes it safe to repeat', async () => {
  server.script(503, 200);
  const api = create();
  attachRetry(api, instant);
  attachRetry(api, instant);
  const error = await rejectionOf(api.post('/', { charge: 100 }));
  expect(getRetryReport(error)).toMatchObject({ attempts: 1, reason: 'method' });
  expect(server.requests).toHaveLength(1);
});
