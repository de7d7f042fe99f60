// What a retry passes through, and what it leaves behind, where somebody else has a hand in the instance.
import type { AxiosInstance, InternalAxiosRequestConfig } from 'axios';
import { attachRetry, getRetryReport } from '../../../lib/index';
import axios from '../../helpers/axios';
import { holdSleep, instant, rejectionOf } from '../../helpers/instant';

type Walk = (visit: (handler: unknown) => void) => void;

const managersOf = ({ interceptors }: AxiosInstance) => [interceptors.request, interceptors.response] as unknown as { forEach: Walk }[];

/** Fails with 503 once, then does what it is told. */
function makeApi(onRetry?: () => unknown) {
  const attempts: InternalAxiosRequestConfig[] = [];
  const adapter = async (config: InternalAxiosRequestConfig) => {
    attempts.push(config);
    const response = { config, status: attempts.length === 1 ? 503 : 200, statusText: '', data: 'fine', headers: {} };
    if (attempts.length === 1) throw new axios.AxiosError('unavailable', 'ERR_BAD_RESPONSE', config, undefined, response);
    await onRetry?.();
    return response;
  };
  return { api: axios.create({ adapter, baseURL: 'http://service.test' }), attempts };
}

describe('the interceptor managers', () => {
  it('are as they were after a retry', async () => {
    const { api } = makeApi();
    const before = managersOf(api).map((manager) => Object.getOwnPropertyNames(manager));
    attachRetry(api, instant);
    await api.get('/');
    expect(managersOf(api).map((manager) => Object.getOwnPropertyNames(manager))).toEqual(before);
  });

  it('keep a `forEach` that somebody gives them while a retry runs', async () => {
    const own: Walk = () => undefined;
    const { api } = makeApi(() => managersOf(api).forEach((manager) => (manager.forEach = own)));
    attachRetry(api, instant);
    await api.get('/');
    expect(managersOf(api).map((manager) => manager.forEach)).toEqual([own, own]);
  });

  it('that are cleared and filled anew during the wait: what is in them runs on the retry', async () => {
    const { api, attempts } = makeApi();
    const held = holdSleep();
    attachRetry(api, { sleep: held.sleep });
    const call = api.get('/');
    await held.begun;
    api.interceptors.request.clear();
    api.interceptors.response.clear();
    api.interceptors.request.use((config) => {
      config.headers.set('X-Signed', 'yes');
      return config;
    });
    api.interceptors.response.use((response) => ({ ...response, data: `${response.data}, checked` }));
    held.release();
    await expect(call).resolves.toMatchObject({ data: 'fine, checked' });
    expect(attempts.map(({ headers }) => headers.get('X-Signed'))).toEqual([undefined, 'yes']);
  });
});

it('a retry that does not hear of the caller’s abort is not waited for', async () => {
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const { api } = makeApi(() => {
    begin();
    return new Promise(() => undefined);
  });
  attachRetry(api, instant);
  const caller = new AbortController();
  const call = rejectionOf(api.get('/', { signal: caller.signal }));
  await begun;
  caller.abort(new Error('the page was left'));
  const error = await call;
  expect([axios.isCancel(error), (error as Error).cause]).toEqual([true, caller.signal.reason]);
  expect(getRetryReport(error)).toMatchObject({ reason: 'aborted', attempts: 2 });
});
