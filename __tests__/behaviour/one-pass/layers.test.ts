// The onion, on the way back: what inner and outer response interceptors see of a call.
import type { AxiosInstance, AxiosResponse } from 'axios';
import { attachRetry, getRetryReport } from '../../../lib/index';
import axios from '../../helpers/axios';
import { instant, keepLog, rejectionOf } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';

const server = useRecordingServer();

class ApiError extends Error {
  override readonly name = 'ApiError';
}

const create = (): AxiosInstance => axios.create({ baseURL: server.url });

/** Response interceptors that count what they see. */
function count(api: AxiosInstance): { successes: number; failures: number } {
  const seen = { successes: 0, failures: 0 };
  api.interceptors.response.use(
    (response) => {
      seen.successes += 1;
      return response;
    },
    (error) => {
      seen.failures += 1;
      throw error;
    },
  );
  return seen;
}

const unwrap = (api: AxiosInstance): number => api.interceptors.response.use((response: AxiosResponse) => response.data);

it('R01 unwraps once, in an outer layer, the final response of a call', async () => {
  server.script(500, 200);
  const api = create();
  attachRetry(api, instant);
  const unwrapped: unknown[] = [];
  api.interceptors.response.use((response) => {
    unwrapped.push(response.status);
    return response.data;
  });
  await expect(api.get('/')).resolves.toEqual({ request: 2 });
  expect(unwrapped).toEqual([200]);
});

it('R01 unwraps in an inner layer, and still counts a success', async () => {
  server.script(500, 200);
  const api = create();
  unwrap(api);
  const log = keepLog();
  const retry = attachRetry(api, { ...instant, ...log.observer });
  await expect(api.get('/')).resolves.toEqual({ request: 2 });
  await expect(api.get('/')).resolves.toEqual({ request: 3 });
  expect(retry.stats()).toMatchObject({ calls: 2, attempts: 3, retries: 1, recovered: 1, waiting: 0 });
  expect(log.lines).toEqual(['retry 1', 'recover 2']);
});

it('puts back the deposit of a success that an inner layer unwraps', async () => {
  server.script(500, 500, 500, 200);
  const api = create();
  unwrap(api);
  const retry = attachRetry(api, { ...instant, retries: 0, budget: { capacity: 10, deposit: 0.5 } });
  await rejectionOf(api.get('/', { retry: 1 }));
  expect(retry.stats().budgets).toMatchObject([{ tokens: 9 }]);
  server.thenAlways(200).script();
  await api.get('/');
  expect(retry.stats().budgets).toMatchObject([{ tokens: 9.5 }]);
});

it('R02 runs an inner layer once per attempt', async () => {
  server.script(500, 500, 200);
  const api = create();
  const inner = count(api);
  attachRetry(api, instant);
  await api.get('/');
  expect(inner).toEqual({ successes: 1, failures: 2 });
});

it('R02 runs an outer layer once per call', async () => {
  server.script(500, 500, 200);
  const api = create();
  attachRetry(api, instant);
  const outer = count(api);
  await api.get('/');
  expect(outer).toEqual({ successes: 1, failures: 0 });
});

it('shows a call that fails for good once to an outer layer, with the error of the last attempt', async () => {
  server.script(500, 502, 503);
  const api = create();
  const inner = count(api);
  attachRetry(api, { ...instant, retries: 2 });
  const outer: unknown[] = [];
  api.interceptors.response.use(undefined, (error) => {
    outer.push(error);
    throw error;
  });
  const error = await rejectionOf(api.get('/'));
  expect(outer).toEqual([error]);
  expect(error).toMatchObject({ response: { status: 503 } });
  expect(inner).toEqual({ successes: 0, failures: 3 });
});

it.each([
  ['asynchronous', async () => Promise.resolve()],
  ['synchronous', () => undefined],
])('runs %s layers from the inside to the outside', async (_, work) => {
  server.script(500, 200);
  const api = create();
  const order: string[] = [];
  const note = (name: string): void => {
    api.interceptors.response.use(
      (response) => {
        order.push(`${name} ${response.status}`);
        const done = work();
        return done ? done.then(() => response) : response;
      },
      (error) => {
        order.push(`${name} ${error.response.status}`);
        throw error;
      },
    );
  };
  note('first');
  note('second');
  attachRetry(api, instant);
  note('third');
  note('fourth');
  await api.get('/');
  expect(order).toEqual(['first 500', 'second 500', 'first 200', 'second 200', 'third 200', 'fourth 200']);
});

it('R03 lets an outer layer swallow an exhausted failure, once', async () => {
  server.thenAlways(500);
  const api = create();
  attachRetry(api, { ...instant, retries: 2 });
  const swallow = jest.fn();
  api.interceptors.response.use(undefined, swallow);
  await expect(api.get('/')).resolves.toBeUndefined();
  expect(swallow).toHaveBeenCalledTimes(1);
  expect(server.requests).toHaveLength(3);
});

it('R03 takes what an inner layer makes of a failure for a success', async () => {
  server.thenAlways(500);
  const api = create();
  api.interceptors.response.use(undefined, () => 'a fallback');
  const log = keepLog();
  attachRetry(api, { ...instant, ...log.observer });
  await expect(api.get('/')).resolves.toBe('a fallback');
  expect(server.requests).toHaveLength(1);
  expect(log.lines).toEqual([]);
});

function addCache(api: AxiosInstance): { hits: number } {
  const stored = new Map<string, AxiosResponse>();
  const seen = { hits: 0 };
  api.interceptors.request.use((config) => {
    const hit = stored.get(config.url ?? '');
    if (hit) {
      seen.hits += 1;
      config.adapter = () => Promise.resolve(hit);
    }
    return config;
  });
  api.interceptors.response.use((response) => {
    stored.set(response.config.url ?? '', response);
    return response;
  });
  return seen;
}

it.each([
  ['inside', (api: AxiosInstance) => [addCache(api), attachRetry(api, instant)] as const],
  ['outside', (api: AxiosInstance) => {
    const retry = attachRetry(api, instant);
    return [addCache(api), retry] as const;
  }],
])('R04 sends as many requests with a cache %s', async (_, install) => {
  server.script(503, 200);
  const api = create();
  const [cache] = install(api);
  const first = await api.get('/');
  const second = await api.get('/');
  expect(server.requests).toHaveLength(2);
  expect(second.data).toEqual(first.data);
  expect(cache.hits).toBe(1);
});

it('retries what an inner layer maps to an error of its own, when it keeps the `cause`', async () => {
  server.script(503, 503, 503);
  const api = create();
  const made: unknown[] = [];
  api.interceptors.response.use(undefined, (cause) => {
    made.push(new ApiError('mapped', { cause }));
    throw made.at(-1);
  });
  const log = keepLog();
  attachRetry(api, { ...instant, ...log.observer, retries: 2 });
  const error = await rejectionOf(api.get('/'));
  expect(server.requests).toHaveLength(3);
  expect(error).toBe(made[2]);
  expect(getRetryReport(error)).toMatchObject({ attempts: 3, reason: 'exhausted' });
  expect(log.lines).toEqual(['retry 1', 'retry 2', 'give-up exhausted']);
});

it('finds the failure below several mapping layers', async () => {
  server.script(503, 200);
  const api = create();
  for (const name of ['one', 'two', 'three']) {
    api.interceptors.response.use(undefined, (cause) => {
      throw new ApiError(name, { cause });
    });
  }
  attachRetry(api, instant);
  await expect(api.get('/')).resolves.toMatchObject({ status: 200 });
});

it('does not retry what an inner layer maps without a `cause`', async () => {
  server.script(503, 200);
  const api = create();
  const mapped = new ApiError('mapped');
  api.interceptors.response.use(undefined, () => Promise.reject(mapped));
  const log = keepLog();
  attachRetry(api, { ...instant, ...log.observer });
  expect(await rejectionOf(api.get('/'))).toBe(mapped);
  expect(server.requests).toHaveLength(1);
  expect(log.lines).toEqual(['give-up not-retryable']);
});

it('retries what an outer layer maps without a `cause`', async () => {
  server.script(503, 503, 200);
  const api = create();
  attachRetry(api, { ...instant, retries: 1 });
  const mapped = new ApiError('mapped');
  api.interceptors.response.use(undefined, () => Promise.reject(mapped));
  expect(await rejectionOf(api.get('/'))).toBe(mapped);
  expect(server.requests).toHaveLength(2);
});

it('does not retry where an inner layer takes the state off the config', async () => {
  server.script(503, 200);
  const api = create();
  api.interceptors.request.use((config) => {
    delete config.retryState;
    return config;
  });
  attachRetry(api, instant);
  expect(await rejectionOf(api.get('/'))).toMatchObject({ response: { status: 503 } });
  expect(server.requests).toHaveLength(1);
});

it('is not disturbed by interceptors that are added and ejected while a call runs', async () => {
  server.script(503, 503, 200);
  const api = create();
  const inner = api.interceptors.response.use(undefined, (error) => Promise.reject(error));
  const outer = { successes: 0 };
  attachRetry(api, {
    sleep: () => {
      api.interceptors.response.eject(inner);
      api.interceptors.response.use((response) => {
        outer.successes += 1;
        return response;
      });
      return Promise.resolve();
    },
  });
  await expect(api.get('/')).resolves.toMatchObject({ status: 200 });
  // The chain of the running call was built before they came.
  expect(outer.successes).toBe(0);
  expect(server.requests).toHaveLength(3);
});
