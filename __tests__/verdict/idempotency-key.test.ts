import { webcrypto } from 'node:crypto';
import { AxiosHeaders, type InternalAxiosRequestConfig } from 'axios';
import { addIdempotencyKey, randomUuid } from '../../lib/verdict/idempotency-key';
import type { RetryOptions } from '../../lib/options/retry-options';
import { resolveOptions } from '../../lib/options/resolve';

const UUID_V4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

const original = Object.getOwnPropertyDescriptor(globalThis, 'crypto');

function setCrypto(crypto: object | undefined): void {
  Object.defineProperty(globalThis, 'crypto', { value: crypto, configurable: true });
}

afterEach(() => {
  if (original) Object.defineProperty(globalThis, 'crypto', original);
  else Reflect.deleteProperty(globalThis, 'crypto');
});

function keyOf(options: RetryOptions, config: Partial<InternalAxiosRequestConfig> = {}): unknown {
  const request: InternalAxiosRequestConfig = { method: 'post', url: '/orders', headers: new AxiosHeaders(), ...config };
  addIdempotencyKey(request, resolveOptions(options));
  return request.headers[options.idempotencyHeader ?? 'Idempotency-Key'];
}

describe('the UUID', () => {
  const onlyValues = (fill: (bytes: Uint8Array) => Uint8Array): void => setCrypto({ getRandomValues: fill });

  it.each<[string, () => void]>([
    ['randomUUID', () => setCrypto(webcrypto)],
    ['getRandomValues alone', () => onlyValues((bytes) => webcrypto.getRandomValues(bytes))],
  ])('is of version 4 and never the same twice, with %s', (_name, prepare) => {
    prepare();
    const uuids = Array.from({ length: 1_000 }, randomUuid);
    expect(uuids.filter((uuid) => !UUID_V4.test(uuid))).toEqual([]);
    expect(new Set(uuids).size).toBe(1_000);
  });

  it.each([
    [0x00, '00000000-0000-4000-8000-000000000000'],
    [0xff, 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
    [0x0a, '0a0a0a0a-0a0a-4a0a-8a0a-0a0a0a0a0a0a'],
  ])('has the bits of RFC 9562 in place when every random byte is %d', (byte, uuid) => {
    onlyValues((bytes) => bytes.fill(byte));
    expect(randomUuid()).toBe(uuid);
  });

  it('calls crypto as its own method, without which browsers throw', () => {
    const crypto = {
      randomUUID(this: unknown) {
        return this === crypto ? 'mine' : 'illegal invocation';
      },
    };
    setCrypto(crypto);
    expect(randomUuid()).toBe('mine');
  });

  it.each<[string, object | undefined]>([
    ['no crypto', undefined],
    ['a crypto without either', {}],
  ])('is refused with a clear error where there is %s', (_name, crypto) => {
    setCrypto(crypto);
    expect(() => keyOf({ idempotencyKey: true })).toThrow(
      'axios-jitter: option "idempotencyKey" needs crypto.getRandomValues; give a function instead of true',
    );
  });
});

describe('which requests get a key', () => {
  it.each(['post', 'POST', 'patch', 'PATCH', 'propfind'])('true gives one to %s', (method) => {
    expect(keyOf({ idempotencyKey: true }, { method })).toMatch(UUID_V4);
  });

  it.each(['get', 'HEAD', 'options', 'put', 'DELETE', 'trace', 'query'])('true gives none to %s', (method) => {
    expect(keyOf({ idempotencyKey: true }, { method })).toBeUndefined();
  });

  it('takes a request without a method for a GET', () => {
    const config = { url: '/orders', headers: new AxiosHeaders() };
    addIdempotencyKey(config, resolveOptions({ idempotencyKey: true }));
    expect({ ...config.headers }).toEqual({});
  });

  it('true goes by the option `methods`', () => {
    expect(keyOf({ idempotencyKey: true, methods: ['post'] }, { method: 'post' })).toBeUndefined();
    expect(keyOf({ idempotencyKey: true, methods: ['post'] }, { method: 'get' })).toMatch(UUID_V4);
  });

  it.each(['post', 'get', 'delete'])('a string is the key of %s, too', (method) => {
    expect(keyOf({ idempotencyKey: 'order-7' }, { method })).toBe('order-7');
  });

  it.each(['post', 'get', 'delete'])('a function makes the key of %s from its config', (method) => {
    expect(keyOf({ idempotencyKey: ({ url }) => `${method}:${url}` }, { method })).toBe(`${method}:/orders`);
  });

  it('goes under the name of idempotencyHeader', () => {
    expect(keyOf({ idempotencyKey: 'order-7', idempotencyHeader: 'X-Request-Key' })).toBe('order-7');
  });
});

describe('a header that the caller has set', () => {
  it.each(['Idempotency-Key', 'idempotency-key', 'IDEMPOTENCY-KEY'])('%s wins', (name) => {
    const headers = new AxiosHeaders({ [name]: 'mine' });
    const config = { method: 'post', headers } as InternalAxiosRequestConfig;
    addIdempotencyKey(config, resolveOptions({ idempotencyKey: 'yours' }));
    expect({ ...headers }).toEqual({ [name]: 'mine' });
  });

  it.each<[string, unknown]>([
    ['F03 empty', ''],
    ['F03 blank', ' \t '],
    ['F03 an empty list', []],
    ['F03 a list of nothing', ['', ' ']],
    ['not ASCII', 'заказ-7'],
    ['a key of nothing but control characters', '\u0001'],
    ['switched off', false],
    ['null', null],
  ])('that is %s is no key: the option makes one, in its place', (_what, value) => {
    const headers = new AxiosHeaders();
    Object.assign(headers, { 'idempotency-key': value });
    addIdempotencyKey({ method: 'post', headers }, resolveOptions({ idempotencyKey: true }));
    expect({ ...headers }).toEqual({ 'Idempotency-Key': expect.stringMatching(UUID_V4) as string });
  });

  it.each<[string, unknown]>([
    ['a number', 7],
    ['longer than the option allows', 'x'.repeat(300)],
    ['with blanks around, which no server sees', ' mine '],
    ['a list', ['a', 'b']],
  ])('counts when it is %s', (_what, value) => {
    const headers = new AxiosHeaders();
    Object.assign(headers, { 'idempotency-key': value });
    addIdempotencyKey({ method: 'post', headers }, resolveOptions({ idempotencyKey: 'yours' }));
    expect({ ...headers }).toEqual({ 'idempotency-key': value });
  });

  it('spares the work of the function', () => {
    const make = jest.fn(() => 'yours');
    keyOf({ idempotencyKey: make }, { headers: new AxiosHeaders({ 'idempotency-key': 'mine' }) });
    expect(make).not.toHaveBeenCalled();
  });
});

describe('a function that gives no key', () => {
  it.each<[string, unknown, string]>([
    ['undefined', undefined, 'undefined'],
    // A string is not shown: it may be worth something to others.
    ['an empty string', '', 'another string'],
    ['blanks', '  ', 'another string'],
    ['F04 letters that are not ASCII', 'заказ-7', 'another string'],
    ['a line break', 'a\nb', 'another string'],
    ['too much', 'x'.repeat(256), 'another string'],
    ['a number', 7, '7'],
    ['a promise', Promise.resolve('key'), 'an object (Promise)'],
  ])('%s is a TypeError', (_name, value, came) => {
    expect(() => keyOf({ idempotencyKey: () => value as string })).toThrow(
      new TypeError(`axios-jitter: option "idempotencyKey" must return 1 to 255 printable ASCII characters without a blank at either end; got ${came}`),
    );
  });

  it('passes on what it throws', () => {
    const broken = new Error('no session');
    expect(() =>
      keyOf({
        idempotencyKey: () => {
          throw broken;
        },
      }),
    ).toThrow(broken);
  });
});
