// Retries that did not leave, and those that did: what is counted and paid.
import type { AxiosInstance } from 'axios';
import { attachRetry } from '../../../lib/index';
import axios, { itSince } from '../../helpers/axios';
import { instant, rejectionOf } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';

const server = useRecordingServer();

function throwFromSecond(): () => void {
  let calls = 0;
  return () => {
    calls += 1;
    if (calls > 1) throw new Error('not now');
  };
}

it.each<[string, (api: AxiosInstance) => void]>([
  ['`runWhen` throws', (api) => {
    const check = throwFromSecond();
    const runWhen = (): boolean => {
      check();
      return true;
    };
    api.interceptors.request.use((config) => config, undefined, { runWhen });
  }],
  ['synchronous handler throws', (api) => {
    const check = throwFromSecond();
    const swallow = (): undefined => undefined;
    api.interceptors.request.use(
      (config) => {
        check();
        return config;
      },
      swallow,
      { synchronous: true },
    );
  }],
])('what is sent is counted and paid, and nothing else, where an inner interceptor’s %s', async (_, addInner) => {
  server.thenAlways(503);
  const api = axios.create({ baseURL: server.url });
  addInner(api);
  const retry = attachRetry(api, { ...instant, budget: { capacity: 10 } });
  await rejectionOf(api.get('/'));
  const { attempts, retries, budgets } = retry.stats();
  const sent = server.requests.length;
  expect({ attempts, retries, spent: 10 - (budgets[0]?.tokens ?? 10) }).toEqual({ attempts: sent, retries: sent - 1, spent: sent - 1 });
});

/** A client whose inner interceptor throws on the second attempt. */
async function stopRetry(api: AxiosInstance, place: 'before' | 'after'): Promise<void> {
  server.thenAlways(503);
  const check = throwFromSecond();
  const stop = <T>(config: T): T => {
    check();
    return config;
  };
  if (place === 'before') api.interceptors.request.use(stop);
  const retry = attachRetry(api, { ...instant, budget: { capacity: 10 } });
  if (place === 'after') api.interceptors.request.use(stop);
  expect(await rejectionOf(api.get(server.url))).toEqual(new Error('not now'));
  expect(server.requests).toHaveLength(1);
  expect(retry.stats()).toMatchObject({ attempts: 1, retries: 0, budgets: [] });
}

it('a retry that an inner request interceptor stopped gives its token back', () => stopRetry(axios.create(), 'before'));

itSince('1.13', 'does not know `legacyInterceptorReqResOrdering`')('also where inner is what was registered after', () =>
  stopRetry(axios.create({ transitional: { legacyInterceptorReqResOrdering: false } as object }), 'after'));

it('what a `runWhen` throws while a retry is built is what the caller gets', async () => {
  server.thenAlways(503);
  const api = axios.create();
  const check = throwFromSecond();
  const runWhen = (): boolean => {
    check();
    return true;
  };
  api.interceptors.request.use((config) => config, undefined, { runWhen });
  attachRetry(api, instant);
  expect(await rejectionOf(api.get(server.url))).toEqual(new Error('not now'));
});
