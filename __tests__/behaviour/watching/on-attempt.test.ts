// Around the adapter: onAttempt is innermost, and `send` runs exactly once whatever it does.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { AxiosAdapter, AxiosInstance } from 'axios';
import axios from '../../helpers/axios';
import { rejectionOf } from '../../helpers/instant';
import { answers, startService } from '../../helpers/local-service';
import { attachRetry, type CallObserver, type CircuitBreaker, type RetryObserver, type RetryOptions } from '../../../lib/index';

const observerOf = (watcher: CallObserver): RetryObserver => ({ onCall: () => watcher });

function create(options: RetryOptions, steps: readonly number[] = [200], prepare = (_bare: AxiosInstance): void => undefined): { api: AxiosInstance; log: string[]; adapter: jest.Mock } {
  const log: string[] = [];
  let sent = 0;
  const adapter = jest.fn((config: object) => {
    const status = steps[Math.min(sent++, steps.length - 1)] ?? 200;
    log.push(`sent ${status}`);
    const response = { status, statusText: '', headers: {}, data: '', config };
    return status < 400 ? Promise.resolve(response) : Promise.reject(new axios.AxiosError('no', 'ERR', config as never, {}, response as never));
  });
  const api = axios.create({ adapter: adapter as unknown as AxiosAdapter, baseURL: 'http://a.example' });
  prepare(api);
  attachRetry(api, { sleep: () => Promise.resolve(), ...options });
  return { api, log, adapter };
}

describe('the order around an attempt', () => {
  it('is the first observer outermost, the last one innermost, each once an attempt', async () => {
    const names: string[] = [];
    const around = (name: string): RetryObserver =>
      observerOf({
        onAttempt: (attempt, send) => {
          names.push(`${name} ${attempt}`);
          send();
          names.push(`/${name} ${attempt}`);
        },
      });
    const { api } = create({ observers: [around('a'), {}, around('b')] }, [503, 200]);
    await api.get('/');
    expect(names).toEqual(['a 1', 'b 1', '/b 1', '/a 1', 'a 2', 'b 2', '/b 2', '/a 2']);
  });

  it('is inside the breaker', async () => {
    const names: string[] = [];
    const execute: CircuitBreaker['execute'] = async (send) => {
      names.push('breaker');
      const result = await send();
      names.push('/breaker');
      return result;
    };
    const onAttempt = (_attempt: number, send: () => void): void => {
      names.push('attempt');
      send();
      names.push('/attempt');
    };
    const { api, log } = create({ circuitBreaker: { execute }, observers: [observerOf({ onAttempt })] });
    await api.get('/');
    expect(names).toEqual(['breaker', 'attempt', '/attempt', '/breaker']);
    expect(log).toHaveLength(1);
  });

  it('is inside every interceptor and transform', async () => {
    const names: string[] = [];
    const api = axios.create({
      adapter: (config) => Promise.resolve({ status: 200, statusText: '', headers: {}, data: '', config }),
      transformRequest: () => void names.push('transform'),
    });
    api.interceptors.request.use((config) => {
      names.push('interceptor');
      return config;
    });
    attachRetry(api, { observers: [observerOf({ onAttempt: () => void names.push('attempt') })] });
    await api.post('http://a.example/', {});
    expect(names).toEqual(['interceptor', 'transform', 'attempt']);
  });

  it('gives the adapter the context that an onAttempt enters', async () => {
    const storage = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const api = axios.create({
      adapter: async (config) => {
        seen.push(storage.getStore());
        await Promise.resolve();
        seen.push(storage.getStore());
        return { status: 200, statusText: '', headers: {}, data: '', config };
      },
    });
    attachRetry(api, { observers: [observerOf({ onAttempt: (attempt, send) => storage.run(`attempt ${attempt}`, send) })] });
    await api.get('http://a.example/');
    expect(seen).toEqual(['attempt 1', 'attempt 1']);
    expect(storage.getStore()).toBeUndefined();
  });

  it('has nothing of an attempt that the breaker refused, or that an inner interceptor held back', async () => {
    const onAttempt = jest.fn();
    const refused = create({ circuitBreaker: { execute: () => Promise.reject(new Error('open')) }, observers: [observerOf({ onAttempt })] });
    await rejectionOf(refused.api.get('/'));
    const heldBack = create({ observers: [observerOf({ onAttempt })] });
    await rejectionOf(heldBack.api.get('/', { transformRequest: () => { throw new Error('broken'); } }));
    expect(onAttempt).not.toHaveBeenCalled();
  });
});

describe('send runs exactly once an attempt, synchronously, where an onAttempt', () => {
  const later: (() => void)[] = [];
  const misbehaving: [string, NonNullable<CallObserver['onAttempt']>][] = [
    ['never calls it', () => undefined],
    ['calls it twice', (_attempt, send) => [send(), send()]],
    ['calls it later', (_attempt, send) => void later.push(send)],
    ['calls it once more later', (_attempt, send) => (send(), void later.push(send))],
    ['throws before it', () => { throw new Error('before'); }],
    ['throws after it', (_attempt, send) => { send(); throw new Error('after'); }],
    ['rejects', () => Promise.reject(new Error('rejected'))],
    ['awaits before it', async (_attempt, send) => { await Promise.resolve(); send(); }],
    ['never settles', () => new Promise(() => undefined)],
    ['returns a response of its own', () => ({ status: 204 })],
  ];
  it.each(misbehaving)('%s', async (_what, onAttempt) => {
    const sentAt: string[] = [];
    const probe = observerOf({
      onAttempt: (_attempt, send) => {
        sentAt.push('before');
        send();
        sentAt.push('after');
      },
    });
    // As the outer and as the inner one of two.
    for (const observers of [[observerOf({ onAttempt }), probe], [probe, observerOf({ onAttempt })]]) {
      const { api, adapter, log } = create({ observers, onObserverError: () => undefined }, [503, 200]);
      sentAt.length = 0;
      expect((await api.get('/')).status).toBe(200);
      for (const send of later.splice(0)) send();
      await new Promise((resolve) => setImmediate(resolve));
      expect(adapter).toHaveBeenCalledTimes(2);
      expect(log).toEqual(['sent 503', 'sent 200']);
      expect(sentAt).toEqual(['before', 'after', 'before', 'after']);
    }
  });

  it('runs the adapter before it returns from send', async () => {
    const order: string[] = [];
    const onAttempt = (_attempt: number, send: () => void): void => {
      send();
      order.push('returned');
    };
    const api = axios.create({
      adapter: (config) => {
        order.push('adapter');
        return Promise.resolve({ status: 200, statusText: '', headers: {}, data: '', config });
      },
    });
    attachRetry(api, { observers: [observerOf({ onAttempt })] });
    await api.get('http://a.example/');
    expect(order).toEqual(['adapter', 'returned']);
  });

  it('is told nothing of what an adapter throws synchronously: that is the call’s failure', async () => {
    const broken = new Error('adapter broke');
    const onObserverError = jest.fn();
    const seen: unknown[] = [];
    const onAttempt = (_attempt: number, send: () => void): void => {
      try {
        send();
      } catch (error) {
        seen.push(error);
      }
    };
    const api = axios.create({ adapter: () => { throw broken; } });
    attachRetry(api, { observers: [observerOf({ onAttempt })], onObserverError });
    expect(await rejectionOf(api.get('http://a.example/'))).toBe(broken);
    expect([seen, onObserverError.mock.calls]).toEqual([[], []]);
  });
});

describe('the adapter', () => {
  it.each<[string, RetryOptions]>([
    ['nobody watches', {}],
    ['onCall returns nothing', { observers: [{ onCall: () => undefined }] }],
    ['there is no onAttempt', { observers: [observerOf({ onEnd: () => undefined })] }],
    ['a retry shares what it was told', { shareRetryAfter: true }],
  ])('stays the user’s own where %s', async (_where, options) => {
    const seen: unknown[] = [];
    const { api, adapter } = create(options, [503, 200], (bare) => {
      bare.interceptors.request.use((config) => {
        seen.push(config.adapter);
        return config;
      });
    });
    await api.get('/');
    expect(seen).toEqual([adapter, adapter]);
  });

  it('is back on the config afterwards where an onAttempt was around it', async () => {
    const { api, adapter } = create({ observers: [observerOf({ onAttempt: () => undefined })] }, [503, 200]);
    const response = await api.get('/');
    expect(response.config.adapter).toBe(adapter);
    expect(adapter.mock.calls.at(-1)?.[0]).toBe(response.config);
  });

  it('may have a name', async () => {
    const service = await startService(answers(503, 200));
    const api = axios.create();
    const onAttempt = jest.fn((_attempt: number, send: () => void) => send());
    attachRetry(api, { sleep: () => Promise.resolve(), observers: [observerOf({ onAttempt })] });
    expect((await api.get(service.url, { adapter: 'http' })).status).toBe(200);
    expect(onAttempt).toHaveBeenCalledTimes(2);
    expect(service.received).toHaveLength(2);
  });

  it('F12: the config of a call that ended before its adapter starts a new call', async () => {
    let mayPass = false;
    const api = axios.create({ adapter: (config) => Promise.resolve({ status: 200, statusText: '', headers: {}, data: 'new', config }) });
    const config = { url: 'http://a.example/' } as { url: string };
    api.interceptors.request.use((sent) => {
      if (!mayPass) throw Object.assign(new Error('held back'), { config: sent });
      return sent;
    });
    const handle = attachRetry(api, { circuitBreaker: { execute: (send) => send() }, observers: [observerOf({ onAttempt: () => undefined })] });
    const error = (await rejectionOf(api.request(config))) as { config: object };
    mayPass = true;
    expect((await api.request(error.config)).data).toBe('new');
    // Also as it is, to somebody who knows nothing of retries.
    expect((await api.request({ ...error.config, retry: false })).data).toBe('new');
    expect(handle.stats()).toMatchObject({ calls: 2, attempts: 1 });
  });
});
