// Instances that somebody else tampers with after retries were attached.
import type { AxiosInstance } from 'axios';
import { attachRetry } from '../../../lib/index';
import axios, { isAtLeast } from '../../helpers/axios';
import { holdSleep, instant, keepLog, rejectionOf } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';

const server = useRecordingServer();

const create = (): AxiosInstance => axios.create({ baseURL: server.url });

function clear({ interceptors }: AxiosInstance): void {
  interceptors.request.clear();
  interceptors.response.clear();
}

it.each<[string, (api: AxiosInstance) => void]>([
  ['all interceptors', clear],
  ['the request interceptors', ({ interceptors }) => interceptors.request.clear()],
  ['the response interceptors', ({ interceptors }) => interceptors.response.clear()],
])('attaches again after somebody cleared %s', async (_, tamper) => {
  server.thenAlways(503);
  const api = create();
  const [first, second] = [keepLog(), keepLog()];
  attachRetry(api, { ...instant, ...first.observer });
  tamper(api);
  await rejectionOf(api.get('/'));
  expect(server.requests).toHaveLength(1);
  attachRetry(api, { ...instant, ...second.observer, retries: 2 });
  await rejectionOf(api.get('/'));
  expect(server.requests).toHaveLength(4);
  expect(second.lines).toEqual(['retry 1', 'retry 2', 'give-up exhausted']);
  expect(first.lines).toEqual([]);
});

it('leaves nothing to detach to a handle from before the interceptors were cleared', async () => {
  server.thenAlways(503);
  const api = create();
  const before = attachRetry(api, instant);
  clear(api);
  attachRetry(api, { ...instant, retries: 1 });
  before.detach();
  await rejectionOf(api.get('/'));
  expect(server.requests).toHaveLength(2);
  attachRetry(api, { ...instant, retries: 1 });
  const handlers: unknown[] = [];
  (api.interceptors.request as unknown as { forEach(visit: (handler: unknown) => void): void }).forEach((handler) => handlers.push(handler));
  expect(handlers).toHaveLength(1);
});

it('lets a call that waits settle when somebody clears the interceptors', async () => {
  server.thenAlways(503);
  const api = create();
  const held = holdSleep();
  attachRetry(api, { sleep: held.sleep, retries: 2 });
  const call = rejectionOf(api.get('/'));
  await held.begun;
  clear(api);
  held.release();
  expect(await call).toMatchObject({ response: { status: 503 } });
  expect(server.requests.length).toBeLessThanOrEqual(3);
});

it('sends the same request to the end of a call when somebody clears the interceptors meanwhile', async () => {
  server.script(503, 503, 200);
  const api = create();
  api.defaults.headers.common['X-Default'] = 'default';
  const held = holdSleep();
  attachRetry(api, { sleep: held.sleep });
  const call = api.post('/', { id: 1 }, { headers: { 'X-Default': false }, retry: { methods: ['POST'] } }).catch((error: unknown) => error);
  await held.begun;
  clear(api);
  held.release();
  await call;
  expect(server.header('x-default').filter((value) => value !== undefined)).toEqual([]);
  expect(new Set(server.dumps).size).toBe(1);
});

it('makes one pass where two copies of the package are loaded', async () => {
  server.thenAlways(503);
  const api = create();
  const { lines, observer } = keepLog();
  const first = attachRetry(api, instant);
  let copy: { attachRetry: typeof attachRetry } | undefined;
  await jest.isolateModulesAsync(async () => {
    copy = await import('../../../lib/index');
  });
  expect(copy?.attachRetry).not.toBe(attachRetry);
  const second = copy?.attachRetry(api, { ...instant, ...observer, retries: 2 });
  await rejectionOf(api.get('/'));
  expect(server.requests).toHaveLength(3);
  expect(lines).toEqual(['retry 1', 'retry 2', 'give-up exhausted']);
  first.detach();
  second?.detach();
  await rejectionOf(api.get('/'));
  expect(server.requests).toHaveLength(4);
});

it('takes an instance and a proxy of it for one', async () => {
  server.thenAlways(503);
  const api = create();
  attachRetry(api, { ...instant, retries: 2 });
  attachRetry(new Proxy(api, {}), { ...instant, retries: 1 });
  await rejectionOf(api.get('/'));
  expect(server.requests).toHaveLength(2);
});

it('retries on an instance that was made from one with retries only where it is attached', async () => {
  server.thenAlways(503);
  const api = create();
  attachRetry(api, { ...instant, retries: 1 });
  const child = (api as unknown as { create(config?: object): AxiosInstance }).create({});
  await rejectionOf(child.get('/'));
  expect(server.requests).toHaveLength(1);
  attachRetry(child, { ...instant, retries: 2 });
  await rejectionOf(child.get('/'));
  expect(server.requests).toHaveLength(4);
});

it('does not mind an interceptor manager whose `forEach` somebody replaced', async () => {
  server.script(503, 503, 200);
  const api = create();
  const manager = api.interceptors.request as unknown as { forEach(visit: (handler: unknown) => void): void };
  const original = manager.forEach;
  const replaced = jest.fn((visit: (handler: unknown) => void) => original.call(manager, visit));
  manager.forEach = replaced;
  attachRetry(api, instant);
  const outer = jest.fn((config) => config);
  api.interceptors.request.use(outer);
  await expect(api.get('/')).resolves.toMatchObject({ status: 200 });
  expect(manager.forEach).toBe(replaced);
  expect(outer).toHaveBeenCalledTimes(1);
});

it.each([
  ['synchronous', true],
  ['asynchronous', false],
])('settles when an inner %s interceptor throws on a retry', async (_, synchronous) => {
  server.script(503, 200);
  const api = create();
  const thrown = new Error('signing failed');
  let runs = 0;
  api.interceptors.request.use(
    (config) => {
      runs += 1;
      if (runs === 2) throw thrown;
      return config;
    },
    null,
    { synchronous },
  );
  attachRetry(api, instant);
  const outer = jest.fn((error) => Promise.reject(error));
  api.interceptors.response.use(undefined, outer);
  const error = await rejectionOf(api.get('/'));
  expect(outer).toHaveBeenCalledTimes(1);
  expect(server.requests).toHaveLength(1);
  // axios 1.2 to 1.13 fail by themselves on a synchronous interceptor that throws: then the error is theirs.
  if (!synchronous || isAtLeast('1.21')) expect(error).toBe(thrown);
});

it.each<[string, (sent: Promise<unknown>) => Promise<unknown>]>([
  ['reads the response', (sent) => sent.then((response) => (response as { data: unknown }).data)],
  ['swallows the error', (sent) => sent.catch(() => 'swallowed')],
  ['maps the error', (sent) => sent.catch(() => Promise.reject(new Error('mapped')))],
  ['returns nothing', () => Promise.resolve(undefined)],
])('counts right where a wrapper of `request` %s', async (_, wrapper) => {
  server.script(503, 503, 200);
  const api = create();
  attachRetry(api, instant);
  const call = api.get('/');
  const original = api.request.bind(api);
  Object.assign(api, {
    request: (config: object) => {
      const sent = original(config);
      return Promise.all([wrapper(sent), sent.catch(() => undefined)]).then(([value]) => value);
    },
  });
  await expect(call).resolves.toMatchObject({ status: 200, data: { request: 3 } });
  expect(server.requests).toHaveLength(3);
});
