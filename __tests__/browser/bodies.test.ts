import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { answers, type Received } from '../helpers/local-service';
import { selfSigned } from '../helpers/self-signed';
import { adapters, open, startSite } from './support/site';

/** Each attempt has a boundary of its own. */
function withoutBoundary({ headers, body }: Received): string {
  const boundary = /boundary=(.+)$/.exec(headers['content-type'] ?? '')?.[1];
  return boundary === undefined ? body : body.replaceAll(boundary, 'BOUNDARY');
}

describe.each(adapters)('%s', (adapter) => {
  it('sends the same body on each attempt', async () => {
    const site = await startSite((_request, response, index) => {
      if (index % 3 === 1) response.destroy();
      else response.writeHead(index % 3 === 0 ? 503 : 200).end();
    });
    const page = await open(site);
    const result = await page.evaluate(async (name) => {
      const form = new FormData();
      form.append('name', 'Ada');
      form.append('file', new File(['in the file'], 'notes.txt', { type: 'text/plain' }));
      const blob = new Blob(['in the ', 'blob'], { type: 'text/plain' });
      const { api } = inPage.client(name);
      const outcomes = [];
      for (const body of [form, blob, new URLSearchParams({ a: '1', b: 'ä&' }), new TextEncoder().encode('bytes')]) {
        outcomes.push(await inPage.outcome(api.put('/api/order', body)));
      }
      return outcomes;
    }, adapter);
    const recovered = { status: 200, attempts: 3, kinds: ['status', 'network'] };
    expect(result).toMatchObject([recovered, recovered, recovered, recovered]);
    const texts = [/Ada.*filename="notes.txt".*in the file/s, /^in the blob$/, /^a=1&b=%C3%A4%26$/, /^bytes$/];
    const sent = site.requests.map((request) => `${request.headers['content-type']?.replace(/boundary=.+/, '')} ${withoutBoundary(request)}`);
    const bodies = site.requests.map(withoutBoundary);
    for (const [index, text] of texts.entries()) {
      expect(bodies[3 * index]).toMatch(text);
      expect(new Set(sent.slice(3 * index, 3 * index + 3)).size).toBe(1);
    }
    expect(sent).toHaveLength(12);
  });

  it('gives an inner interceptor that edits a form the same form on each attempt', async () => {
    const site = await startSite(answers(503, 200));
    const page = await open(site);
    const left = await page.evaluate(async (name) => {
      const { api, retry } = inPage.client(name);
      retry.detach();
      api.interceptors.request.use((config) => {
        (config.data as FormData).append('token', 'fresh');
        return config;
      });
      inPage.attachRetry(api, { sleep: () => Promise.resolve() });
      const form = new FormData();
      form.append('file', new File(['in the file'], 'notes.txt'));
      await api.put('/api/order', form);
      return [...form.keys()];
    }, adapter);
    const bodies = site.requests.map(withoutBoundary);
    expect(bodies[0]?.match(/name="\w+"(; filename=".+")?/g)).toEqual(['name="file"; filename="notes.txt"', 'name="token"']);
    expect(bodies[1]).toBe(bodies[0]);
    // The first attempt has the caller's own form, as without the plugin.
    expect(left).toEqual(['file', 'token']);
  });
});

describe('streams under fetch', () => {
  const servers = new Set<http2.Http2SecureServer>();
  afterEach(() => servers.forEach((server) => server.close()));

  /** Chromium streams a body over HTTP/2 alone. 503, then 200. */
  async function startHttp2(): Promise<{ url: string; bodies: string[] }> {
    const bodies: string[] = [];
    const server = http2.createSecureServer(selfSigned, (request, response) => {
      const allow = { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'PUT', 'access-control-allow-headers': '*' };
      if (request.method === 'OPTIONS') return void response.writeHead(204, allow).end();
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        bodies.push(body);
        response.writeHead(bodies.length === 1 ? 503 : 200, allow).end('{}');
      });
    });
    servers.add(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { url: `https://localhost:${(server.address() as AddressInfo).port}/`, bodies };
  }

  it.each([
    ['does not send a ReadableStream again', false, { status: 503, attempts: 1, reason: 'body' }, ['in the stream']],
    ['sends a fresh ReadableStream from the option body', true, { status: 200, attempts: 2 }, ['in the stream', 'in the stream']],
  ] as const)('%s', async (_name, isFresh, expected, bodies) => {
    const service = await startHttp2();
    const page = await open(await startSite(answers(200)));
    const result = await page.evaluate(
      ({ url, isFresh }) => {
        const body = (): ReadableStream => new Blob(['in the stream']).stream();
        const { api } = inPage.client('fetch', isFresh ? { body } : {});
        return inPage.outcome(api.put(url, isFresh ? undefined : body()));
      },
      { url: service.url, isFresh },
    );
    expect(result).toMatchObject(expected);
    expect(service.bodies).toEqual(bodies);
  });

  it('frees the connection of each failed attempt whose answer is a stream', async () => {
    // More than the six connections that Chromium allows an origin; none of these answers ends.
    const failures = 8;
    const site = await startSite((_request, response, index) => {
      // Chromium's cache sends some requests again when an answer that it was storing is cancelled.
      response.writeHead(index < failures ? 503 : 200, { 'cache-control': 'no-store' }).write('begun');
      if (index >= failures) response.end();
    });
    const page = await open(site);
    const text = await page.evaluate(async (retries) => {
      const { api } = inPage.client('fetch', { retries });
      const { data } = await api.get<ReadableStream>('/api/report', { responseType: 'stream' });
      return new Response(data).text();
    }, failures);
    expect(text).toBe('begun');
    expect(site.lines).toHaveLength(failures + 1);
  });
});
