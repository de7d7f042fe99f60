// The `body` option: a fresh body for every attempt, the first included.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import FormDataPackage from 'form-data';
import type { AxiosInstance } from 'axios';
import { attachRetry, getRetryReport } from '../../../lib/index';
import axios, { itSince } from '../../helpers/axios';
import { endlessStream, nodeStream, normalizeMultipart, TEXT, webStream } from '../../helpers/bodies';
import { holdSleep, instant, rejectionOf } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';

const server = useRecordingServer();

const create = (): AxiosInstance => axios.create({ baseURL: server.url });
const sentTexts = (): string[] => server.requests.map(({ body }) => body.toString());

/** A `body` option that keeps what it made. */
function keep<T>(make: () => T): { body: () => T; made: T[] } {
  const made: T[] = [];
  return {
    body: () => {
      const body = make();
      made.push(body);
      return body;
    },
    made,
  };
}

it('R21 is called once per attempt, and sends each stream in full', async () => {
  server.script(503, 'reset', 200);
  const api = create();
  const { body, made } = keep(nodeStream);
  attachRetry(api, { ...instant, methods: ['POST'] });
  await api.post('/', undefined, { retry: { body } });
  expect(made).toHaveLength(3);
  expect(sentTexts()).toEqual([TEXT, TEXT, TEXT]);
});

it('R21 is called once where nothing fails', async () => {
  const { body, made } = keep(nodeStream);
  const api = create();
  attachRetry(api, { ...instant, body });
  await api.put('/');
  expect(made).toHaveLength(1);
  expect(sentTexts()).toEqual([TEXT]);
});

it('takes the place of the data that the caller gave', async () => {
  server.script(503, 200);
  const api = create();
  attachRetry(api, instant);
  await api.put('/', { given: true }, { retry: { body: () => ({ fresh: true }) } });
  expect(sentTexts()).toEqual(['{"fresh":true}', '{"fresh":true}']);
});

it('may give another body each time: what it returns is sent', async () => {
  server.script(503, 503, 200);
  const api = create();
  let count = 0;
  api.interceptors.request.use((config) => config);
  attachRetry(api, { ...instant, body: () => `body ${(count += 1)}` });
  await api.put('/');
  expect(sentTexts()).toEqual(['body 1', 'body 2', 'body 3']);
});

it('R19 makes a `form-data` instance that can be sent again, with a boundary that fits', async () => {
  server.script(503, 200);
  const api = create();
  const body = (): FormDataPackage => {
    const form = new FormDataPackage();
    form.append('file', nodeStream(), 'text.txt');
    return form;
  };
  attachRetry(api, { ...instant, body });
  await api.put('/');
  const sent = server.requests.map(normalizeMultipart);
  expect(sent[0]).toContain(Buffer.from(TEXT).toString('latin1'));
  expect(sent[1]).toBe(sent[0]);
});

itSince('1.7', 'has no fetch adapter')('R24 makes web streams that are sent in full under fetch', async () => {
  server.script(503, 503, 200);
  const api = create();
  const { body, made } = keep(webStream);
  attachRetry(api, { ...instant, body });
  await api.put('/', undefined, { adapter: 'fetch' });
  expect(made).toHaveLength(3);
  expect(sentTexts()).toEqual([TEXT, TEXT, TEXT]);
});

describe('a `body` that fails', () => {
  it('rejects with what it throws before anything is sent', async () => {
    const api = create();
    const thrown = new Error('no file');
    attachRetry(api, {
      ...instant,
      body: () => {
        throw thrown;
      },
    });
    expect(await rejectionOf(api.put('/'))).toBe(thrown);
    expect(server.requests).toHaveLength(0);
  });

  it('never throws synchronously', () => {
    const api = create();
    attachRetry(api, {
      body: () => {
        throw new Error('no file');
      },
    });
    let call: Promise<unknown> | undefined;
    expect(() => (call = api.put('/'))).not.toThrow();
    return expect(call).rejects.toThrow('no file');
  });

  it('stops with the last error when it throws for a retry', async () => {
    server.thenAlways(503);
    const api = create();
    const thrown = new Error('file has gone');
    let calls = 0;
    attachRetry(api, {
      ...instant,
      body: () => {
        calls += 1;
        if (calls === 2) throw thrown;
        return 'text';
      },
    });
    const error = await rejectionOf(api.put('/'));
    expect(error).toMatchObject({ response: { status: 503 } });
    expect(getRetryReport(error)).toMatchObject({ attempts: 1, reason: 'hook-failed', hookError: thrown });
    expect(server.requests).toHaveLength(1);
  });

  it('is refused when it returns a promise', async () => {
    const api = create();
    attachRetry(api, { ...instant, body: async () => Promise.resolve('late') });
    const error = await rejectionOf(api.put('/'));
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toMatch(/option "body" must .*promise/i);
    expect(server.requests).toHaveLength(0);
  });

  it('stops with the last error when it returns a promise for a retry', async () => {
    server.thenAlways(503);
    const api = create();
    let calls = 0;
    attachRetry(api, { ...instant, body: () => ((calls += 1) === 1 ? 'text' : Promise.resolve('late')) });
    const error = await rejectionOf(api.put('/'));
    expect(getRetryReport(error)).toMatchObject({ reason: 'hook-failed', hookError: expect.any(TypeError) });
    expect(error).toMatchObject({ response: { status: 503 } });
  });
});

const destroyed = (streams: readonly Readable[]): boolean[] => streams.map((stream) => stream.destroyed);

describe('streams that are no longer needed', () => {
  let impatient: Server;
  let url = '';
  beforeAll(async () => {
    // Answers before it has read the body.
    impatient = createServer((_, response) => {
      response.writeHead(503, { connection: 'close' });
      response.end();
    });
    await new Promise<void>((resolve) => impatient.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(impatient.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    impatient.closeAllConnections();
    await new Promise((resolve) => impatient.close(resolve));
  });

  it('R21 are destroyed before the wait when their attempt has failed', async () => {
    const api = axios.create({ baseURL: url });
    const { body, made } = keep(endlessStream);
    const held = holdSleep();
    const retry = attachRetry(api, { sleep: held.sleep, body });
    const call = rejectionOf(api.put('/'));
    await held.begun;
    expect(destroyed(made)).toEqual([true]);
    retry.detach();
    await call;
  });

  it('R21 are destroyed when the last attempt has failed', async () => {
    const api = axios.create({ baseURL: url });
    const { body, made } = keep(endlessStream);
    attachRetry(api, { ...instant, body, retries: 1 });
    expect(getRetryReport(await rejectionOf(api.put('/')))).toMatchObject({ attempts: 2, reason: 'exhausted' });
    expect(destroyed(made)).toEqual([true, true]);
  });

  it('R21 are destroyed when the connection was refused', async () => {
    const api = axios.create({ baseURL: 'http://127.0.0.1:1' });
    const { body, made } = keep(endlessStream);
    attachRetry(api, { ...instant, body, retries: 1 });
    expect(getRetryReport(await rejectionOf(api.put('/')))).toMatchObject({ attempts: 2, reason: 'exhausted' });
    expect(destroyed(made)).toEqual([true, true]);
  });

  it('are destroyed when an inner layer rejects before they are sent', async () => {
    const api = axios.create({ baseURL: url });
    const thrown = new Error('not signed');
    api.interceptors.request.use(() => Promise.reject(thrown));
    const { body, made } = keep(endlessStream);
    attachRetry(api, { ...instant, body });
    expect(await rejectionOf(api.put('/'))).toBe(thrown);
    expect(destroyed(made)).toEqual([true]);
  });

  it('are destroyed when the caller cancels in flight', async () => {
    server.script('hang');
    const api = create();
    const { body, made } = keep(endlessStream);
    attachRetry(api, { ...instant, body });
    const controller = new AbortController();
    const call = rejectionOf(api.put('/', undefined, { signal: controller.signal }));
    while (server.begun === 0) await new Promise(setImmediate);
    controller.abort();
    expect(axios.isCancel(await call)).toBe(true);
    expect(destroyed(made)).toEqual([true]);
  });

  it('are destroyed when `beforeRetry` stops the call', async () => {
    server.thenAlways(503);
    const api = create();
    const { body, made } = keep(nodeStream);
    attachRetry(api, { ...instant, body, beforeRetry: () => Promise.reject(new Error('stop')) });
    expect(getRetryReport(await rejectionOf(api.put('/')))).toMatchObject({ reason: 'hook-failed' });
    expect(destroyed(made)).toEqual([true, true]);
  });

  it('are destroyed when the circuit breaker lets nothing through', async () => {
    const api = axios.create({ baseURL: url });
    const { body, made } = keep(endlessStream);
    attachRetry(api, { ...instant, body, circuitBreaker: { execute: () => Promise.reject(new Error('open')) } });
    expect(getRetryReport(await rejectionOf(api.put('/')))).toMatchObject({ reason: 'circuit-open' });
    expect(destroyed(made)).toEqual([true]);
  });

  it('are cancelled where they are web streams', async () => {
    const cancelled: number[] = [];
    let count = 0;
    const body = (): ReadableStream => {
      const number = (count += 1);
      return new ReadableStream({ cancel: () => void cancelled.push(number) });
    };
    const api = axios.create({ adapter: (config) => Promise.reject(new axios.AxiosError('failed', 'ERR_NETWORK', config)) });
    attachRetry(api, { ...instant, body, retries: 1 });
    await rejectionOf(api.put('/'));
    expect(cancelled).toEqual([1, 2]);
  });

  it('are not even made for a call that was aborted before it began', async () => {
    const { body, made } = keep(endlessStream);
    const api = create();
    attachRetry(api, { ...instant, body });
    await rejectionOf(api.put('/', undefined, { signal: AbortSignal.abort() }));
    expect(made).toHaveLength(0);
  });

  it('are left alone when the attempt succeeds', async () => {
    const { body, made } = keep(nodeStream);
    const api = create();
    attachRetry(api, { ...instant, body });
    await api.put('/');
    expect(made[0]?.errored).toBe(null);
    expect(made[0]?.readableEnded).toBe(true);
  });
});
