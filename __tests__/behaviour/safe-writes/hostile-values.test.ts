import { AxiosError, type AxiosInstance, type AxiosRequestConfig, type InternalAxiosRequestConfig } from 'axios';
import axios from '../../helpers/axios';
import { failureOf, watchedPolicy } from '../../helpers/watched-policy';
import { drop, serve } from '../../helpers/wire-server';
import { attachRetry, type RetryOptions } from '../../../lib/index';

const isOwnStackRead = (globalThis as { AXIOS_UNDER_TEST?: string }).AXIOS_UNDER_TEST === '1.6';

const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
/** Throws when one of the members is read. */
const throwing = (target: object, ...names: string[]): object => {
  for (const name of names) {
    Object.defineProperty(target, name, {
      configurable: true,
      get: () => {
        throw new Error(`${name} was read`);
      },
    });
  }
  return target;
};

function client(adapter: AxiosRequestConfig['adapter'] & {}, options: RetryOptions = {}) {
  const policy = watchedPolicy({ retries: 1, ...options });
  const api = axios.create({ adapter });
  attachRetry(api, policy.options);
  return { api, policy };
}

describe('F28 what an inner layer rejects with reaches the caller as it is', () => {
  const reset = (config: InternalAxiosRequestConfig): AxiosError => new AxiosError('socket hang up', 'ECONNRESET', config);

  it.each<[string, (config: InternalAxiosRequestConfig) => unknown]>([
    // A revoked proxy itself is too much for axios: it asks whether it is an Error.
    ['an error whose cause is a revoked proxy', (config) => Object.assign(reset(config), { cause: revoked() })],
    ['an error whose errors are a revoked proxy', (config) => Object.assign(reset(config), { errors: revoked() })],
    ['an error whose request is a revoked proxy', (config) => Object.assign(reset(config), { request: revoked() })],
    ...['code', 'message', 'name', 'syscall', 'cause', 'errors', 'request', 'isAxiosError', '__CANCEL__'].map(
      (name): [string, (config: InternalAxiosRequestConfig) => unknown] => [`an error whose ${name} throws`, (config) => throwing(reset(config), name)],
    ),
    ['a symbol', () => Symbol('lost')],
    ['a function', () => () => undefined],
  ])('%s', async (what, make) => {
    const outcomeWith = (attach: (api: AxiosInstance) => void): Promise<string> => {
      const made: unknown[] = [];
      const api = axios.create({ adapter: (config) => Promise.reject(reset(config)) });
      api.interceptors.response.use(undefined, (error: AxiosError) => {
        made.push(make(error.config as InternalAxiosRequestConfig));
        return Promise.reject(made.at(-1));
      });
      attach(api);
      return api.get('http://127.0.0.1/').then(
        () => 'resolved',
        (error: unknown) => (error === made.at(-1) ? 'the very one' : 'another'),
      );
    };
    // axios 1.6 reads the stack of what it rejects with, and a stack reads name and message.
    const bare = await outcomeWith(() => undefined);
    expect(await outcomeWith((api) => attachRetry(api, watchedPolicy({ retries: 1 }).options))).toBe(bare);
    expect(bare).toBe(isOwnStackRead && /(name|message) throws/.test(what) ? 'another' : 'the very one');
  });

  it('an error that can be judged all the same is retried', async () => {
    const { api, policy } = client((config) => Promise.reject(throwing(reset(config), 'errors', 'cause') as Error));
    await api.get('http://127.0.0.1/').catch(() => undefined);
    expect(policy.retried.map(({ kind }) => kind)).toEqual(['network']);
  });

  it.each<[string, () => object]>([
    ['a revoked proxy', revoked],
    ['an object that throws when it is looked at', () => throwing({}, 'status', 'config', 'then')],
  ])('a success that an inner layer turned into %s stays one', async (what, make) => {
    const value = what === 'a revoked proxy' ? { inside: make() } : throwing({}, 'status', 'config');
    const policy = watchedPolicy();
    const api = axios.create({ adapter: (config) => Promise.resolve({ status: 200, statusText: '', headers: {}, data: '', config }) });
    api.interceptors.response.use(() => value as never);
    attachRetry(api, policy.options);
    const result: unknown = await api.get('http://127.0.0.1/');
    expect(result === value).toBe(true);
  });

  it('an option that is a revoked proxy is an error that names the option', () => {
    for (const name of ['retries', 'statuses', 'observers', 'budget', 'jitter']) {
      expect(() => attachRetry(axios.create(), { [name]: revoked() })).toThrow(new RegExp(`option "${name}" must be .*; got an object that cannot be read`));
    }
  });
});

describe('F19 what somebody added to Object.prototype', () => {
  const added = Object.prototype as unknown as Record<string, unknown>;
  const names: string[] = [];
  function pollute(more: Record<string, unknown>): void {
    for (const [name, value] of Object.entries(more)) {
      names.push(name);
      Object.defineProperty(added, name, { value, configurable: true, enumerable: false, writable: true });
    }
  }
  afterEach(() => {
    for (const name of names.splice(0)) Reflect.deleteProperty(added, name);
  });

  it.each<[string, Record<string, unknown>]>([
    ['methods', { methods: ['POST'] }],
    ['statuses', { statuses: [404] }],
    ['shouldRetry', { shouldRetry: () => true }],
    ['idempotencyKey', { idempotencyKey: true }],
    ['code and syscall of a failure', { code: 'ECONNREFUSED', syscall: 'connect' }],
  ])('%s: a POST whose answer is lost is sent once', async (_what, more) => {
    const server = await serve(drop);
    const { api } = client('http');
    pollute(more);
    const error = await failureOf(api.post(server.url, { order: 1 }, { retry: { retries: 2 } }));
    expect(server.methods).toEqual(['POST']);
    expect(axios.isAxiosError(error)).toBe(true);
  });

  it.each<[string, Record<string, unknown>]>([
    ['a body', { body: () => 'theirs' }],
    ['a delay', { delay: () => 9_999 }],
    ['a random source', { random: () => 0.9 }],
    ['retries', { retries: 0 }],
    ['a budget', { budget: false, capacity: 0 }],
  ])('%s is not given', async (_what, more) => {
    pollute(more);
    const server = await serve(503, 200);
    const { api, policy } = client('http');
    await api.get(server.url, { retry: { baseDelay: 500 } });
    expect(policy.waits).toEqual([250]);
  });
});
