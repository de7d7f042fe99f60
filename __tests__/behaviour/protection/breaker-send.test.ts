import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import axios from '../../helpers/axios';
import { answers, recordingSleep, rejection, startService } from '../../helpers/local-service';
import { until } from '../../helpers/virtual-time';
import { attachRetry, getRetryReport, type CircuitBreaker, type RetryOptions } from '../../../lib/index';

const through: CircuitBreaker = { execute: (send) => send() };

function client(options: RetryOptions = {}, defaults: Parameters<typeof axios.create>[0] = {}) {
  const api = axios.create(defaults);
  return { api, handle: attachRetry(api, { circuitBreaker: through, sleep: recordingSleep().sleep, ...options }) };
}

describe('an execute of its own mind', () => {
  it('that calls send twice sends once', async () => {
    const service = await startService(answers(200));
    const execute = async <T>(send: () => Promise<T>): Promise<T> => {
      const [first, second] = await Promise.all([send(), send()]);
      expect(first).toBe(second);
      return first;
    };
    const { api, handle } = client({ circuitBreaker: { execute } });
    expect((await api.get(service.url)).status).toBe(200);
    expect(service.received).toHaveLength(1);
    expect(handle.stats().attempts).toBe(1);
  });

  it('that retries by itself gets the same failure again, and sends once an attempt', async () => {
    const service = await startService(answers(503));
    const execute = <T>(send: () => Promise<T>): Promise<T> => send().catch(send).catch(send);
    const { api } = client({ circuitBreaker: { execute } });
    expect(await rejection(api.get(service.url))).toMatchObject({ response: { status: 503 } });
    expect(service.received).toHaveLength(4);
  });

  it('that resolves without send settles the call, and nothing is sent', async () => {
    const service = await startService(answers(200));
    const { api } = client({ circuitBreaker: { execute: () => Promise.resolve(undefined as never) } });
    await rejection(api.get(service.url));
    expect(service.received).toHaveLength(0);
  });

  it('that falls back to a response of its own without send succeeds with it', async () => {
    const service = await startService(answers(503));
    const cached = { status: 200, statusText: 'cached', headers: {}, data: 'cached', config: {} };
    const execute = <T>(): Promise<T> => Promise.resolve(cached as T);
    const { api } = client({ circuitBreaker: { execute } });
    expect((await api.get(service.url)).data).toBe('cached');
    expect(service.received).toHaveLength(0);
  });

  it('that fails with an error of its own after send passes it on: no retry', async () => {
    const service = await startService(answers(200));
    const late = new Error('took too long');
    const execute = async <T>(send: () => Promise<T>): Promise<T> => {
      await send();
      throw late;
    };
    const { api } = client({ circuitBreaker: { execute } });
    expect(await rejection(api.get(service.url))).toBe(late);
    expect(service.received).toHaveLength(1);
  });

  it.each(['before it has called send', 'after it has called send'])('that never settles %s ends with an abort', async (when) => {
    const service = await startService(answers('hang'));
    const execute = <T>(send: () => Promise<T>): Promise<T> => {
      if (when.startsWith('after')) send().catch(() => undefined);
      return new Promise(() => undefined);
    };
    const { api } = client({ circuitBreaker: { execute } });
    const gone = new AbortController();
    const call = rejection(api.get(service.url, { signal: gone.signal }));
    if (when.startsWith('after')) await until(() => service.received.length === 1);
    else await new Promise((resolve) => setImmediate(resolve));
    gone.abort(new Error('left the page'));
    const error = await call;
    expect(axios.isCancel(error)).toBe(true);
    expect(error).toMatchObject({ code: 'ERR_CANCELED', config: { url: service.url }, cause: { message: 'left the page' } });
    expect(getRetryReport(error)?.reason).toBe('aborted');
  });

  it('that never settles ends at the deadline', async () => {
    const { api } = client({ circuitBreaker: { execute: () => new Promise(() => undefined) }, totalTimeout: 20 });
    const error = await rejection(api.get('http://a.example/'));
    expect(error).toMatchObject({ code: 'ECONNABORTED', message: 'totalTimeout of 20ms exceeded' });
    expect(getRetryReport(error)?.reason).toBe('deadline');
  });

  it('that sends after the caller has gone sends nothing', async () => {
    const service = await startService(answers(200));
    let sendLate = (): Promise<unknown> => Promise.resolve();
    const execute = <T>(send: () => Promise<T>): Promise<T> => {
      sendLate = send;
      return new Promise(() => undefined);
    };
    const { api } = client({ circuitBreaker: { execute } });
    const gone = new AbortController();
    const call = rejection(api.get(service.url, { signal: gone.signal }));
    await new Promise((resolve) => setImmediate(resolve));
    gone.abort();
    await call;
    expect(axios.isCancel(await rejection(sendLate()))).toBe(true);
    expect(service.received).toHaveLength(0);
  });
});

describe('adapters', () => {
  const inMemory = jest.fn((config: object) =>
    Promise.resolve({ status: 200, statusText: 'OK', headers: {}, data: '"memory"', config: config as never }),
  );

  it('a function is called once an attempt, with the very config', async () => {
    const { api } = client();
    const response = await api.get('http://a.example/', { adapter: inMemory });
    expect(response.data).toBe('memory');
    expect(inMemory).toHaveBeenCalledTimes(1);
    expect(inMemory.mock.calls[0]?.[0]).toBe(response.config);
    expect(response.config.adapter).toBe(inMemory);
  });

  it.each<[string, RetryOptions['circuitBreaker'] extends never ? never : 'http' | ['xhr', 'http'] | undefined]>([
    ['a name', 'http'],
    ['a list', ['xhr', 'http']],
    ['the default', undefined],
  ])('%s works on every attempt', async (_name, adapter) => {
    const service = await startService(answers(503, 200));
    const { api } = client({}, adapter ? { adapter } : {});
    const response = await api.get(service.url);
    expect(response.data).toEqual({ status: 200 });
    expect(service.received).toHaveLength(2);
    expect(response.config.adapter).toEqual(adapter ?? axios.defaults.adapter);
  });

  it('a request may name its own', async () => {
    const service = await startService(answers(200));
    const { api } = client({}, { adapter: inMemory });
    expect((await api.get(service.url, { adapter: 'http' })).data).toEqual({ status: 200 });
  });

  it('an unknown name is the error that it is without a breaker', async () => {
    const { api } = client();
    const error = (await rejection(api.get('http://a.example/', { adapter: 'carrier-pigeon' }))) as Error;
    expect(error.message).toContain('carrier-pigeon');
  });
});

describe('the request itself', () => {
  it('has the config of its attempt on response and error', async () => {
    const service = await startService(answers(503, 503, 404));
    const api = axios.create();
    const seen: unknown[] = [];
    api.interceptors.request.use((config) => {
      seen.push(config);
      return config;
    });
    attachRetry(api, { circuitBreaker: through, sleep: recordingSleep().sleep });
    const error = await rejection(api.get(service.url));
    const { config, response } = error as { config: unknown; response: { config: unknown } };
    expect(seen).toHaveLength(3);
    expect(config).toBe(seen[2]);
    expect(response.config).toBe(seen[2]);
    service.answer = answers(200);
    const answer = await api.get(service.url);
    expect(answer.config).toBe(seen[3]);
    expect(answer.config.transformResponse).toBe(seen[3] && (seen[3] as typeof answer.config).transformResponse);
    expect(answer.config.retryState).toMatchObject({ attempt: 1 });
  });

  it('does not get back the headers that the caller removed', async () => {
    const service = await startService(answers(503, 200));
    const { api } = client({}, { headers: { common: { 'X-Tenant': 'a' }, 'X-Trace': 'on' } });
    api.defaults.headers.put['Content-Type'] = 'text/plain';
    const headers = { 'X-Tenant': null, 'X-Trace': false, 'Content-Type': false } as unknown as Record<string, string>;
    await api.put(service.url, 'body', { headers });
    expect(service.received).toHaveLength(2);
    for (const { headers, body } of service.received) {
      expect(Object.keys(headers).filter((name) => ['x-tenant', 'x-trace', 'content-type'].includes(name))).toEqual([]);
      expect(body).toBe('body');
    }
  });

  it('does not get back what an inner interceptor removed', async () => {
    const service = await startService(answers(503, 200));
    const api = axios.create({ headers: { 'X-Trace': 'on' }, params: { trace: 1 }, auth: { username: 'u', password: 'p' } });
    api.interceptors.request.use((config) => {
      config.headers.delete('X-Trace');
      delete config.params;
      delete config.auth;
      return config;
    });
    attachRetry(api, { circuitBreaker: through, sleep: recordingSleep().sleep });
    await api.get(`${service.url}/x`);
    expect(service.received.map(({ path }) => path)).toEqual(['/x', '/x']);
    expect(service.received.map(({ headers }) => [headers['x-trace'], headers.authorization])).toEqual([[undefined, undefined], [undefined, undefined]]);
  });

  it('runs its transforms once an attempt, on what the caller gave', async () => {
    const service = await startService(answers(503, 200));
    const up = jest.fn((data: unknown) => JSON.stringify({ wrapped: data }));
    const down = jest.fn((data: string) => JSON.parse(data) as unknown);
    const { api } = client({}, { transformRequest: [up], transformResponse: [down] });
    const response = await api.put(service.url, { id: 7 });
    expect(service.received.map(({ body }) => body)).toEqual(['{"wrapped":{"id":7}}', '{"wrapped":{"id":7}}']);
    expect(response.data).toEqual({ status: 200 });
    expect([up.mock.calls.length, down.mock.calls.length]).toEqual([2, 2]);
  });

  it('is the same on the wire as without a breaker', async () => {
    const service = await startService(answers(200));
    const [guarded, plain] = [client().api, client({ circuitBreaker: false }).api];
    for (const api of [guarded, plain]) {
      const options = { params: { q: 'a b', list: [1, 2] }, headers: { 'X-One': '1' }, auth: { username: 'u', password: 'p' } };
      await api.post(`${service.url}/x`, { id: 7 }, options);
      await api.post(`${service.url}/x`, new URLSearchParams({ a: '1' }));
      await api.post(`${service.url}/x`, Buffer.from([1, 2, 3]), { headers: { 'Content-Type': 'application/octet-stream' } });
      await api.request({ baseURL: `${service.url}/v1/`, url: '/y', method: 'DELETE' });
    }
    expect(service.received.slice(0, 4)).toEqual(service.received.slice(4));
  });
});

it('keeps no breaker alive that a request has brought', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const { api } = client({}, { adapter: (config) => Promise.resolve({ status: 200, statusText: '', headers: {}, data: '', config }) });
  class Breaker implements CircuitBreaker {
    execute<T>(send: () => Promise<T>): Promise<T> {
      return send();
    }
  }
  const brought: WeakRef<object>[] = [];
  const callWith = async (circuitBreaker: Breaker | (() => Breaker)): Promise<void> => {
    brought.push(new WeakRef(circuitBreaker));
    await api.get('http://a.example/', { retry: { circuitBreaker } });
  };
  for (let i = 0; i < 50; i++) {
    await callWith(new Breaker());
    await callWith(() => new Breaker());
  }
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  // The last one or two may still be on the stack.
  expect(brought.filter((breaker) => breaker.deref()).length).toBeLessThan(10);
});
