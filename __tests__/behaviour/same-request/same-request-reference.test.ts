// What is copied, and what is not: a body that nobody inside can edit reaches the adapter by reference, every time.
import type { AxiosInstance, InternalAxiosRequestConfig } from 'axios';
import { attachRetry } from '../../../lib/index';
import axios from '../../helpers/axios';
import { instant } from '../../helpers/instant';

/** An adapter that fails twice and keeps what it gets. */
function createFailing(): { api: AxiosInstance; seen: InternalAxiosRequestConfig[] } {
  const seen: InternalAxiosRequestConfig[] = [];
  const api = axios.create({
    adapter: (config) => {
      seen.push({ ...config });
      if (seen.length < 3) return Promise.reject(new axios.AxiosError('failed', 'ERR_NETWORK', config));
      return Promise.resolve({ status: 200, statusText: 'OK', data: '', headers: {}, config });
    },
  });
  return { api, seen };
}

class Order {
  constructor(readonly items: object[]) {}
}

const bodies: [string, () => object][] = [
  ['an instance of a class', () => new Order([{ id: 1 }])],
  ['a Map', () => new Map([['a', 1]])],
  ['a Buffer', () => Buffer.from('bytes')],
  ['a typed array', () => new Uint8Array([1, 2, 3])],
  ['a Blob', () => new Blob(['text'])],
];
const editable: [string, () => object][] = [
  ['URLSearchParams', () => new URLSearchParams('a=1')],
  ['a web FormData', () => new FormData()],
];

it.each([...bodies, ...editable])('hands %s to the adapter by reference where nothing inside can edit it', async (_, make) => {
  const { api, seen } = createFailing();
  const body = make();
  attachRetry(api, { ...instant, methods: ['POST'] });
  api.interceptors.request.use((config) => config); // outside
  await api.post('/', body, { transformRequest: [] });
  expect(seen.map(({ data }) => data === body)).toEqual([true, true, true]);
});

it.each(bodies)('hands %s on by reference through interceptors and transforms', async (_, make) => {
  const { api, seen } = createFailing();
  const body = make();
  const transformed: unknown[] = [];
  const intercepted: unknown[] = [];
  api.interceptors.request.use((config) => {
    intercepted.push(config.data);
    return config;
  });
  attachRetry(api, { ...instant, methods: ['POST'] });
  const keep = (data: unknown): unknown => {
    transformed.push(data);
    return data;
  };
  await api.post('/', body, { transformRequest: keep });
  for (const value of [...intercepted, ...transformed, ...seen.map(({ data }) => data as unknown)]) {
    expect(value).toBe(body);
  }
  expect(intercepted).toHaveLength(3);
});

it.each(editable)('hands copies of %s to transforms that may edit it', async (_, make) => {
  const { api } = createFailing();
  const body = make();
  const transformed: unknown[] = [];
  attachRetry(api, { ...instant, methods: ['POST'] });
  await api.post('/', body, { transformRequest: (data: unknown) => transformed.push(data) && 'done' });
  expect(new Set(transformed).size).toBe(3);
  expect(transformed.every((data) => Object.getPrototypeOf(data) === Object.getPrototypeOf(body))).toBe(true);
});

it('hands URLSearchParams to the transform of axios by reference', async () => {
  class Form extends URLSearchParams {
    reads = 0;
    override toString(): string {
      this.reads += 1;
      return super.toString();
    }
  }
  const [sentOnce, sentThrice] = [new Form('a=1'), new Form('a=1')];
  const plain = axios.create({ adapter: (config) => Promise.resolve({ status: 200, statusText: 'OK', data: '', headers: {}, config }) });
  await plain.post('/', sentOnce);
  const { api } = createFailing();
  attachRetry(api, { ...instant, methods: ['POST'] });
  await api.post('/', sentThrice);
  expect(sentThrice.reads).toBe(3 * sentOnce.reads); // a copy would need one more
});

it('hands plain data on as axios merged it, without another copy', async () => {
  const { api, seen } = createFailing();
  const outer: unknown[] = [];
  attachRetry(api, { ...instant, methods: ['POST'] });
  api.interceptors.request.use((config) => {
    outer.push(config.data);
    return config;
  });
  await api.post('/', { items: [{ id: 1 }] }, { transformRequest: [] });
  expect(seen.map(({ data }) => data === outer[0])).toEqual([true, true, true]);
});

it('F18 hands an adapter of the caller’s own a copy of params on each retry: it may edit them', async () => {
  const { api, seen } = createFailing();
  attachRetry(api, instant);
  const params = new URLSearchParams('a=1');
  await api.get('/', { params });
  expect(seen.map((config) => config.params === params)).toEqual([true, false, false]);
  expect(seen.map((config) => String(config.params))).toEqual(['a=1', 'a=1', 'a=1']);
});

it('R25 reads no body for the sake of a retry that is not needed', async () => {
  const api = axios.create({
    adapter: (config) => Promise.resolve({ status: 200, statusText: 'OK', data: '', headers: {}, config }),
  });
  const retry = attachRetry(api, { ...instant, methods: ['POST'] });
  let reads = 0;
  const bodiesOf = Array.from({ length: 1000 }, (_, id) => [
    {
      get id() {
        reads += 1;
        return id;
      },
    },
  ]);
  const responses = await Promise.all(bodiesOf.map((body) => api.post('/', body)));
  expect(responses).toHaveLength(1000);
  expect(reads).toBe(1000); // by JSON.stringify
  expect(retry.stats()).toMatchObject({ calls: 1000, attempts: 1000, waiting: 0 });
});

it('R25 keeps no body that the call no longer needs', async () => {
  const { api } = createFailing();
  attachRetry(api, { ...instant, methods: ['POST'] });
  const body = Buffer.from('bytes');
  const response = await api.post('/', body, { transformRequest: () => 'small' });
  // What hangs on the response is the attempt's config: its body is what was sent.
  expect(response.config.data).toBe('small');
  expect(JSON.stringify(response.config.retryState)).toBe('{"attempt":3}');
});
