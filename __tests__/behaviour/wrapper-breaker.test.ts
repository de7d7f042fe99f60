// A circuit breaker on an object that passes on to an instance: the adapter's names are resolved by a pass through it.
import type { AxiosRequestConfig } from 'axios';
import { attachRetry, type RetryableInstance } from '../../lib/index';
import axios from '../helpers/axios';
import { instant } from '../helpers/instant';
import { useRecordingServer } from '../helpers/recording-server';

const server = useRecordingServer();

it('passes an attempt through the layers once', async () => {
  server.script(200);
  const api = axios.create({ baseURL: server.url });
  const inner = jest.fn((config) => config);
  api.interceptors.request.use(inner);
  const { defaults, interceptors } = api;
  const wrapper = { defaults, interceptors, request: (config: AxiosRequestConfig) => api.request(config) };
  attachRetry(wrapper as RetryableInstance, { ...instant, circuitBreaker: { execute: (send) => send() } });
  api.interceptors.response.use((response) => response.data);
  await expect(wrapper.request({ url: '/' })).resolves.toEqual({ request: 1 });
  expect(inner).toHaveBeenCalledTimes(1);
});
