// What lies inside edits what it gets: nothing of it adds up, and nothing of the caller's changes.
import type { AxiosError, AxiosInstance, AxiosRequestConfig, InternalAxiosRequestConfig } from 'axios';
import { attachRetry } from '../../../lib/index';
import axios from '../../helpers/axios';
import { instant } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';

const server = useRecordingServer();
const METHODS = ['GET', 'POST', 'PUT'];

const create = (): AxiosInstance => axios.create({ baseURL: server.url });

type Edit = (config: InternalAxiosRequestConfig) => unknown;
type Send = (api: AxiosInstance) => Promise<unknown>;

const edits: [string, Edit, Send][] = [
  ['a member of the data', ({ data }) => (data.count += 1), (api) => api.post('/', { count: 0 })],
  ['a nested member of the data', ({ data }) => (data.a.b.count += 1), (api) => api.post('/', { a: { b: { count: 0 } } })],
  ['an object in an array', ({ data }) => (data.items[0].count += 1), (api) => api.post('/', { items: [{ count: 0 }] })],
  ['an array in the data', ({ data }) => data.trail.push('x'), (api) => api.post('/', { trail: [] })],
  ['an array as data', ({ data }) => data.push({ more: true }), (api) => api.post('/', [{ id: 1 }])],
  ['what is no longer there the second time', ({ data }) => delete data.secret, (api) => api.post('/', { secret: 1, id: 2 })],
  ['search params as data', ({ data }) => data.append('x', '1'), (api) => api.post('/', new URLSearchParams('a=1'))],
  ['search params in the data', ({ data }) => data.form.append('x', '1'), (api) => api.post('/', [{ form: new URLSearchParams('a=1') }].map(({ form }) => ({ form, toJSON: () => form.toString() }))[0])],
  ['the data as a whole', (config) => (config.data = { wrapped: config.data }), (api) => api.post('/', { id: 1 })],
  ['a member of the params', ({ params }) => (params.page += 1), (api) => api.get('/', { params: { page: 0 } })],
  ['an array in the params', ({ params }) => params.ids.push(9), (api) => api.get('/', { params: { ids: [1] } })],
  ['search params', ({ params }) => params.append('x', '1'), (api) => api.get('/', { params: new URLSearchParams('a=1') })],
  ['the params as a whole', (config) => (config.params = { was: config.params }), (api) => api.get('/', { params: { a: 1 } })],
  ['a header', ({ headers }) => headers.set('X-Sum', `${headers.get('X-Sum') ?? ''}+1`), (api) => api.get('/')],
  ['a header by assignment', ({ headers }) => (headers['X-Sum'] = `${headers['X-Sum'] ?? ''}+1`), (api) => api.get('/', { headers: { 'X-Sum': '0' } })],
  ['a header with several values', ({ headers }) => (headers['X-List'] as unknown as string[]).push('c'), (api) => api.get('/', { headers: { 'X-List': ['a', 'b'] as never } })],
  ['a header that it deletes', ({ headers }) => headers.delete('X-Once'), (api) => api.get('/', { headers: { 'X-Once': '1' } })],
  ['the URL', (config) => (config.url += 'x'), (api) => api.get('/')],
  ['the base URL', (config) => (config.baseURL += '/x'), (api) => api.get('/')],
  ['the method', (config) => (config.method = config.method === 'get' ? 'post' : 'put'), (api) => api.get('/')],
  ['the transforms', (config) => (config.transformRequest = [(data) => `${data}!`]), (api) => api.post('/', 'a')],
];

/** The first attempt sends the edit once, and so do all others. */
async function expectSameRequests(api: AxiosInstance, send: Send): Promise<void> {
  server.script(503, 503, 200);
  attachRetry(api, { ...instant, methods: METHODS });
  await send(api);
  expect(server.dumps).toHaveLength(3);
  expect(server.dumps[1]).toBe(server.dumps[0]);
  expect(server.dumps[2]).toBe(server.dumps[0]);
}

it.each(edits)('starts afresh when an inner request interceptor edits %s', async (_, edit, send) => {
  const api = create();
  api.interceptors.request.use((config) => {
    edit(config);
    return config;
  });
  await expectSameRequests(api, send);
});

const responseEdits = edits.filter(([name]) => /params|header|URL|method/.test(name) && !name.includes('as data') && !name.includes('in the data'));

it.each(responseEdits)('starts afresh when an inner response interceptor edits %s of the failed attempt', async (_, edit, send) => {
  const api = create();
  api.interceptors.response.use(undefined, (error: AxiosError) => {
    edit(error.config!);
    throw error;
  });
  await expectSameRequests(api, send);
});

it.each<[string, AxiosRequestConfig]>([
  ['timeout', { timeout: 1 }],
  ['responseType', { responseType: 'stream' }],
  ['maxRedirects', { maxRedirects: 9 }],
  ['auth', { auth: { username: 'a', password: 'b' } }],
])('starts afresh when an inner response interceptor sets `%s`', async (name, edit) => {
  const seen: unknown[] = [];
  const api = axios.create({
    adapter: (config) => {
      seen.push(Reflect.get(config, name));
      return Promise.reject(new axios.AxiosError('failed', 'ERR_NETWORK', config));
    },
  });
  api.interceptors.response.use(undefined, (error: AxiosError) => Promise.reject(Object.assign(error, { config: Object.assign(error.config!, edit) })));
  attachRetry(api, { ...instant, retries: 2 });
  await expect(api.get('/')).rejects.toThrow('failed');
  expect(seen).toEqual([seen[0], seen[0], seen[0]]);
  expect(seen[0]).not.toEqual(Reflect.get(edit, name));
});

it.each<[string, (data: never, headers: InternalAxiosRequestConfig['headers']) => unknown, unknown]>([
  ['an object', (data: { count: number }) => JSON.stringify({ count: (data.count += 1) }), { count: 0 }],
  ['a nested object', (data: { a: [{ count: number }] }) => JSON.stringify((data.a[0].count += 1) && data), { a: [{ count: 0 }] }],
  ['search params', (data: URLSearchParams) => (data.append('x', '1'), data.toString()), new URLSearchParams('a=1')],
  ['headers', (data: string, headers) => (headers.set('X-Sum', `${headers.get('X-Sum') ?? ''}+1`), data), 'text'],
  ['R28 an envelope', (data: object) => JSON.stringify({ envelope: data }), { id: 1 }],
  ['R28 an envelope of text', (data: string) => `[${data}]`, 'text'],
])('starts afresh when `transformRequest` edits %s', async (_, transform, data) => {
  const api = create();
  await expectSameRequests(api, () => api.post('/', data, { transformRequest: transform as never }));
});

it('starts afresh when a transform edits a web FormData', async () => {
  server.script(503, 503, 200);
  const api = create();
  const sizes: number[] = [];
  attachRetry(api, { ...instant, methods: METHODS });
  const form = new FormData();
  form.append('a', '1');
  form.append('file', new Blob(['text']), 'name.txt');
  await api.post('/', form, {
    transformRequest: (data: FormData) => {
      data.append('x', 'y');
      sizes.push([...data.keys()].length);
      const file = data.get('file') as File;
      return `${file.name} ${file.size}`;
    },
  });
  expect(sizes).toEqual([3, 3, 3]);
  expect(server.requests.map(({ body }) => body.toString())).toEqual(Array(3).fill('name.txt 4'));
});

it('starts afresh when a params serializer edits the params', async () => {
  const api = create();
  await expectSameRequests(api, () =>
    api.get('/', { params: { page: 0 }, paramsSerializer: { serialize: (params) => `page=${(params['page'] += 1)}` } }),
  );
});

it('R29 shows inner layers the same types and values on every attempt', async () => {
  server.script(500, 500, 200);
  const api = create();
  const seen: unknown[] = [];
  const types: string[] = [];
  api.interceptors.request.use((config) => {
    types.push(`${typeof config.data} ${typeof config.params} ${config.headers.constructor.name}`);
    seen.push(structuredClone({ data: config.data, params: config.params, url: config.url, headers: { ...config.headers } }));
    return config;
  });
  attachRetry(api, { ...instant, methods: METHODS });
  await api.post('/', { id: 1, list: [{ a: 1 }] }, { params: { q: 'x' }, headers: { 'X-Trace': '1' } });
  expect(types).toEqual(Array(3).fill('object object AxiosHeaders'));
  expect(seen).toEqual([seen[0], seen[0], seen[0]]);
});

it('shows inner layers the same kind of config on every attempt', async () => {
  server.script(500, 500, 200);
  const api = create();
  const seen: unknown[] = [];
  api.interceptors.request.use((config) => {
    const { hasOwnProperty } = config;
    seen.push([Object.getPrototypeOf(config), hasOwnProperty.call(config, 'url'), Object.keys(config).sort()]);
    return config;
  });
  attachRetry(api, instant);
  await api.get('/', { params: { a: 1 } });
  expect(seen).toHaveLength(3);
  expect(seen).toEqual([seen[0], seen[0], seen[0]]);
});

it('mutates nothing of what the caller passed', async () => {
  server.script(503, 503, 200);
  const api = create();
  api.interceptors.request.use((config) => config);
  attachRetry(api, { ...instant, attemptHeader: 'X-Resend', idempotencyKey: true, methods: METHODS });
  class Order {
    id = 1;
  }
  const order = new Order();
  const data = { order, items: [{ id: 1 }], nested: { when: new Date(0) } };
  const params = new URLSearchParams('a=1');
  const config = { params, headers: { 'X-Trace': ['1', '2'] as never }, retry: { retries: 2 }, own: { kept: true } };
  const before = structuredClone({ data: { ...data, order: { ...order } }, config: { ...config, params: params.toString() } });
  await api.post('/', data, config);
  expect({ data: { ...data, order: { ...order } }, config: { ...config, params: params.toString() } }).toEqual(before);
  expect(Reflect.ownKeys(config)).toEqual(Object.keys(before.config));
  expect(data.order).toBe(order);
});
