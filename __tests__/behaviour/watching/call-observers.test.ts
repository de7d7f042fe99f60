// Observers of whole calls: when they are told that one begins, retries and ends, and of what.
import type { AxiosError, AxiosInstance, AxiosResponse } from 'axios';
import axios from '../../helpers/axios';
import { rejectionOf } from '../../helpers/instant';
import { answers, startService, type LocalService, type Step } from '../../helpers/local-service';
import { until } from '../../helpers/virtual-time';
import { attachRetry, type CallEnd, type CallObserver, type CallStart, type RetryEvent, type RetryOptions } from '../../../lib/index';

interface Watched {
  api: AxiosInstance;
  starts: CallStart[];
  retries: RetryEvent[];
  ends: CallEnd[];
  detach: () => void;
}

/** A policy that never waits, and an observer that keeps what it is told of calls. */
function watch(options: RetryOptions = {}, api = axios.create()): Watched {
  const starts: CallStart[] = [];
  const retries: RetryEvent[] = [];
  const ends: CallEnd[] = [];
  const onCall = (start: CallStart): CallObserver => {
    starts.push(start);
    return { onRetry: (event) => retries.push(event), onEnd: (end) => ends.push(end) };
  };
  const { detach } = attachRetry(api, { sleep: () => Promise.resolve(), now: () => 0, retries: 2, observers: [{ onCall }], ...options });
  return { api, starts, retries, ends, detach };
}

async function settle(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch((error: unknown) => error);
}

describe('a call that begins', () => {
  it('is told once, whatever the number of attempts, with what is known of it', async () => {
    const service = await startService(answers(503, 503, 200));
    const { api, starts } = watch();
    await api.get(`${service.url}/orders`, { retry: { retries: 7 } });
    expect(starts).toHaveLength(1);
    expect(starts[0]).toMatchObject({ retries: 7, origin: service.url, config: { url: `${service.url}/orders`, method: 'get' } });
  });

  it('computes its origin when that is read, and not before', async () => {
    const service = await startService(answers(200));
    const origin = jest.fn(() => 'payments');
    const { api, starts } = watch({ origin });
    await api.get(service.url);
    expect(origin).not.toHaveBeenCalled();
    expect(starts[0]?.origin).toBe('payments');
  });

  it('has an empty origin where the option throws', async () => {
    const service = await startService(answers(200));
    const { api, starts } = watch({
      origin: () => {
        throw new Error('no origin');
      },
    });
    await api.get(service.url);
    expect(starts[0]?.origin).toBe('');
  });

  it.each<[string, (api: AxiosInstance, url: string) => Promise<unknown>]>([
    ['that is switched off', (api, url) => api.get(url, { retry: false })],
    ['with a wrong option', (api, url) => api.get(url, { retry: { retries: -1 } })],
    ['that was aborted before', (api, url) => api.get(url, { signal: AbortSignal.abort() })],
  ])('is not told of a request %s', async (_what, send) => {
    const service = await startService(answers(200));
    const { api, starts, ends } = watch();
    await settle(send(api, service.url));
    expect([starts, ends]).toEqual([[], []]);
  });

  it('is told to the observers of its request, where a request brings a list', async () => {
    const service = await startService(answers(200));
    const onCall = jest.fn();
    const { api, starts } = watch();
    await api.get(service.url, { retry: { observers: [{ onCall }] } });
    expect(onCall).toHaveBeenCalledTimes(1);
    expect(starts).toEqual([]);
  });
});

describe('a wait that begins', () => {
  it('is told to the observer of the call with the very event of onRetry', async () => {
    const service = await startService(answers(503, [429, { 'retry-after': '2' }], 200));
    const onRetry = jest.fn();
    const { api, retries } = watch({ onRetry, jitter: 'none', baseDelay: 100 });
    await api.get(service.url);
    expect(retries.map(({ attempt, delay, retryAfter }) => [attempt, delay, retryAfter])).toEqual([[1, 100, undefined], [2, 2_000, 2_000]]);
    expect(onRetry.mock.calls.map(([event]: unknown[]) => event)).toEqual(retries);
    expect(onRetry.mock.calls[0]?.[0]).toBe(retries[0]);
  });
});

describe('a call that has ended', () => {
  it.each<[string, [Step, ...Step[]], number]>([
    ['at its first attempt', [200], 1],
    ['after two retries', [503, 503, 200], 3],
  ])('by a success %s', async (_when, steps, attempts) => {
    const service = await startService(answers(...steps));
    const { api, ends } = watch();
    const response = await api.get(service.url);
    expect(ends).toEqual([{ isSuccess: true, attempts, elapsed: 0, response }]);
    expect(ends[0]?.response).toBe(response);
  });

  it('by a success that an inner interceptor unwraps: there is no response then', async () => {
    const service = await startService(answers(200));
    const bare = axios.create();
    bare.interceptors.response.use((response) => response.data as AxiosResponse);
    const { api, ends } = watch({}, bare);
    await api.get(service.url);
    expect(ends).toEqual([{ isSuccess: true, attempts: 1, elapsed: 0 }]);
  });

  it('by an answer that the caller accepts, when attempts run out: a failure with a response', async () => {
    const service = await startService(answers(503));
    const { api, ends } = watch();
    const response = await api.get(service.url, { validateStatus: () => true });
    expect(ends).toEqual([{ isSuccess: false, attempts: 3, elapsed: 0, reason: 'exhausted', kind: 'status', response }]);
    expect(ends[0]?.response).toBe(response);
  });

  interface End {
    options?: RetryOptions;
    send?: (api: AxiosInstance, url: string) => Promise<unknown>;
    meanwhile?: (service: LocalService, watched: Watched) => unknown;
    expected: Partial<CallEnd>;
  }
  const gone = (): AbortController => new AbortController();
  const never = (): Promise<void> => new Promise(() => undefined);
  const table: Record<string, End> = {
    exhausted: { expected: { attempts: 3, reason: 'exhausted', kind: 'status' } },
    'a method that must not be repeated': { send: (api, url) => api.post(url, {}), expected: { attempts: 1, reason: 'method', kind: 'status' } },
    'no budget': { options: { budget: { capacity: 1, cost: 1 } }, expected: { attempts: 2, reason: 'budget', kind: 'status' } },
    'a hook that fails': { options: { beforeRetry: () => Promise.reject(new Error('no token')) }, expected: { attempts: 1, reason: 'hook-failed', kind: 'status' } },
    'a dry run': { options: { dryRun: true }, expected: { attempts: 1, reason: 'dry-run', kind: 'status' } },
    'an error that axios did not make': {
      send: (api, url) => api.get(url, { adapter: () => Promise.reject(new Error('broken')) }),
      expected: { attempts: 1, reason: 'not-retryable', kind: 'permanent' },
    },
    'a circuit that is open': {
      options: { circuitBreaker: { execute: () => Promise.reject(new Error('open')) } },
      expected: { attempts: 0, reason: 'circuit-open', kind: 'permanent' },
    },
    'a detach in the wait': {
      options: { sleep: never },
      meanwhile: (_service, { retries, detach }) => until(() => retries.length === 1).then(detach),
      expected: { attempts: 1, reason: 'detached', kind: 'status' },
    },
    'a wait past the deadline': { options: { totalTimeout: 1_000, jitter: 'none', baseDelay: 1_000 }, expected: { attempts: 1, reason: 'deadline', kind: 'status' } },
  };
  it.each(Object.entries(table))('by %s: once, with what the caller gets', async (_name, { options, send, meanwhile, expected }) => {
    const service = await startService(answers(503));
    const watched = watch(options);
    const call = rejectionOf(send ? send(watched.api, service.url) : watched.api.get(service.url));
    await meanwhile?.(service, watched);
    const error = await call;
    expect(watched.starts).toHaveLength(1);
    expect(watched.ends).toEqual([{ isSuccess: false, elapsed: 0, error, ...expected }]);
    expect(watched.ends[0]?.error).toBe(error);
  });

  it('by an abort in the wait', async () => {
    const service = await startService(answers(503));
    const controller = gone();
    const { api, retries, ends } = watch({ sleep: never });
    const call = rejectionOf(api.get(service.url, { signal: controller.signal }));
    await until(() => retries.length === 1);
    controller.abort();
    const error = await call;
    expect(axios.isCancel(error)).toBe(true);
    expect(ends).toEqual([{ isSuccess: false, attempts: 1, elapsed: 0, reason: 'aborted', kind: 'status', error }]);
  });

  it('by an abort in flight', async () => {
    const service = await startService(answers('hang'));
    const controller = gone();
    const { api, ends } = watch();
    const call = rejectionOf(api.get(service.url, { signal: controller.signal }));
    await until(() => service.received.length === 1);
    controller.abort();
    const error = await call;
    expect(ends).toEqual([{ isSuccess: false, attempts: 1, elapsed: 0, reason: 'aborted', kind: 'cancelled', error }]);
  });

  it('by an abort before anything was sent', async () => {
    const controller = gone();
    const bare = axios.create();
    bare.interceptors.request.use((config) => {
      controller.abort();
      return config;
    });
    const { api, starts, ends } = watch({}, bare);
    const error = await rejectionOf(api.get('http://127.0.0.1:9/', { signal: controller.signal }));
    expect(axios.isCancel(error)).toBe(true);
    expect(starts).toHaveLength(1);
    expect(ends).toMatchObject([{ isSuccess: false, reason: 'aborted', error }]);
  });

  it.each([false, true])('by an inner request interceptor that throws (synchronous: %s)', async (synchronous) => {
    const broken = new Error('no signature');
    const bare = axios.create();
    bare.interceptors.request.use(
      () => {
        throw broken;
      },
      undefined,
      { synchronous },
    );
    const { api, ends } = watch({}, bare);
    expect(await rejectionOf(api.get('http://127.0.0.1:9/'))).toBe(broken);
    expect(ends).toMatchObject([{ isSuccess: false, reason: 'not-retryable', kind: 'permanent', error: broken }]);
  });

  it('after the events of the call, and before its caller is told', async () => {
    const service = await startService(answers(503));
    const told: string[] = [];
    const onCall = (): CallObserver => ({ onRetry: () => told.push('retry'), onEnd: () => told.push('end') });
    const { api } = watch({ retries: 1, onGiveUp: () => void told.push('give up'), observers: [{ onCall }] });
    await rejectionOf(api.get(service.url));
    told.push('caller');
    expect(told).toEqual(['retry', 'give up', 'end', 'caller']);
  });

  it('whose config starts a new call in onEnd', async () => {
    const service = await startService(answers(404, 200));
    let again: Promise<unknown> | undefined;
    const onEnd = ({ error }: CallEnd): void => {
      const { config } = (error ?? {}) as Partial<AxiosError>;
      again ??= config && api.request(config);
    };
    const { api } = watch({ observers: [{ onCall: () => ({ onEnd }) }] });
    await rejectionOf(api.get(service.url));
    expect(await again).toMatchObject({ status: 200 });
  });
});

describe('what such an observer throws or rejects', () => {
  const broken = new Error('observer broke');
  const throwing = (): never => {
    throw broken;
  };
  const rejecting = (): Promise<never> => Promise.reject(broken);

  it.each(['throws', 'rejects'])('changes nothing, and is reported each time: it %s', async (how) => {
    const service = await startService(answers(503, 200));
    const fail = how === 'throws' ? throwing : rejecting;
    const onObserverError = jest.fn();
    const observers = [{ onCall: () => ({ onAttempt: fail, onRetry: fail, onEnd: fail }) }, { onCall: fail as never }];
    const { api } = watch({ observers, onObserverError });
    expect(await api.get(service.url)).toMatchObject({ status: 200 });
    await new Promise((resolve) => setImmediate(resolve));
    expect(service.received).toHaveLength(2);
    // onCall, two attempts and the end without an event; the retry with its own.
    expect(onObserverError.mock.calls.map(([error, event]: [unknown, RetryEvent?]) => [error, event?.attempt])).toEqual(
      expect.arrayContaining([[broken, 1], ...Array<unknown>(4).fill([broken, undefined])]),
    );
    expect(onObserverError).toHaveBeenCalledTimes(5);
  });

  it('does not keep the next one from being told', async () => {
    const service = await startService(answers(200));
    const onEnd = jest.fn();
    const observers = [{ onCall: throwing }, { onCall: () => ({ onEnd: throwing }) }, { onCall: () => ({ onEnd }) }];
    const { api } = watch({ observers, onObserverError: () => undefined });
    await api.get(service.url);
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  it('is reported on the console where there is no onObserverError', async () => {
    const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const service = await startService(answers(200));
    const { api } = watch({ observers: [{ onCall: throwing }] });
    await api.get(service.url);
    expect(log.mock.calls).toEqual([['axios-jitter: an observer failed', broken]]);
  });
});
