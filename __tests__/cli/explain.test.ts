import { writeFileSync } from 'node:fs';

import { blocksOf, pages } from '../helpers/readme';
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
    ['a file that is not there', 'missing.json', undefined, /cannot read the log missing\.json/],
    ['no JSON', 'text.json', 'axios-jitter retry GET', /text\.json holds nothing to explain, neither as JSON nor line by line: a report as/],
    ['no report', 'other.json', '{"level":"info"}', /other\.json holds nothing to explain/],
  ])('says what is wrong with %s', async (_, name, text, message) => {
    if (text !== undefined) writeFileSync(file(name), text);
    const { code, out, err } = await run(['explain', name]);

    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(message);
  });

  const line = 'axios-jitter give-up POST https://api.example.com/orders attempt=1/4 kind=network code=ECONNRESET reason=method option=idempotencyKey elapsed=4ms';
  const story = [
    'POST https://api.example.com/orders failed at attempt 1 of 4 in 4 ms: ECONNRESET.',
    'Why it was not retried: method: the server may have acted on the request, and repeating this method may repeat the effect; `idempotencyKey` makes it safe, `methods` allows the method.',
  ];

  it.each([
    ['a line of logRetries', `2026-12-01T03:00:00Z ERROR ${line}\n`],
    ['a log with other lines', `starting\n{"level":30,"msg":"ready"}\n${line}\r\nend`],
    ['a JSON line whose message it is', `{"level":"info","message":"ready"}\n${JSON.stringify({ level: 'error', message: line })}\n`],
    ['an array of what was logged', JSON.stringify([{ level: 30 }, line])],
  ])('reads %s from standard input', async (_, input) => {
    const { code, out, err } = await run(['explain', '-'], { input });

    expect(out.trim().split('\n')).toEqual(story);
    expect([code, err]).toEqual([0, '']);
  });

  it('explains each of several lines', async () => {
    writeFileSync(file('lines.log'), [JSON.stringify({ retry: report }), '', line].join('\n'));
    const { out } = await run(['explain', 'lines.log']);

    expect(out.trim().split('\n\n')).toEqual([expect.stringMatching(/^The call failed after 2 attempts in 480 ms\./), story.join('\n')]);
  });

  it('prints what docs/observing.md shows', async () => {
    const blocks = Object.keys(pages).filter((page) => page.endsWith('observing.md')).flatMap(blocksOf);
    const index = blocks.findIndex(({ code }) => code.endsWith('| npx axios-jitter explain -\n'));
    const [, input = ''] = /^echo '(.*)'/.exec(blocks[index]?.code ?? '') ?? [];
    const { out } = await run(['explain', '-'], { input });

    expect(out).toBe(blocks[index + 1]?.code);
  });
});
