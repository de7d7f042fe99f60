import { execFile } from 'node:child_process';

import { scenarios } from '../../examples/scenarios';
import { widthOf } from '../../lib/chart/text';
import { root } from '../helpers/readme';

interface Ended {
  readonly code: number;
  readonly output: string;
}

function runDemo(): Promise<Ended> {
  const { FORCE_COLOR: _, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', 'tsx', 'examples/demo.ts'], { cwd: root, env, timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ code: error ? 1 : 0, output: stdout + stderr });
    });
  });
}

describe('the demo', () => {
  let ended: Ended;
  let summary: string[];
  beforeAll(async () => {
    ended = await runDemo();
    summary = ended.output.trimEnd().split('SUMMARY\n')[1]?.split('\n') ?? [];
  }, 70_000);
  /** The cells of a row: a name of 23 columns, then three of 19. */
  function rowOf(request: string): string[] {
    const line = summary.find((one) => one.startsWith(request)) ?? '';
    return [23, 42, 61].map((start) => line.slice(start, start + 19).trimEnd());
  }

  it('ends by itself, with success', () => {
    expect(ended).toEqual({ code: 0, output: expect.stringContaining('SUMMARY') });
  });

  it.each(scenarios.map(({ request, shouldRecover }) => [request, shouldRecover ? 'recovered' : 'not repeated'] as const))(
    'says that %s is %s',
    (request, result) => {
      const [, withPlugin = ''] = ended.output.split('WITH attachRetry');
      const call = withPlugin.split('\n\n').find((paragraph) => paragraph.includes(`${request}: `));

      expect(call).toContain(result);
    },
  );

  it('ends with a summary that fits a screen of 80 columns and 24 lines', () => {
    expect(summary.length).toBeLessThan(24);
    expect(summary.filter((line) => widthOf(line) > 80)).toEqual([]);
  });

  // On a busy machine any attempt may time out: then there are more of them, and the peer, which repeats no timeout, fails.
  it.each([
    ['call', 'no plugin', 'axios-jitter', 'axios-retry'],
    ['GET /busy', '1 sent ✗', '3 sent ✓', '3 sent ✓'],
    ['GET /limited', '1 sent ✗', '2 sent ✓', '2 sent ✓'],
    ['GET /reset', '1 sent ✗', '2 sent ✓', '2 sent ✓'],
    ['GET /slow', '1 sent ✗', '2 sent ✓', '1 sent ✗'],
    ['GET /cut', '1 sent ✗', '2 sent ✓', '1 sent ✗'],
    ['POST /payments ', '1 sent ✗, 1 charge', '2 sent ✓, 1 charge', '2 sent ✓, 2 charges'],
    ['POST /payments-no-key', '1 sent ✗, 1 charge', '1 sent ✗, 1 charge', '2 sent ✓, 2 charges'],
  ])('shows beside each other what was sent and charged: %s', (request, ...cells) => {
    const pattern = (cell: string): RegExp => new RegExp(`^${cell.replace(/^[23] sent/, '[2-4] sent')}$`);
    expect(rowOf(request)).toEqual(cells.map((cell) => expect.stringMatching(pattern(cell))));
  });

  it('says what that comes to', () => {
    expect(rowOf('of 7 that can be saved')).toEqual(['0 saved, 8 sent', expect.stringMatching(/^7 saved, \d+ sent$/), expect.stringMatching(/^[45] saved, \d+ sent$/)]);
    expect(summary.join(' ')).toContain('For 2 payments axios-jitter made 2 charges, axios-retry 4');
  });

  it('is plain text where stdout is no terminal', () => {
    expect(ended.output).not.toContain('\u001B');
  });
});
