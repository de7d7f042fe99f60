import { writeFileSync } from 'node:fs';

import { bundleCli, file, run } from './support/run-cli';

beforeAll(bundleCli);

const report = {
  attempts: 2,
  elapsed: 480,
  totalDelay: 412,
  reason: 'exhausted',
  history: [
    { attempt: 1, kind: 'status', status: 503, delay: 412 },
    { attempt: 2, kind: 'network', code: 'ECONNRESET' },
  ],
};

describe('explain', () => {
  it.each([
    ['a report', report],
    ['what was logged of an error, with its report', { message: 'x', retry: report }],
  ])('puts %s into sentences', async (_, value) => {
    writeFileSync(file('report.json'), JSON.stringify(value));
    const { code, out, err } = await run(['explain', 'report.json']);

    expect(out.trim().split('\n')).toEqual([
      'The call failed after 2 attempts in 480 ms.',
      'Attempt 1: status 503; waited 412 ms, the computed backoff.',
      'Attempt 2: ECONNRESET.',
      'Why it was not retried any further: exhausted: all retries were used; `retries` allows more.',
    ]);
    expect([code, err]).toEqual([0, '']);
  });

  it('names method, origin and path of an error that was logged with its report', async () => {
    writeFileSync(file('error.json'), JSON.stringify({ config: { method: 'post', baseURL: 'https://user:pw@api.example.com/v1', url: '/orders?key=1' }, retry: report }));
    const { code, out } = await run(['explain', 'error.json']);

    expect(out).toMatch(/^POST https:\/\/api\.example\.com\/v1\/orders failed after 2 attempts in 480 ms\.\n/);
    expect(code).toBe(0);
  });

  it.each([
    ['a file that is not there', 'missing.json', undefined, /cannot read the report missing\.json/],
    ['no JSON', 'text.json', 'axios-jitter retry GET', /text\.json is no JSON/],
    ['no report', 'other.json', '{"level":"info"}', /other\.json holds no report/],
  ])('says what is wrong with %s', async (_, name, text, message) => {
    if (text !== undefined) writeFileSync(file(name), text);
    const { code, out, err } = await run(['explain', name]);

    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(message);
  });
});
