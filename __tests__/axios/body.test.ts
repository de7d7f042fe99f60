import { Readable } from 'node:stream';
import fc from 'fast-check';
import NodeFormData from 'form-data';
import { copyValue, discard, isOneShot } from '../../lib/axios/body';

function nested(depth: number, innermost: unknown): unknown {
  return depth === 0 ? innermost : { inside: nested(depth - 1, innermost) };
}

async function* lines(): AsyncGenerator<string> {
  yield await Promise.resolve('line');
}

function* counted(): Generator<number> {
  yield 1;
}

class Upload {
  constructor(readonly file: unknown) {}
}

describe('a body that can be read only once', () => {
  it.each<[string, () => unknown]>([
    ['a Node stream', () => Readable.from(['x'])],
    ['a web stream', () => new Blob(['x']).stream()],
    ['a form-data instance', () => new NodeFormData()],
    ['an async generator', () => lines()],
    ['a generator', () => counted()],
    ['an async iterable', () => ({ [Symbol.asyncIterator]: lines })],
    ['an object that holds a stream', () => ({ title: 'x', file: Readable.from(['x']) })],
    ['a list that holds a stream', () => ['x', Readable.from(['x'])]],
    ['an object that holds one further down', () => ({ parts: [{ file: { content: Readable.from(['x']) } }] })],
    ['a class instance that holds a stream', () => new Upload(Readable.from(['x']))],
    ['a stream thirty levels down', () => nested(30, Readable.from(['x']))],
  ])('is %s', (_what, make) => {
    expect(isOneShot(make())).toBe(true);
  });

  it.each<[string, () => unknown]>([
    ['undefined', () => undefined],
    ['null', () => null],
    ['a string', () => 'text'],
    ['a number', () => 7],
    ['an object', () => ({ a: [1, { b: 'c' }], next: 'page', pipe: '|' })],
    ['an empty object', () => ({})],
    ['an object without prototype', () => Object.create(null) as object],
    ['a Buffer', () => Buffer.from('x')],
    ['a typed array', () => new Uint8Array([1, 2])],
    ['an ArrayBuffer', () => new ArrayBuffer(2)],
    ['URLSearchParams', () => new URLSearchParams({ a: '1' })],
    ['a Blob', () => new Blob(['x'])],
    ['a web FormData', () => new FormData()],
    ['a Date', () => new Date()],
    ['a class instance', () => new Upload('text')],
    ['a list of nothing', () => [null, undefined]],
    ['an object of eight levels', () => nested(8, 'text')],
    ['an object of forty levels', () => nested(40, 'text')],
  ])('is not %s', (_what, make) => {
    expect(isOneShot(make())).toBe(false);
  });

  it('does not hang on an object that holds itself', () => {
    const circle: Record<string, unknown> = { a: 1 };
    circle['self'] = [circle, circle];
    expect(typeof isOneShot(circle)).toBe('boolean');
  });

  it('is never plain data of a few levels, whatever it is', () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 4 }), (data) => !isOneShot(data)));
  });
});

describe('a copy of a body', () => {
  // axios itself drops a key called __proto__ when it merges the config.
  const key = fc.string().filter((name) => name !== '__proto__');
  const json = fc.jsonValue().filter((data) => !JSON.stringify(data).includes('__proto__'));

  it('has the same JSON, whatever the data', () => {
    fc.assert(
      fc.property(json, (data) => {
        expect(JSON.stringify(copyValue(data))).toBe(JSON.stringify(data));
      }),
      { numRuns: 500 },
    );
  });

  it('is equal, whatever plain objects and lists hold', () => {
    fc.assert(
      fc.property(fc.object({ key, withNullPrototype: true, withSparseArray: true }), (data) => {
        expect(copyValue(data)).toStrictEqual(data);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the holes of a sparse list', () => {
    const data = new Array<number>(3);
    data[1] = 5;
    expect(JSON.stringify(copyValue(data))).toBe('[null,5,null]');
  });

  it('shares no object and no list with the original', () => {
    const original = { list: [{ a: 1 }], inner: { b: [2] } };
    const copy = copyValue(original);
    copy.list[0] = { a: 9 };
    copy.list.push({ a: 3 });
    copy.inner.b.push(4);
    expect(original).toEqual({ list: [{ a: 1 }], inner: { b: [2] } });
  });

  it('keeps an object that stands in two places one object', () => {
    const shared = { a: 1 };
    const copy = copyValue({ one: shared, other: shared });
    expect(copy.one).toBe(copy.other);
    expect(copy.one).not.toBe(shared);
  });

  it('follows a circle once', () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const copy = copyValue(circle);
    expect(copy).not.toBe(circle);
    expect(copy.self).toBe(copy);
  });

  it('can be edited where the original is frozen', () => {
    const copy = copyValue(Object.freeze({ list: Object.freeze([1]) as number[] }));
    copy.list.push(2);
    expect(copy.list).toEqual([1, 2]);
  });

  it('is one of URLSearchParams, with repeated names and their order', () => {
    const original = new URLSearchParams('b=1&a=2&b=3');
    const copy = copyValue(original);
    copy.append('c', '4');
    expect(original.toString()).toBe('b=1&a=2&b=3');
    expect(copy.toString()).toBe('b=1&a=2&b=3&c=4');
  });

  it('is one of a web FormData, with its files and their names', async () => {
    const original = new FormData();
    original.append('text', 'one');
    original.append('text', 'two');
    original.append('file', new Blob(['content'], { type: 'text/plain' }), 'name.txt');
    const copy = copyValue(original);
    copy.append('more', 'x');
    expect([...original.keys()]).toEqual(['text', 'text', 'file']);
    expect(copy.getAll('text')).toEqual(['one', 'two']);
    const file = copy.get('file') as File;
    expect([file.name, file.type, await file.text()]).toEqual(['name.txt', 'text/plain', 'content']);
  });

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a string', 'text'],
    ['a Buffer', Buffer.from('x')],
    ['a typed array', new Uint8Array([1])],
    ['an ArrayBuffer', new ArrayBuffer(1)],
    ['a Blob', new Blob(['x'])],
    ['a Date', new Date(0)],
    ['a Map', new Map()],
    ['a class instance', new Upload('x')],
    ['a function', copyValue],
    ['a stream', Readable.from(['x'])],
  ])('is the very same for %s', (_what, value) => {
    expect(copyValue(value)).toBe(value);
    expect(copyValue({ value }).value).toBe(value);
  });
});

describe('discarding an unread body', () => {
  it('destroys a Node stream, also one that fails by that', async () => {
    const stream = new Readable({ read: () => undefined, destroy: (_error, done) => done(new Error('on destroy')) });
    discard(stream);
    await new Promise((resolve) => stream.once('close', resolve));
    expect(stream.destroyed).toBe(true);
  });

  it('cancels a web stream, also one that fails by that', async () => {
    const cancel = jest.fn(() => Promise.reject(new Error('on cancel')));
    discard(new ReadableStream({ cancel }));
    await Promise.resolve();
    expect(cancel).toHaveBeenCalledTimes(1);
  });

  it('leaves a web stream alone that somebody reads', () => {
    const cancel = jest.fn();
    const stream = new ReadableStream({ cancel });
    stream.getReader();
    discard(stream);
    expect(cancel).not.toHaveBeenCalled();
  });

  it.each([[undefined], [null], ['text'], [{ a: 1 }], [Buffer.from('x')], [{ destroy: 'no function' }]])('ignores %j', (value) => {
    expect(() => discard(value)).not.toThrow();
  });
});

describe('F17 what is no stream is left alone', () => {
  const trap = (members: object): { touched: string[] } & object => {
    const touched: string[] = [];
    const method = (name: string) => () => void touched.push(name);
    return Object.assign(Object.fromEntries(Object.keys(members).map((name) => [name, method(name)])), { touched });
  };

  it.each([
    ['a record that can be destroyed', { destroy: 0 }],
    ['a record that tells and can be destroyed', { on: 0, destroy: 0 }],
    ['an observable', { pipe: 0, subscribe: 0 }],
    ['an order that can be cancelled', { cancel: 0 }],
    ['a connection', { end: 0, close: 0, abort: 0, destroy: 0, return: 0 }],
  ])('%s', (_what, members) => {
    const value = trap(members);
    discard(value);
    expect(value.touched).toEqual([]);
  });

  it.each([[undefined], [null], ['text'], [() => undefined], [{ getReader: () => undefined }]])('%p', (value) => {
    expect(() => discard(value)).not.toThrow();
  });

  it('but a stream and a form of form-data are freed', () => {
    const bodies = [Readable.from(['x']), new NodeFormData()];
    bodies.forEach(discard);
    expect((bodies[0] as Readable).destroyed).toBe(true);
  });
});

describe('S21 where a platform lacks', () => {
  it.each(['URLSearchParams', 'FormData'] as const)('%s, bodies are copied all the same', (name) => {
    const known = globalThis[name];
    Reflect.deleteProperty(globalThis, name);
    try {
      const body = { a: [1, { b: 2 }] };
      expect(copyValue(body)).toEqual(body);
      expect(copyValue(body)).not.toBe(body);
    } finally {
      Object.assign(globalThis, { [name]: known });
    }
  });
});
