// What may be repeated is judged by what went out: inner layers and hooks may have made another request of it.
import { AxiosHeaders, type AxiosError, type AxiosInstance, type InternalAxiosRequestConfig } from 'axios';
import { attachRetry, getRetryReport, type RetryOptions } from '../../../lib/index';
import axios from '../../helpers/axios';
import { instant, rejectionOf } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';
import { closedPort } from '../../helpers/wire-server';

const server = useRecordingServer();

type Edit = (config: InternalAxiosRequestConfig) => void;

/** An instance where `edit` is done in one of the places that see the request after the snapshot. */
function editing(place: string, edit: Edit): AxiosInstance {
  const api = axios.create({ baseURL: server.url });
  const use = (): number => api.interceptors.request.use((config) => (edit(config), config));
  if (place === 'an inner interceptor') use();
  const more: RetryOptions = place === 'beforeRetry' ? { beforeRetry: edit } : place === 'an outer interceptor' ? { requestInterceptors: 'all' } : {};
  attachRetry(api, { ...instant, ...more });
  if (place === 'an outer interceptor') use();
  return api;
}

const reasonOf = async (call: Promise<unknown>): Promise<unknown> => getRetryReport(await rejectionOf(call))?.reason;
const PLACES = ['an inner interceptor', 'an outer interceptor', 'beforeRetry'];

beforeEach(() => {
  server.thenAlways('reset');
});

describe('an idempotency key counts where it goes out as it is', () => {
  let next = 0;
  it.each(PLACES)('not where %s makes one anew for each attempt', async (place) => {
    const api = editing(place, ({ headers }) => void headers.set('Idempotency-Key', `key ${next++}`));
    expect(await reasonOf(api.post('/', {}, { retry: { idempotencyKey: true } }))).toBe('method');
    expect(server.requests).toHaveLength(1);
  });

  // An outer one is asked before the key is put there.
  it.each(PLACES.filter((place) => place !== 'an outer interceptor'))('not where %s takes it off', async (place) => {
    const api = editing(place, ({ headers }) => void headers.delete('Idempotency-Key'));
    expect(await reasonOf(api.post('/', {}, { retry: { idempotencyKey: true } }))).toBe('method');
    expect(server.requests).toHaveLength(1);
  });

  it('not where beforeRetry returns a config without it', async () => {
    const api = axios.create({ baseURL: server.url });
    attachRetry(api, { ...instant, beforeRetry: (config) => ({ ...config, headers: new AxiosHeaders() }) });
    const error = await rejectionOf(api.post('/', {}, { retry: { idempotencyKey: true } }));
    expect([getRetryReport(error)?.reason, (error as AxiosError).code]).toEqual(['method', 'ECONNRESET']);
    expect(server.requests).toHaveLength(1);
  });

  const inner = PLACES.filter((place) => place !== 'beforeRetry');
  it.each(inner)('not where %s changes it on the second attempt alone', async (place) => {
    let attempts = 0;
    const api = editing(place, ({ headers }) => void (attempts++ > 0 && headers.set('Idempotency-Key', 'another')));
    const error = await rejectionOf(api.post('/', {}, { headers: { 'Idempotency-Key': 'k' } }));
    expect([getRetryReport(error), (error as AxiosError).code]).toMatchObject([{ reason: 'method', attempts: 1 }, 'ECONNRESET']);
    expect(server.header('idempotency-key')).toEqual(['k']);
  });

  it('not where transformRequest takes it off on the second attempt alone', async () => {
    let attempts = 0;
    const api = editing('', () => undefined);
    const transformRequest = (_: unknown, headers: { delete(name: string): unknown }): string => (attempts++ > 0 && headers.delete('Idempotency-Key'), 'x');
    expect(await reasonOf(api.post('/', {}, { transformRequest, retry: { idempotencyKey: true } }))).toBe('method');
    expect(server.requests).toHaveLength(1);
  });

  it('is not needed for what was never sent, nor where shouldRetry asks for the retry', async () => {
    const api = editing('beforeRetry', ({ headers }) => void headers.delete('Idempotency-Key'));
    expect(await reasonOf(api.post('/', {}, { retry: { idempotencyKey: true, shouldRetry: () => true } }))).toBe('exhausted');
    expect(await reasonOf(api.post(`http://127.0.0.1:${await closedPort()}/`, {}, { retry: { idempotencyKey: true } }))).toBe('exhausted');
  });

  it('not where transformRequest takes it off', async () => {
    const api = editing('', () => undefined);
    const transformRequest = (_: unknown, headers: { delete(name: string): unknown }): string => (headers.delete('Idempotency-Key'), 'x');
    expect(await reasonOf(api.post('/', {}, { transformRequest, retry: { idempotencyKey: true } }))).toBe('method');
    expect(server.requests).toHaveLength(1);
  });

  it.each(PLACES)('also where %s changes another header', async (place) => {
    const api = editing(place, ({ headers }) => void headers.set('X-Number', String(next++)));
    expect(await reasonOf(api.post('/', {}, { retry: { idempotencyKey: true } }))).toBe('exhausted');
    expect(new Set(server.header('idempotency-key')).size).toBe(1);
    expect(server.requests).toHaveLength(4);
  });
});

describe('a request that went out as a POST is not repeated', () => {
  it.each(PLACES)('made one by %s', async (place) => {
    const api = editing(place, (config) => void (config.method = 'post'));
    expect(await reasonOf(api.get('/'))).toBe('method');
    expect(server.requests.map(({ method }) => method)).toEqual(place === 'beforeRetry' ? ['GET', 'POST'] : ['POST']);
  });

  it.each(PLACES)('made one by %s: but with a key, or where the method is allowed', async (place) => {
    const api = editing(place, (config) => void (config.method = 'post'));
    expect(await reasonOf(api.get('/', { retry: { methods: ['GET', 'POST'] } }))).toBe('exhausted');
    expect(await reasonOf(api.get('/', { headers: { 'Idempotency-Key': 'k' } }))).toBe('exhausted');
  });
});
