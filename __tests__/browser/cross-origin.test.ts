import { answers } from '../helpers/local-service';
import { adapters, open, openAlone, startOtherOrigin, startSite } from './support/site';

const allowKeys = { 'access-control-allow-headers': 'Content-Type, Idempotency-Key' };

describe.each(adapters)('%s', (adapter) => {
  it.each([
    ['is heard from the own origin', 'own', {}, { retryAfter: 7_000, delays: [7_000] }],
    ['is invisible from another one', 'other', {}, { retryAfter: undefined, delays: [500] }],
    ['is heard where it is exposed', 'other', { 'access-control-expose-headers': 'Retry-After' }, { retryAfter: 7_000, delays: [7_000] }],
  ] as const)('Retry-After %s', async (_name, where, headers, expected) => {
    const steps = [[503, { 'retry-after': '7' }], 200] as const;
    const site = await startSite(answers(...steps));
    const service = where === 'own' ? site : await startOtherOrigin(steps, headers);
    const page = await open(site);
    const result = await page.evaluate(
      async ({ name, url }) => {
        const { api, delays } = inPage.client(name);
        return { ...(await inPage.outcome(api.get(`${url}/api/orders`))), delays };
      },
      { name: adapter, url: service.url },
    );
    expect(result).toMatchObject({ status: 200, ...expected });
    expect(service.lines).toEqual(['GET /api/orders', 'GET /api/orders']);
  });

  it('takes an error that the page may not read for a lost connection', async () => {
    const gateway = { 'access-control-allow-origin': 'http://elsewhere.test', 'retry-after': '7' };
    const service = await startOtherOrigin([[503, gateway], 200, [503, gateway]]);
    const page = await open(await startSite(answers(200)));
    const results = await page.evaluate(
      async ({ name, url }) => {
        const { api } = inPage.client(name);
        return [await inPage.outcome(api.get(`${url}/get`)), await inPage.outcome(api.post(`${url}/post`, 'text'))];
      },
      { name: adapter, url: service.url },
    );
    expect(results).toMatchObject([
      { status: 200, attempts: 2, kinds: ['network'], retryAfter: undefined },
      { code: 'ERR_NETWORK', attempts: 1, kinds: ['network'], reason: 'method' },
    ]);
  });

  it('asks no permission for what was simple, whatever idempotencyKey says about writes', async () => {
    const service = await startOtherOrigin([503, 200]);
    const page = await open(await startSite(answers(200)));
    await page.evaluate(
      ({ name, url }) => inPage.client(name, { idempotencyKey: true }).api.get(`${url}/orders`),
      { name: adapter, url: service.url },
    );
    expect(service.lines).toEqual(['GET /orders', 'GET /orders']);
    expect(service.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, undefined]);
  });

  it('fails as a lost connection where the key is not allowed, and sends no POST', async () => {
    const service = await startOtherOrigin([200]);
    const page = await open(await startSite(answers(200)));
    const result = await page.evaluate(
      ({ name, url }) => inPage.outcome(inPage.client(name, { idempotencyKey: true, retries: 1 }).api.post(url, 'text')),
      { name: adapter, url: service.url },
    );
    expect(result).toMatchObject({ code: 'ERR_NETWORK', kinds: ['network', 'network'], reason: 'exhausted' });
    expect(service.requests.map(({ method }) => method)).toEqual(['OPTIONS', 'OPTIONS']);
  });
});

it.each([
  ['the Date next to it, where both are exposed', 'Retry-After, Date', [30_000]],
  ["the page's clock, where the Date is hidden", 'Retry-After', [500]],
])('measures a date in Retry-After against %s', async (_name, exposed, delays) => {
  const now = Date.now();
  const [date, retryAfter] = [now, now + 30_000].map((time) => new Date(time).toUTCString()) as [string, string];
  const service = await startOtherOrigin([[503, { date, 'retry-after': retryAfter }], 200], { 'access-control-expose-headers': exposed });
  const page = await openAlone(await startSite(answers(200)));
  await page.clock.setFixedTime(now + 3_600_000);
  const waited = await page.evaluate(
    async (url) => {
      const client = inPage.client('fetch');
      await client.api.get(url);
      return client.delays;
    },
    service.url,
  );
  expect(waited).toEqual(delays);
});

it.each([
  ['once, where the browser may keep it', '600', ['OPTIONS', 'POST', 'POST', 'POST']],
  ['for each attempt, where it may not', '0', ['OPTIONS', 'POST', 'OPTIONS', 'POST', 'OPTIONS', 'POST']],
])('asks permission for a key %s', async (_name, maxAge, methods) => {
  const service = await startOtherOrigin([503, 503, 200], { ...allowKeys, 'access-control-max-age': maxAge });
  const page = await open(await startSite(answers(200)));
  const result = await page.evaluate(
    (url) => inPage.outcome(inPage.client('fetch', { idempotencyKey: true }).api.post(url, 'text')),
    service.url,
  );
  expect(result).toMatchObject({ status: 200, attempts: 3 });
  expect(service.requests.map(({ method }) => method)).toEqual(methods);
  const keys = service.requests.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(1);
});

it("keeps one budget for the page's origin, however it is written, and one for each other", async () => {
  const site = await startSite(answers(503));
  const service = await startOtherOrigin([503]);
  const page = await open(site);
  const budgets = await page.evaluate(
    async (url) => {
      const { api, retry } = inPage.client('fetch', { retries: 1 });
      const { host, origin } = location;
      for (const own of ['/api/a', 'api/b', '/api/c?d', `${origin}/api/d`, `//${host}/api/e`]) await inPage.outcome(api.get(own));
      await inPage.outcome(api.get('f', { baseURL: '/api/' }));
      await inPage.outcome(api.get(url));
      return retry.stats().budgets;
    },
    service.url,
  );
  expect(budgets).toMatchObject([{ origin: site.url }, { origin: service.url }]);
  expect(site.lines).toHaveLength(12);
});

it('keeps the budget of the origin that <base href> names', async () => {
  const site = await startSite(answers(503));
  const service = await startOtherOrigin([503]);
  const page = await open(site);
  const budgets = await page.evaluate(async (href) => {
    const { api, retry } = inPage.client('fetch', { retries: 1 });
    document.head.append(Object.assign(document.createElement('base'), { href: `${href}/v2/` }));
    await inPage.outcome(api.get('orders'));
    return retry.stats().budgets;
  }, service.url);
  expect(service.lines).toEqual(['GET /v2/orders', 'GET /v2/orders']);
  expect(budgets).toMatchObject([{ origin: service.url }]);
});
