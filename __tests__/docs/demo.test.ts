import { execFile } from 'node:child_process';

import { scenarios } from '../../examples/scenarios';
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
  beforeAll(async () => {
    ended = await runDemo();
  }, 70_000);

  it('ends by itself, with success', () => {
    expect(ended).toEqual({ code: 0, output: expect.stringContaining('Of 7 calls that can be saved, 0 succeeded without the plugin and 7 with it') });
  });

  it.each(scenarios.map(({ request, shouldRecover }) => [request, shouldRecover ? 'recovered' : 'not repeated'] as const))(
    'says that %s is %s',
    (request, result) => {
      const [, withPlugin = ''] = ended.output.split('WITH attachRetry');
      const call = withPlugin.split('\n\n').find((paragraph) => paragraph.includes(`${request}: `));

      expect(call).toContain(result);
    },
  );

  it('is plain text where stdout is no terminal', () => {
    expect(ended.output).not.toContain('\u001B');
  });
});
