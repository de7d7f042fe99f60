// onGiveUp: exactly once for each failed call that was judged, with the reason.
import { Readable } from 'node:stream';
import type { AxiosInstance, AxiosRequestConfig } from 'axios';
import { attachRetry, type RetryHandle, type RetryOptions, type StopReason } from '../../../lib/index';
import axios from '../../helpers/axios';
import { recorder, rejectionOf, serve, SERVICE, startServer, timeless, type Answer, type Told } from '../../helpers/observed';

interface Scene {
  answers: Answer[];
  retry?: RetryOptions;
  config?: () => AxiosRequestConfig;
  /** Runs in the wait before the first retry. */
  inTheWait?: (retry: RetryHandle, controller: AbortController) => void;
  /** How many requests the service gets. */
  requests: number;
}

const asStream = (): AxiosRequestConfig => ({ method: 'put', data: Readable.from(['body']), maxRedirects: 0 });
const broken = new Error('hook broke');
const throwing = (): never => {
  throw broken;
};

const scenes: Record<Exclude<StopReason, 'circuit-open'>, Scene> = {
  'not-retryable': { answers: [404], requests: 1 },
  method: { answers: [500], config: () => ({ method: 'post' }), requests: 1 },
  body: { answers: [500], config: asStream, requests: 1 },
  exhausted: { answers: [500], retry: { retries: 2 }, requests: 3 },
  'retry-after': { answers: [500, { status: 429, headers: { 'Retry-After': '61' } }], requests: 2 },
  deadline: { answers: [500], retry: { totalTimeout: 1_400 }, requests: 2 },
  'dry-run': { answers: [500], retry: { dryRun: true }, requests: 1 },
  budget: { answers: [500], retry: { budget: { capacity: 1 } }, requests: 2 },
  aborted: { answers: [500], inTheWait: (_retry, controller) => controller.abort(), requests: 1 },
  'hook-failed': { answers: [500], retry: { beforeRetry: throwing }, requests: 1 },
  detached: { answers: [500], inTheWait: (retry) => retry.detach(), requests: 1 },
};

interface Ended {
  told: Told[];
  error: unknown;
  retry: RetryHandle;
  requests: number;
}

async function play({ answers, retry: options = {}, config, inTheWait }: Scene): Promise<Ended> {
  const seen = serve(answers);
  const { told, observer } = recorder();
  const { options: time } = timeless();
  const controller = new AbortController();
  const api = axios.create({ baseURL: SERVICE, signal: controller.signal });
  const sleep = async (ms: number): Promise<void> => {
    await time.sleep(ms);
    inTheWait?.(retry, controller);
  };
  const retry = attachRetry(api, { ...time, sleep, jitter: 'none', observers: [observer], ...options });
  const error = await rejectionOf(api.request({ url: '/orders', ...config?.() }));
  return { told, error, retry, requests: seen.length };
}

describe.each(Object.entries(scenes) as [StopReason, Scene][])('R57 R61 a call that ends with %s', (reason, scene) => {
  it('is given up exactly once, with that reason, and told of no other end', async () => {
    const { told } = await play(scene);
    const ends = told.filter(({ name }) => name !== 'onRetry');
    expect(ends).toMatchObject([{ name: 'onGiveUp', event: { reason, willRetry: false } }]);
    expect(told.at(-1)?.name).toBe('onGiveUp');
  });

  it('has the reason on what the caller gets, and in the counts, once', async () => {
    const { error, retry } = await play(scene);
    expect(error).toMatchObject({ retry: { reason, attempts: scene.requests } });
    const counted = Object.entries(retry.stats().gaveUp).filter(([, count]) => count > 0);
    expect(counted).toEqual([[reason, 1]]);
  });

  it('has sent what it should, and no more', async () => {
    const { requests, told } = await play(scene);
    expect(requests).toBe(scene.requests);
    expect(told.at(-1)?.event.attempt).toBe(scene.requests);
  });
});

describe('R61 a give-up', () => {
  it('is told once when the last attempt timed out', async () => {
    const { url, stop } = await startServer(() => undefined);
    const { told, observer } = recorder();
    const api = axios.create({ baseURL: url, timeout: 30 });
    attachRetry(api, { ...timeless().options, retries: 2, shouldRetry: () => true, observers: [observer] });
    await rejectionOf(api.get('/orders')).finally(stop);
    expect(told.map(({ name, event }) => [name, event.kind])).toEqual([
      ['onRetry', 'timeout'],
      ['onRetry', 'timeout'],
      ['onGiveUp', 'timeout'],
    ]);
  });

  it('is told for an abort in flight, with the kind cancelled and no retry', async () => {
    serve([200]);
    const { told, observer } = recorder();
    const controller = new AbortController();
    const api = axios.create({ baseURL: SERVICE, signal: controller.signal });
    attachRetry(api, { ...timeless().options, observers: [observer] });
    const call = rejectionOf(api.get('/orders'));
    controller.abort();
    expect(axios.isCancel(await call)).toBe(true);
    expect(told).toMatchObject([{ name: 'onGiveUp', event: { reason: 'aborted', kind: 'cancelled', attempt: 1 } }]);
  });

  it('is told when a call resolves although its attempts are used up', async () => {
    serve([503]);
    const { told, names, observer } = recorder();
    const api = axios.create({ baseURL: SERVICE, validateStatus: () => true });
    attachRetry(api, { ...timeless().options, retries: 1, observers: [observer] });
    expect(await api.get('/orders')).toMatchObject({ status: 503, retry: { reason: 'exhausted' } });
    expect(names()).toEqual(['onRetry', 'onGiveUp']);
    expect(told[1]?.event).not.toHaveProperty('error');
  });

  describe('of a failure that is not axios’ own', () => {
    async function failWith(failure: unknown): Promise<{ told: Told[]; rejected: unknown }> {
      serve([200]);
      const { told, observer } = recorder();
      const api: AxiosInstance = axios.create({ baseURL: SERVICE });
      api.interceptors.response.use(() => Promise.reject(failure));
      attachRetry(api, { ...timeless().options, observers: [observer] });
      return { told, rejected: await rejectionOf(api.get('/orders')) };
    }

    it.each([
      ['a plain error', new Error('mapped')],
      ['a string', 'mapped'],
      ['nothing', undefined],
      ['null', null],
    ])('is told once, and %s passes through', async (_what, failure) => {
      const { told, rejected } = await failWith(failure);
      expect(rejected).toBe(failure);
      expect(told).toMatchObject([{ name: 'onGiveUp', event: { reason: 'not-retryable', kind: 'permanent', attempt: 1 } }]);
    });

    it('has the config, and neither error nor response', async () => {
      const { told } = await failWith('mapped');
      expect(told[0]?.event.config).toMatchObject({ url: '/orders' });
      expect(told[0]?.event).not.toHaveProperty('error');
      expect(told[0]?.event).not.toHaveProperty('response');
    });
  });
});
