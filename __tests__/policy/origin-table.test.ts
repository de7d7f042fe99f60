import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { AxiosHeaders, type InternalAxiosRequestConfig } from 'axios';
import fc from 'fast-check';
import { MAX_IDLE, MAX_ORIGINS, OriginTable } from '../../lib/policy/origin-table';
import { originOf } from '../../lib/axios/origin';

function key(config: Partial<InternalAxiosRequestConfig>): string {
  return originOf({ headers: new AxiosHeaders(), ...config });
}

describe('the key', () => {
  it.each([
    ['https://api.example.com/orders?x=1#y', 'https://api.example.com'],
    ['https://api.example.com', 'https://api.example.com'],
    ['https://api.example.com?x=1', 'https://api.example.com'],
    ['https://api.example.com#top', 'https://api.example.com'],
    ['HTTPS://API.Example.COM/Orders', 'https://api.example.com'],
    // default ports
    ['http://api.example.com:80/', 'http://api.example.com'],
    ['https://api.example.com:443/', 'https://api.example.com'],
    ['https://api.example.com:/', 'https://api.example.com'],
    ['http://api.example.com:443/', 'http://api.example.com:443'],
    ['https://api.example.com:80/', 'https://api.example.com:80'],
    ['http://localhost:8080/x', 'http://localhost:8080'],
    // IPv4 and IPv6
    ['http://127.0.0.1:3000/x', 'http://127.0.0.1:3000'],
    ['http://[::1]/x', 'http://[::1]'],
    ['http://[::1]:80/x', 'http://[::1]'],
    ['http://[::1]:8080/x', 'http://[::1]:8080'],
    ['http://user:secret@[2001:DB8::1]:8080/x', 'http://[2001:db8::1]:8080'],
    // what looks like a host and is none
    ['https://a.example/https://b.example/', 'https://a.example'],
    ['https://a.example?next=https://b.example/', 'https://a.example'],
    ['https://a.example/@b.example', 'https://a.example'],
    ['https://a.example/x:8080', 'https://a.example'],
  ])('%s is %s', (url, origin) => {
    expect(key({ url })).toBe(origin);
  });

  it.each([
    'https://user@api.example.com/',
    'https://user:secret@api.example.com/',
    'https://user:se:cret@api.example.com/',
    'https://user:se@cret@api.example.com/',
    'https://user:se%40cret@api.example.com/',
  ])('holds no credentials: %s', (url) => {
    expect(key({ url })).toBe('https://api.example.com');
    expect(key({ url: '/x', baseURL: url })).toBe('https://api.example.com');
  });

  it('is what URL says for absolute URLs of every shape', () => {
    const urls = fc.webUrl({
      authoritySettings: { withIPv4: true, withPort: true, withUserInfo: true },
      withQueryParameters: true,
      withFragments: true,
      validSchemes: ['http', 'https'],
    });
    fc.assert(
      fc.property(urls, (url) => {
        expect(key({ url })).toBe(new URL(url).origin);
      }),
      { seed: 9, numRuns: 500 },
    );
  });

  it.each([
    ['a relative URL goes to baseURL', { url: '/orders', baseURL: 'https://api.example.com/v1' }, 'https://api.example.com'],
    ['a URL without a slash goes to baseURL', { url: 'orders', baseURL: 'https://api.example.com/v1' }, 'https://api.example.com'],
    ['no URL goes to baseURL', { baseURL: 'https://api.example.com/v1' }, 'https://api.example.com'],
    ['an absolute URL beats baseURL', { url: 'https://b.example/x', baseURL: 'https://a.example' }, 'https://b.example'],
    [
      'an absolute URL that axios must combine goes to baseURL',
      { url: 'https://b.example/x', baseURL: 'https://a.example', allowAbsoluteUrls: false },
      'https://a.example',
    ],
    ['without a baseURL there is nothing to combine', { url: 'https://b.example/x', allowAbsoluteUrls: false }, 'https://b.example'],
    ['an absolute URL may be allowed by name', { url: 'https://b.example/x', baseURL: 'https://a.example', allowAbsoluteUrls: true }, 'https://b.example'],
    ['a socket is its path', { url: 'http://localhost/x', socketPath: '/var/run/docker.sock' }, 'unix:/var/run/docker.sock'],
    ['a socket that is null is none', { url: 'http://localhost/x', socketPath: null }, 'http://localhost'],
    ['a relative URL without anything has one key', { url: '/orders' }, ''],
    ['a relative baseURL without a page has one key', { url: '/orders', baseURL: '/api' }, ''],
    ['a URL of the network path takes http where there is no page', { url: '//cdn.example/x' }, 'http://cdn.example'],
    ['a baseURL of the network path, too', { url: '/x', baseURL: '//cdn.example:80' }, 'http://cdn.example'],
  ])('%s', (_name, config, origin) => {
    expect(key(config)).toBe(origin);
  });

  describe('in a browser', () => {
    beforeEach(() => {
      const location = { origin: 'https://shop.example:8443', protocol: 'https:' };
      Object.defineProperty(globalThis, 'location', { value: location, configurable: true });
    });
    afterEach(() => {
      Reflect.deleteProperty(globalThis, 'location');
    });

    it('takes the base that the document names before the page itself', () => {
      Object.defineProperty(globalThis, 'document', { value: { baseURI: 'https://static.example/v2/' }, configurable: true });
      try {
        expect(originOf({ url: 'orders' } as InternalAxiosRequestConfig)).toBe('https://static.example');
        expect(originOf({ url: '//cdn.example/x' } as InternalAxiosRequestConfig)).toBe('https://cdn.example');
      } finally {
        Reflect.deleteProperty(globalThis, 'document');
      }
    });

    it.each([
      ['a relative URL is of the page', { url: '/orders' }, 'https://shop.example:8443'],
      ['a relative baseURL is of the page', { url: '/orders', baseURL: '/api' }, 'https://shop.example:8443'],
      ['an absolute URL is its own', { url: 'http://api.example/x' }, 'http://api.example'],
      ['a network path takes the scheme of the page', { url: '//cdn.example/x' }, 'https://cdn.example'],
      ['and its default port', { url: '//cdn.example:443/x' }, 'https://cdn.example'],
    ])('%s', (_name, config, origin) => {
      expect(key(config)).toBe(origin);
    });
  });
});

describe('the table', () => {
  const name = (index: number): string => `https://${index}.example`;

  it('is limited to 1,000 origins and 10 minutes', () => {
    expect([MAX_ORIGINS, MAX_IDLE]).toEqual([1_000, 600_000]);
  });

  it('gives what was set, and nothing for an origin it does not know', () => {
    const table = new OriginTable<number>();
    table.set(name(1), 0, 0);
    expect(table.get(name(1), 0)).toBe(0);
    expect(table.get(name(2), 0)).toBeUndefined();
    table.delete(name(1));
    expect(table.get(name(1), 0)).toBeUndefined();
    expect(table.size).toBe(0);
  });

  it('lets the origin go that was used longest ago', () => {
    const table = new OriginTable<number>();
    for (let i = 0; i < 1_000; i++) table.set(name(i), i, 0);
    // Both count as use.
    table.get(name(0), 1);
    table.set(name(1), 1, 1);
    table.set(name(1_000), 1_000, 2);
    table.set(name(1_001), 1_001, 2);
    expect(table.size).toBe(1_000);
    expect([0, 1, 2, 3, 4].filter((i) => table.get(name(i), 2) === undefined)).toEqual([2, 3]);
  });

  it('does not count a look at the list as use', () => {
    const table = new OriginTable<number>();
    table.set(name(1), 1, 0);
    table.set(name(2), 2, 0);
    expect([...table.list(300_000)]).toEqual([
      [name(1), 1],
      [name(2), 2],
    ]);
    expect([...table.list(600_000)]).toEqual([]);
  });

  it('keeps an origin for 10 minutes after its last use', () => {
    const table = new OriginTable<number>();
    table.set(name(1), 1, 0);
    expect(table.get(name(1), 599_999)).toBe(1);
    expect(table.get(name(1), 1_199_998)).toBe(1);
    expect(table.get(name(1), 1_799_998)).toBeUndefined();
  });

  it('drops idle origins whenever it is used for others', () => {
    const table = new OriginTable<number>();
    for (let i = 0; i < 500; i++) table.set(name(i), i, 0);
    table.set(name(500), 500, 300_000);
    table.set(name(501), 501, 700_000);
    expect(table.size).toBe(2);
  });

  it('holds no more memory for 5,000 origins than for 1,000', () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const heap = (): number => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const table = new OriginTable<number[]>();
    const visit = (from: number, to: number): void => {
      // About 8 kB each: 5,000 of them would be 40 MB.
      for (let i = from; i < to; i++) table.set(name(i), new Array<number>(1_000).fill(i), i);
    };
    visit(0, 1_000);
    const before = heap();
    visit(1_000, 5_000);
    expect(table.size).toBe(1_000);
    expect(heap() - before).toBeLessThan(8_000_000);
  });
});
