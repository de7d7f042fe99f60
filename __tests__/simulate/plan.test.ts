// What `plan` says on paper, against real calls: real axios, the plugin with its own timers, and a clock that is fast.
import axios, { AxiosError, AxiosHeaders, type AxiosAdapter, type InternalAxiosRequestConfig } from 'axios';
import { planPolicy, PRESETS, type Plan } from 'axios-jitter/simulate';

import { attachRetry, type RetryOptions } from '../../lib/index';
import { seededRandom } from '../helpers/virtual-time';

const timeout = 2_000;
const highest = (): number => 1 - 2 ** -32;

/** What a server does to an attempt: after how many ms, and with which Retry-After (s); no status = never. */
interface Answer {
  readonly after: number;
  readonly status?: number;
  readonly retryAfter?: number | undefined;
}
type Server = () => Answer;

function failure(config: InternalAxiosRequestConfig, { status, retryAfter }: Answer): AxiosError {
  if (status === undefined) return new AxiosError('timeout of 2000ms exceeded', 'ECONNABORTED', config, {});
  const headers = new AxiosHeaders(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });
  return new AxiosError(`status ${status}`, 'ERR_BAD_RESPONSE', config, {}, { status, statusText: '', data: '', headers, config });
}

/** An attempt ends by its timeout at the latest. */
const adapterOf =
  (server: Server): AxiosAdapter =>
  (config) =>
    new Promise((_, reject) => {
      const answer = server();
      const isLate = answer.after > timeout;
      setTimeout(() => reject(failure(config, isLate ? { after: timeout } : answer)), Math.min(answer.after, timeout));
    });

/** How long a real call takes, in ms of the fast clock. */
async function timeOf(options: RetryOptions, server: Server): Promise<number> {
  const api = axios.create({ adapter: adapterOf(server) });
  const { detach } = attachRetry(api, options);
  const startedAt = performance.now();
  let endedAt: number | undefined;
  const call = api.get('https://api.example.com/').catch(() => (endedAt = performance.now()));
  while (endedAt === undefined) await jest.advanceTimersToNextTimerAsync();
  await call;
  detach();
  return endedAt - startedAt;
}

const policies: Readonly<Record<string, RetryOptions>> = {
  'the defaults': {},
  'no retry': { retries: 0 },
  'five retries, and a deadline': { retries: 5, totalTimeout: 10_000 },
  'a deadline that leaves the server time': { retries: 2, totalTimeout: 120_000 },
  'equal jitter': { retries: 4, jitter: 'equal', baseDelay: 1_000 },
  'decorrelated jitter': { retries: 8, jitter: 'decorrelated', baseDelay: 200, maxDelay: 5_000 },
  'plus or minus': { jitter: { plusMinus: 250 }, baseDelay: 1_000 },
  'no jitter': { jitter: 'none', retries: 6 },
  'a short Retry-After with a wide spread': { maxRetryAfter: 5_000, retryAfterSpread: 1 },
  'Retry-After without a spread': { maxRetryAfter: 90_000, retryAfterSpread: 0 },
  'a steep backoff beyond Retry-After': { retries: 12, baseDelay: 50, factor: 3, maxDelay: 600_000 },
  'many small retries': { retries: 40, baseDelay: 100, maxDelay: 300, maxRetryAfter: 2_000 },
  'a Retry-After that is not read': { retryAfter: false },
  'a delay of its own': { delay: ({ attempt }) => attempt * 1_500, retries: 4 },
  "axios-retry's formula": PRESETS['axios-retry-exponential'](highest, timeout),
  "retry-axios' formula": { ...PRESETS['retry-axios'](highest, timeout), maxRetryAfter: 30_000 },
};
const given = (options: RetryOptions, random: () => number): RetryOptions => ({ budget: false, ...options, random });

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

describe.each(Object.entries(policies))('the worst case of %s', (_, options) => {
  const { worstCase, worstCaseWithoutRetryAfter }: Plan = planPolicy(options, { timeout, calls: 10 });
  const asks = Math.floor((options.maxRetryAfter ?? 60_000) / 1_000);
  // A deadline leaves room for less than the longest.
  const parts = options.totalTimeout === undefined ? [1] : [1, 0.9, 0.8, 0.7, 0.5, 0.3, 0.1];
  const asking = parts.map((part): Server => () => ({ after: timeout, status: 429, retryAfter: asks < Infinity ? Math.floor(part * asks) : 3_600 }));
  const mute: Server = () => ({ after: Infinity });
  const silent: Server = () => ({ after: timeout, status: 503 });

  it('is reached within 2 % by a real call', async () => {
    let longest = 0;
    for (const server of [...asking, mute, silent]) longest = Math.max(longest, await timeOf(given(options, highest), server));
    expect(longest).toBeLessThanOrEqual(worstCase);
    expect(longest).toBeGreaterThanOrEqual(0.98 * worstCase);
  });

  it('is reached within 2 % without Retry-After, too', async () => {
    const longest = await timeOf(given(options, highest), silent);
    expect(longest).toBeLessThanOrEqual(worstCaseWithoutRetryAfter);
    expect(longest).toBeGreaterThanOrEqual(0.98 * worstCaseWithoutRetryAfter);
  });

  it('is exceeded by no call, whatever the server and chance do', async () => {
    for (let seed = 1; seed <= 8; seed++) {
      const chance = seededRandom(seed);
      const server: Server = () => ({
        after: chance() * 1.2 * timeout,
        status: [429, 503, 500][Math.floor(chance() * 3)] as number,
        retryAfter: chance() < 0.5 ? Math.floor(chance() * 1.1 * asks) : undefined,
      });
      expect(await timeOf(given(options, seededRandom(1_000 + seed)), server)).toBeLessThanOrEqual(worstCase);
    }
  });
});

it('the worst case counts the wait of a first attempt for what another call was told, and is reached', async () => {
  const options: RetryOptions = { shareRetryAfter: 'all', maxRetryAfter: 5_000, retries: 2 };
  const { worstCase } = planPolicy(options, { timeout, calls: 10 });
  const api = axios.create({ adapter: adapterOf(() => ({ after: timeout, status: 429, retryAfter: 5 })) });
  const { detach, stats } = attachRetry(api, given(options, highest));
  const times: number[] = [];
  const call = async (): Promise<void> => {
    const startedAt = performance.now();
    await api.get('https://api.example.com/').catch(() => times.push(performance.now() - startedAt));
  };
  const calls = [call()];
  while (stats().waiting === 0) await jest.advanceTimersToNextTimerAsync();
  calls.push(call());
  while (times.length < 2) await jest.advanceTimersToNextTimerAsync();
  await Promise.all(calls);
  detach();
  expect(Math.max(...times)).toBeLessThanOrEqual(worstCase);
  expect(Math.max(...times)).toBeGreaterThanOrEqual(0.98 * worstCase);
});

describe('plan', () => {
  it('counts the longest Retry-After with its spread, and says what it rests on', () => {
    const { worstCase, worstCaseWithoutRetryAfter, assumptions } = planPolicy('default');
    // 60 s and a spread of at most maxDelay (10 s), three times, and four attempts of 2 s.
    expect(worstCase).toBe(3 * 70_000 + 4 * 2_000);
    expect(worstCaseWithoutRetryAfter).toBe(500 + 1_000 + 2_000 + 4 * 2_000);
    expect(assumptions).toEqual({ timeout: 2_000, totalTimeout: undefined, hasBudget: true, calls: 10_000, retryAfter: 60_000 });
  });

  it('knows no end without a timeout, unless there is a deadline', () => {
    expect(planPolicy({}, { timeout: 0, calls: 1 }).worstCase).toBe(Infinity);
    expect(planPolicy({ totalTimeout: 9_000 }, { timeout: 0, calls: 1 }).worstCase).toBe(9_000);
  });

  it('knows no end for a peer that waits for any Retry-After', () => {
    expect(planPolicy('axios-retry', { timeout: 0, calls: 1 }).worstCase).toBe(Infinity);
  });

  it('sums up more retries than it counts one by one', () => {
    const { worstCaseWithoutRetryAfter } = planPolicy({ retries: 100_000, baseDelay: 10, maxDelay: 10 }, { timeout: 1, calls: 1 });
    expect(worstCaseWithoutRetryAfter).toBe(100_000 * 10 + 100_001);
  });
});
