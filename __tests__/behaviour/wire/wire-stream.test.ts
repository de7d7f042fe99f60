import http from 'node:http';
import { Readable } from 'node:stream';
import type { AxiosError, AxiosResponse } from 'axios';
import axios, { itSince } from '../../helpers/axios';
import { failureOf, watchedPolicy } from '../../helpers/watched-policy';
import { cut, serve, type Handler } from '../../helpers/wire-server';
import { attachRetry } from '../../../lib/index';

/** More than fits into any buffer on the way: unread, it keeps its socket for ever. */
const LARGE = 'x'.repeat(4_000_000);

async function textOf(stream: AsyncIterable<Uint8Array | string>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) text += typeof chunk === 'string' ? chunk : decoder.decode(chunk);
  return text;
}

describe('a stream answer, with one socket for all', () => {
  let agent: http.Agent;
  beforeEach(() => {
    agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  });
  afterEach(() => agent.destroy());

  function client(options = {}) {
    const policy = watchedPolicy({ retries: 2, ...options });
    const api = axios.create({ adapter: 'http', httpAgent: agent, responseType: 'stream' });
    attachRetry(api, policy.options);
    return { api, policy };
  }

  it('that failed is destroyed before the wait, so that the next attempt gets the socket', async () => {
    const server = await serve({ status: 503, body: LARGE }, { status: 200, body: 'whole' });
    const destroyedInWait: boolean[] = [];
    const { api, policy } = client({
      sleep: () => {
        destroyedInWait.push((policy.retried[0]?.response?.data as Readable).destroyed);
        return Promise.resolve();
      },
    });
    const response = await api.get<Readable>(server.url);
    expect(await textOf(response.data)).toBe('whole');
    expect(server.methods).toHaveLength(2);
    expect(destroyedInWait).toEqual([true]);
  });

  it('that was accepted and is not wanted is destroyed as well', async () => {
    const server = await serve({ status: 200, headers: { 'x-state': 'pending' }, body: LARGE }, { status: 200, body: 'done' });
    const { api } = client({ shouldRetryResponse: (response: AxiosResponse) => response.headers['x-state'] === 'pending' });
    const response = await api.get<Readable>(server.url);
    expect(await textOf(response.data)).toBe('done');
    expect(server.methods).toHaveLength(2);
  });

  it('of the last attempt is left to the caller', async () => {
    const server = await serve({ status: 503, body: LARGE });
    const { api, policy } = client();
    const error = await failureOf<AxiosError<Readable>>(api.get(server.url));
    expect(policy.reasons).toEqual(['exhausted']);
    expect(await textOf(error.response?.data ?? Readable.from([]))).toHaveLength(LARGE.length);
  });

  it('that is not retried is left to the caller', async () => {
    const server = await serve({ status: 404, body: 'nothing here' });
    const { api } = client();
    const error = await failureOf<AxiosError<Readable>>(api.get(server.url));
    expect(await textOf(error.response?.data ?? Readable.from([]))).toBe('nothing here');
  });

  it('R107 is never asked for again once it is in the hands of the caller: the stream itself fails', async () => {
    const server = await serve(cut, 200);
    const { api, policy } = client();
    const response = await api.get<Readable>(server.url);
    const received: string[] = [];
    response.data.on('data', (chunk: Buffer) => received.push(String(chunk)));
    await new Promise((resolve) => response.data.once('error', resolve));
    expect(received.join('')).toBe('{"half":');
    expect(server.methods).toEqual(['GET']);
    expect(policy.retried).toEqual([]);
    expect(policy.gaveUp).toEqual([]);
  });
});

describe('a stream answer of fetch', () => {
  const since = itSince('1.7', 'has no fetch adapter');

  since('that failed is cancelled before the next attempt', async () => {
    let leave = (): void => undefined;
    const left = new Promise<void>((resolve) => (leave = resolve));
    const endless: Handler = (_request, response) => {
      response.writeHead(503).write('part');
      response.once('close', leave);
    };
    const server = await serve(endless, { status: 200, body: 'whole' });
    const { options } = watchedPolicy();
    const api = axios.create({ adapter: 'fetch', responseType: 'stream' });
    attachRetry(api, options);
    const response = await api.get<ReadableStream<Uint8Array>>(server.url);
    expect(await textOf(Readable.fromWeb(response.data as Parameters<typeof Readable.fromWeb>[0]))).toBe('whole');
    await left;
    expect(server.methods).toHaveLength(2);
  });

  since('R107 is never asked for again once it is in the hands of the caller', async () => {
    const server = await serve(cut, 200);
    const { options } = watchedPolicy();
    const api = axios.create({ adapter: 'fetch', responseType: 'stream' });
    attachRetry(api, options);
    const response = await api.get<ReadableStream<Uint8Array>>(server.url);
    const reader = response.data.getReader();
    const first = await reader.read();
    expect(new TextDecoder().decode(first.value)).toBe('{"half":');
    await expect(reader.read()).rejects.toThrow();
    expect(server.methods).toEqual(['GET']);
  });
});
