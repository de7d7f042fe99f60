import { AxiosError, type InternalAxiosRequestConfig } from 'axios';
import { attachRetry, getRetryReport, type RetryOptions } from '../../../lib/index';
import axios from '../../helpers/axios';

// Of mini programs and other hosts that are neither browser nor Node.
const NAMES = ['performance', 'URLSearchParams', 'FormData', 'Headers', 'URL', 'AbortController', 'AbortSignal', 'crypto', 'Blob'] as const;

/** Runs without some globals: axios has looked up what it needs when it was loaded, or needs it for what is not used here. */
async function without<T>(names: readonly string[], run: () => Promise<T>): Promise<T> {
  const kept = names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  names.forEach((name) => Reflect.deleteProperty(globalThis, name));
  try {
    return await run();
  } finally {
    for (const [name, descriptor] of kept) if (descriptor) Object.defineProperty(globalThis, name, descriptor);
  }
}

/** A client whose first attempts are answered with 503, through an adapter of the host's own. */
function client(failures: number, options: RetryOptions = {}) {
  const sent: unknown[] = [];
  const adapter = (config: InternalAxiosRequestConfig) => {
    sent.push(config.data);
    const response = { status: sent.length > failures ? 200 : 503, statusText: '', headers: {}, data: 'ok', config };
    if (response.status === 200) return Promise.resolve(response);
    return Promise.reject(new AxiosError('unavailable', 'ERR_BAD_RESPONSE', config, {}, response as never));
  };
  const api = axios.create({ baseURL: 'https://api.example.com', adapter });
  // Inside, so that bodies have to be copied.
  api.interceptors.request.use((config) => config);
  attachRetry(api, { baseDelay: 0, ...options });
  return { api, sent };
}

describe('S21 a request works where the host lacks', () => {
  // Transforms of axios itself want the classes of bodies.
  const transformRequest = (data: unknown): string => JSON.stringify(data);

  it.each([...NAMES.map((name) => [name]), [...NAMES]])('%s %s', async (...names) => {
    const { api, sent } = client(2);
    const response = await without(names, () => api.put('/orders', { id: 7 }, { transformRequest }));
    expect([response.status, sent]).toEqual([200, ['{"id":7}', '{"id":7}', '{"id":7}']]);
    expect(getRetryReport(response)).toMatchObject({ attempts: 3 });
  });

  it.each(NAMES)('%s, and gives up with the real error', async (name) => {
    const { api } = client(9, { retries: 1, shareRetryAfter: 'all' });
    const error: unknown = await without([name], () => api.put('/orders', { id: 7 }, { transformRequest }).catch((reason: unknown) => reason));
    expect(error).toMatchObject({ code: 'ERR_BAD_RESPONSE', response: { status: 503 }, retry: { reason: 'exhausted', attempts: 2 } });
  });

  it('AbortController, and a cancel token ends the wait', async () => {
    const { api, sent } = client(9, { jitter: 'none', baseDelay: 60_000, maxDelay: 60_000 });
    const source = axios.CancelToken.source();
    const error: unknown = await without(['AbortController', 'AbortSignal'], async () => {
      const call = api.get('/orders', { cancelToken: source.token }).catch((reason: unknown) => reason);
      while (sent.length === 0) await Promise.resolve();
      for (let turn = 0; turn < 50; turn++) await Promise.resolve();
      source.cancel('gone');
      return call;
    });
    expect(axios.isCancel(error)).toBe(true);
  });
});
