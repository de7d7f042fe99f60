// A replay that is cut short, with interceptors inside of the plugin.
import type { AxiosError } from 'axios';
import { attachRetry, type RetryEvent } from '../../../lib/index';
import axios from '../../helpers/axios';
import { advance, stopClock } from '../../helpers/fake-timers';
import { instant, rejectionOf } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';
import { until } from '../../helpers/virtual-time';

const server = useRecordingServer();

function clientWithInner() {
  const api = axios.create({ baseURL: server.url });
  api.interceptors.request.use((config) => config);
  return api;
}

it('an abort in flight of a retry has the abort reason as its cause, and is told as cancelled', async () => {
  server.script(503, 'hang');
  const api = clientWithInner();
  const told: RetryEvent[] = [];
  attachRetry(api, { ...instant, onGiveUp: (event) => told.push(event) });
  const controller = new AbortController();
  server.decide = () => {
    if (server.requests.length > 1) controller.abort(new Error('enough'));
    return undefined;
  };
  const error = (await rejectionOf(api.get('/', { signal: controller.signal }))) as AxiosError;
  expect(axios.isCancel(error)).toBe(true);
  expect(error.cause).toEqual(new Error('enough'));
  expect(error.config?.retryState?.attempt).toBe(2);
  expect(told.map(({ attempt, kind, reason }) => ({ attempt, kind, reason }))).toEqual([{ attempt: 2, kind: 'cancelled', reason: 'aborted' }]);
});

it('a deadline in flight of a retry is told as a timeout', async () => {
  stopClock();
  server.script(503, 'hang');
  const api = clientWithInner();
  const told: RetryEvent[] = [];
  attachRetry(api, { baseDelay: 0, totalTimeout: 150, onGiveUp: (event) => told.push(event) });
  const call = rejectionOf(api.get('/'));
  await until(() => server.requests.length === 2);
  await advance(150);
  const error = (await call) as AxiosError;
  expect(error.code).toBe('ECONNABORTED');
  expect(error.config?.retryState?.attempt).toBe(2);
  expect(told.map(({ attempt, kind, reason }) => ({ attempt, kind, reason }))).toEqual([{ attempt: 2, kind: 'timeout', reason: 'deadline' }]);
});
