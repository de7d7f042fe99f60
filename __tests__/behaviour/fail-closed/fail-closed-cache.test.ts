// Outcomes that belong to another call: a cache that hands them out is passed through.
import type { AxiosInstance, AxiosResponse } from 'axios';
import { attachRetry, getRetryReport } from '../../../lib/index';
import axios from '../../helpers/axios';
import { instant, keepLog, rejectionOf } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';

const server = useRecordingServer();

const create = (): AxiosInstance => axios.create({ baseURL: server.url });

/** Gives requests for the same URL the promise of the one that is on its way. */
function addDeduplication(api: AxiosInstance): void {
  const running = new Map<string, Promise<AxiosResponse>>();
  const send = axios.create({ transformRequest: [], transformResponse: [] });
  api.defaults.adapter = (config) => {
    const key = config.url ?? '';
    const sent = running.get(key) ?? send.request({ ...config, adapter: 'http' }).then(
      (response) => ({ ...response, config }),
      (error) => Promise.reject(Object.assign(error, { config })),
    );
    running.set(key, sent);
    const forget = (): void => void running.delete(key);
    sent.then(forget, forget);
    return sent;
  };
}

describe('a cache that hands out the outcome of another call', () => {
  it('makes no second loop of a failure, and no hang', async () => {
    server.thenAlways(503);
    const api = create();
    addDeduplication(api);
    const retry = attachRetry(api, { ...instant, retries: 2 });
    const [one, two] = await Promise.all([rejectionOf(api.get('/')), rejectionOf(api.get('/'))]);
    expect([one, two]).toEqual([expect.objectContaining({ code: 'ERR_BAD_RESPONSE' }), expect.objectContaining({ code: 'ERR_BAD_RESPONSE' })]);
    expect(server.requests).toHaveLength(3);
    expect(retry.stats()).toMatchObject({ calls: 2, gaveUp: { exhausted: 1, 'not-retryable': 1 } });
  });

  it('passes a success on', async () => {
    const api = create();
    addDeduplication(api);
    const retry = attachRetry(api, { ...instant, shouldRetryResponse: () => true, retries: 2 });
    const [one, two] = await Promise.all([api.get('/'), api.get('/')]);
    expect(server.requests).toHaveLength(3);
    expect([one.data, two.data]).toEqual([{ request: 3 }, { request: 1 }]);
    expect(retry.stats().gaveUp).toMatchObject({ exhausted: 1 });
  });

  it('may stand outside: all get the final outcome', async () => {
    server.script(503, 503, 503, 200);
    const api = create();
    attachRetry(api, { ...instant, retries: 2 });
    const first = api.get('/');
    api.interceptors.request.use((config) => ({ ...config, adapter: () => first }));
    const [one, two] = await Promise.all([rejectionOf(first), rejectionOf(api.get('/'))]);
    expect(two).toBe(one);
    expect(getRetryReport(one)).toMatchObject({ attempts: 3, reason: 'exhausted' });
    expect(server.requests).toHaveLength(3);
  });

  it('leaves the report to the call that the failure belongs to', async () => {
    server.thenAlways(503);
    const api = create();
    const { lines, observer } = keepLog();
    attachRetry(api, { ...instant, ...observer, retries: 1 });
    const stored = await rejectionOf(api.get('/'));
    const handedOut = await rejectionOf(api.get('/', { adapter: () => Promise.reject(stored) }));
    expect(handedOut).toBe(stored);
    expect(getRetryReport(stored)).toMatchObject({ attempts: 2, reason: 'exhausted' });
    expect(lines).toEqual(['retry 1', 'give-up exhausted', 'give-up not-retryable']);
    expect(server.requests).toHaveLength(2);
  });

  it('may hand out the accepted failure of an earlier call', async () => {
    server.thenAlways(503);
    const api = create();
    attachRetry(api, { ...instant, retries: 1 });
    const stored = await api.get('/', { validateStatus: null });
    const handedOut = await api.get('/', { validateStatus: null, adapter: () => Promise.resolve(stored) });
    expect(handedOut.status).toBe(503);
    expect(server.requests).toHaveLength(2);
  });
});
