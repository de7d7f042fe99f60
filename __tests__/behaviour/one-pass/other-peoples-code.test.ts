// What users and their tools do to an instance. The same holds for each: inner interceptors run on every attempt, the
// counts and the budget are right, and the caller gets the real error.
import type { AxiosInstance, InternalAxiosRequestConfig } from 'axios';
import { attachRetry, getRetryReport, type RetryHandle } from '../../../lib/index';
import axios from '../../helpers/axios';
import { instant, rejectionOf } from '../../helpers/instant';
import { useRecordingServer } from '../../helpers/recording-server';

const server = useRecordingServer();

const create = (): AxiosInstance => axios.create({ baseURL: server.url });

interface Managed {
  handlers: Record<'fulfilled' | 'rejected', unknown>[];
  use: (...given: unknown[]) => number;
  eject(id: number): void;
}
const managersOf = ({ interceptors }: AxiosInstance): Managed[] => [interceptors.request, interceptors.response] as unknown as Managed[];

function sign(api: AxiosInstance): void {
  let made = 0;
  api.interceptors.request.use((config) => {
    config.headers.set('X-Signature', `${config.headers.get('X-Signature') ?? ''}${String(++made)}`);
    return config;
  });
}

const attach = (api: AxiosInstance): RetryHandle => attachRetry(api, { ...instant, retries: 2, budget: { capacity: 10 } });

/** Makes an instance with a signing interceptor inside, and attaches. */
type Make = () => { api: AxiosInstance; retry: RetryHandle };

const plain: Make = () => {
  const api = create();
  sign(api);
  return { api, retry: attach(api) };
};

const prototype = (axios.Axios as unknown as { prototype: Record<'request', (...given: unknown[]) => Promise<unknown>> }).prototype;
const originals = { request: prototype.request, create: axios.create };
afterEach(() => {
  prototype.request = originals.request;
  axios.create = originals.create;
});

type Wrap = (run: () => unknown) => unknown;
const later: Wrap = async (run) => {
  await Promise.resolve();
  return run();
};
const atOnce: Wrap = (run) => run();

const wrapPrototype = (wrap: Wrap): Make => () => {
  prototype.request = function (...given) {
    return wrap(() => originals.request.apply(this, given)) as Promise<unknown>;
  };
  return plain();
};

const wrapInstance = (wrap: Wrap): Make => () => {
  const made = plain();
  const { request } = made.api;
  Object.assign(made.api, { request: (...given: unknown[]) => wrap(() => Reflect.apply(request, made.api, given)) });
  return made;
};

const patchUse = (patch: (manager: Managed, use: Managed['use']) => Managed['use']): Make => () => {
  const api = create();
  for (const manager of managersOf(api)) manager.use = patch(manager, manager.use.bind(manager));
  sign(api);
  return { api, retry: attach(api) };
};

type Anything = (...given: unknown[]) => unknown;
const wrapFunction = (run: unknown): unknown => (typeof run === 'function' ? (...given: unknown[]) => (run as Anything)(...given) : run);
const wrapFunctionLater = (run: unknown): unknown =>
  typeof run === 'function' ? async (...given: unknown[]) => await (run as Anything)(...given) : run;

// Once for each of the two managers.
const keepLast = (): ReturnType<typeof patchUse> =>
  patchUse((manager, use) => {
    const own = (value: unknown): unknown => value;
    let last = use(own);
    return (...given) => {
      manager.eject(last);
      const id = use(...given);
      last = use(own);
      return id;
    };
  });

const wrapInPlace = (wrap: (run: unknown) => unknown): Make => () => {
  const made = plain();
  for (const { handlers } of managersOf(made.api)) {
    for (const handler of handlers) Object.assign(handler, { fulfilled: wrap(handler.fulfilled), rejected: wrap(handler.rejected) });
  }
  return made;
};

const cases: [string, Make][] = [
  ['nothing', plain],
  ['F07 a prototype whose `request` is wrapped in an async function', wrapPrototype(later)],
  ['a prototype whose `request` is wrapped in a function', wrapPrototype(atOnce)],
  ['an instance whose `request` is wrapped in an async function', wrapInstance(later)],
  ['an instance whose `request` is wrapped in a function', wrapInstance(atOnce)],
  ['F07 a `create` that is wrapped in an async function', () => {
    const made = plain();
    Object.assign(made.api, { create: async (...given: unknown[]) => later(() => Reflect.apply(originals.create, axios, given)) });
    return made;
  }],
  ['F26 a memoised `create`', () => {
    const api = create();
    axios.create = () => api;
    Object.assign(api, { create: () => api });
    sign(api);
    return { api, retry: attach(api) };
  }],
  ['F26 a mocked `create`', () => {
    const made = plain();
    Object.assign(made.api, { create: jest.fn() });
    return made;
  }],
  ['F25 a `use` that keeps an interceptor of its own last', keepLast()],
  ['F25 a `use` that registers another one after each', patchUse((_manager, use) => (...given) => {
    const id = use(...given);
    use((value: unknown) => value);
    return id;
  })],
  ['F32 a `use` that wraps what it registers', patchUse((_manager, use) => (fulfilled, rejected, options) => use(wrapFunction(fulfilled), wrapFunction(rejected), options))],
  ['F32 a `use` that wraps what it registers and drops the options', patchUse((_manager, use) => (fulfilled, rejected) => use(wrapFunction(fulfilled), wrapFunction(rejected)))],
  ['F32 handlers that are wrapped in place', wrapInPlace(wrapFunction)],
  ['F32 handlers that are wrapped in place in async functions', wrapInPlace(wrapFunctionLater)],
  ['a proxy of the instance', () => {
    const api = create();
    sign(api);
    return { api, retry: attach(new Proxy(api, {})) };
  }],
  ['an instance that is called through a proxy', () => {
    const { api, retry } = plain();
    return { api: new Proxy(api, {}), retry };
  }],
  ['interceptors that are frozen', () => {
    const made = plain();
    Object.freeze(made.api.interceptors);
    return made;
  }],
];

/** The calls of one `describe` differ in how they are made. */
const calls: [string, (api: AxiosInstance) => Promise<unknown>][] = [
  ['api(config)', (api) => api({ url: '/orders' })],
  ['api.request(config)', (api) => api.request({ url: '/orders' })],
  ['api.get(url)', (api) => api.get('/orders')],
];

describe.each(cases)('with %s', (_, make) => {
  it.each(calls)('%s is signed on every attempt, counted and paid right, and rejects with the real error', async (_call, call) => {
    server.thenAlways(503);
    const { api, retry } = make();
    const error = await rejectionOf(call(api));
    expect(axios.isAxiosError(error)).toBe(true);
    expect(error).toMatchObject({ response: { status: 503, data: { request: 3 } }, config: { url: '/orders' } });
    expect(getRetryReport(error)).toMatchObject({ attempts: 3, reason: 'exhausted' });
    expect(server.header('x-signature')).toEqual(['1', '2', '3']);
    expect(retry.stats()).toMatchObject({ calls: 1, attempts: 3, retries: 2, waiting: 0, budgets: [{ tokens: 8 }] });
  });

  it('a call recovers', async () => {
    server.script(503, 200);
    const { api, retry } = make();
    await expect(api.get('/orders')).resolves.toMatchObject({ status: 200, data: { request: 2 } });
    expect(server.header('x-signature')).toEqual(['1', '2']);
    expect(retry.stats()).toMatchObject({ calls: 1, attempts: 2, recovered: 1, budgets: [] });
  });
});

it('every replay has the very `this` of the first attempt, inside a patched `Axios.prototype.request`', async () => {
  server.script(503, 503, 200);
  const contexts: unknown[] = [];
  prototype.request = function (...given) {
    contexts.push(this);
    return originals.request.apply(this, given);
  };
  const api = create();
  attachRetry(api, instant);
  await api.get('/');
  expect(contexts).toHaveLength(3);
  expect(new Set(contexts).size).toBe(1);
  expect((contexts[0] as AxiosInstance).interceptors).toBe(api.interceptors);
});

it('outer interceptors run once per call though `request` is wrapped', async () => {
  server.script(503, 503, 200);
  const { api } = wrapInstance(later)();
  const outer = jest.fn((config: InternalAxiosRequestConfig) => config);
  api.interceptors.request.use(outer);
  await api.request({ url: '/' });
  expect(outer).toHaveBeenCalledTimes(1);
});

it('no other request is made to learn something', async () => {
  server.script(503, 200);
  const seen = jest.fn();
  prototype.request = function (...given) {
    seen();
    return originals.request.apply(this, given);
  };
  await plain().api.get('/');
  expect(seen).toHaveBeenCalledTimes(2);
});

it('the real managers are there in a `runWhen`, and for what it calls', async () => {
  server.decide = ({ url }) => (url === '/ping' ? 200 : undefined);
  server.script(503, 200);
  const api = create();
  const seen: boolean[] = [];
  const { request, response } = api.interceptors;
  const pings: Promise<unknown>[] = [];
  const outer = jest.fn((answer) => answer);
  api.interceptors.request.use((config) => config, null, {
    runWhen: ({ url }) => {
      seen.push(api.interceptors.request === request && api.interceptors.response === response);
      if (url === '/') pings.push(api.get('/ping'));
      return true;
    },
  });
  attachRetry(api, instant);
  api.interceptors.response.use(outer);
  await api.get('/');
  await Promise.all(pings);
  expect(seen).toEqual(Array(seen.length).fill(true));
  // The call, and each of the pings that its two attempts made.
  expect(outer).toHaveBeenCalledTimes(3);
});

it('an instance that an automock made is refused by name', () => {
  const use = jest.fn();
  const manager = { use, eject: jest.fn(), forEach: jest.fn() };
  const mock = Object.assign(jest.fn(), { defaults: {}, request: jest.fn(), interceptors: { request: manager, response: manager } });
  expect(() => attachRetry(mock)).toThrow(/attachRetry needs an axios instance that takes interceptors/);
});

describe('a polluted `Object.prototype`', () => {
  it.each(['get', 'set', 'value', 'writable'])('with `%s` changes nothing', async (name) => {
    server.script(503, 200);
    const api = create();
    sign(api);
    Object.defineProperty(Object.prototype, name, { value: () => 'polluted', configurable: true, enumerable: false, writable: true });
    try {
      const retry = attach(api);
      retry.detach();
      attach(api);
    } finally {
      Reflect.deleteProperty(Object.prototype, name);
    }
    await expect(api.get('/')).resolves.toMatchObject({ status: 200 });
    expect(server.header('x-signature')).toEqual(['1', '2']);
  });
});

it('handlers that are wrapped in place run as they were wrapped, once per call', async () => {
  server.script(503, 200, 404);
  const { api } = plain();
  const ran: string[] = [];
  managersOf(api).forEach(({ handlers }, side) => {
    const ours = handlers.at(-1) as Record<string, Anything>;
    for (const name of ['fulfilled', 'rejected']) {
      const before = ours[name];
      if (typeof before === 'function') ours[name] = (value) => (ran.push(`${side === 0 ? 'request' : 'response'} ${name}`), before(value));
    }
  });
  await api.get('/');
  expect(ran).toEqual(['request fulfilled', 'response rejected']);
  await rejectionOf(api.get('/'));
  expect(ran.slice(2)).toEqual(['request fulfilled', 'response rejected']);
});

it('a request leaves in the tick of its call, as it does without the plugin, also with options of its own', async () => {
  const sent: unknown[] = [];
  const bare = axios.create({ adapter: (config) => (sent.push(config), Promise.resolve({ status: 200, statusText: '', data: '', headers: {}, config })) });
  const api = axios.create(bare.defaults as object);
  attachRetry(api, instant);
  for (const call of [() => bare.get('/'), () => api.get('/'), () => api.get('/', { retry: 1 })]) {
    const before = sent.length;
    const made = call();
    expect(sent).toHaveLength(before + 1);
    await made;
  }
});
