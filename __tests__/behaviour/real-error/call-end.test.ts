// How a running attempt is cut short, in memory: an adapter that hangs until its signal says that nobody waits.
import type { InternalAxiosRequestConfig } from 'axios';
import { attachRetry, getRetryReport, type RetryOptions } from '../../../lib/index';
import axios from '../../helpers/axios';
import { advance, stopClock } from '../../helpers/fake-timers';
import { failureOf, watchedPolicy } from '../../helpers/watched-policy';

const MINUTE = 60_000;

/** Fails with 503 as often as it is told to, then hangs. */
function makeApi(failures: number, options: RetryOptions, hasInner = false) {
  let requests = 0;
  const adapter = (config: InternalAxiosRequestConfig) => {
    requests += 1;
    if (requests <= failures) {
      const response = { config, status: 503, statusText: '', data: '', headers: {} };
      return Promise.reject(new axios.AxiosError('unavailable', 'ERR_BAD_RESPONSE', config, undefined, response));
    }
    return new Promise<never>((_resolve, reject) => {
      config.signal?.addEventListener?.('abort', () => reject(new axios.CanceledError()));
    });
  };
  const api = axios.create({ adapter });
  if (hasInner) api.interceptors.request.use((config) => config);
  const policy = watchedPolicy(options);
  attachRetry(api, policy.options);
  return { api, policy, countRequests: () => requests };
}

describe.each([0, 2])('after %d failures, an attempt that hangs', (failures) => {
  it('ends at the deadline as a timeout, with the failure before it as its cause', async () => {
    stopClock();
    const { api, policy } = makeApi(failures, { totalTimeout: MINUTE });
    const failing = failureOf(api.get('http://service.test/'));
    await advance(MINUTE);
    const error = await failing;
    expect(error).toMatchObject({ message: `totalTimeout of ${MINUTE}ms exceeded`, code: 'ECONNABORTED' });
    expect((error.cause as Error | undefined)?.message).toBe(failures === 0 ? undefined : 'unavailable');
    expect(policy.reasons).toEqual(['deadline']);
  });

  // BUG: of a retry, under a deadline or with an inner interceptor, the reason is lost and the kind is `permanent`.
  it.each<[string, RetryOptions, boolean]>([
    ['before the deadline', { totalTimeout: MINUTE }, false],
    ['and nothing else could end it', {}, false],
    ['and interceptors lie inside', {}, true],
  ])('ends as a cancellation with its reason when the caller gives up %s', async (_what, options, hasInner) => {
    stopClock();
    const { api, policy, countRequests } = makeApi(failures, options, hasInner);
    const caller = new AbortController();
    const failing = failureOf(api.get('http://service.test/', { signal: caller.signal }));
    await advance(MINUTE / 2);
    caller.abort(new Error('the page was left'));
    const error = await failing;
    expect(axios.isCancel(error)).toBe(true);
    expect(error).toHaveProperty('cause.message', 'the page was left');
    expect(policy.gaveUp).toMatchObject([{ reason: 'aborted', kind: 'cancelled', attempt: failures + 1, error }]);
    await advance(MINUTE);
    expect(countRequests()).toBe(failures + 1);
  });
});

it('a retry that the circuit breaker refuses is not sent: the call ends with its last real error', async () => {
  let sends = 0;
  const execute = <T>(send: () => Promise<T>): Promise<T> => (++sends > 2 ? Promise.reject(new Error('open')) : send());
  const { api, policy, countRequests } = makeApi(2, { circuitBreaker: { execute } });
  const error = await failureOf(api.get('http://service.test/'));
  expect(error).toMatchObject({ message: 'unavailable', response: { status: 503 } });
  expect(getRetryReport(error)).toMatchObject({ reason: 'circuit-open', attempts: 2 });
  expect(policy.reasons).toEqual(['circuit-open']);
  expect(countRequests()).toBe(2);
});
