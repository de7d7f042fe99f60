// Errors end up in logs: they must serialise, stay small, and show nothing of the plugin's inside.
import { Agent } from 'node:http';
import { inspect } from 'node:util';
import type { AxiosError } from 'axios';
import { attachRetry, type RetryOptions } from '../../../lib/index';
import axios from '../../helpers/axios';
import { rejectionOf, startServer, timeless } from '../../helpers/observed';

let baseURL: string;
let stop: () => Promise<void>;
let agent: Agent;

beforeEach(async () => {
  ({ url: baseURL, stop } = await startServer((_request, response) => response.writeHead(500).end()));
  agent = new Agent({ keepAlive: true });
});

afterEach(async () => {
  agent.destroy();
  await stop();
});

/** The error of a call with a keep-alive agent whose socket is open, and with everything on that a config can carry. */
async function failAfter(retries: number, retry: RetryOptions = {}): Promise<AxiosError> {
  const api = axios.create({ baseURL, httpAgent: agent, signal: new AbortController().signal });
  attachRetry(api, { ...timeless().options, baseDelay: 0, budget: false, attemptHeader: 'X-Resend', ...retry });
  return (await rejectionOf(api.get('/orders', { retry: retries }))) as AxiosError;
}

const policies: [string, RetryOptions][] = [
  ['the defaults', {}],
  ['totalTimeout', { totalTimeout: 60_000 }],
  ['a circuit breaker', { circuitBreaker: () => ({ execute: (send) => send() }) }],
  ['observers and hooks', { beforeRetry: () => undefined, onGiveUp: () => undefined, shouldRetry: () => true }],
];

describe.each(policies)('R67 an error after retries, with %s', (_what, retry) => {
  it('can be stringified, and tells its attempt', async () => {
    const text = JSON.stringify(await failAfter(2, retry));
    expect(JSON.parse(text)).toMatchObject({ name: 'AxiosError', config: { url: '/orders', retryState: { attempt: 3 } } });
    expect(text).not.toContain('history');
  });

  it('can be inspected, and shows its attempt and no more', async () => {
    const text = inspect(await failAfter(2, retry), { depth: 4 });
    expect(text).toContain('retryState: RetryState { attempt: 3 }');
    expect(text).not.toMatch(/totalDelay|Interrupt|Attachment|snapshot/);
  });

  it('does not grow with the attempts', async () => {
    const [once, often] = [await failAfter(1, retry), await failAfter(8, retry)];
    const lengths = [once, often].map(({ config, code, message }) => {
      // Without what axios and the clock put there: stack, sockets, dates.
      const own = { config: { ...config, httpAgent: undefined }, code, message };
      return [JSON.stringify(own).length, inspect(own, { depth: 9 }).length];
    });
    expect(lengths[1]).toEqual(lengths[0]);
    expect(inspect(often).length).toBeLessThan(inspect(once).length * 1.5);
    expect(JSON.stringify(often).length).toBeLessThan(JSON.stringify(once).length * 1.5);
  });

  it('gives the config members of axios, the options, and its state', async () => {
    const { config } = await failAfter(2, retry);
    const api = axios.create({ baseURL, httpAgent: agent, signal: new AbortController().signal });
    const bare = (await rejectionOf(api.get('/orders', { retry: 2 }))) as AxiosError;
    const added = Object.keys(config ?? {}).filter((key) => !Object.keys(bare.config ?? {}).includes(key));
    expect(added).toEqual(['retryState']);
  });
});

describe('R67 the report', () => {
  it('references no agent, socket, signal, timer or function', async () => {
    const { retry } = await failAfter(2, { totalTimeout: 60_000 });
    expect(inspect(retry, { depth: 9, showHidden: true })).not.toMatch(/Agent|Socket|Signal|Timeout|Function/);
  });

  it('is what error.toJSON() leaves out', async () => {
    const json = (await failAfter(2)).toJSON() as Record<string, unknown>;
    expect(json).not.toHaveProperty('retry');
    expect(json['config']).toMatchObject({ url: '/orders' });
  });
});
