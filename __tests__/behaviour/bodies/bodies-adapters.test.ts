// The same behaviour with every adapter of every axios.
import { closeBrowser, visit } from '../../helpers/xhr';
import type { AxiosError, AxiosInstance } from 'axios';
import { attachRetry, getRetryReport } from '../../../lib/index';
import axios, { axiosVersion, isAtLeast } from '../../helpers/axios';
import { instant, keepLog, rejectionOf } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';

const server = useRecordingServer();
beforeAll(() => visit(server.url));
afterAll(closeBrowser);

/** The fetch adapter came with 1.7. */
const adapters = isAtLeast('1.7') ? ['http', 'xhr', 'fetch'] : ['http', 'xhr'];

describe.each(adapters)(`R74 axios ${axiosVersion} with the %s adapter`, (adapter) => {
  const create = (): AxiosInstance => axios.create({ baseURL: server.url, adapter: adapter as 'http' });

  it('recovers from statuses and broken connections', async () => {
    server.script(503, 'reset', 500, 200);
    const api = create();
    const { lines, observer } = keepLog();
    attachRetry(api, { ...instant, ...observer });
    await expect(api.get('/?q=1')).resolves.toMatchObject({ status: 200, data: { request: 4 } });
    expect(server.requests.map(({ url }) => url)).toEqual(Array(4).fill('/?q=1'));
    expect(lines).toEqual(['retry 1', 'retry 2', 'retry 3', 'recover 4']);
  });

  it('ends with the error of the last attempt', async () => {
    server.script(500, 502, 503);
    const api = create();
    attachRetry(api, { ...instant, retries: 2 });
    const error = await rejectionOf(api.get('/'));
    expect(error).toBeInstanceOf(axios.AxiosError);
    expect((error as AxiosError).response?.status).toBe(503);
    expect(getRetryReport(error)).toMatchObject({
      attempts: 3,
      reason: 'exhausted',
      history: [500, 502, 503].map((status, index) => ({ attempt: index + 1, kind: 'status', status })),
    });
  });

  it('sends JSON again as it was', async () => {
    server.script(503, 503, 200);
    const api = create();
    attachRetry(api, { ...instant, methods: ['POST'] });
    await api.post('/', { name: 'ä' }, { headers: { 'X-Trace': '1' } });
    expect(server.requests.map(({ body }) => body.toString())).toEqual(Array(3).fill('{"name":"ä"}'));
    expect(server.header('content-type')).toEqual(Array(3).fill(server.requests[0]?.headers['content-type']));
    expect(server.header('x-trace')).toEqual(['1', '1', '1']);
  });

  it('does not repeat a POST whose connection broke', async () => {
    server.script('reset', 200);
    const api = create();
    attachRetry(api, instant);
    const error = await rejectionOf(api.post('/', { id: 1 }));
    expect(getRetryReport(error)).toMatchObject({ attempts: 1, reason: 'method', history: [{ kind: 'network' }] });
    expect(server.requests).toHaveLength(1);
  });

  it('retries after a timeout', async () => {
    server.script('hang', 200);
    const api = create();
    const kinds: string[] = [];
    // More retries than one: on a busy machine an answer, too, may come too late.
    attachRetry(api, { ...instant, retries: 20, onRetry: ({ kind }) => kinds.push(kind) });
    await expect(api.get('/', { timeout: 50 })).resolves.toMatchObject({ status: 200 });
    expect(new Set(kinds)).toEqual(new Set(['timeout']));
  });

  it('does not retry a cancelled call', async () => {
    server.script('hang');
    const api = create();
    attachRetry(api, instant);
    const controller = new AbortController();
    const call = rejectionOf(api.get('/', { signal: controller.signal }));
    while (server.requests.length === 0) await new Promise(setImmediate);
    controller.abort();
    const error = await call;
    expect(axios.isCancel(error)).toBe(true);
    expect(getRetryReport(error)).toMatchObject({ reason: 'aborted' });
    expect(server.requests).toHaveLength(1);
  });

  it('runs inner layers once per attempt and outer layers once per call', async () => {
    server.script(503, 200);
    const api = create();
    const inner = jest.fn((config) => config);
    api.interceptors.request.use(inner);
    attachRetry(api, instant);
    api.interceptors.response.use((response) => response.data);
    await expect(api.get('/')).resolves.toEqual({ request: 2 });
    expect(inner).toHaveBeenCalledTimes(2);
  });
});
