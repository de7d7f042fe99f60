import type { AxiosResponse } from 'axios';
import axios from '../../helpers/axios';
import { failureOf, watchedPolicy } from '../../helpers/watched-policy';
import { serve } from '../../helpers/wire-server';
import { attachRetry, getRetryReport, type RetryOptions } from '../../../lib/index';

function client(options: RetryOptions = {}) {
  const policy = watchedPolicy(options);
  const api = axios.create();
  attachRetry(api, policy.options);
  return { api, policy };
}

describe('shouldRetryResponse', () => {
  const body = (state: string) => ({ status: 200, body: JSON.stringify({ state }) });
  const isPending = (response: AxiosResponse<{ state: string }>): boolean => response.data.state === 'pending';

  it('R76 asks again until the answer is another, and outer interceptors see one response', async () => {
    const server = await serve(body('pending'), body('pending'), body('done'));
    const { api, policy } = client({ shouldRetryResponse: isPending });
    const seen = jest.fn((response: AxiosResponse) => response);
    api.interceptors.response.use(seen);
    const response = await api.get(server.url);
    expect(response.data).toEqual({ state: 'done' });
    expect(server.methods).toHaveLength(3);
    expect(seen).toHaveBeenCalledTimes(1);
    expect(policy.retried.map((event) => event.kind)).toEqual(['response', 'response']);
    expect(getRetryReport(response)?.attempts).toBe(3);
  });

  it('R76 that never gets another resolves with the last response', async () => {
    const server = await serve(body('pending'));
    const { api, policy } = client({ shouldRetryResponse: isPending, retries: 2 });
    const response = await api.get(server.url);
    expect(response.data).toEqual({ state: 'pending' });
    expect(server.methods).toHaveLength(3);
    expect(policy.gaveUp.map((event) => [event.kind, event.reason, event.response === response])).toEqual([
      ['response', 'exhausted', true],
    ]);
    expect(getRetryReport(response)).toMatchObject({ attempts: 3, reason: 'exhausted' });
  });

  it('may be async, and holds for every method', async () => {
    const server = await serve(body('pending'), body('done'));
    const { api } = client({ shouldRetryResponse: (response) => Promise.resolve(isPending(response)) });
    const response = await api.post(server.url, {});
    expect(response.data).toEqual({ state: 'done' });
    expect(server.methods).toEqual(['POST', 'POST']);
  });

  it('is not asked about an answer that was rejected', async () => {
    const server = await serve(404);
    const shouldRetryResponse = jest.fn(() => true);
    const { api } = client({ shouldRetryResponse });
    await failureOf(api.get(server.url));
    expect(shouldRetryResponse).not.toHaveBeenCalled();
  });
});

describe('R75 a validateStatus that accepts all', () => {
  const accepting = { validateStatus: () => true };

  it('hides no status that can heal', async () => {
    const server = await serve(503, 200);
    const { api, policy } = client();
    const response = await api.get(server.url, accepting);
    expect(response.status).toBe(200);
    expect(policy.retried.map((event) => [event.kind, event.error])).toEqual([['status', undefined]]);
  });

  it.each<[string, number, string, number, string]>([
    ['that never heals', 503, 'get', 4, 'exhausted'],
    ['of a POST', 503, 'post', 1, 'method'],
  ])('resolves with the status %s, as the caller asked', async (_what, status, method, requests, reason) => {
    const server = await serve(status);
    const { api, policy } = client();
    const response = await api.request({ url: server.url, method, ...accepting });
    expect(response.status).toBe(status);
    expect(server.methods).toHaveLength(requests);
    expect(policy.reasons).toEqual([reason]);
  });

  it('makes a 404 the success that the caller takes it for', async () => {
    const server = await serve(404);
    const { api, policy } = client();
    const response = await api.get(server.url, accepting);
    expect(response.status).toBe(404);
    expect(server.methods).toHaveLength(1);
    expect(policy.gaveUp).toEqual([]);
  });
});
