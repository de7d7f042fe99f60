import { answers } from '../helpers/local-service';
import { adapters, open, openAlone, startSite } from './support/site';

describe.each(adapters)('%s', (adapter) => {
  it('a tab waits for the Retry-After that another tab was told, over a BroadcastChannel', async () => {
    const site = await startSite(answers([429, { 'retry-after': '5' }], 200));
    const teller = await openAlone(site);
    const other = await teller.context().newPage();
    await other.goto(site.url);

    // In a clock that stands still: what is waited for can be said to the ms.
    await other.evaluate((name) => {
      const retryAfterChannel = new BroadcastChannel('orders');
      const { api, retry, delays } = inPage.client(name, { shareRetryAfter: 'all', retryAfterChannel, now: () => 0 });
      const call = async (): Promise<unknown> => {
        while (retry.stats().pauses.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
        const { pauses } = retry.stats();
        return { ...(await inPage.outcome(api.get('/api/orders'))), delays, pauses };
      };
      Object.assign(globalThis, { keptCall: call() });
    }, adapter);
    const refused = await teller.evaluate((name) => {
      const retryAfterChannel = new BroadcastChannel('orders');
      const { api } = inPage.client(name, { shareRetryAfter: 'all', retryAfterChannel, retries: 0 });
      return inPage.outcome(api.get('/api/orders'));
    }, adapter);
    expect(refused).toMatchObject({ status: 429, retryAfter: 5_000 });

    const outcome = await other.evaluate(() => (globalThis as unknown as { keptCall: Promise<unknown> }).keptCall);
    expect(outcome).toMatchObject({ status: 200, delays: [5_000], pauses: [{ origin: site.url, timeLeft: 5_000 }] });
    expect(site.lines).toEqual(['GET /api/orders', 'GET /api/orders']);
  });

  it('a page hears through a MessagePort, which nobody has started', async () => {
    const site = await startSite(answers([429, { 'retry-after': '5' }], 200));
    const page = await open(site);
    const outcome = await page.evaluate(async (name) => {
      const { port1, port2 } = new MessageChannel();
      const teller = inPage.client(name, { shareRetryAfter: 'all', retryAfterChannel: port1, retries: 0 });
      const hearer = inPage.client(name, { shareRetryAfter: 'all', retryAfterChannel: port2, now: () => 0 });
      await inPage.outcome(teller.api.get('/api/orders'));
      while (hearer.retry.stats().pauses.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
      return { ...(await inPage.outcome(hearer.api.get('/api/orders'))), delays: hearer.delays };
    }, adapter);
    expect(outcome).toMatchObject({ status: 200, delays: [5_000] });
  });
});
