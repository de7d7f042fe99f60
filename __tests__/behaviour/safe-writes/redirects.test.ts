import net from 'node:net';
import axios, { isAtLeast } from '../../helpers/axios';
import { failureOf, watchedPolicy } from '../../helpers/watched-policy';
import { closedPort, drop, hang, serve, type Handler } from '../../helpers/wire-server';
import { attachRetry, type RetryOptions } from '../../../lib/index';

const ADAPTERS = isAtLeast('1.7') ? ['http', 'fetch'] : ['http'];
/** Names that nobody has: RFC 6761, section 6.4. */
const NOBODY = 'http://nobody.invalid/done';

const nowhere = async (): Promise<string> => `http://127.0.0.1:${await closedPort()}`;

const redirect = (status: number, location: string): Handler => (_request, response) => {
  response.writeHead(status, { location }).end();
};

describe.each(ADAPTERS)('a write that arrived and was answered with a redirect, through the %s adapter', (adapter) => {
  function client(options: RetryOptions = {}) {
    const policy = watchedPolicy(options);
    const api = axios.create({ adapter, timeout: 5_000, proxy: false });
    attachRetry(api, policy.options);
    return { api, policy };
  }

  it.each<[string, number, () => Promise<string>]>([
    ['302 to a port where nobody listens', 302, async () => `${await nowhere()}/done`],
    ['303 to a port where nobody listens', 303, async () => `${await nowhere()}/done`],
    ['307 to a port where nobody listens', 307, async () => `${await nowhere()}/done`],
    ['308 to a port where nobody listens', 308, async () => `${await nowhere()}/done`],
    ['303 to another name of the host', 303, async () => `${(await nowhere()).replace('127.0.0.1', 'localhost')}/done`],
    ['303 to another address with the same port', 303, () => Promise.resolve('same port')],
    ['303 to a host that is not found', 303, () => Promise.resolve(NOBODY)],
    ['302 to a host that is not found', 302, () => Promise.resolve(NOBODY)],
    ['303 to a port where TLS never stands', 303, async () => (await serveClosing()).replace('http:', 'https:')],
    ['303 to a server that hangs up', 303, async () => (await serve(drop)).url],
  ])('S01 F01 %s: the POST is sent once, and the failure is network', async (_what, status, target) => {
    const location = await target();
    const server = await serve((request, response) => {
      const here = request.headers.host?.replace('127.0.0.1', '127.0.0.2') ?? '';
      redirect(status, location === 'same port' ? `http://${here}/done` : location)(request, response);
    });
    const { api, policy } = client();
    await failureOf(api.post(`${server.url}/orders`, { order: 1 }));
    expect(server.methods).toEqual(['POST']);
    expect(policy.gaveUp.map(({ kind, reason }) => [kind, reason])).toEqual([['network', 'method']]);
  });

  it('F01 several redirects: the POST is sent once', async () => {
    const dead = await nowhere();
    const server = await serve(redirect(303, '/second'), redirect(302, '/third'), redirect(302, dead));
    const { api, policy } = client();
    await failureOf(api.post(`${server.url}/orders`, { order: 1 }));
    expect(server.methods).toEqual(['POST', 'GET', 'GET']);
    expect(policy.reasons).toEqual(['method']);
  });

  it('F01 a GET is sent again, as after any broken connection', async () => {
    const dead = await nowhere();
    const server = await serve(redirect(302, dead), 200);
    const { api, policy } = client();
    await api.get(server.url);
    expect(policy.retried.map(({ kind }) => kind)).toEqual(['network']);
  });

  it('F01 the next attempt is judged by its own way: a redirect before it proves nothing', async () => {
    const dead = await nowhere();
    const server = await serve(redirect(307, dead));
    const { api, policy } = client({ retries: 1, methods: ['POST'], beforeRetry: (config) => void (config.url = dead) });
    await failureOf(api.post(server.url, { order: 1 }));
    expect([...policy.retried, ...policy.gaveUp].map(({ kind }) => kind)).toEqual(['network', 'unsent']);
  });

  it.each<[string, () => Promise<string>]>([
    ['a port where nobody listens', nowhere],
    ['a port of localhost where nobody listens', async () => (await nowhere()).replace('127.0.0.1', 'localhost')],
    ['a host that is not found', () => Promise.resolve(NOBODY)],
  ])('R120 a POST to %s was not sent: it is sent again', async (_what, target) => {
    const { api, policy } = client({ retries: 2 });
    await failureOf(api.post(await target(), { order: 1 }));
    expect(policy.gaveUp.map(({ kind, reason, attempt }) => [kind, reason, attempt])).toEqual([['unsent', 'exhausted', 3]]);
  });

  it('R120 where redirects are not followed, a refused POST is unsent by any name', async () => {
    const { api, policy } = client({ retries: 1 });
    const still = { maxRedirects: 0, fetchOptions: { redirect: 'error' } };
    await failureOf(api.post((await nowhere()).replace('127.0.0.1', 'localhost'), {}, still as object));
    expect(policy.gaveUp.map(({ kind, attempt }) => [kind, attempt])).toEqual([['unsent', 2]]);
  });

  it('R18 a timeout after a redirect stays a timeout', async () => {
    const slow = await serve(hang);
    const server = await serve(redirect(303, slow.url));
    const { api, policy } = client();
    await failureOf(api.post(server.url, {}, { timeout: 100 }));
    expect(policy.gaveUp.map(({ kind, reason }) => [kind, reason])).toEqual([['timeout', 'method']]);
  });
});

/** Takes connections, and closes each when the first bytes come. */
async function serveClosing(): Promise<string> {
  const server = net.createServer((socket) => socket.once('data', () => socket.end()).on('error', () => undefined));
  closing.add(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
}
const closing = new Set<net.Server>();
afterEach(() => {
  for (const server of closing) server.close();
  closing.clear();
});
