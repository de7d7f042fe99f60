// What the observers are told: what is in it, in which order, how often.
import type { AxiosInstance } from 'axios';
import { attachRetry, type RetryEvent, type RetryOptions } from '../../../lib/index';
import axios from '../../helpers/axios';
import nock from '../../helpers/nock';
import { recorder, rejectionOf, serve, SERVICE, timeless, type Told } from '../../helpers/observed';

interface Watched {
  api: AxiosInstance;
  told: Told[];
  names: () => string[];
}

function watch(retry: RetryOptions = {}): Watched {
  const { told, names, observer } = recorder();
  const api = axios.create({ baseURL: SERVICE });
  attachRetry(api, { ...timeless().options, jitter: 'none', observers: [observer], ...retry });
  return { api, told, names };
}

/** The members without config, error and response, which have tests of their own. */
function plain({ event }: Told): object {
  const { config: _config, error: _error, response: _response, ...rest } = event;
  return rest;
}

describe('R88 the events of a call', () => {
  it('that recovers are its retries and its recovery, with all they say', async () => {
    serve([500, { status: 503, headers: { 'Retry-After': '2' } }, 200]);
    const { api, told, names } = watch();
    await api.get('/orders');
    expect(names()).toEqual(['onRetry', 'onRetry', 'onRecover']);
    expect(told.map(plain)).toEqual([
      { attempt: 1, retries: 3, kind: 'status', origin: SERVICE, elapsed: 0, delay: 500, willRetry: true },
      { attempt: 2, retries: 3, kind: 'status', origin: SERVICE, elapsed: 500, delay: 2_000, retryAfter: 2_000, willRetry: true },
      { attempt: 3, retries: 3, kind: 'status', origin: SERVICE, elapsed: 2_500, willRetry: false },
    ]);
  });

  it('that fails for good are its retries and one give-up, with the reason', async () => {
    serve([500]);
    const { api, told, names } = watch({ retries: 2 });
    await rejectionOf(api.get('/orders'));
    expect(names()).toEqual(['onRetry', 'onRetry', 'onGiveUp']);
    expect(plain(told[2] as Told)).toEqual({
      attempt: 3, retries: 2, kind: 'status', origin: SERVICE, elapsed: 1_500, reason: 'exhausted', willRetry: false,
    });
  });

  it('that succeeds at once are none', async () => {
    serve([200]);
    const { api, told } = watch();
    await api.get('/orders');
    expect(told).toEqual([]);
  });

  it('carry the error of the attempt, its response and its config', async () => {
    serve([500, 503]);
    const { api, told } = watch({ retries: 1 });
    const error = await rejectionOf(api.get('/orders'));
    const [retry, giveUp] = told.map(({ event }) => event) as [RetryEvent, RetryEvent];
    expect([retry.response?.status, giveUp.response?.status]).toEqual([500, 503]);
    expect(giveUp.error).toBe(error);
    for (const event of [retry, giveUp]) {
      expect(event.error?.response).toBe(event.response);
      expect(event.error?.config).toBe(event.config);
      expect(event.config.retryState?.attempt).toBe(event.attempt);
      expect(event.config).toMatchObject({ url: '/orders', method: 'get', baseURL: SERVICE });
    }
  });

  it('carry, when the call recovers, the response that the caller gets and no error', async () => {
    serve([500, 200]);
    const { api, told } = watch();
    const response = await api.get('/orders');
    expect(told[1]?.event.response).toBe(response);
    expect(told[1]?.event).not.toHaveProperty('error');
  });

  it('carry, when the call recovers, the kind of the last failure', async () => {
    nock(SERVICE).get('/orders').replyWithError(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    serve([500, 200]);
    const { api, told } = watch();
    await api.get('/orders');
    expect(told.map(({ event }) => event.kind)).toEqual(['unsent', 'status', 'status']);
  });

  it('are told although an inner layer unwraps the response', async () => {
    serve([500, { status: 200, body: 'orders' }]);
    const { told, observer } = recorder();
    const api = axios.create({ baseURL: SERVICE });
    api.interceptors.response.use((response) => response.data);
    attachRetry(api, { ...timeless().options, observers: [observer] });
    expect(await api.get('/orders')).toBe('orders');
    expect(told).toMatchObject([
      { name: 'onRetry', event: { response: { status: 500 } } },
      { name: 'onRecover', event: { attempt: 2, config: { url: '/orders', retryState: { attempt: 2 } } } },
    ]);
  });

  it('come before the caller gets the outcome, and onRetry before the wait', async () => {
    serve([500, 200]);
    const order: string[] = [];
    const { api } = watch({
      onRetry: () => void order.push('onRetry'),
      onRecover: () => void order.push('onRecover'),
      sleep: async () => void order.push('sleep'),
      beforeRetry: () => void order.push('beforeRetry'),
    });
    await api.get('/orders');
    expect([...order, 'outcome']).toEqual(['onRetry', 'sleep', 'beforeRetry', 'onRecover', 'outcome']);
  });

  it('are told to the option itself before the list of observers', async () => {
    serve([500, 200]);
    const order: string[] = [];
    const observers = ['first', 'second'].map((name) => ({ onRetry: () => void order.push(name) }));
    await watch({ onRetry: () => void order.push('option'), observers }).api.get('/orders');
    expect(order).toEqual(['option', 'first', 'second']);
  });

  it('have the origin that the attempt went to', async () => {
    serve([500], 'http://other.test:8080');
    const { api, told } = watch({ retries: 0 });
    await rejectionOf(api.get('http://me:secret@other.test:8080/orders'));
    expect(told[0]?.event.origin).toBe('http://other.test:8080');
  });
});

describe('R90 willRetry', () => {
  it('is true exactly when another request follows', async () => {
    const seen = serve([500, 500, 200, 500]);
    const announced: number[] = [];
    const { api, told } = watch({ retries: 2, onRetry: () => void announced.push(seen.length) });
    await api.get('/orders');
    await rejectionOf(api.get('/orders'));
    // One request per call, and one for each event that said so, right after it.
    expect(told.map(({ event }) => event.willRetry)).toEqual([true, true, false, true, true, false]);
    expect(announced).toEqual([1, 2, 4, 5]);
    expect(seen).toHaveLength(6);
  });

  it('says in shouldRetry what would happen without it: a status, by the list and the method', async () => {
    serve([500, 404]);
    const asked: boolean[] = [];
    const { api } = watch({ shouldRetry: ({ willRetry }) => void asked.push(willRetry) as undefined });
    await rejectionOf(api.get('/orders'));
    expect(asked).toEqual([true, false]);
  });

  it.each<[string, string, () => Error, boolean]>([
    ['a POST that got a status', 'post', () => new axios.AxiosError('500', 'ERR_BAD_RESPONSE'), false],
    ['a POST whose connection broke', 'post', () => new axios.AxiosError('reset', 'ECONNRESET'), false],
    ['a POST that timed out', 'post', () => new axios.AxiosError('timeout of 5ms exceeded', 'ECONNABORTED'), false],
    ['a POST that never reached the server', 'post', () => new axios.AxiosError('refused', 'ECONNREFUSED'), true],
    ['a GET whose connection broke', 'get', () => new axios.AxiosError('reset', 'ECONNRESET'), true],
  ])('says in shouldRetry what would happen without it: %s', async (_what, method, makeError, expected) => {
    const asked: boolean[] = [];
    const { api } = watch({
      retries: 1,
      shouldRetry: ({ willRetry, attempt }) => (attempt === 1 ? (void asked.push(willRetry) as undefined) : undefined),
    });
    const adapter = jest.fn((config: object) => Promise.reject(Object.assign(makeError(), { config })));
    await rejectionOf(api.request({ url: '/orders', method, adapter }));
    expect(asked).toEqual([expected]);
    expect(adapter.mock.calls.length > 1).toBe(expected);
  });

  it('is false in shouldRetry when the attempts are used up', async () => {
    serve([500]);
    const asked: boolean[] = [];
    const { api } = watch({ retries: 1, shouldRetry: ({ willRetry }) => void asked.push(willRetry) as undefined });
    await rejectionOf(api.get('/orders'));
    expect(asked).toEqual([true, false]);
  });
});

describe('R63 an observer that fails', () => {
  const broken = new Error('logger broke');
  const throwing = (): never => {
    throw broken;
  };
  const rejecting = (): Promise<never> => Promise.reject(broken);

  it.each([
    ['throws', throwing],
    ['rejects', rejecting],
  ])('changes nothing for a call that recovers, and is reported once per event: it %s', async (_how, fail) => {
    serve([500, 200]);
    const reported: unknown[] = [];
    const onObserverError = (error: unknown, event?: RetryEvent): void => void reported.push([error, event?.attempt]);
    const { api, names } = watch({ onRetry: fail, onRecover: fail, onObserverError });
    expect(await api.get('/orders')).toMatchObject({ status: 200 });
    expect(reported).toEqual([[broken, 1], [broken, 2]]);
    expect(names()).toEqual(['onRetry', 'onRecover']);
  });

  it.each([
    ['throws', throwing],
    ['rejects', rejecting],
  ])('changes nothing for a call that fails: it %s', async (_how, fail) => {
    serve([404]);
    const onObserverError = jest.fn();
    const { api } = watch({ onGiveUp: fail, onObserverError });
    expect(await rejectionOf(api.get('/orders'))).toMatchObject({ response: { status: 404 }, retry: { reason: 'not-retryable' } });
    expect(onObserverError).toHaveBeenCalledTimes(1);
  });

  it('is reported on the console by default', async () => {
    serve([500, 200]);
    const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    await watch({ onRetry: throwing }).api.get('/orders');
    expect(log.mock.calls).toEqual([['axios-jitter: an observer failed', broken]]);
  });

  it('is not waited for when it never settles', async () => {
    serve([500, 200]);
    const never = (): Promise<void> => new Promise(() => undefined);
    const { api } = watch({ onRetry: never, onRecover: never });
    expect(await api.get('/orders')).toMatchObject({ status: 200 });
  });

  it('cannot change the outcome through what it returns', async () => {
    const seen = serve([500, 200]);
    const { api } = watch({ onRetry: () => false, onRecover: () => Promise.resolve({ status: 500 }) });
    expect(await api.get('/orders')).toMatchObject({ status: 200 });
    expect(seen).toHaveLength(2);
  });
});
