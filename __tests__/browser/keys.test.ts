import { answers } from '../helpers/local-service';
import { open, startSite } from './support/site';

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

it.each([
  ['localhost', { isSecure: true, randomUUID: 'function' }],
  ['page.test', { isSecure: false, randomUUID: 'undefined' }],
] as const)('makes a key for each call on a page of http://%s', async (host, expected) => {
  const site = await startSite(answers(503, 200, 503, 200), host);
  const page = await open(site);
  const facts = await page.evaluate(async () => {
    const { api } = inPage.client('fetch', { idempotencyKey: true });
    await api.post('/api/a', {});
    await api.patch('/api/b', {});
    return { isSecure: isSecureContext, randomUUID: typeof crypto.randomUUID };
  });
  expect(facts).toEqual(expected);
  const [a, secondA, b, secondB] = site.requests.map(({ headers }) => headers['idempotency-key']);
  expect([a, b]).toEqual([expect.stringMatching(uuid), expect.stringMatching(uuid)]);
  expect([secondA, secondB]).toEqual([a, b]);
  expect(a).not.toBe(b);
});

it('says what is missing where there is no source of chance, and sends nothing', async () => {
  const site = await startSite(answers(200), 'page.test');
  const page = await open(site);
  const results = await page.evaluate(async () => {
    Object.defineProperty(crypto, 'getRandomValues', { value: undefined });
    const { api } = inPage.client('fetch', { idempotencyKey: true });
    const failed = await inPage.outcome(api.post('/api/a', {}));
    return [failed, await inPage.outcome(api.post('/api/b', {}, { retry: { idempotencyKey: () => 'own' } }))];
  });
  const message = 'axios-jitter: option "idempotencyKey" needs crypto.getRandomValues; give a function instead of true';
  expect(results).toMatchObject([{ message }, { status: 200 }]);
  expect(site.lines).toEqual(['POST /api/b']);
});
