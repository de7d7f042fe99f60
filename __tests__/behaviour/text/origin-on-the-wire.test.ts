import { Agent } from 'node:http';
import fc from 'fast-check';
import { attachRetry, type RetryEvent } from '../../../lib/index';
import axios, { isAtLeast, itSince } from '../../helpers/axios';
import { useRecordingServer } from '../../helpers/recording-server';

const servers = [useRecordingServer(), useRecordingServer()] as const;
const portOf = (index: 0 | 1): string => new URL(servers[index].url).port;

/** Every name is of this machine. */
const lookup = ((_host: string, options: { all?: boolean }, done: (...found: unknown[]) => void) =>
  options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)) as never;
const httpAgent = new Agent({ lookup });
afterAll(() => httpAgent.destroy());

const NAMES = ['evil.test', 'VICTIM.test', 'b%C3%BCcher.test', 'bücher.test'];
const ADDRESSES = ['127.0.0.1', '127.1', '0x7f000001', '2130706433', '0177.0.0.1'];

/** An address, piece by piece: which server it means is left to those who send it. */
function addresses(hosts: string[]): fc.Arbitrary<string> {
  const one = (...texts: string[]) => fc.constantFrom(...texts);
  const host = fc.tuple(fc.constantFrom(...hosts), fc.constantFrom(0 as const, 1 as const));
  return fc
    .record({
      blanks: one('', '', ' ', '\n'),
      scheme: one('http:', 'HTTP:', 'ht\ttp:'),
      slashes: one('//', '//', '//', '/\\', '///', '\\\\'),
      user: one('', '', 'user@', 'user:s3cret@', 'a@b@', 'u:p%40@'),
      first: host,
      // Ends the authority, or does not.
      end: one('', '/', '\\', '?', '#', '@', ':@', '\n/'),
      second: fc.option(host),
      rest: one('', '/', '/x', '\\x', '?a=1', '/@b'),
    })
    .map(({ blanks, scheme, slashes, user, first, end, second, rest }) => {
      const [left, right] = [first, second].map((found) => found && `${found[0]}:${portOf(found[1])}`);
      return `${blanks}${scheme}${slashes}${user}${left}${right ? `${end}${right}` : ''}${rest}`;
    });
}

const configs = (hosts: string[]) => {
  const address = addresses(hosts);
  return fc.oneof(
    { arbitrary: fc.record({ url: address }), weight: 3 },
    fc.record({ url: fc.constantFrom('/x', 'x', '', '@evil/'), baseURL: address }),
    fc.record({ url: address, baseURL: address, allowAbsoluteUrls: fc.constantFrom(true, false, undefined) }),
  );
};

/** Where our event says that it went, and where it was seen: a request that nobody saw says nothing. */
async function sendOnce(config: object): Promise<{ said?: string | undefined; seen?: string | undefined }> {
  servers.forEach((server) => server.forget());
  servers.forEach((server) => server.thenAlways(503));
  let event: RetryEvent | undefined;
  const api = axios.create({ proxy: false });
  attachRetry(api, { retries: 0, onGiveUp: (told) => void (event = told) });
  await api.request({ timeout: 5_000, ...config }).catch(() => undefined);
  const index = servers.findIndex(({ requests }) => requests.length > 0);
  const host = servers[index]?.requests[0]?.headers.host;
  expect(host === undefined || host.endsWith(`:${portOf(index as 0 | 1)}`)).toBe(true);
  return { said: event?.origin, seen: host && `http://${host}` };
}

async function compare(hosts: string[], more: object): Promise<number> {
  let arrived = 0;
  const property = fc.asyncProperty(configs(hosts), async (config) => {
    const { said, seen } = await sendOnce({ ...config, ...more });
    if (seen === undefined) return;
    arrived += 1;
    expect({ config, origin: said }).toEqual({ config, origin: seen });
  });
  await fc.assert(property, { numRuns: 120, seed: 6 });
  return arrived;
}

describe('F06 the origin is the address that a server saw', () => {
  it('with the adapter http, whatever the host is called', async () => {
    expect(await compare([...NAMES, ...ADDRESSES], { adapter: 'http', httpAgent })).toBeGreaterThan(40);
  });

  itSince('1.7', 'has no fetch adapter')('with the adapter fetch', async () => {
    expect(await compare(ADDRESSES, { adapter: 'fetch' })).toBeGreaterThanOrEqual(20);
  });

  it('not that of what follows a backslash', async () => {
    const [left, right] = [`evil.test:${portOf(0)}`, `victim.test:${portOf(1)}`];
    expect(await sendOnce({ url: `http://${left}\\@${right}/`, httpAgent })).toEqual({ said: `http://${left}`, seen: `http://${left}` });
  });

  it('where the config forbids absolute URLs to an axios that does not know of it', async () => {
    const [left, right] = [servers[0].url, servers[1].url];
    const expected = isAtLeast('1.8') ? left : right;
    expect(await sendOnce({ url: `${right}/x`, baseURL: left, allowAbsoluteUrls: false })).toEqual({ said: expected, seen: expected });
  });
});
