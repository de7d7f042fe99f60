// Where an inner layer says where a request goes, deposits must go to the bucket that retries take from.
import type { AxiosInstance } from 'axios';
import { attachRetry } from '../../../lib/index';
import axios from '../../helpers/axios';
import { instant, rejectionOf } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';

const server = useRecordingServer();

it.each<[string, (api: AxiosInstance) => void]>([
  ['leaves the response alone', () => undefined],
  ['unwraps the response', (api) => api.interceptors.response.use((response) => response.data)],
])('puts deposits back to the origin that an inner layer sets, where one %s', async (_, addInner) => {
  const api = axios.create();
  api.interceptors.request.use((config) => Object.assign(config, { baseURL: server.url }));
  addInner(api);
  const retry = attachRetry(api, { ...instant, budget: { capacity: 2, deposit: 1 } });
  server.script(503, 503, 503);
  await rejectionOf(api.get('/'));
  expect(retry.stats().budgets).toEqual([{ origin: server.url, tokens: 0, capacity: 2 }]);
  await api.get('/');
  await api.get('/');
  expect(retry.stats().budgets).toEqual([]);
});
