// How a user's own tests run a whole policy without waiting.
import { attachRetry, getRetryReport, type RetryOptions } from '../../../lib/index';
import axios from '../../helpers/axios';
import { rejectionOf } from '../../helpers/observed';

const MINUTE = 60_000;

/** An instance whose every request fails at once, without a network. */
function failing(retry: RetryOptions): { get: () => Promise<unknown>; sent: () => number } {
  let sent = 0;
  const api = axios.create({
    adapter: (config) => {
      sent += 1;
      return Promise.reject(new axios.AxiosError('reset', 'ECONNRESET', config));
    },
  });
  attachRetry(api, { baseDelay: MINUTE, maxDelay: MINUTE, factor: 1, jitter: 'none', ...retry });
  return { get: () => rejectionOf(api.get('/orders')), sent: () => sent };
}

describe('R113 three retries of a minute each', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each<[string, Parameters<typeof jest.useFakeTimers>[0]]>([
    ['timers and clocks', {}],
    ['timers alone', { doNotFake: ['performance', 'Date'] }],
  ])('finish in one tick of the fake clock: %s', async (_what, config) => {
    const { get, sent } = failing({});
    // Faked after attaching: both are looked up late.
    jest.useFakeTimers(config);
    const call = get();
    await jest.advanceTimersByTimeAsync(3 * MINUTE);
    expect(sent()).toBe(4);
    expect(await call).toMatchObject({ code: 'ECONNRESET', retry: { attempts: 4, totalDelay: 3 * MINUTE } });
    expect(jest.getTimerCount()).toBe(0);
  });

  it('are not over before the fake clock says so', async () => {
    const { get, sent } = failing({ retries: 1 });
    jest.useFakeTimers();
    const call = get();
    await jest.advanceTimersByTimeAsync(MINUTE - 1);
    expect(sent()).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(sent()).toBe(2);
    await call;
  });

  it('finish without any timer with a sleep of one’s own, and are countable', async () => {
    const waits: number[] = [];
    const { get } = failing({ sleep: async (ms) => void waits.push(ms) });
    jest.useFakeTimers();
    const error = await get();
    expect(waits).toEqual([MINUTE, MINUTE, MINUTE]);
    expect(getRetryReport(error)?.history).toHaveLength(4);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('are drawn from Math.random as it is at that moment', async () => {
    const waits: number[] = [];
    const { get } = failing({ jitter: 'full', sleep: async (ms) => void waits.push(ms) });
    jest.spyOn(Math, 'random').mockReturnValue(0.25);
    await get();
    expect(waits).toEqual([MINUTE / 4, MINUTE / 4, MINUTE / 4]);
  });
});
