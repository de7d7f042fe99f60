// What a circuit breaker does with `send` after, or instead of, the attempt.
import type { AxiosError } from 'axios';
import { attachRetry, type CircuitBreaker, type RetryHandle, type RetryOptions } from '../../../lib/index';
import axios from '../../helpers/axios';
import { advance, stopClock } from '../../helpers/fake-timers';
import { instant, rejectionOf } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';
import { until } from '../../helpers/virtual-time';

const server = useRecordingServer();

function client(circuitBreaker: CircuitBreaker, options: RetryOptions = instant) {
  const api = axios.create({ baseURL: server.url });
  const retry: RetryHandle = attachRetry(api, { ...options, circuitBreaker });
  return { api, retry };
}

it('a send after the breaker has refused sends nothing', async () => {
  let sendLate = (): Promise<unknown> => Promise.resolve();
  const { api, retry } = client({
    execute: (send) => {
      sendLate = send;
      return Promise.reject(new Error('the queue is full'));
    },
  });
  expect(await rejectionOf(api.get('/'))).toMatchObject({ code: 'ERR_CIRCUIT_OPEN' });
  expect(axios.isCancel(await rejectionOf(sendLate()))).toBe(true);
  expect(server.requests).toHaveLength(0);
  expect(retry.stats().attempts).toBe(0);
});

it('an answer of the breaker’s own is no attempt', async () => {
  const own = { status: 200, statusText: '', headers: {}, data: 'own', config: {} };
  const { api, retry } = client({ execute: () => Promise.resolve(own as never) });
  await expect(api.get('/')).resolves.toMatchObject({ data: 'own' });
  expect(server.requests).toHaveLength(0);
  expect(retry.stats()).toMatchObject({ calls: 1, attempts: 0, retries: 0 });
});

it('the timeout that the breaker is told of carries the failure before it as its cause', async () => {
  stopClock();
  server.script(503, 'hang');
  const told: AxiosError[] = [];
  const execute: CircuitBreaker['execute'] = (send) =>
    send().catch((error: unknown) => {
      told.push(error as AxiosError);
      throw error;
    });
  const { api } = client({ execute }, { baseDelay: 0, totalTimeout: 150 });
  const call = rejectionOf(api.get('/'));
  await until(() => server.requests.length === 2);
  await advance(150);
  await call;
  expect(told.map(({ code }) => code)).toEqual(['ERR_BAD_RESPONSE', 'ECONNABORTED']);
  expect(told[1]?.cause).toBe(told[0]);
});
