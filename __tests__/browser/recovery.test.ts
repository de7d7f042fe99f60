import { answers, type Answer } from '../helpers/local-service';
import { adapters, open, openAlone, startSite, transports } from './support/site';

/** No answer to the first attempt. */
const hangOnce: Answer = (request, response) => {
  if (request.headers['x-attempt'] !== undefined) response.end('{}');
};

describe.each(transports)('$adapter, axios $version', ({ version, adapter }) => {
  const address = `/?axios=${version}`;

  it('retries a 503 until the server answers', async () => {
    const site = await startSite(answers(503, 503, 200));
    const page = await open(site, address);
    const result = await page.evaluate(async (name) => {
      const { api, delays } = inPage.client(name);
      return { ...(await inPage.outcome(api.get('/api/orders'))), delays, version: inPage.axios.VERSION };
    }, adapter);
    expect(result).toMatchObject({ status: 200, attempts: 3, kinds: ['status', 'status'], delays: [500, 1_000] });
    expect(result.version).toMatch(version === 'newest' ? /^1\.\d\d\./ : new RegExp(`^${version}\\.`));
    expect(site.lines).toEqual(['GET /api/orders', 'GET /api/orders', 'GET /api/orders']);
  });

  it('retries a lost connection for a GET, and for a POST only under a key, the same on all attempts', async () => {
    const site = await startSite(answers('drop', 200, 'drop', 'drop', 200));
    const page = await open(site, address);
    const results = await page.evaluate(async (name) => {
      const { api } = inPage.client(name);
      return [
        await inPage.outcome(api.get('/api/get')),
        await inPage.outcome(api.post('/api/bare', {})),
        await inPage.outcome(api.post('/api/keyed', {}, { retry: { idempotencyKey: true } })),
      ];
    }, adapter);
    expect(results).toMatchObject([
      { status: 200, attempts: 2, kinds: ['network'] },
      { code: 'ERR_NETWORK', attempts: 1, kinds: ['network'], reason: 'method' },
      { status: 200, attempts: 2, kinds: ['network'] },
    ]);
    expect(site.lines).toEqual(['GET /api/get', 'GET /api/get', 'POST /api/bare', 'POST /api/keyed', 'POST /api/keyed']);
    const keys = site.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([undefined, undefined, undefined, expect.stringMatching(/^[\da-f-]{36}$/), keys[3]]);
  });

  it('ends a wait at the abort, with its reason, and sends no more', async () => {
    const site = await startSite(answers(503, 200));
    const page = await openAlone(site, address);
    await page.clock.install();
    const result = await page.evaluate(async (name) => {
      const controller = new AbortController();
      const onRetry = (): void => void setTimeout(() => controller.abort(new Error('left')));
      const { api, retry } = inPage.client(name, { sleep: undefined, baseDelay: 60_000, maxDelay: 60_000, onRetry });
      const error: unknown = await api.get('/api/orders', { signal: controller.signal }).catch((reason: unknown) => reason);
      const isCanceledError = error instanceof inPage.axios.CanceledError;
      return { ...(await inPage.outcome(Promise.reject(error))), isCanceledError, waiting: retry.stats().waiting };
    }, adapter);
    const canceled = { code: 'ERR_CANCELED', isCancel: true, isCanceledError: true, cause: 'Error: left' };
    expect(result).toMatchObject({ ...canceled, attempts: 1, kinds: ['status'], reason: 'aborted', waiting: 0 });

    await page.clock.runFor(120_000);
    await page.evaluate((name) => inPage.client(name).api.get('/api/after'), adapter);
    expect(site.lines).toEqual(['GET /api/orders', 'GET /api/after']);
  });
});

describe.each(adapters)('%s', (adapter) => {
  it('retries without a network, and a hook can wait until there is one', async () => {
    const site = await startSite(answers(200));
    const page = await openAlone(site);
    await page.context().setOffline(true);
    const write = await page.evaluate((name) => inPage.outcome(inPage.client(name).api.post('/api/bare', {})), adapter);
    expect(write).toMatchObject({ kinds: ['network'], reason: 'method' });

    await page.evaluate((name) => {
      const beforeRetry = async (): Promise<void> => {
        document.title = 'waiting';
        if (!navigator.onLine) await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
      };
      const { api } = inPage.client(name, { beforeRetry });
      globalThis.kept = inPage.outcome(api.get('/api/orders'));
    }, adapter);
    await page.waitForFunction(() => document.title === 'waiting');
    await page.context().setOffline(false);
    expect(await page.evaluate(() => kept)).toMatchObject({ status: 200, attempts: 2, kinds: ['network'] });
    expect(site.lines).toEqual(['GET /api/orders']);
  });

  it("retries axios' timeout", async () => {
    const site = await startSite(hangOnce);
    const page = await open(site);
    const result = await page.evaluate((name) => {
      const beforeRetry = (config: { timeout?: number }): void => {
        config.timeout = 0;
      };
      const { api } = inPage.client(name, { attemptHeader: 'X-Attempt', beforeRetry });
      return inPage.outcome(api.get('/api/slow', { timeout: 100 }));
    }, adapter);
    expect(result).toMatchObject({ status: 200, attempts: 2, kinds: ['timeout'] });
  });

  it('ends an attempt at the abort, with its reason, and does not retry it', async () => {
    const site = await startSite(answers('hang'));
    const page = await open(site);
    await page.evaluate((name) => {
      const controller = new AbortController();
      addEventListener('leave', () => controller.abort(new Error('left')));
      globalThis.kept = inPage.outcome(inPage.client(name).api.get('/api/orders', { signal: controller.signal }));
    }, adapter);
    await site.arrived(1);
    await page.evaluate(() => dispatchEvent(new Event('leave')));
    const result = await page.evaluate(() => kept);
    expect(result).toMatchObject({ isCancel: true, cause: expect.stringMatching(/left$/), kinds: ['cancelled'], reason: 'aborted' });
    expect(site.lines).toEqual(['GET /api/orders']);
  });
});
