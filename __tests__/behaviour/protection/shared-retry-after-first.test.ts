import axios from '../../helpers/axios';
import { answers, rejection, startService } from '../../helpers/local-service';
import { client, oneSecond, someoneWaits, ticks } from '../../helpers/shared-wait';
import { until, VirtualTime } from '../../helpers/virtual-time';
import { attachRetry, getRetryReport, type RetryOptions } from '../../../lib/index';

describe("a first attempt that waits, with 'all'", () => {
  async function waiting(options: RetryOptions = {}) {
    const service = await startService(answers(oneSecond, 200));
    const onGiveUp = jest.fn();
    const one = client({ shareRetryAfter: 'all', onGiveUp, ...options });
    await someoneWaits(one, service.url);
    return { ...one, service, onGiveUp };
  }

  it('is sent when its wait is over', async () => {
    const { api, time, service, handle } = await waiting();
    const call = api.get(service.url);
    await until(() => time.begun.length === 1);
    expect(time.begun).toEqual([1_250]);
    expect(handle.stats()).toMatchObject({ budgets: [{ tokens: 99 }] });
    time.advance(1_250);
    const response = await call;
    expect(response.status).toBe(200);
    expect(getRetryReport(response)).toBeUndefined();
  });

  it('ends at once when its caller cancels, and sends nothing', async () => {
    const { api, time, service, handle, onGiveUp } = await waiting();
    const gone = new AbortController();
    const call = rejection(api.get(service.url, { signal: gone.signal }));
    await until(() => time.begun.length === 1);
    gone.abort(new Error('left the page'));
    const error = await call;
    expect(axios.isCancel(error)).toBe(true);
    expect(error).toMatchObject({ code: 'ERR_CANCELED', config: { url: service.url }, cause: { message: 'left the page' } });
    expect(getRetryReport(error)).toMatchObject({ reason: 'aborted', attempts: 0 });
    expect(onGiveUp).toHaveBeenCalledTimes(1);
    expect(onGiveUp).toHaveBeenCalledWith(expect.objectContaining({ reason: 'aborted', kind: 'cancelled' }));
    expect(handle.stats()).toMatchObject({ attempts: 1, gaveUp: { aborted: 1, 'circuit-open': 0 } });
    time.advance(60_000);
    await ticks();
    // That of the call before.
    expect(service.received).toHaveLength(2);
  });

  it('ends at once when its cancel token is used', async () => {
    const { api, time, service } = await waiting();
    const source = axios.CancelToken.source();
    const call = rejection(api.get(service.url, { cancelToken: source.token }));
    await until(() => time.begun.length === 1);
    source.cancel('left the page');
    const error = await call;
    expect(axios.isCancel(error)).toBe(true);
    expect((error as Error).message).toBe('left the page');
    expect(getRetryReport(error)).toMatchObject({ reason: 'aborted' });
  });

  it('leaves no listener on the signal of its caller', async () => {
    const { api, time, service } = await waiting();
    const gone = new AbortController();
    const added = jest.spyOn(gone.signal, 'addEventListener');
    const removed = jest.spyOn(gone.signal, 'removeEventListener');
    const call = api.get(service.url, { signal: gone.signal });
    await until(() => time.begun.length === 1);
    time.advance(1_250);
    await call;
    expect(removed.mock.calls.length).toBeGreaterThanOrEqual(added.mock.calls.length);
  });

  it('does not begin to wait past a deadline of its own', async () => {
    const { api, time, service, onGiveUp } = await waiting();
    const error = await rejection(api.get(service.url, { retry: { totalTimeout: 1_250 } }));
    expect(error).toMatchObject({ code: 'ECONNABORTED', message: 'totalTimeout of 1250ms exceeded', config: { url: service.url } });
    expect(getRetryReport(error)).toMatchObject({ reason: 'deadline', attempts: 0 });
    expect(onGiveUp).toHaveBeenCalledTimes(1);
    expect(onGiveUp).toHaveBeenCalledWith(expect.objectContaining({ reason: 'deadline' }));
    expect(time.begun).toEqual([]);
    expect(service.received).toHaveLength(1);
  });

  it('waits where its deadline is far enough', async () => {
    const { api, time, service } = await waiting();
    const call = api.get(service.url, { retry: { totalTimeout: 1_251 } });
    await until(() => time.begun.length === 1);
    time.advance(1_250);
    expect((await call).status).toBe(200);
  });

  it('ends with what a broken sleep throws, and sends nothing', async () => {
    const { api, service } = await waiting();
    const broken = new Error('no timers here');
    expect(await rejection(api.get(service.url, { retry: { sleep: () => Promise.reject(broken) } }))).toBe(broken);
    expect(service.received).toHaveLength(1);
  });

  it('waits no longer than maxRetryAfter, whatever the answer asked for', async () => {
    const service = await startService(answers([429, { 'retry-after': '3600' }], 200));
    const { api, time } = client({ shareRetryAfter: 'all', maxRetryAfter: 2_000 });
    expect(getRetryReport(await rejection(api.get(service.url)))?.reason).toBe('retry-after');
    const call = api.get(service.url);
    await until(() => time.begun.length === 1);
    // 2,000, and half a spread of 1,000.
    expect(time.begun).toEqual([2_500]);
    time.advance(2_500);
    expect((await call).status).toBe(200);
  });

  it('asks the breaker after its wait, not before', async () => {
    const asked: number[] = [];
    const time = new VirtualTime();
    const execute = <T>(send: () => Promise<T>): Promise<T> => {
      asked.push(time.now());
      return send();
    };
    const service = await startService(answers(oneSecond, 200));
    const one = client({ shareRetryAfter: 'all', circuitBreaker: { execute } }, time);
    await someoneWaits(one, service.url);
    const call = one.api.get(service.url);
    await until(() => time.begun.length === 1);
    expect(asked).toEqual([0]);
    time.advance(1_250);
    await call;
    expect(asked).toEqual([0, 1_250, 1_250]);
  });

  it('waits in real time, too', async () => {
    const arrivals: number[] = [];
    const service = await startService((_request, response, index) => {
      arrivals.push(performance.now());
      if (index === 0) response.writeHead(429, { 'retry-after-ms': '60' }).end();
      else response.end('{}');
    });
    const api = axios.create();
    attachRetry(api, { shareRetryAfter: 'all', retryAfterSpread: 0, retries: 0 });
    await rejection(api.get(service.url));
    await Promise.all([api.get(service.url), api.get(service.url)]);
    expect(arrivals).toHaveLength(3);
    expect(Math.min(...arrivals.slice(1)) - (arrivals[0] ?? 0)).toBeGreaterThanOrEqual(60);
  });
});
