import { getEventListeners } from 'node:events';
import axios, { isAtLeast } from '../helpers/axios';
import { settled, watchedPolicy } from '../helpers/watched-policy';
import { serve } from '../helpers/wire-server';
import { attachRetry } from '../../lib/index';

const ADAPTERS = isAtLeast('1.7') ? ['http', 'fetch'] : ['http'];
const WAYS: [string, object, number[]][] = [
  ['a call that was retried', {}, [503, 200]],
  ['a call under a deadline', { totalTimeout: 60_000 }, [200]],
  ['a call that a circuit breaker let through', { circuitBreaker: { execute: <T>(send: () => Promise<T>) => send() } }, [200]],
];

describe.each(ADAPTERS)('a stream answer through the %s adapter, read to its end', (adapter) => {
  it.each(WAYS)('of %s leaves no listener on a signal that lives on', async (_what, options, statuses) => {
    const server = await serve(...statuses);
    const { signal } = new AbortController();
    const api = axios.create({ adapter });
    attachRetry(api, watchedPolicy(options).options);
    const { data } = await api.get<AsyncIterable<Uint8Array>>(server.url, { responseType: 'stream', signal });
    for await (const _chunk of data);
    await settled();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
