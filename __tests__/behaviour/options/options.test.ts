import type { AxiosInstance, AxiosRequestConfig } from 'axios';
import { attachRetry, RetryBudget, type CircuitBreaker, type RequestRetry, type RequestRetryOptions, type RetryOptions } from '../../../lib/index';
import axios from '../../helpers/axios';
import { recorder, rejectionOf, serve, SERVICE, timeless } from '../../helpers/observed';

const fast = (): RequestRetryOptions => ({ ...timeless().options, budget: false });

/** An instance with these options in its three places; the request's `retry` is left out where it is not given. */
function makeApi(attached: RetryOptions, defaults?: RequestRetry): AxiosInstance {
  const api = axios.create({ baseURL: SERVICE, ...(defaults !== undefined && { retry: defaults }) });
  attachRetry(api, { ...fast(), ...attached });
  return api;
}

async function countRequests(api: AxiosInstance, config: AxiosRequestConfig = {}): Promise<number> {
  const seen = serve([500]);
  await rejectionOf(api.get('/orders', config));
  return seen.length;
}

class Breaker implements CircuitBreaker {
  readonly id = 'breaker';
  execute<T>(send: () => Promise<T>): Promise<T> {
    return send();
  }
}

describe('precedence', () => {
  it.each<[string, RetryOptions, RequestRetry | undefined, AxiosRequestConfig, number]>([
    ['the built-in default', {}, undefined, {}, 4],
    ['attachRetry', { retries: 1 }, undefined, {}, 2],
    ['instance defaults over attachRetry', { retries: 1 }, { retries: 2 }, {}, 3],
    ['a number in the instance defaults', { retries: 1 }, 2, {}, 3],
    ['the request over all', { retries: 1 }, { retries: 2 }, { retry: { retries: 4 } }, 5],
    ['a number in the request', { retries: 1 }, { retries: 2 }, { retry: 4 }, 5],
    ['a number over a number', { retries: 1 }, 2, { retry: 4 }, 5],
    ['R80 zero in the request', { retries: 1 }, { retries: 2 }, { retry: { retries: 0 } }, 1],
    ['R80 the number zero in the request', { retries: 1 }, 2, { retry: 0 }, 1],
    ['R80 false in the request', { retries: 1 }, { retries: 2 }, { retry: false }, 1],
    ['R80 false in the instance defaults', { retries: 1 }, false, {}, 1],
    ['a request that wants retries although the defaults say false', { retries: 1 }, false, { retry: 2 }, 3],
    ['an object in a request although the defaults say false', { retries: 1 }, false, { retry: {} }, 2],
    ['explicit undefined for retry: not given', { retries: 1 }, { retries: 2 }, { retry: undefined }, 3],
    ['explicit undefined for a field: not given', { retries: 1 }, { retries: 2 }, { retry: { retries: undefined } }, 3],
    ['explicit undefined for a field, over a number', { retries: 1 }, 2, { retry: { retries: undefined } }, 3],
    ['explicit undefined for a field in the defaults', { retries: 1 }, { retries: undefined }, {}, 2],
    ['an empty object: nothing given', { retries: 1 }, { retries: 2 }, { retry: {} }, 3],
  ])('ends with %s', async (_place, attached, defaults, config, requests) => {
    expect(await countRequests(makeApi(attached, defaults), config)).toBe(requests);
  });

  it('R79 is field by field: a request changes the retries, and the delay stays', async () => {
    const { waits, options } = timeless();
    const api = makeApi({ ...options, retries: 5, baseDelay: 20, jitter: 'none' });
    expect(await countRequests(api, { retry: { retries: 1 } })).toBe(2);
    expect(waits).toEqual([20]);
  });

  it('takes each field from the last place that gives it', async () => {
    const { waits, options } = timeless();
    const api = makeApi({ ...options, retries: 5, baseDelay: 20, factor: 3, jitter: 'none' }, { baseDelay: 30, factor: 2 });
    await countRequests(api, { retry: { factor: 10, retries: 2 } });
    expect(waits).toEqual([30, 300]);
  });

  it('lets maxDelay win across objects', async () => {
    const { waits, options } = timeless();
    const api = makeApi({ ...options, baseDelay: 400, jitter: 'none' }, { retries: 2 });
    await countRequests(api, { retry: { maxDelay: 100 } });
    expect(waits).toEqual([100, 100]);
  });

  it('reads the instance defaults at each call', async () => {
    const api = makeApi({ retries: 1 });
    api.defaults.retry = { retries: 2 };
    expect(await countRequests(api)).toBe(3);
  });

  it('R80 has one switch that turns all retries off', async () => {
    const api = makeApi({ retries: 5 });
    api.defaults.retry = false;
    expect(await countRequests(api)).toBe(1);
  });

  it('R80 is silent for a request that is switched off: no observer, no report, no count', async () => {
    const { told, observer } = recorder();
    const api = axios.create({ baseURL: SERVICE });
    const retry = attachRetry(api, { ...fast(), ...observer });
    serve([500]);
    const error = await rejectionOf(api.get('/orders', { retry: false }));
    expect(told).toEqual([]);
    expect(error).not.toHaveProperty('retry');
    expect(retry.stats()).toMatchObject({ calls: 0, attempts: 0 });
  });

  it('R80 tells of a give-up, but of no retry, where there are zero retries', async () => {
    const { told, observer } = recorder();
    await countRequests(makeApi({ ...observer }), { retry: 0 });
    expect(told).toMatchObject([{ name: 'onGiveUp', event: { reason: 'exhausted', attempt: 1, retries: 0 } }]);
  });
});

describe('R93 retries', () => {
  it.each([
    [0, 1],
    [1, 2],
    [2, 3],
  ])('of %d are that many requests after the first, so %d in all', async (retries, requests) => {
    expect(await countRequests(makeApi({ retries }))).toBe(requests);
  });

  it.each([-1, NaN, '3', 2.5])('of %p are refused at set-up, and in a request', async (retries) => {
    const api = axios.create({ baseURL: SERVICE });
    const wrong = { retries } as RequestRetryOptions;
    expect(() => attachRetry(api, wrong)).toThrow('option "retries" must be a whole number >= 0, or Infinity');
    attachRetry(api, fast());
    await expect(api.get('/orders', { retry: wrong })).rejects.toThrow('option "retries" (GET /orders) must be');
  });
});

describe('what a request gives by reference', () => {
  it('is the very budget', async () => {
    const budget = new RetryBudget({ capacity: 1 });
    const api = makeApi({ retries: 5 });
    expect(await countRequests(api, { retry: { budget } })).toBe(2);
    expect(budget.tokens(SERVICE, timeless().options.now())).toBe(0);
  });

  it('is the very breaker', async () => {
    const breaker = new Breaker();
    const execute = jest.spyOn(breaker, 'execute');
    await countRequests(makeApi({ retries: 2 }), { retry: { circuitBreaker: breaker } });
    expect(execute.mock.contexts).toEqual([breaker, breaker, breaker]);
    expect(execute.mock.contexts[0]).toBe(breaker);
  });

  it('is its own list of observers, instead of the instance’s', async () => {
    const [ofInstance, ofRequest] = [recorder(), recorder()];
    const api = makeApi({ retries: 1, observers: [ofInstance.observer] });
    await countRequests(api, { retry: { observers: [ofRequest.observer] } });
    expect(ofInstance.names()).toEqual([]);
    expect(ofRequest.names()).toEqual(['onRetry', 'onGiveUp']);
  });

  it('is left as it was, frozen or not', async () => {
    const retry: RequestRetryOptions = Object.freeze({ retries: 1, methods: Object.freeze(['get']) });
    const config: AxiosRequestConfig = Object.freeze({ params: Object.freeze({ page: 1 }), retry });
    expect(await countRequests(makeApi({}), config)).toBe(2);
    expect(config).toEqual({ params: { page: 1 }, retry: { retries: 1, methods: ['get'] } });
  });
});

describe('a wrong option in a request', () => {
  const wrong = { retires: 1 } as RequestRetryOptions;
  const message = 'axios-jitter: unknown option "retires" (GET /orders); did you mean "retries"?';
  const literals = { budget: { capacity: 1 }, circuitBreaker: { execute: (send: () => unknown) => send() } };

  it.each<[string, (api: AxiosInstance) => Promise<unknown>]>([
    ['api.get()', (api) => api.get('/orders?token=secret', { retry: wrong })],
    ['api.request()', (api) => api.request({ url: '/orders#part', retry: wrong })],
    ['api()', (api) => api('/orders', { retry: wrong })],
    ['the instance defaults of api.get()', (api) => {
      api.defaults.retry = wrong;
      return api.get('/orders');
    }],
  ])('rejects before anything is sent, and is not thrown out of %s', async (_how, call) => {
    const seen = serve([200]);
    const api = makeApi({});
    let promise: Promise<unknown> | undefined;
    expect(() => (promise = call(api))).not.toThrow();
    const error = await rejectionOf(promise as Promise<unknown>);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain('unknown option "retires"');
    expect((error as Error).message).not.toContain('secret');
    expect(seen).toEqual([]);
  });

  it('names the request, and the instance defaults where it stands there', async () => {
    const api = makeApi({});
    await expect(api.get('/orders', { retry: wrong })).rejects.toThrow(message);
    api.defaults.retry = wrong;
    await expect(api.get('/orders')).rejects.toThrow(message.replace('(GET /orders)', 'of instance.defaults'));
  });

  it.each<[string, unknown, string]>([
    ['true', true, 'must be options, a number of retries, or false; got true'],
    ['null', null, 'must be options, a number of retries, or false; got null'],
    ['a string', '3', "must be options, a number of retries, or false; got '3'"],
    ['a negative number', -1, 'must be a whole number >= 0, or Infinity; got -1'],
    ['a contradiction', { baseDelay: 400, maxDelay: 100 }, 'must be at least baseDelay (400); got 100'],
    ['a literal as the budget', { budget: literals.budget }, 'must be false or a RetryBudget, made once with new RetryBudget({ … }): axios would clone an object literal'],
    ['a literal as the breaker', { circuitBreaker: literals.circuitBreaker }, 'or a factory: axios would clone an object literal'],
  ])('may be %s, in the defaults as well', async (_what, retry, part) => {
    const seen = serve([200]);
    const api = makeApi({});
    await expect(api.get('/orders', { retry: retry as RequestRetry })).rejects.toThrow(part);
    api.defaults.retry = retry as RequestRetry;
    await expect(api.get('/orders')).rejects.toThrow(part);
    expect(seen).toEqual([]);
  });

  it('is no call of ours: nothing is told, nothing counted', async () => {
    const { told, observer } = recorder();
    const api = axios.create({ baseURL: SERVICE });
    const retry = attachRetry(api, { ...fast(), ...observer });
    await rejectionOf(api.get('/orders', { retry: wrong }));
    expect(told).toEqual([]);
    expect(retry.stats()).toMatchObject({ calls: 0, attempts: 0, gaveUp: { 'not-retryable': 0 } });
  });

  it('rejects with outer interceptors on both sides, too', async () => {
    const seen = serve([200]);
    const api = makeApi({});
    api.interceptors.request.use((config) => config, undefined, { synchronous: true });
    api.interceptors.response.use((response) => response, (error) => Promise.reject(error));
    await expect(api.get('/orders', { retry: wrong })).rejects.toThrow(message);
    expect(seen).toEqual([]);
  });

  it('does not spoil the next call', async () => {
    serve([500, 200]);
    const api = makeApi({});
    await rejectionOf(api.get('/orders', { retry: wrong }));
    expect(await api.get('/orders')).toMatchObject({ status: 200, retry: { attempts: 2 } });
  });
});

describe('a wrong option of attachRetry', () => {
  it('is thrown, and takes no place on the instance', async () => {
    const api = axios.create({ baseURL: SERVICE });
    const uses = [jest.spyOn(api.interceptors.request, 'use'), jest.spyOn(api.interceptors.response, 'use')];
    expect(() => attachRetry(api, { retires: 1 } as RetryOptions)).toThrow(TypeError);
    uses.forEach((use) => expect(use).not.toHaveBeenCalled());
    expect(await countRequests(api)).toBe(1);
  });

  it('leaves options that are attached already as they are', async () => {
    const api = makeApi({ retries: 1 });
    expect(() => attachRetry(api, { retries: -1 })).toThrow(RangeError);
    expect(await countRequests(api)).toBe(2);
  });

  it('may be the instance itself', () => {
    for (const instance of [undefined, null, {}, fetch, 'api', { interceptors: {}, request: fetch }]) {
      expect(() => attachRetry(instance as AxiosInstance)).toThrow('axios-jitter: attachRetry needs an axios instance; got');
    }
  });
});

describe('a request as axios takes it', () => {
  it('may have an URL object for its address, where there is no base URL', async () => {
    serve([500, 200]);
    const api = axios.create();
    attachRetry(api, fast());
    const url = new URL('/orders', SERVICE) as unknown as string;
    expect(await api.get(url, { retry: { retries: 1 } })).toMatchObject({ status: 200 });
  });

  it('may carry members of its own, whatever their names', async () => {
    const seen = serve([500, 200]);
    const own = { reason: 'audit', attempt: 7, stop: true } as AxiosRequestConfig;
    expect(await makeApi({}).get('/orders', own)).toMatchObject({ status: 200 });
    expect(seen).toHaveLength(2);
  });
});
