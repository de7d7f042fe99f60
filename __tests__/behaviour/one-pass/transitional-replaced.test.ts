// axios 1.13 and later: a `transitional` without `legacyInterceptorReqResOrdering` runs request interceptors in the
// order of their registration, as one with `false` does.
import axios from '../../helpers/axios';
import { attachRetry } from '../../../lib/index';
import { instant } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';

const server = useRecordingServer();

it('sends what inner interceptors add on every attempt where somebody replaced the whole of `defaults.transitional`', async () => {
  server.script(503, 200);
  const api = axios.create({ baseURL: server.url });
  api.defaults.transitional = { clarifyTimeoutError: true };
  const sign = (name: string) => {
    let count = 0;
    api.interceptors.request.use((config) => {
      config.headers.set(name, String(++count));
      return config;
    });
  };
  sign('X-Before');
  attachRetry(api, instant);
  sign('X-After');
  await api.get('/');
  const [before, after] = [server.header('x-before'), server.header('x-after')];
  // What is inside runs once per attempt, what is outside once per call.
  expect([before, after].map((values) => values.join()).sort()).toEqual(['1,1', '1,2']);
});
