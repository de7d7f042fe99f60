import { answers, rejection, startService } from '../../helpers/local-service';
import { client, fine, oneSecond, someoneWaits, ticks } from '../../helpers/shared-wait';
import { seededRandom, until, VirtualTime } from '../../helpers/virtual-time';
import { getRetryReport, type RetryOptions } from '../../../lib/index';

it("R106: with 'all' nobody calls an origin in the second that it asked for, and afterwards not all at once", async () => {
  const time = new VirtualTime();
  const arrivals: number[] = [];
  const service = await startService((_request, response, index) => {
    arrivals.push(time.now());
    if (index === 0) response.writeHead(429, { 'retry-after': '1' }).end();
    else response.end('{}');
  });
  const { api } = client({ shareRetryAfter: 'all', random: seededRandom(106) }, time);
  const calls = [api.get(service.url)];
  await until(() => time.waiting === 1);
  time.advance(100);
  for (let i = 2; i <= 5; i++) calls.push(api.get(service.url));
  await until(() => time.waiting === 5);
  for (const wait of time.begun.slice(1)) {
    expect(wait).toBeGreaterThanOrEqual(900);
    expect(wait).toBeLessThan(1_400);
  }
  expect(new Set(time.begun).size).toBe(5);
  time.advance(899);
  await ticks();
  expect(service.received).toHaveLength(1);
  while (time.waiting > 0) {
    time.advance(1);
    await ticks();
  }
  await Promise.all(calls);
  expect(service.received).toHaveLength(6);
  const later = arrivals.slice(1);
  expect(Math.min(...later)).toBeGreaterThanOrEqual(1_000);
  expect(new Set(later).size).toBe(5);
});

describe('the waits of other calls', () => {
  it('know nothing of it by default', async () => {
    const service = await startService(answers(oneSecond, 500, 200));
    const one = client();
    await someoneWaits(one, service.url);
    const other = one.api.get(service.url);
    await until(() => one.time.begun.length === 1);
    expect(one.time.begun).toEqual([250]);
    one.time.advance(250);
    expect((await other).status).toBe(200);
  });

  it.each([true, 'all'] as const)('last as long as it asks when they begin, with a spread of their own (%s)', async (shareRetryAfter) => {
    const service = await startService(answers('hang'));
    const one = client({ shareRetryAfter });
    let answerOther = (): void => undefined;
    service.answer = (_request, response) => void (answerOther = () => response.writeHead(500).end());
    const other = one.api.get(service.url);
    await until(() => service.received.length === 1);
    service.answer = answers(oneSecond, 200);
    await someoneWaits(one, service.url);
    one.time.advance(400);
    answerOther();
    await until(() => one.time.begun.length === 1);
    // 600 left, and half of a spread of 500.
    expect(one.time.begun).toEqual([850]);
    one.time.advance(850);
    expect((await other).status).toBe(200);
  });

  it('last as long as their own answer asks where that is longer', async () => {
    const service = await startService(answers(oneSecond, [503, { 'retry-after': '4' }], 200));
    const one = client({ shareRetryAfter: true });
    await someoneWaits(one, service.url);
    const other = rejection(one.api.get(service.url, { retry: { retries: 1 } }));
    await until(() => one.time.begun.length === 1);
    expect(one.time.begun).toEqual([5_000]);
    one.handle.detach();
    await other;
  });

  it('are not shortened by a later answer that asks for less', async () => {
    const service = await startService(answers([429, { 'retry-after': '8' }], [429, { 'retry-after': '1' }], 200));
    const { api, time, handle } = client({ shareRetryAfter: true });
    const calls = [rejection(api.get(service.url))];
    await until(() => time.begun.length === 1);
    calls.push(rejection(api.get(service.url)));
    await until(() => time.begun.length === 2);
    expect(time.begun).toEqual([10_000, 10_000]);
    handle.detach();
    await Promise.all(calls);
  });

  it('end at once when they would pass a deadline of their own, with the last real error', async () => {
    const service = await startService(answers(oneSecond, 500));
    const one = client({ shareRetryAfter: true });
    await someoneWaits(one, service.url);
    const error = await rejection(one.api.get(service.url, { retry: { totalTimeout: 1_000 } }));
    expect(error).toMatchObject({ response: { status: 500 } });
    expect(getRetryReport(error)).toMatchObject({ reason: 'deadline', attempts: 1 });
    expect(one.time.begun).toEqual([]);
  });

  it('are their own again when the second has passed', async () => {
    const service = await startService(answers(oneSecond, 500, 200));
    const one = client({ shareRetryAfter: true });
    await someoneWaits(one, service.url);
    one.time.advance(1_000);
    const other = one.api.get(service.url);
    await until(() => one.time.begun.length === 1);
    expect(one.time.begun).toEqual([250]);
    one.time.advance(250);
    expect((await other).status).toBe(200);
  });

  it('are held by an answer that is not retried itself', async () => {
    const service = await startService(answers(oneSecond, 500, 200));
    const { api, time } = client({ shareRetryAfter: true });
    expect(getRetryReport(await rejection(api.post(service.url, {})))?.reason).toBe('method');
    const other = api.get(service.url);
    await until(() => time.begun.length === 1);
    expect(time.begun).toEqual([1_250]);
    time.advance(1_250);
    await other;
  });

  it.each<[string, RetryOptions]>([
    ['', {}],
    [', also those that pass a breaker', { circuitBreaker: { execute: (send) => send() } }],
  ])('leave first attempts alone%s', async (_name, options) => {
    const service = await startService(answers(oneSecond, 200));
    const one = client({ shareRetryAfter: true, ...options });
    await someoneWaits(one, service.url);
    expect((await one.api.get(service.url)).status).toBe(200);
    expect(one.time.begun).toEqual([]);
  });

  it('have no spread with retryAfterSpread: 0', async () => {
    const service = await startService(answers(oneSecond, 500, 200));
    const { api, time, handle } = client({ shareRetryAfter: true, retryAfterSpread: 0, baseDelay: 0 });
    const calls = [rejection(api.get(service.url))];
    await until(() => time.begun.length === 1);
    time.advance(300);
    calls.push(rejection(api.get(service.url)));
    await until(() => time.begun.length === 2);
    expect(time.begun).toEqual([1_000, 700]);
    handle.detach();
    await Promise.all(calls);
  });
});

describe('whom it concerns', () => {
  it('calls to the same origin only', async () => {
    const [a, b] = [await startService(answers(oneSecond, 200)), await startService(fine)];
    const one = client({ shareRetryAfter: 'all' });
    await someoneWaits(one, a.url);
    expect((await one.api.get(b.url)).status).toBe(200);
    expect(one.time.begun).toEqual([]);
  });

  it('calls with the same key where there is an option `origin`', async () => {
    const service = await startService(answers(oneSecond, 200));
    const one = client({ shareRetryAfter: 'all', origin: ({ url = '' }) => new URL(url).pathname });
    await someoneWaits(one, `${service.url}/a`);
    expect((await one.api.get(`${service.url}/b`)).status).toBe(200);
    void rejection(one.api.get(`${service.url}/a`));
    await until(() => one.time.begun.length === 1);
  });

  it('only those that ask for it', async () => {
    const service = await startService(answers(oneSecond, 200));
    const one = client({ shareRetryAfter: 'all' });
    await someoneWaits(one, service.url);
    expect((await one.api.get(service.url, { retry: { shareRetryAfter: false } })).status).toBe(200);
    expect((await one.api.get(service.url, { retry: false })).status).toBe(200);
    expect(one.time.begun).toEqual([]);
  });

  it('no call of another instance', async () => {
    const service = await startService(answers(oneSecond, 200));
    const one = client({ shareRetryAfter: 'all' });
    const other = client({ shareRetryAfter: 'all' });
    await someoneWaits(one, service.url);
    expect((await other.api.get(service.url)).status).toBe(200);
  });

  it.each(['yes', 'none', 1])('%j is refused', (value) => {
    expect(() => client({ shareRetryAfter: value as 'all' })).toThrow(
      new TypeError(
        `axios-jitter: option "shareRetryAfter" must be true, false or 'all'; got ${typeof value === 'number' ? '1' : `'${value}'`}`,
      ),
    );
  });
});
