import { AxiosHeaders } from 'axios';
import fc from 'fast-check';
import { copyHeaders, getHeader, setHeader } from '../../lib/axios/headers';

describe('getHeader', () => {
  it.each([
    ['in small letters', { 'retry-after': '2' }],
    ['in capitals', { 'RETRY-AFTER': '2' }],
    ['in a mixture', { 'Retry-After': '2' }],
    ['in AxiosHeaders', new AxiosHeaders({ 'Retry-After': '2' })],
    ['in web Headers', new Headers({ 'Retry-After': '2' })],
    ['in an object without prototype', Object.assign(Object.create(null) as object, { 'retry-after': '2' })],
    ['after a namesake that is switched off', { 'Retry-After': false, 'retry-after': '2' }],
  ])('finds a header %s', (_where, headers) => {
    expect(getHeader(headers, 'ReTrY-aFtEr')).toBe('2');
  });

  it('does without the class Headers', () => {
    const known = Object.getOwnPropertyDescriptor(globalThis, 'Headers') ?? {};
    Reflect.deleteProperty(globalThis, 'Headers');
    try {
      expect(typeof Headers).toBe('undefined');
      expect(getHeader({ name: 'value' }, 'other')).toBeUndefined();
    } finally {
      Object.defineProperty(globalThis, 'Headers', known);
    }
  });

  it.each([
    [2, '2'],
    [0, '0'],
    ['', ''],
    [true, 'true'],
    [['a', 'b'], 'a,b'],
  ])('gives %j as text', (value, text) => {
    expect(getHeader({ name: value }, 'name')).toBe(text);
  });

  it.each([[undefined], [null], [false]])('takes %j as "not sent"', (value) => {
    expect(getHeader({ name: value }, 'name')).toBeUndefined();
  });

  it.each([[undefined], [null], ['name: value'], [7], [{}], [new Headers()], [new AxiosHeaders()]])('finds nothing in %j', (headers) => {
    expect(getHeader(headers, 'name')).toBeUndefined();
  });

  it.each(['constructor', 'toString', 'get', '__proto__'])('does not take the inherited %s for a header', (name) => {
    expect(getHeader({}, name)).toBeUndefined();
    expect(getHeader(new AxiosHeaders(), name)).toBeUndefined();
  });
});

describe('setHeader', () => {
  it('takes the place of the same name in any letter case, and of no other', () => {
    const headers = { 'x-key': 'a', 'X-KEY': 'b', 'X-Key-2': 'c' };
    setHeader(headers, 'X-Key', 'new');
    expect(headers).toEqual({ 'X-Key-2': 'c', 'X-Key': 'new' });
  });
});

describe('whether a header is there', () => {
  it.each([
    ['a value', { 'Idempotency-Key': 'k' }, true],
    ['an empty value, which is sent', { 'Idempotency-Key': '' }, true],
    ['another letter case', { 'idempotency-KEY': 'k' }, true],
    ['false, which axios does not send', { 'Idempotency-Key': false }, false],
    ['null, which axios does not send', { 'Idempotency-Key': null }, false],
    ['undefined', { 'Idempotency-Key': undefined }, false],
    ['a longer name', { 'Idempotency-Key-2': 'k' }, false],
    ['nothing', {}, false],
  ])('with %s', (_what, headers, expected) => {
    expect(getHeader(headers, 'idempotency-key') !== undefined).toBe(expected);
  });
});

describe('copyHeaders', () => {
  it('gives AxiosHeaders that do not share what is set later', () => {
    const original = new AxiosHeaders({ 'X-One': '1' });
    const copy = copyHeaders(original);
    copy.set('X-Two', '2');
    copy.set('x-one', 'changed');
    copy.delete('nothing');
    expect(copy).toBeInstanceOf(AxiosHeaders);
    expect(original.toJSON()).toEqual({ 'X-One': '1' });
    expect(copy.toJSON()).toEqual({ 'X-One': 'changed', 'X-Two': '2' });
  });

  it('does not share lists of values', () => {
    const original = { cookie: ['a=1', 'b=2'] };
    copyHeaders(original).cookie.push('c=3');
    expect(original.cookie).toEqual(['a=1', 'b=2']);
  });

  it('keeps a header that was removed with false or null removed', () => {
    const original = new AxiosHeaders();
    original.set('User-Agent', false);
    expect(Object.entries(copyHeaders(original))).toEqual(Object.entries(original));
    expect(copyHeaders({ Accept: null })).toEqual({ Accept: null });
  });

  it('works on frozen headers, and its copy can be edited', () => {
    const copy: Record<string, string> = copyHeaders(Object.freeze({ a: '1' }));
    copy['b'] = '2';
    expect(copy).toEqual({ a: '1', b: '2' });
  });

  it.each([[undefined], [null], ['text']])('passes %j through', (value) => {
    expect(copyHeaders(value)).toBe(value);
  });

  it('keeps names, their letter case and their order, whatever they are', () => {
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,20}$/);
    fc.assert(
      fc.property(fc.dictionary(name, fc.string()), (headers) => {
        const copy = copyHeaders(headers);
        expect(Object.entries(copy)).toEqual(Object.entries(headers));
        expect(Object.getPrototypeOf(copy)).toBe(Object.getPrototypeOf(headers));
      }),
    );
  });
});
