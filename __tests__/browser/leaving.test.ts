import { answers } from '../helpers/local-service';
import { adapters, openAlone, startSite } from './support/site';

describe.each(adapters)('%s', (adapter) => {
  it('sends nothing for a page that was left in a wait, and goes on when it comes back', async () => {
    const site = await startSite(answers(503, 503, 200));
    const page = await openAlone(site);
    await page.evaluate((name) => {
      // The wait lasts longer than it takes to leave: Chromium freezes the page and keeps it.
      const sleep = async (): Promise<void> => {
        document.title = 'waiting';
        await new Promise((resolve) => document.addEventListener('freeze', resolve, { once: true }));
        await new Promise((resolve) => setTimeout(resolve, 50));
      };
      globalThis.kept = inPage.outcome(inPage.client(name, { sleep }).api.get('/api/left'));
    }, adapter);
    await page.waitForFunction(() => document.title === 'waiting');

    await page.goto(`${site.url}/?next`);
    // A longer wait: the other one would be over before.
    await page.evaluate((name) => inPage.client(name, { sleep: undefined, baseDelay: 200 }).api.get('/api/next'), adapter);
    expect(site.lines).toEqual(['GET /api/left', 'GET /api/next', 'GET /api/next']);

    await page.evaluate(() => history.back());
    await site.arrived(4);
    expect(site.lines.at(-1)).toBe('GET /api/left');
    await page.waitForFunction(() => document.title === 'waiting');
    expect(await page.evaluate(() => kept)).toMatchObject({ status: 200, attempts: 2 });
  });
});
