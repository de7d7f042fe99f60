// Instances that somebody wraps, or makes in a way of their own.
import type { AxiosInstance, AxiosRequestConfig } from 'axios';
import { attachRetry, type RetryableInstance } from '../../../lib/index';
import axios from '../../helpers/axios';
import { instant, rejectionOf } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';

const server = useRecordingServer();

class Wrapper {
  readonly #api = axios.create({ baseURL: server.url });
  get defaults(): object {
    return this.#api.defaults;
  }
  get interceptors(): AxiosInstance['interceptors'] {
    return this.#api.interceptors;
  }
  request(config: AxiosRequestConfig): Promise<unknown> {
    return this.#api.request(config);
  }
}

describe('a class that passes on to a private instance', () => {
  it('is retried', async () => {
    server.script(503, 200);
    const wrapper = new Wrapper();
    attachRetry(wrapper as RetryableInstance, instant);
    await expect(wrapper.request({ url: '/' })).resolves.toMatchObject({ status: 200 });
    expect(server.requests).toHaveLength(2);
  });

  it('gets axios’ own cancellation', async () => {
    server.script(503);
    const controller = new AbortController();
    const wrapper = new Wrapper();
    attachRetry(wrapper as RetryableInstance, { sleep: () => Promise.resolve(controller.abort()) });
    const error = await rejectionOf(wrapper.request({ url: '/', signal: controller.signal }));
    expect(axios.isCancel(error)).toBe(true);
  });
});

describe('a `create` that somebody replaced', () => {
  it.each<[string, (api: AxiosInstance, create: AxiosInstance['create']) => AxiosInstance['create']]>([
    ['shares the interceptor managers', (api, create) => (config) => {
      const made = create(config);
      Object.assign(made.interceptors, api.interceptors);
      return made;
    }],
    ['returns the instance itself', (api) => () => api],
    ['asks for a base URL', (_, create) => (config) => {
      if (!config?.baseURL) throw new Error('no base URL');
      return create(config);
    }],
  ])('and that %s leaves the instance as it was', async (_, replace) => {
    server.script(503, 200, 200);
    const api = axios.create({ baseURL: server.url });
    api.create = replace(api, api.create);
    const inner = jest.fn((config) => config);
    api.interceptors.request.use(inner);
    attachRetry(api, instant);
    await api.get('/one');
    await api.get('/two');
    expect(server.requests.map(({ url }) => url)).toEqual(['/one', '/one', '/two']);
    expect(inner).toHaveBeenCalledTimes(3);
  });
});
