// Attaching, attaching again, detaching.
import type { AxiosInstance } from 'axios';
import { attachRetry, getRetryReport, type RetryOptions } from '../../../lib/index';
import axios from '../../helpers/axios';
import { holdSleep, instant, keepLog, rejectionOf } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';

const server = useRecordingServer();

const create = (): AxiosInstance => axios.create({ baseURL: server.url });

/** `forEach` is public, but not in axios' types. */
interface Managed {
  forEach(visit: (handler: unknown) => void): void;
}

/** All that can be seen of an instance from outside. */
function describeInstance(api: AxiosInstance): unknown {
  const { request, response } = api.interceptors;
  const describeManager = (manager: object): unknown => {
    const handlers: unknown[] = [];
    (manager as Managed).forEach((handler) => handlers.push(handler));
    return { handlers, keys: Reflect.ownKeys(manager), prototype: Object.getPrototypeOf(manager) };
  };
  return {
    keys: Reflect.ownKeys(api),
    managerNames: Reflect.ownKeys(api.interceptors),
    managers: [request, response],
    request: describeManager(request),
    response: describeManager(response),
    defaults: { ...api.defaults },
    defaultNames: Reflect.ownKeys(api.defaults),
  };
}

describe('attaching again', () => {
  it('R06 never doubles requests or hooks', async () => {
    server.thenAlways(500);
    const api = create();
    const [first, second] = [keepLog(), keepLog()];
    attachRetry(api, { ...instant, ...first.observer, retries: 2 });
    attachRetry(api, { ...instant, ...second.observer, retries: 2 });
    await rejectionOf(api.get('/'));
    expect(server.requests).toHaveLength(3);
    expect(first.lines).toEqual([]);
    expect(second.lines).toEqual(['retry 1', 'retry 2', 'give-up exhausted']);
  });

  it('R06 a thousand times still makes one pass', async () => {
    server.thenAlways(500);
    const api = create();
    attachRetry(api);
    const once = describeInstance(api);
    const { lines, observer } = keepLog();
    for (let time = 1; time <= 1000; time++) {
      attachRetry(api, { ...instant, ...observer, retries: 2 });
    }
    expect(describeInstance(api)).toEqual(once);
    await rejectionOf(api.get('/'));
    expect(server.requests).toHaveLength(3);
    expect(lines).toEqual(['retry 1', 'retry 2', 'give-up exhausted']);
  });

  it('R07 replaces the options as a whole', async () => {
    server.thenAlways(500);
    const api = create();
    attachRetry(api, { ...instant, retries: 5, methods: ['POST'] });
    const retry = attachRetry(api, instant);
    await rejectionOf(api.post('/'));
    expect(server.requests).toHaveLength(1);
    await rejectionOf(api.get('/'));
    expect(server.requests).toHaveLength(5);
    expect(retry.stats()).toMatchObject({ calls: 2, gaveUp: { method: 1, exhausted: 1 } });
  });

  it('keeps its place among the layers', async () => {
    server.script(500, 200);
    const api = create();
    attachRetry(api, { ...instant, retries: 0 });
    const outer = jest.fn((response) => response.data);
    api.interceptors.response.use(outer);
    const request = jest.fn((config) => config);
    api.interceptors.request.use(request);
    attachRetry(api, instant);
    await expect(api.get('/')).resolves.toEqual({ request: 2 });
    expect(outer).toHaveBeenCalledTimes(1);
    expect(request).toHaveBeenCalledTimes(1);
  });

  it('counts from zero, and leaves the old counts to the old handle', async () => {
    server.script(500);
    const api = create();
    const before = attachRetry(api, instant);
    await api.get('/');
    const after = attachRetry(api, instant);
    await api.get('/');
    expect(before.stats()).toMatchObject({ calls: 1, attempts: 2, retries: 1 });
    expect(after.stats()).toMatchObject({ calls: 1, attempts: 1, retries: 0 });
  });

  it('does not change the options of a running call', async () => {
    server.thenAlways(500);
    const api = create();
    const held = holdSleep();
    const before = attachRetry(api, { sleep: held.sleep, retries: 2 });
    const call = rejectionOf(api.get('/'));
    await held.begun;
    const after = attachRetry(api, { ...instant, retries: 0 });
    held.release();
    expect(getRetryReport(await call)).toMatchObject({ attempts: 3, reason: 'exhausted' });
    expect(before.stats()).toMatchObject({ calls: 1, attempts: 3, gaveUp: { exhausted: 1 } });
    expect(after.stats()).toMatchObject({ calls: 0, attempts: 0, gaveUp: { exhausted: 0 } });
  });

  it('leaves the old options in force when the new ones are wrong', async () => {
    server.thenAlways(500);
    const api = create();
    attachRetry(api, { ...instant, retries: 1 });
    expect(() => attachRetry(api, { retries: -1 })).toThrow(RangeError);
    await rejectionOf(api.get('/'));
    expect(server.requests).toHaveLength(2);
  });

  it('leaves nothing to detach to the old handle', async () => {
    server.script(500, 200);
    const api = create();
    const before = attachRetry(api, instant);
    attachRetry(api, instant);
    before.detach();
    await expect(api.get('/')).resolves.toMatchObject({ status: 200 });
  });
});

describe('detaching', () => {
  it('R07 sends one request afterwards, and follows the new options when attached again', async () => {
    server.thenAlways(500);
    const api = create();
    attachRetry(api, instant).detach();
    await rejectionOf(api.get('/'));
    expect(server.requests).toHaveLength(1);
    attachRetry(api, { ...instant, retries: 1 });
    await rejectionOf(api.get('/'));
    expect(server.requests).toHaveLength(3);
  });

  it.each([
    ['at once', async () => undefined],
    ['after a call with retries', (api: AxiosInstance) => api.get('/')],
    ['after a call that failed for good', (api: AxiosInstance) => rejectionOf(api.get('/', { retry: 1 }))],
    ['after a call that was cancelled', (api: AxiosInstance) => rejectionOf(api.get('/', { signal: AbortSignal.abort() }))],
  ])('leaves the instance as it was, %s', async (_, use) => {
    server.script(500, 500);
    const api = create();
    api.interceptors.request.use((config) => config);
    api.interceptors.response.use((response) => response);
    const before = describeInstance(api);
    const retry = attachRetry(api, instant);
    expect(describeInstance(api)).not.toEqual(before);
    await use(api);
    retry.detach();
    expect(describeInstance(api)).toEqual(before);
  });

  it('leaves the interceptors of others where they are', async () => {
    server.script(500);
    const api = create();
    const seen: string[] = [];
    api.interceptors.response.use(undefined, (error) => Promise.reject(seen.push('first') && error));
    const retry = attachRetry(api, instant);
    const last = api.interceptors.response.use(undefined, (error) => Promise.reject(seen.push('last') && error));
    retry.detach();
    await rejectionOf(api.get('/'));
    expect(seen).toEqual(['first', 'last']);
    api.interceptors.response.eject(last);
    server.script(500);
    await rejectionOf(api.get('/'));
    expect(seen).toEqual(['first', 'last', 'first']);
  });

  it('twice does nothing more', async () => {
    server.script(500);
    const api = create();
    const retry = attachRetry(api, instant);
    retry.detach();
    attachRetry(api, instant);
    retry.detach();
    await expect(api.get('/')).resolves.toMatchObject({ status: 200 });
    expect(server.requests).toHaveLength(2);
  });

  it('takes a new place when attached again', async () => {
    server.script(500, 200);
    const api = create();
    const retry = attachRetry(api, instant);
    const layer = jest.fn((error) => Promise.reject(error));
    api.interceptors.response.use(undefined, layer);
    retry.detach();
    attachRetry(api, instant);
    await api.get('/');
    expect(layer).toHaveBeenCalledTimes(1); // inside now: it sees the failed attempt
  });

  it('is what `Symbol.dispose` does', async () => {
    server.thenAlways(500);
    const api = create();
    const before = describeInstance(api);
    {
      using retry = attachRetry(api, { ...instant, retries: 1 });
      await rejectionOf(api.get('/'));
      expect(retry.stats()).toMatchObject({ attempts: 2 });
    }
    expect(describeInstance(api)).toEqual(before);
    await rejectionOf(api.get('/'));
    expect(server.requests).toHaveLength(3);
  });
});

describe('options given to `attachRetry`', () => {
  it('R09 are not written to the defaults', () => {
    const api = create();
    const defaults = api.defaults;
    const before = { ...defaults };
    attachRetry(api, { retries: 1 });
    expect(api.defaults).toBe(defaults);
    expect({ ...api.defaults }).toEqual(before);
  });

  it('R09 survive that the defaults are replaced', async () => {
    server.thenAlways(500);
    const api = create();
    attachRetry(api, { ...instant, retries: 1 });
    Object.assign(api, { defaults: { ...api.defaults, headers: new axios.AxiosHeaders() } });
    await rejectionOf(api.get('/'));
    expect(server.requests).toHaveLength(2);
  });

  it.each<[string, object, string]>([
    ['an unknown name', { retires: 3 }, 'retries'],
    ['a wrong type', { baseDelay: '500' }, 'baseDelay'],
  ])('R09 are refused for %s, with nothing attached', (_, options, name) => {
    const api = create();
    const before = describeInstance(api);
    expect(() => attachRetry(api, options as RetryOptions)).toThrow(new RegExp(name));
    expect(describeInstance(api)).toEqual(before);
  });

  it('R79 are overridden by the request field by field', async () => {
    server.thenAlways(500);
    const api = create();
    const waits: number[] = [];
    const sleep = (ms: number): Promise<void> => Promise.resolve(void waits.push(ms));
    attachRetry(api, { retries: 5, baseDelay: 20, jitter: 'none', sleep });
    await rejectionOf(api.get('/', { retry: { retries: 1 } }));
    expect(server.requests).toHaveLength(2);
    expect(waits).toEqual([20]);
  });

  it.each<[string, 0 | false | { retries: 0 }]>([
    ['retry: 0', 0],
    ['retry: { retries: 0 }', { retries: 0 }],
    ['retry: false', false],
  ])('R80 are switched off by a request with `%s`', async (_, retry) => {
    server.thenAlways(500);
    const api = create();
    const { lines, observer } = keepLog();
    attachRetry(api, { ...instant, ...observer });
    await rejectionOf(api.get('/', { retry }));
    expect(server.requests).toHaveLength(1);
    expect(lines).toEqual(retry === false ? [] : ['give-up exhausted']);
  });

  it('R80 are switched off for all calls by the defaults of the instance', async () => {
    server.thenAlways(500);
    const api = axios.create({ baseURL: server.url, retry: false });
    const retry = attachRetry(api, instant);
    await rejectionOf(api.get('/'));
    expect(server.requests).toHaveLength(1);
    expect(retry.stats()).toMatchObject({ calls: 0, attempts: 0 });
  });
});
