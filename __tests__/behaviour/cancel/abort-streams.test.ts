import { ABORT_WAYS } from '../../helpers/abort-ways';
import axios, { isAtLeast } from '../../helpers/axios';
import { settled, watchedPolicy } from '../../helpers/watched-policy';
import { serve } from '../../helpers/wire-server';
import { attachRetry } from '../../../lib/index';

const ADAPTERS = isAtLeast('1.7') ? ['http', 'fetch'] : ['http'];
const CALLS: [string, object, number[]][] = [
  ['a call that was retried', {}, [503, 200]],
  ['a call under a deadline', { totalTimeout: 60_000 }, [200]],
  ['a call that a circuit breaker let through', { circuitBreaker: { execute: <T>(send: () => Promise<T>) => send() } }, [200]],
];

describe.each(ADAPTERS)('a stream answer through the %s adapter, read to its end', (adapter) => {
  describe.each(CALLS)('of %s', (_what, options, statuses) => {
    it.each(ABORT_WAYS)('leaves no listener on %s that lives on', async (_way, make) => {
      const server = await serve(...statuses);
      const way = make();
      const api = axios.create({ adapter });
      attachRetry(api, watchedPolicy(options).options);
      const { data } = await api.get<AsyncIterable<Uint8Array>>(server.url, { responseType: 'stream', ...way.config });
      for await (const _chunk of data);
      await settled();
      expect(way.listeners()).toBe(0);
    });
  });
});
