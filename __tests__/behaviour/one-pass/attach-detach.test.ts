// Detaching while calls run.
import type { AxiosInstance } from 'axios';
import { attachRetry, getRetryReport, type RetryHandle, type RetryOptions } from '../../../lib/index';
import axios from '../../helpers/axios';
import { holdSleep, instant, keepLog, rejectionOf } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';

const server = useRecordingServer();

const create = (): AxiosInstance => axios.create({ baseURL: server.url });

it('ends the calls that wait at once, with their last error and reason `detached`', async () => {
  server.thenAlways(503);
  const api = create();
  const held = holdSleep(); // never released
  const { lines, observer } = keepLog();
  const retry = attachRetry(api, { ...observer, sleep: held.sleep });
  const call = rejectionOf(api.get('/'));
  await held.begun;
  expect(retry.stats().waiting).toBe(1);
  retry.detach();
  const error = await call;
  expect(error).toMatchObject({ response: { status: 503 } });
  expect(getRetryReport(error)).toMatchObject({ attempts: 1, reason: 'detached', totalDelay: 0 });
  expect(lines).toEqual(['retry 1', 'give-up detached']);
  expect(retry.stats()).toMatchObject({ waiting: 0, retries: 0, gaveUp: { detached: 1 } });
  expect(server.requests).toHaveLength(1);
});

it('ends a wait on the real timer too', async () => {
  server.thenAlways(503);
  const api = create();
  const retry = attachRetry(api, { baseDelay: 3_600_000, maxDelay: 3_600_000, jitter: 'none', onRetry: () => void setTimeout(() => retry.detach(), 10) });
  expect(getRetryReport(await rejectionOf(api.get('/')))).toMatchObject({ reason: 'detached' });
});

it('ends all calls that wait', async () => {
  server.thenAlways(503);
  const api = create();
  const held = holdSleep();
  const retry = attachRetry(api, { sleep: held.sleep });
  const calls = Array.from({ length: 5 }, () => rejectionOf(api.get('/')));
  while (retry.stats().waiting < 5) await new Promise(setImmediate);
  retry.detach();
  const reasons = (await Promise.all(calls)).map((error) => getRetryReport(error)?.reason);
  expect(reasons).toEqual(Array(5).fill('detached'));
});

it('gives back the token of the retry that is not sent', async () => {
  server.thenAlways(503);
  const api = create();
  const held = holdSleep();
  const retry = attachRetry(api, { sleep: held.sleep });
  const call = rejectionOf(api.get('/'));
  await held.begun;
  expect(retry.stats().budgets).toMatchObject([{ tokens: 99 }]);
  retry.detach();
  await call;
  expect(retry.stats().budgets).toEqual([]);
});

it('ends the calls that an earlier `attachRetry` began', async () => {
  server.thenAlways(503);
  const api = create();
  const held = holdSleep();
  const before = attachRetry(api, { sleep: held.sleep });
  const call = rejectionOf(api.get('/'));
  await held.begun;
  attachRetry(api, instant).detach();
  expect(getRetryReport(await call)).toMatchObject({ reason: 'detached' });
  expect(before.stats()).toMatchObject({ waiting: 0, gaveUp: { detached: 1 } });
});

it('lets an attempt in flight come to its end, and sends no other', async () => {
  const api = create();
  const retry = attachRetry(api, instant);
  server.decide = () => {
    retry.detach();
    return 503;
  };
  const error = await rejectionOf(api.get('/'));
  expect(getRetryReport(error)).toMatchObject({ attempts: 1, reason: 'detached' });
  expect(server.requests).toHaveLength(1);
});

it.each([
  ['without a signal', {}],
  ['with a signal', { signal: new AbortController().signal }],
])('lets a retry in flight succeed, %s', async (_, config) => {
  const api = create();
  const waiting: number[] = [];
  const retry = attachRetry(api, instant);
  server.decide = () => {
    if (server.requests.length === 1) return 503;
    waiting.push(retry.stats().waiting);
    retry.detach();
    return 200;
  };
  const outer = jest.fn((response) => response.data);
  api.interceptors.response.use(outer);
  await expect(api.get('/', config)).resolves.toEqual({ request: 2 });
  expect(outer).toHaveBeenCalledTimes(1);
  expect(waiting).toEqual([0]);
  expect(retry.stats()).toMatchObject({ recovered: 1 });
});

it('leaves a failure that would not be retried its own reason', async () => {
  const api = create();
  const retry = attachRetry(api, instant);
  server.decide = () => {
    retry.detach();
    return 404;
  };
  expect(getRetryReport(await rejectionOf(api.get('/')))).toMatchObject({ reason: 'not-retryable' });
});

it('does not retry a call that was begun but had not come to the layer yet', async () => {
  server.thenAlways(503);
  const api = create();
  const retry = attachRetry(api, instant);
  api.interceptors.request.use(async (config) => Promise.resolve(config));
  const call = rejectionOf(api.get('/'));
  retry.detach();
  expect(await call).toMatchObject({ response: { status: 503 } });
  expect(server.requests).toHaveLength(1);
});

// Wherever it is called from, nothing is sent after it.
const places: [string, (detach: () => void) => RetryOptions][] = [
  ['onRetry', (onRetry) => ({ onRetry })],
  ['shouldRetry', (detach) => ({ shouldRetry: () => void detach() as undefined })],
  ['a pending shouldRetry', (detach) => ({ shouldRetry: async () => Promise.resolve().then(() => void detach() as undefined) })],
  ['delay', (detach) => ({ delay: () => (detach(), 1) })],
  ['random', (detach) => ({ random: () => (detach(), 0.5) })],
  ['sleep', (detach) => ({ sleep: () => Promise.resolve(detach()) })],
  ['beforeRetry', (beforeRetry) => ({ beforeRetry })],
  ['a pending beforeRetry', (detach) => ({ beforeRetry: async () => Promise.resolve().then(detach) })],
];

it.each(places)('sends nothing more when called from %s', async (_, install) => {
  server.thenAlways(503);
  const api = create();
  const retry: RetryHandle = attachRetry(api, { ...instant, ...install(() => retry.detach()) });
  const outer = jest.fn((error) => Promise.reject(error));
  api.interceptors.response.use(undefined, outer);
  const error = await rejectionOf(api.get('/'));
  expect(server.requests).toHaveLength(1);
  expect(getRetryReport(error)).toMatchObject({ attempts: 1, reason: 'detached' });
  expect(outer).toHaveBeenCalledTimes(1);
  expect(retry.stats()).toMatchObject({ attempts: 1, retries: 0, waiting: 0, gaveUp: { detached: 1 }, budgets: [] });
});
