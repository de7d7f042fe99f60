// What the compiler must accept and refuse. `@ts-expect-error` fails the suite where nothing is wrong.
import axios, { type AxiosError, type AxiosRequestConfig, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import type { AxiosInstance as Axios113 } from 'axios-1.13';
import type { AxiosInstance as Axios12 } from 'axios-1.2';
import type { AxiosInstance as Axios16 } from 'axios-1.6';
import { ConsecutiveBreaker, circuitBreaker, handleAll, noop } from 'cockatiel';
import {
  attachRetry,
  logRetries,
  RetryBudget,
  type CircuitBreaker,
  type FailureKind,
  type getRetryReport,
  type GiveUpEvent,
  type RequestRetry,
  type RequestRetryOptions,
  type RetryableInstance,
  type RetryEvent,
  type RetryHandle,
  type RetryObserver,
  type RetryOptions,
  type RetryReport,
  type RetryState,
  type RetryStats,
  type RetryWaitEvent,
  type StopReason,
} from '../lib/index';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only where the two types are the same. */
function same<A, B>(isSame: Equal<A, B>): void {
  expect(isSame).toBe(true);
}

/** Is compiled, and never run. */
function compiles(run: () => unknown): void {
  expect(typeof run).toBe('function');
}

const api = axios.create();

describe('options of attachRetry', () => {
  it('fit with every value that is documented', () => {
    const options: RetryOptions[] = [
      { retries: Infinity, baseDelay: 0, factor: 1.5, maxDelay: 1, jitter: { plusMinus: 5 } },
      { methods: ['GET'], statuses: [429, [500, 599]] },
      { methods: ['GET'] as const, statuses: [[500, 599]] as const },
      { statuses: (status) => status > 499, delay: (event) => event.attempt * 100 },
      { shouldRetry: () => undefined, shouldRetryResponse: (response) => response.status === 202 },
      { shouldRetry: async () => true, shouldRetryResponse: async () => false },
      { body: () => new Uint8Array(1), idempotencyKey: (config) => `${config.method}`, attemptHeader: false },
      { budget: { capacity: 5 }, circuitBreaker: (origin): CircuitBreaker => ({ execute: (send) => (origin ? send() : send()) }) },
      { budget: new RetryBudget(), circuitBreaker: false, origin: (config) => config.baseURL ?? '' },
      { beforeRetry: (config) => void config.headers.set('X-A', '1') },
      { beforeRetry: async (config) => ({ ...config, baseURL: 'http://b' }) },
      { observers: [logRetries(console), { onRetry: async () => undefined }], onObserverError: () => undefined },
      { dryRun: true, random: () => 0, sleep: async (ms, signal) => void [ms, signal.aborted], now: Date.now },
    ];
    expect(options).toHaveLength(13);
  });

  it('are refused with a wrong type', () => {
    compiles(() => [
      // @ts-expect-error a string is not a number
      attachRetry(api, { retries: '3' }),
      // @ts-expect-error null is not "not given"
      attachRetry(api, { retries: null }),
      // @ts-expect-error no such jitter
      attachRetry(api, { jitter: 'half' }),
      // @ts-expect-error a list is needed
      attachRetry(api, { methods: 'GET' }),
      // @ts-expect-error a range has two ends
      attachRetry(api, { statuses: [[500]] }),
      // @ts-expect-error a delay is a number at once
      attachRetry(api, { delay: async () => 5 }),
      // @ts-expect-error yes, no or nothing
      attachRetry(api, { shouldRetry: () => 'yes' }),
      // @ts-expect-error a key is text
      attachRetry(api, { idempotencyKey: () => 5 }),
      // @ts-expect-error a name or false
      attachRetry(api, { attemptHeader: true }),
      // @ts-expect-error false or a budget
      attachRetry(api, { budget: true }),
      // @ts-expect-error execute is missing
      attachRetry(api, { circuitBreaker: {} }),
      // @ts-expect-error a list is needed
      attachRetry(api, { observers: { onRetry: () => undefined } }),
      // @ts-expect-error a config or nothing
      attachRetry(api, { beforeRetry: () => 'http://b' }),
      // @ts-expect-error a promise is needed
      attachRetry(api, { sleep: () => 5 }),
    ]);
  });

  it('are refused with an unknown name, or in a form for requests', () => {
    compiles(() => [
      // @ts-expect-error misspelt
      attachRetry(api, { retires: 3 }),
      // @ts-expect-error a number is for requests
      attachRetry(api, 3),
      // @ts-expect-error off is for requests; there it is detach()
      attachRetry(api, false),
    ]);
  });

  it('take undefined for each of them, under exactOptionalPropertyTypes', () => {
    type Refused<T> = { [Name in keyof T]-?: Record<Name, undefined> extends Pick<T, Name> ? never : Name }[keyof T];
    same<Refused<RetryOptions>, never>(true);
    same<Refused<{ retries?: number; factor?: number | undefined }>, 'retries'>(true);
    const observer: RetryObserver = { onRetry: undefined, onGiveUp: undefined, onRecover: undefined };
    const options: RetryOptions = { retries: undefined, budget: undefined, observers: [observer], onRetry: undefined };
    const budget = new RetryBudget({ capacity: undefined, deposit: undefined, cost: undefined });
    expect([attachRetry(axios.create(), options).stats().calls, budget.capacity]).toEqual([0, 100]);
  });

  it('take a policy of cockatiel as it is', () => {
    const policy = circuitBreaker(handleAll, { halfOpenAfter: 10, breaker: new ConsecutiveBreaker(3) });
    compiles(() => [attachRetry(api, { circuitBreaker: policy }), attachRetry(api, { circuitBreaker: () => noop })]);
  });
});

describe('what each hook is told', () => {
  it('has a delay in onRetry and a reason in onGiveUp; shouldRetry has neither for sure', () => {
    attachRetry(axios.create(), {
      onRetry: ({ delay }) => delay.toFixed(),
      onGiveUp: ({ reason }) => reason.length,
      onRecover: ({ kind }) => kind,
      observers: [{ onRetry: ({ delay }) => delay.toFixed(), onGiveUp: ({ reason }) => reason.length }],
      // @ts-expect-error there may be none
      shouldRetry: ({ delay }) => delay.toFixed() === '0',
    });
    same<RetryWaitEvent['delay'], number>(true);
    same<GiveUpEvent['reason'], StopReason>(true);
  });
});

describe('retry of a request config', () => {
  it('S17 takes what a request may say, and not what axios would clone or what is for attachRetry alone', () => {
    compiles(() => [
      api.get('/', { retry: { budget: false, retryAfter: false, delay: () => undefined } }),
      api.get('/', { retry: { budget: new RetryBudget(), retryAfter: (response) => Number(response.headers['x-wait']) } }),
      // @ts-expect-error each request would get a bucket of its own
      api.get('/', { retry: { budget: { capacity: 5 } } }),
      // @ts-expect-error for attachRetry alone
      api.get('/', { retry: { requestInterceptors: 'all' } }),
      // @ts-expect-error false or a function
      attachRetry(api, { retryAfter: true }),
    ]);
  });

  it('R116 is typed on every config: a number, false, options, undefined', () => {
    same<AxiosRequestConfig['retry'], RequestRetry | undefined>(true);
    same<RequestRetry, RequestRetryOptions | number | false>(true);
    compiles(() => [
      api.get('/', { retry: 2 }),
      api.post('/', {}, { retry: false }),
      api({ url: '/', retry: { retries: 1, baseDelay: undefined } }),
      api.request({ retry: undefined }),
      axios.create({ retry: { retries: 1 } }),
    ]);
  });

  it('R116 is refused with a wrong type or an unknown name', () => {
    compiles(() => [
      // @ts-expect-error off is false
      api.get('/', { retry: true }),
      // @ts-expect-error a string is not a number
      api.get('/', { retry: '2' }),
      // @ts-expect-error misspelt
      api.get('/', { retry: { retires: 2 } }),
      // @ts-expect-error a string is not a number
      axios.create({ retry: { baseDelay: '20' } }),
    ]);
  });

  it('R116 can be built without the augmentation, from the exported type', () => {
    const mine: { url: string; retry?: RequestRetry } = { url: '/orders', retry: { retries: 1 } };
    compiles(() => api.request(mine));
  });
});

describe('what comes back', () => {
  it('is typed on error, response and config', () => {
    same<AxiosError['retry'], RetryReport | undefined>(true);
    same<AxiosResponse['retry'], RetryReport | undefined>(true);
    same<InternalAxiosRequestConfig['retryState'], RetryState | undefined>(true);
    same<RetryState['attempt'], number>(true);
  });

  it('is read-only where nobody should write', () => {
    compiles(() => {
      const [error, event, state] = [{} as AxiosError, {} as RetryEvent, {} as RetryState];
      // @ts-expect-error read-only
      error.retry = undefined;
      // @ts-expect-error read-only
      event.willRetry = true;
      // @ts-expect-error read-only
      state.attempt = 1;
    });
  });

  it('is a report from whatever was caught', () => {
    same<ReturnType<typeof getRetryReport>, RetryReport | undefined>(true);
    same<Parameters<typeof getRetryReport>, [errorOrResponse: unknown]>(true);
  });

  it('has closed sets of kinds and reasons', () => {
    same<FailureKind, 'unsent' | 'network' | 'timeout' | 'status' | 'response' | 'cancelled' | 'permanent'>(true);
    same<
      StopReason,
      | 'not-retryable' | 'method' | 'body' | 'exhausted' | 'retry-after' | 'deadline' | 'dry-run' | 'budget'
      | 'circuit-open' | 'aborted' | 'hook-failed' | 'detached'
    >(true);
    same<RetryEvent['reason'], StopReason | undefined>(true);
    same<RetryStats['gaveUp'], Record<StopReason, number>>(true);
  });

  it('is a handle that can be detached, asked and disposed of', () => {
    const own = axios.create();
    const handle: RetryHandle = attachRetry(own);
    same<ReturnType<RetryHandle['stats']>, RetryStats>(true);
    {
      using retry = attachRetry(own);
      expect(retry.stats().calls).toBe(0);
    }
    handle.detach();
    // @ts-expect-error no such member
    expect(handle.destroy).toBeUndefined();
  });
});

describe('the first argument', () => {
  it('fits an instance of every axios version, axios itself and a subclass of Axios', () => {
    class Client extends axios.Axios {}
    compiles(() => [
      attachRetry({} as Axios12),
      attachRetry({} as Axios16),
      attachRetry({} as Axios113),
      attachRetry(axios),
      attachRetry(new Client({})),
    ]);
    type Fits<T> = T extends RetryableInstance ? true : false;
    same<[Fits<Axios12>, Fits<Axios16>, Fits<Axios113>, Fits<typeof api>], [true, true, true, true]>(true);
  });

  it('fits a wrapper that has the members which are used', () => {
    const { defaults, interceptors } = api;
    const wrapper = { defaults, interceptors, request: (config: AxiosRequestConfig) => api.request(config), log: true };
    compiles(() => attachRetry(wrapper));
  });

  it('is refused without interceptors or request', () => {
    compiles(() => [
      // @ts-expect-error no instance at all
      attachRetry(undefined),
      // @ts-expect-error no interceptors
      attachRetry({ defaults: {}, request: () => Promise.resolve() }),
      // @ts-expect-error no request
      attachRetry({ defaults: {}, interceptors: api.interceptors }),
      // @ts-expect-error fetch is not axios
      attachRetry(fetch),
    ]);
  });
});
