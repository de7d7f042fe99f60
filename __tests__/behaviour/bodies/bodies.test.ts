// Bodies that can be sent again reach a real server byte by byte on every attempt.
import type { AxiosInstance, AxiosRequestConfig } from 'axios';
import { attachRetry } from '../../../lib/index';
import axios, { isAtLeast, itSince } from '../../helpers/axios';
import { BYTES, nodeStream, normalizeMultipart, TEXT } from '../../helpers/bodies';
import { instant } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';

const server = useRecordingServer();

/** The fetch adapter came with 1.7. */
const adapters = isAtLeast('1.7') ? ['http', 'fetch'] : ['http'];

const create = (adapter: string): AxiosInstance => {
  const api = axios.create({ baseURL: server.url, adapter: adapter as 'http' });
  attachRetry(api, { ...instant, methods: ['PUT', 'POST'] });
  return api;
};

const JSON_TYPE = { headers: { 'Content-Type': 'application/json' } };
const MULTIPART = { headers: { 'Content-Type': 'multipart/form-data' } };

type Body = [name: string, since: string, make: () => unknown, expected: string | Uint8Array, config?: AxiosRequestConfig];

const bodies: Body[] = [
  ['nothing', '1.2', () => undefined, ''],
  ['JSON', '1.2', () => ({ a: 'ä', b: [1, null] }), '{"a":"ä","b":[1,null]}'],
  ['a string', '1.2', () => TEXT, TEXT],
  ['a string as JSON', '1.2', () => TEXT, JSON.stringify(TEXT), JSON_TYPE],
  ['an empty string', '1.2', () => '', ''],
  ['a Buffer', '1.2', () => Buffer.from(TEXT), TEXT],
  ['bytes that are no text', '1.2', () => Buffer.from([0, 255, 128, 13, 10]), new Uint8Array([0, 255, 128, 13, 10])],
  ['an ArrayBuffer', '1.2', () => BYTES.slice().buffer, TEXT],
  ['a Uint8Array', '1.2', () => BYTES.slice(), TEXT],
  ['a Float32Array', '1.2', () => new Float32Array([1.5, -2]), new Uint8Array(new Float32Array([1.5, -2]).buffer)],
  ['URLSearchParams', '1.2', () => new URLSearchParams('a=1&b=%C3%A4'), 'a=1&b=%C3%A4'],
  ['a Blob', '1.6', () => new Blob([TEXT]), TEXT],
];

describe.each(adapters)('under the %s adapter', (adapter) => {
  for (const [name, since, make, expected, config] of bodies) {
    itSince(since, `cannot send ${name}`)(`R27 sends ${name} again`, async () => {
      server.script(503, 'reset', 200);
      await create(adapter).post('/', make(), config);
      const sent = server.requests.map(({ body }) => body.toString('latin1'));
      expect(sent).toEqual(Array(3).fill(Buffer.from(expected as string).toString('latin1')));
      expect(server.header('content-type')).toEqual(Array(3).fill(server.requests[0]?.headers['content-type']));
      expect(server.header('content-length')).toEqual(Array(3).fill(server.requests[0]?.headers['content-length']));
    });
  }
});

const form = (): FormData => {
  const data = new FormData();
  data.append('name', 'ä');
  data.append('name', 'twice');
  data.append('file', new File([BYTES], 'text.txt', { type: 'text/plain' }));
  data.append('blob', new Blob(['x']));
  return data;
};
const FORM_PARTS = ['name="name"', 'twice', 'filename="text.txt"', 'Content-Type: text/plain', Buffer.from(TEXT).toString('latin1')];

/** Under fetch in Node, axios 1.21 is the first to send a boundary, and only where the caller asks for multipart. */
const formCases: [adapter: string, inside: string, since: string, prepare: (api: AxiosInstance) => unknown][] = [
  ['http', 'nothing', '1.6', () => undefined],
  ['http', 'an interceptor', '1.6', (api) => api.interceptors.request.use((config) => config)],
  ['fetch', 'nothing', '1.21', () => undefined],
  ['fetch', 'an interceptor', '1.21', (api) => api.interceptors.request.use((config) => config)],
];

for (const [adapter, inside, since, prepare] of formCases) {
  itSince(since, `sends no web FormData under ${adapter}`)(`R27 sends a web FormData again, with a boundary that fits: ${adapter} adapter, ${inside} inside`, async () => {
    server.script(503, 'reset', 200);
    const api = axios.create({ baseURL: server.url, adapter: adapter as 'http' });
    prepare(api);
    attachRetry(api, { ...instant, methods: ['POST'] });
    await api.post('/', form(), adapter === 'fetch' ? MULTIPART : {});
    const sent = server.requests.map(normalizeMultipart);
    expect(sent).toHaveLength(3);
    expect(new Set(sent).size).toBe(1);
    for (const part of FORM_PARTS) expect(sent[0]).toContain(part);
  });
}

it('R27 sends an object with bytes as multipart again, with a boundary that fits', async () => {
  server.script(503, 'reset', 200);
  await create('http').post('/', { name: 'one', list: [1, 2], file: Buffer.from(BYTES) }, MULTIPART);
  const sent = server.requests.map(normalizeMultipart);
  expect(sent).toHaveLength(3);
  expect(new Set(sent).size).toBe(1);
  for (const part of ['name="name"', 'name="list[]"', 'name="file"']) expect(sent[0]).toContain(part);
});

it('R27 sends an object without files as multipart again', async () => {
  server.script(503, 200);
  await create('http').post('/', { name: 'one', deep: { er: 'two' } }, MULTIPART);
  const sent = server.requests.map(normalizeMultipart);
  expect(sent[0]).toContain('name="deep[er]"');
  expect(sent[1]).toBe(sent[0]);
});

it('R23 keeps body and content length together where an interceptor sets the length', async () => {
  server.script(500, 500, 200);
  const api = axios.create({ baseURL: server.url });
  api.interceptors.request.use((config) => {
    config.headers.set('Content-Length', String(Buffer.byteLength(JSON.stringify(config.data))));
    return config;
  });
  attachRetry(api, instant);
  await api.put('/', { name: 'ä' });
  expect(server.requests.map(({ body }) => body.toString())).toEqual(Array(3).fill('{"name":"ä"}'));
  expect(server.header('content-length')).toEqual(['13', '13', '13']);
  expect(server.header('transfer-encoding')).toEqual([undefined, undefined, undefined]);
});

it('R23 keeps body and content length together where a transform compresses the body', async () => {
  server.script(500, 500, 200);
  const api = axios.create({ baseURL: server.url });
  attachRetry(api, instant);
  await api.put('/', { text: 'a'.repeat(100) }, {
    transformRequest: (data, headers) => {
      headers.set('Content-Encoding', 'made-up');
      return Buffer.from(JSON.stringify(data).replaceAll('a', ''));
    },
  });
  expect(server.requests.map(({ body }) => body.toString())).toEqual(Array(3).fill('{"text":""}'.replaceAll('a', '')));
  expect(server.header('content-length')).toEqual(['11', '11', '11']);
});

it('sends a body again that a transform makes a stream of, anew each time', async () => {
  server.script(503, 503, 200);
  const transformRequest = jest.fn(() => nodeStream());
  await create('http').post('/', { file: 'name.txt' }, { transformRequest });
  expect(transformRequest).toHaveBeenCalledTimes(3);
  expect(server.requests.map(({ body }) => body.toString())).toEqual([TEXT, TEXT, TEXT]);
});

it('sends a body again that an inner interceptor makes a stream of, anew each time', async () => {
  server.script(503, 503, 200);
  const api = axios.create({ baseURL: server.url });
  api.interceptors.request.use((config) => Object.assign(config, { data: nodeStream() }));
  attachRetry(api, { ...instant, methods: ['POST'] });
  await api.post('/', 'name.txt');
  expect(server.requests.map(({ body }) => body.toString())).toEqual([TEXT, TEXT, TEXT]);
});
