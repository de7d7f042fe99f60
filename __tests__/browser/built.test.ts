import path from 'node:path';
import { build } from 'esbuild';
import { answers, startService } from '../helpers/local-service';
import { adapters, open, root, startSite } from './support/site';

declare global {
  var violations: string[];
}

describe('dist/index.js', () => {
  const entryPoints = [path.join(root, 'dist/index.js')];
  const options = { entryPoints, bundle: true, write: false, format: 'esm', platform: 'neutral', packages: 'external' } as const;

  it('imports nothing but its own files', async () => {
    const { metafile } = await build({ ...options, entryPoints, metafile: true });
    expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
    expect(Object.keys(metafile.inputs).filter((file) => !path.resolve(file).startsWith(path.join(root, 'dist/')))).toEqual([]);
  });

  it('uses no global that only Node has', async () => {
    const names = ['process', 'Buffer', 'global', 'require', 'module', '__dirname', '__filename', 'setImmediate', 'clearImmediate'];
    const define = Object.fromEntries(names.map((name) => [name, `NODE_${name}`]));
    const [file] = (await build({ ...options, entryPoints, define })).outputFiles;
    expect(file?.text).toContain('attachRetry');
    expect(file?.text.match(/NODE_\w+/g)).toBeNull();
  });
});

describe.each(adapters)('%s', (adapter) => {
  it.each(['served', 'bundled'])('works %s under a strict Content-Security-Policy', async (variant) => {
    const site = await startSite(answers(503, 200));
    const elsewhere = await startService(answers(200));
    const complaints: string[] = [];
    const page = await open(site, `/${variant}`, async (prepared) => {
      prepared.on('pageerror', ({ message }) => complaints.push(message));
      prepared.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      await prepared.addInitScript(() => {
        globalThis.violations = [];
        addEventListener('securitypolicyviolation', ({ effectiveDirective }) => violations.push(effectiveDirective));
      });
    });
    const result = await page.evaluate(async (name) => {
      // What the driver starts itself may do more than the policy says.
      await new Promise((resolve) => setTimeout(resolve));
      const { api } = inPage.client(name, { sleep: undefined, baseDelay: 1, idempotencyKey: true });
      const globals = ['process', 'Buffer', 'global', 'require'].filter((name) => name in globalThis);
      return { ...(await inPage.outcome(api.post('/api/orders', {}))), globals, violations };
    }, adapter);
    expect(result).toMatchObject({ status: 200, attempts: 2, globals: [], violations: [] });
    // What Chromium itself says about the first attempt.
    expect(complaints).toEqual([expect.stringMatching(/^Failed to load resource: the server responded with a status of 503/)]);

    // The policy is in force.
    await page.evaluate(
      async ({ name, url }) => {
        await new Promise((resolve) => setTimeout(resolve));
        await inPage.outcome((async () => new Function('return 1'))());
        await inPage.outcome(inPage.client(name, { retries: 0 }).api.get(url));
      },
      { name: adapter, url: elsewhere.url },
    );
    await page.waitForFunction(() => violations.join() === 'script-src,connect-src');
    expect(elsewhere.received).toEqual([]);
  });

  it('works in a worker', async () => {
    const site = await startSite(answers(503, 200));
    const page = await open(site);
    const started = page.waitForEvent('worker');
    await page.evaluate(() => void new Worker('/served.js', { type: 'module' }));
    const worker = await started;
    const result = await worker.evaluate(async (name) => {
      while (!('inPage' in globalThis)) await new Promise((resolve) => setTimeout(resolve));
      const { api, retry } = inPage.client(name, { sleep: undefined, baseDelay: 1, idempotencyKey: true });
      const outcome = await inPage.outcome(api.post('/api/orders', {}));
      await inPage.outcome(api.get('/api/orders'));
      return { ...outcome, calls: retry.stats().calls, document: typeof document };
    }, adapter);
    expect(result).toMatchObject({ status: 200, attempts: 2, calls: 2, document: 'undefined' });
    expect(site.lines).toEqual(['POST /api/orders', 'POST /api/orders', 'GET /api/orders']);
  });
});
