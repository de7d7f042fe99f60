import axios from '../../helpers/axios';
import { answers, recordingSleep, rejection, startService } from '../../helpers/local-service';
import { attachRetry, getRetryReport, type RetryOptions } from '../../../lib/index';

function client(options: RetryOptions = {}) {
  const api = axios.create();
  return { api, handle: attachRetry(api, { sleep: recordingSleep().sleep, ...options }) };
}

describe('attemptHeader: what the service is told of a resend', () => {
  it('R89: the header is absent on the first attempt, then 1, then 2', async () => {
    const service = await startService(answers(500, 500, 200));
    await client({ attemptHeader: 'X-Retry-Count' }).api.get(service.url);
    expect(service.received.map(({ headers }) => headers['x-retry-count'])).toEqual([undefined, '1', '2']);
  });

  it('R89: there is none by default', async () => {
    const service = await startService(answers(500, 500, 200));
    await client().api.get(service.url);
    const [first, second, third] = service.received.map(({ headers }) => headers);
    expect(second).toEqual(first);
    expect(third).toEqual(first);
  });

  it('is there for a request that asks for it, and not for one that says false', async () => {
    const service = await startService(answers(500, 200, 500, 200));
    const { api } = client();
    await api.get(service.url, { retry: { attemptHeader: 'X-Retry-Count' } });
    await api.get(service.url, { retry: { attemptHeader: false } });
    expect(service.received.map(({ headers }) => headers['x-retry-count'])).toEqual([undefined, '1', undefined, undefined]);
  });

  it('can be seen by inner interceptors, which run once an attempt', async () => {
    const service = await startService(answers(500, 200));
    const api = axios.create();
    const seen: unknown[] = [];
    api.interceptors.request.use((config) => {
      seen.push(config.headers.get('X-Retry-Count'));
      return config;
    });
    attachRetry(api, { attemptHeader: 'X-Retry-Count', sleep: recordingSleep().sleep });
    await api.get(service.url);
    expect([seen[0] ?? undefined, seen[1]]).toEqual([undefined, '1']);
  });

  it('begins anew for the next call with the same config', async () => {
    const service = await startService(answers(500, 200, 500, 200));
    const { api } = client({ attemptHeader: 'X-Retry-Count' });
    const shared = { headers: {} };
    await api.get(service.url, shared);
    await api.get(service.url, shared);
    expect(service.received.map(({ headers }) => headers['x-retry-count'])).toEqual([undefined, '1', undefined, '1']);
    expect(shared).toEqual({ headers: {} });
  });

  it.each(['', 'two words', 'x:y', 'x\ny', 7])('%j is no name of a header', (attemptHeader) => {
    expect(() => client({ attemptHeader: attemptHeader as string })).toThrow(/option "attemptHeader" must be the name of a header, or false/);
  });
});

describe("x-should-retry: the server's own word", () => {
  it.each([
    ['true', 409, 2],
    ['TRUE', 400, 2],
    [' true ', 501, 2],
    ['false', 503, 1],
    ['False', 429, 1],
    // not understood: the list stands
    ['yes', 409, 1],
    ['', 409, 1],
    ['maybe', 503, 2],
  ])('%j on a %d means %d requests', async (word, status, requests) => {
    const service = await startService(answers([status, { 'x-should-retry': word }], 200));
    await client().api.get(service.url).catch(() => undefined);
    expect(service.received).toHaveLength(requests);
  });

  it('false is the reason not-retryable', async () => {
    const service = await startService(answers([503, { 'x-should-retry': 'false' }]));
    expect(getRetryReport(await rejection(client().api.get(service.url)))?.reason).toBe('not-retryable');
  });

  it('true does not make a POST safe to repeat', async () => {
    const service = await startService(answers([503, { 'x-should-retry': 'true' }], 200));
    expect(getRetryReport(await rejection(client().api.post(service.url, {})))?.reason).toBe('method');
    expect(service.received).toHaveLength(1);
  });

  it('true is heard on an error status that the caller accepts, and not on a success', async () => {
    const service = await startService(answers([409, { 'x-should-retry': 'true' }], [200, { 'x-should-retry': 'true' }]));
    const response = await client().api.get(service.url, { validateStatus: () => true });
    expect(response.status).toBe(200);
    expect(service.received).toHaveLength(2);
  });

  it('does not beat the word of the caller', async () => {
    const service = await startService(answers([503, { 'x-should-retry': 'false' }], 200));
    expect((await client({ shouldRetry: () => true }).api.get(service.url)).status).toBe(200);
    service.answer = answers([409, { 'x-should-retry': 'true' }], 200);
    await rejection(client({ shouldRetry: () => false }).api.get(service.url));
    expect(service.received).toHaveLength(3);
  });

  it('true stops at the limits like everything else', async () => {
    const service = await startService(answers([409, { 'x-should-retry': 'true' }]));
    expect(getRetryReport(await rejection(client({ retries: 2 }).api.get(service.url)))?.reason).toBe('exhausted');
    expect(service.received).toHaveLength(3);
  });
});
