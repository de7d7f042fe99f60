// What a shared wait does when it is over, and what a later refusal makes of it.
import axios from '../../helpers/axios';
import { answers, rejection, startService } from '../../helpers/local-service';
import { client, oneSecond, someoneWaits, ticks } from '../../helpers/shared-wait';
import { until, VirtualTime } from '../../helpers/virtual-time';
import { attachRetry, getRetryReport, type RetryOptions } from '../../../lib/index';

const refuse = (seconds: number) => [429, { 'retry-after': String(seconds) }] as const;
/** A call that is not retried itself, to an address of its own: it only brings the news. */
const hearNews = async ({ api }: ReturnType<typeof client>, url: string): Promise<unknown> =>
  rejection(api.post(url, {}, { retry: { shareRetryAfter: true } }));

async function attemptThatWaits(which: 'first' | 'retry', options: RetryOptions = {}) {
  const service = await startService(answers(200));
  const one = client({ shareRetryAfter: 'all', ...options });
  if (which === 'first') {
    service.answer = answers(refuse(1));
    await hearNews(one, service.url);
    service.answer = answers(200);
  } else service.answer = answers(refuse(1), 200);
  const call = one.api.get(service.url);
  await until(() => one.time.begun.length === 1);
  const sent = service.received.length;
  return { ...one, service, call, sent: () => service.received.length - sent };
}

/** Another call is told, while it waits, to stay away. The service answers with 200 again afterwards. */
async function renew({ service, ...one }: Awaited<ReturnType<typeof attemptThatWaits>>, seconds: number): Promise<void> {
  service.answer = answers(refuse(seconds));
  await hearNews(one, service.url);
  service.answer = answers(200);
}

describe.each(['first', 'retry'] as const)("with 'all' a %s attempt", (which) => {
  it('waits for what was renewed meanwhile, with a spread of what was asked', async () => {
    const one = await attemptThatWaits(which);
    expect(one.time.begun).toEqual([1_250]);
    one.time.advance(500);
    await renew(one, 2);
    const before = one.sent();
    one.time.advance(750);
    await until(() => one.time.begun.length === 2);
    // Until 2,500, at 1,250; and half of a spread of 1,000.
    expect(one.time.begun).toEqual([1_250, 1_250 + 500]);
    expect(one.sent()).toBe(before);
    one.time.advance(1_750);
    expect((await one.call).status).toBe(200);
  });

  it('does not wait twice for what it has waited for, though the sleep did not move the clock', async () => {
    const begun: number[] = [];
    const sleep = (ms: number): Promise<void> => {
      begun.push(ms);
      return Promise.resolve();
    };
    const service = await startService(answers(refuse(1), 200));
    const one = client({ shareRetryAfter: 'all', sleep });
    if (which === 'first') await hearNews(one, service.url);
    expect((await one.api.get(service.url)).status).toBe(200);
    expect(begun).toEqual([1_250]);
  });

  it('waits only for what goes beyond its wait, where the sleep does not move the clock', async () => {
    const begun: number[] = [];
    let renewals = 1;
    const service = await startService(answers(refuse(1), 200));
    const one = client({
      shareRetryAfter: 'all',
      sleep: async (ms) => {
        begun.push(ms);
        if (renewals-- === 0) return;
        service.answer = answers(refuse(3));
        await hearNews(one, service.url);
        service.answer = answers(200);
      },
    });
    if (which === 'first') await hearNews(one, service.url);
    expect((await one.api.get(service.url)).status).toBe(200);
    // 3,000 from a clock that stands at 0, less 1,250; and half of a spread of 1,500.
    expect(begun).toEqual([1_250, 1_750 + 750]);
  });

  it('is not held by a renewal that has ended before its own wait', async () => {
    const one = await attemptThatWaits(which);
    one.time.advance(100);
    await renew(one, 1);
    one.time.advance(1_150);
    expect((await one.call).status).toBe(200);
    expect(one.time.begun).toEqual([1_250]);
  });

  it('is sent after maxRetryAfter and one spread, however often the pause is renewed', async () => {
    const one = await attemptThatWaits(which, { maxRetryAfter: 3_000 });
    let waited = 0;
    const call = one.call.then(({ status }) => status);
    for (let round = 1; one.sent() === 0 || round < 4; round++) {
      if (round > 10) throw new Error('it is never sent');
      await until(() => one.time.begun.length === round || one.time.waiting === 0);
      if (one.time.waiting === 0) break;
      const wait = one.time.begun.at(-1) ?? 0;
      waited += wait;
      one.time.advance(wait - 1);
      await renew(one, 3);
      one.time.advance(1);
      await ticks();
    }
    expect(await call).toBe(200);
    expect(waited).toBeGreaterThan(3_000);
    expect(waited).toBeLessThanOrEqual(3_000 + 1_500);
  });

  it('ends at a deadline of its own, and does not begin a wait that goes past it', async () => {
    const one = await attemptThatWaits(which, { totalTimeout: 2_000 });
    one.time.advance(500);
    await renew(one, 2);
    const sent = one.sent();
    one.time.advance(750);
    const error = await rejection(one.call);
    // The last real error where there is one.
    expect(error).toMatchObject(which === 'first' ? { code: 'ECONNABORTED' } : { response: { status: 429 } });
    expect(getRetryReport(error)).toMatchObject({ reason: 'deadline', attempts: which === 'first' ? 0 : 1 });
    expect([one.time.begun.length, one.sent()]).toEqual([1, sent]);
  });

  it('ends at an abort in its second wait', async () => {
    const service = await startService(answers(refuse(1), 200));
    const one = client({ shareRetryAfter: 'all' });
    if (which === 'first') await hearNews(one, service.url);
    const gone = new AbortController();
    const call = rejection(one.api.get(service.url, { signal: gone.signal }));
    await until(() => one.time.begun.length === 1);
    service.answer = answers(refuse(5));
    await hearNews(one, service.url);
    one.time.advance(1_250);
    await until(() => one.time.begun.length === 2);
    const sent = service.received.length;
    expect(one.handle.stats().waiting).toBe(1);
    gone.abort(new Error('left the page'));
    const error = await call;
    expect(axios.isCancel(error)).toBe(true);
    expect(error).toMatchObject({ cause: { message: 'left the page' } });
    expect(getRetryReport(error)).toMatchObject({ reason: 'aborted', attempts: which === 'first' ? 0 : 1 });
    expect(service.received).toHaveLength(sent);
    expect(one.handle.stats()).toMatchObject({ waiting: 0, gaveUp: { aborted: 1 }, budgets: [] });
  });

  it('counts all that it has waited', async () => {
    const one = await attemptThatWaits(which, { retries: 1 });
    one.time.advance(500);
    await renew(one, 2);
    one.service.answer = answers(503);
    one.time.advance(750);
    await until(() => one.time.begun.length === 2);
    one.time.advance(1_750);
    if (which === 'first') {
      await until(() => one.time.begun.length === 3);
      one.time.advance(one.time.begun[2] ?? 0);
    }
    const report = getRetryReport(await rejection(one.call));
    expect(report?.totalDelay).toBe(one.time.begun.reduce((sum, wait) => sum + wait, 0));
  });
});

it('the spread of a shared wait is measured by the longest that was asked of the pause that is on', async () => {
  const service = await startService(answers(refuse(8), refuse(1), 500, 200));
  const one = client({ shareRetryAfter: true, maxDelay: 60_000 });
  await hearNews(one, service.url);
  one.time.advance(6_000);
  await hearNews(one, service.url);
  const call = one.api.get(service.url);
  await until(() => one.time.begun.length === 1);
  // 2,000 left; half of a spread of 4,000.
  expect(one.time.begun).toEqual([4_000]);
  one.time.advance(4_000);
  await call;
});

it('a new pause knows nothing of what the one before asked', async () => {
  const service = await startService(answers(refuse(8), refuse(1), 500, 200));
  const one = client({ shareRetryAfter: true });
  await hearNews(one, service.url);
  one.time.advance(8_000);
  await hearNews(one, service.url);
  const call = one.api.get(service.url);
  await until(() => one.time.begun.length === 1);
  expect(one.time.begun).toEqual([1_250]);
  one.time.advance(1_250);
  await call;
});

describe('F22: a first attempt that waits', () => {
  async function waiting() {
    const service = await startService(answers(oneSecond, 200));
    const onGiveUp = jest.fn();
    const one = client({ shareRetryAfter: 'all', onGiveUp });
    await someoneWaits(one, service.url);
    const call = rejection(one.api.get(service.url));
    await until(() => one.time.begun.length === 1);
    return { ...one, service, call, onGiveUp };
  }

  it('is in stats().waiting, and no longer when it is sent', async () => {
    const one = await waiting();
    // And the retry that was told to wait.
    expect(one.handle.stats().waiting).toBe(2);
    one.time.advance(1_250);
    await rejection(one.call);
    expect(one.handle.stats().waiting).toBe(0);
  });

  it('ends at detach, with a cancellation and reason detached; nothing is sent afterwards', async () => {
    const one = await waiting();
    one.handle.detach();
    const error = await one.call;
    expect(axios.isCancel(error)).toBe(true);
    expect(error).toMatchObject({ config: { url: one.service.url } });
    expect(getRetryReport(error)).toMatchObject({ reason: 'detached', attempts: 0, history: [] });
    expect(one.onGiveUp).toHaveBeenCalledWith(expect.objectContaining({ reason: 'detached', attempt: 0 }));
    one.time.advance(60_000);
    await ticks();
    expect(one.service.received).toHaveLength(1);
    expect(one.handle.stats()).toMatchObject({ waiting: 0, gaveUp: { detached: 2 } });
  });

  it('ends at detach of a later attachRetry, too', async () => {
    const one = await waiting();
    attachRetry(one.api).detach();
    expect(getRetryReport(await one.call)).toMatchObject({ reason: 'detached' });
  });

  it('does not begin to wait when detach came before its adapter', async () => {
    const service = await startService(answers(oneSecond, 200));
    const api = axios.create();
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    api.interceptors.request.use(async (config) => {
      if (config.params) await held;
      return config;
    });
    const time = new VirtualTime();
    const handle = attachRetry(api, { shareRetryAfter: 'all', retries: 0, sleep: time.sleep, now: time.now });
    const call = rejection(api.get(service.url, { params: { held: true } }));
    await rejection(api.get(service.url));
    handle.detach();
    goOn();
    expect(getRetryReport(await call)).toMatchObject({ reason: 'detached', attempts: 0 });
    expect(time.begun).toEqual([]);
  });
});

describe('stats().pauses', () => {
  it('lists the origins that asked to be left alone, with the time that is left', async () => {
    const service = await startService(answers(refuse(8)));
    const one = client({ shareRetryAfter: true });
    expect(one.handle.stats().pauses).toEqual([]);
    await hearNews(one, service.url);
    one.time.advance(3_000);
    expect(one.handle.stats().pauses).toEqual([{ origin: service.url, timeLeft: 5_000 }]);
    one.time.advance(5_000);
    expect(one.handle.stats().pauses).toEqual([]);
  });

  it('holds no longer than maxRetryAfter', async () => {
    const service = await startService(answers(refuse(3_600)));
    const one = client({ shareRetryAfter: 'all', maxRetryAfter: 2_000 });
    await hearNews(one, service.url);
    expect(one.handle.stats().pauses).toEqual([{ origin: service.url, timeLeft: 2_000 }]);
  });
});
