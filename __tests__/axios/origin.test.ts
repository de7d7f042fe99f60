import { AxiosHeaders, type InternalAxiosRequestConfig } from 'axios';
import fc from 'fast-check';
import { describeRequest, originOf, pathOf } from '../../lib/axios/origin';

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

/** Addresses that are easy to misread, piece by piece. */
const slashes = fc.constantFrom('//', '//', '\\\\', '/\\', '///', '\\/\\', '/', '');
const userInfo = fc.constantFrom('', '', 'user@', 'user:s3cret@', 'a@b@', 'u\\@', ':@', 'u:p%40@', '@@@');
const host = fc.constantFrom('evil', 'VICTIM.example', '127.0.0.1', '127.1', '0x7F000001', '[::1]', '[0:0::1]', 'b%C3%BCcher.example', 'bücher.example', 'a..b');
const port = fc.constantFrom('', '', ':', ':80', ':443', ':8080', ':00080');
const rest = fc.constantFrom('', '/', '/x', '\\x', '\\@victim:2/', '?a=1', '#top', '/@b', '/x:80', '?//c@d/', '\t', '/ ', '\n/x');
const scheme = fc.constantFrom('http:', 'https:', 'HTTP:', 'hTtPs:', 'ht\ntp:');
const blanks = fc.constantFrom('', '', ' ', '\n', '\t\u0000 ', '\u001b');
const hostile = fc.tuple(blanks, scheme, slashes, userInfo, host, port, rest).map((parts) => parts.join(''));

function originByStandard(text: string, base?: string): string | undefined {
  try {
    return new URL(text, base).origin;
  } catch {
    return undefined;
  }
}

describe('F06 the origin is what is sent to', () => {
  it.each([
    ['http://evil:1\\@victim:2/', 'http://evil:1'],
    ['http:\\\\evil\\@victim/', 'http://evil'],
    [' http://api.example.com', 'http://api.example.com'],
    ['\u0000\thttp://api.example.com/x', 'http://api.example.com'],
    ['ht\ntp://api.exa\tmple.com/x', 'http://api.example.com'],
    ['http:api.example.com', 'http://api.example.com'],
    ['http:user:secret@api.example.com', 'http://api.example.com'],
    ['http:///api.example.com', 'http://api.example.com'],
    ['http://0x7f.1/', 'http://127.0.0.1'],
    ['http://[0:0:0:0:0:0:0:1]:080/', 'http://[::1]'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example'],
    ['data:text/plain,secret', 'data:'],
  ])('%j goes to %s', (url, origin) => {
    expect(key({ url })).toBe(origin);
  });

  it('is what the URL standard says, however the address is written', () => {
    fc.assert(
      fc.property(hostile, (url) => {
        const expected = originByStandard(url);
        fc.pre(expected !== undefined);
        expect([url, key({ url })]).toEqual([url, expected]);
      }),
      { numRuns: 800 },
    );
  });

  it('is what the URL standard says on a page', () => {
    const page = 'https://shop.example:8443/a/b';
    Object.defineProperty(globalThis, 'document', { value: { baseURI: page }, configurable: true });
    try {
      fc.assert(
        fc.property(fc.oneof(hostile, fc.tuple(slashes, host, rest).map((parts) => parts.join(''))), (url) => {
          const expected = originByStandard(url, page);
          fc.pre(expected !== undefined);
          expect([url, key({ url })]).toEqual([url, expected]);
        }),
        { numRuns: 800 },
      );
    } finally {
      Reflect.deleteProperty(globalThis, 'document');
    }
  });

  it('is that of an absolute URL where the axios of the instance does not know `allowAbsoluteUrls`', () => {
    const config = { url: 'https://b.example/x', baseURL: 'https://a.example', allowAbsoluteUrls: false };
    const older = { getUri: ({ url }: { url?: string }) => url ?? '' };
    const newer = { getUri: ({ url, baseURL }: { url?: string; baseURL?: string }) => `${baseURL}${url}` };
    expect([originOf(config, older), originOf(config, newer), originOf(config)]).toEqual(['https://b.example', 'https://a.example', 'https://a.example']);
    // As axios does: asked with the option that it may know.
    const knowing = { getUri: ({ url, baseURL, allowAbsoluteUrls }: { url?: string; baseURL?: string; allowAbsoluteUrls?: boolean }) => (allowAbsoluteUrls === false ? `${baseURL}${url}` : (url ?? '')) };
    expect(originOf(config, knowing)).toBe('https://a.example');
  });

  it('is found without the class URL, but for the other ways to write host and port', () => {
    const { URL: known } = globalThis;
    Reflect.deleteProperty(globalThis, 'URL');
    try {
      expect(key({ url: 'HTTP://user:s3cret@API.example.com:8080\\@victim/' })).toBe('http://api.example.com:8080');
      expect(key({ url: 'https://[::1]:8443/x' })).toBe('https://[::1]:8443');
      expect(key({ url: 'https://API.example.com/x' })).toBe('https://api.example.com');
      expect(key({ url: 'https://api.example.com:80x/' })).toBe('https://');
      // No address at all: the password has a slash in it.
      expect(key({ url: 'https://user:s3/cret@h/x' })).not.toContain('s3');
    } finally {
      globalThis.URL = known;
    }
  });
});

describe('F13 what is printed of an address', () => {
  const SECRET = 's3cret';

  it('holds nothing of a password, whatever stands in it unescaped', () => {
    const part = fc.string({ unit: fc.constantFrom('a', '7', '/', '\\', ':', '@', '?', '#', '[', ']', '%', ' ', '.'), maxLength: 6 });
    fc.assert(
      fc.property(fc.constantFrom('http://', 'https://', '//', 'HTTP:\\\\'), part.filter((text) => !text.includes('@')), part, fc.constantFrom('', 'user'), (scheme, before, after, user) => {
        // After a digit alone it would be a port.
        const url = `${scheme}${user}:p${before}${SECRET}${after}@db.example/x`;
        for (const config of [{ url }, { url: '/x', baseURL: url }]) {
          const origin = originOf(config);
          expect(`${origin} ${pathOf(config, origin)} ${describeRequest(config)}`).not.toContain(SECRET);
        }
      }),
      { seed: 6, numRuns: 3_000, examples: [['http://', 'a/', '', 'user'], ['http://', '@/', '/x', 'user']] },
    );
  });

  it.each([
    ['https://user:s3cret@api.example.com/orders', 'GET https://api.example.com/orders'],
    [' https://user:s3cret@api.example.com/orders', 'GET https://api.example.com/orders'],
    ['https:user:s3cret@api.example.com/orders', 'GET https://api.example.com/orders'],
    ['https:\\\\user:s3cret@api.example.com\\orders', 'GET https://api.example.com/\\orders'],
    ['ht\ntps://user:s3cret@api.example.com/orders', 'GET https://api.example.com/orders'],
    ['/orders?key=s3cret', 'GET /orders'],
    ['orders#s3cret', 'GET /orders'],
    ['https://proxy.example/https://user:s3cret@api.example.com/orders', 'GET https://proxy.example/https:api.example.com/orders'],
    ['https://proxy.example/https:user:s3cret@api.example.com/orders', 'GET https://proxy.example/https:api.example.com/orders'],
    ['https://proxy.example//s3cret@api.example.com/orders', 'GET https://proxy.example/api.example.com/orders'],
    ['data:text/plain,s3cret', 'GET data:/'],
    ['/users/@me/a@b', 'GET /users/@me/a@b'],
  ])('%j is %s', (url, printed) => {
    expect(describeRequest({ url })).toBe(printed);
  });

  it('never holds what stands before the host, wherever the address comes from', () => {
    const around = fc.constantFrom('', ' ', '\t', '/', 'x', '\u0000', '\\');
    const address = fc.tuple(around, scheme, slashes, fc.constantFrom(`${SECRET}@`, `u:${SECRET}@`, `:${SECRET}@@`), fc.constantFrom('h', 'h:1', '[::1]'), rest);
    const text = address.map((parts) => parts.join(''));
    const config = fc.record({ url: fc.oneof(text, fc.constant('/x')), baseURL: fc.oneof(text, fc.constant(undefined)), allowAbsoluteUrls: fc.boolean() });
    fc.assert(
      fc.property(config, (given) => {
        expect(describeRequest(given)).not.toContain(SECRET);
        expect(`${originOf(given)}${pathOf(given, originOf(given))}`).not.toContain(SECRET);
      }),
      { numRuns: 1_500 },
    );
  });

  it.each(['\n', '\r', '\u2028', '\u0085', '\u001b', '\u202e', '\u2066', '\u200f', '\u061c', '\ufeff', '\u200b'])('holds no %j', (char) => {
    const url = `https://api.example.com/a${char}b`;
    expect(pathOf({ url }, '')).not.toContain(char);
    expect(describeRequest({ url: `/a${char}b`, method: `ge${char}t` })).not.toContain(char);
  });

  it('is the path under the base where axios combines both, else that of the URL alone', () => {
    const config = { url: 'https://b.example/x', baseURL: 'https://a.example/v1', allowAbsoluteUrls: false };
    expect(pathOf(config, 'https://a.example')).toBe('/v1/https://b.example/x');
    expect(pathOf(config, 'https://b.example')).toBe('/x');
    expect(pathOf({ ...config, allowAbsoluteUrls: true }, 'shard-7')).toBe('/x');
    expect(pathOf(config, 'shard-7')).toBe('/v1/https://b.example/x');
    expect(pathOf({ ...config, url: 'https://a.example/x' }, 'https://a.example')).toBe('/v1/https://a.example/x');
  });

  it.each<[string, Parameters<typeof pathOf>[0], string]>([
    ['the base alone', { baseURL: 'https://a.example/v1' }, '/v1'],
    ['one slash between base and URL', { url: '//orders', baseURL: 'https://a.example/v1//', allowAbsoluteUrls: false }, '/v1/orders'],
    ['slashes within the URL', { url: 'x//y', baseURL: 'https://a.example/v1' }, '/v1/x//y'],
    ['another host without a scheme', { url: '//b.example/x', baseURL: 'https://a.example/v1' }, '/x'],
    ['a scheme with a digit', { url: 's3://bucket/x', baseURL: 'https://a.example/v1' }, '/x'],
    ['a blank within', { url: 'https://a.example/x y' }, '/x%20y'],
    ['no path of what is no web address', { url: 'xhttp:secret' }, '/'],
    ['at most 1,000 characters', { url: `/${'x'.repeat(2_000)}` }, `/${'x'.repeat(999)}`],
  ])('is %s', (_, config, path) => {
    expect(pathOf(config, '')).toBe(path);
  });
});
