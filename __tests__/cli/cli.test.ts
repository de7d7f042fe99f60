import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { buildSync } from 'esbuild';

interface Ran {
  code: number | null;
  out: string;
  err: string;
}

const root = path.resolve(__dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'axios-jitter-cli-'));
const file = (name: string): string => path.join(folder, name);
const cli = file('cli.mjs');

// Says so once Ctrl-C is listened for.
const watch = `data:text/javascript,process.on('newListener',(name)=>name==='SIGINT'&&setImmediate(()=>process.stderr.write('listening')))`;

function run(args: readonly string[], options: { interrupt?: boolean } = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const node = options.interrupt ? ['--import', watch, cli] : [cli];
    const child = spawn(process.execPath, [...node, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const ran: Ran = { code: null, out: '', err: '' };
    child.stdout.on('data', (text) => (ran.out += String(text)));
    child.stderr.on('data', (text) => {
      ran.err += String(text);
      if (options.interrupt && ran.err === 'listening') child.kill('SIGINT');
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...ran, code }));
  });
}

beforeAll(() => {
  // As the package's build bundles it.
  buildSync({
    entryPoints: [path.join(root, 'lib/cli.ts')],
    outfile: cli,
    bundle: true,
    format: 'esm',
    platform: 'node',
    banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

const small = ['simulate', '--clients', '200', '--capacity', '20', '--outage', '5s'];

describe('simulate', () => {
  it('prints a table with a row and a sparkline for each policy', async () => {
    const { code, out, err } = await run([...small, '--policies', 'fixed,full']);
    expect(out.split('\n').filter((line) => /^(fixed|full) /.test(line))).toHaveLength(6);
    expect(out).toMatch(/full +[▁-█ ]{10}/u);
    expect(err).toBe('');
    expect(code).toBe(0);
  });

  it('prints the result as JSON, with the scenario', async () => {
    const { out } = await run([...small, '--policies', 'full', '--json', '--seed', '7']);
    const { scenario, policies, seed } = JSON.parse(out);
    expect(scenario).toMatchObject({ clients: 200, service: { capacity: 20 }, outage: { length: 5_000 } });
    expect(policies[0]).toMatchObject({ policy: 'full', successes: 200 });
    expect(seed).toBe(7);
  });

  it('reads a scenario from a file; flags win', async () => {
    writeFileSync(file('scenario.json'), JSON.stringify({ clients: 50, service: { capacity: 10 }, policies: { mine: { retries: 2 } } }));
    const { out } = await run(['simulate', 'scenario.json', '--clients', '20', '--json']);
    const result = JSON.parse(out);
    expect(result.clients).toBe(20);
    expect(result.policies.map(({ policy }: { policy: string }) => policy)).toEqual(['mine']);
  });

  it('adds the policy that flags describe', async () => {
    const { out } = await run([...small, '--policies', 'full', '--base-delay', '1s', '--jitter', 'equal', '--retries', '9', '--json']);
    expect(JSON.parse(out).scenario.policies.yours).toEqual({ baseDelay: 1_000, jitter: 'equal', retries: 9 });
  });

  it('writes a picture and a report that asks for nothing from outside', async () => {
    await run([...small, '--policies', 'fixed,full', '--svg', 'out.svg', '--html', 'report.html']);
    const [svg, html] = ['out.svg', 'report.html'].map((name) => readFileSync(file(name), 'utf8')) as [string, string];
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox=/);
    expect(svg).toContain('prefers-color-scheme: dark');
    expect(html).toContain(svg.trim());
    expect(html.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|<script|<link|@import|src=/);
    expect(html).toContain('<td>full</td>');
  });

  it('gives the same output twice', async () => {
    const [one, two] = await Promise.all([run([...small, '--policies', 'full', '--json']), run([...small, '--policies', 'full', '--json'])]);
    expect(one.out).toBe(two.out);
  });

  it('stops with 130 on Ctrl-C and leaves no file', async () => {
    const heavy = ['simulate', '--clients', '200000', '--policies', 'axios-retry', '--capacity', '1', '--svg', 'never.svg'];
    const { code, out } = await run(heavy, { interrupt: true });
    expect(out).toBe('');
    expect(code).toBe(130);
    expect(existsSync(file('never.svg'))).toBe(false);
  });
});

describe('plan', () => {
  it('prints the delays of the default policy, its worst case and its load in an outage', async () => {
    const { code, out } = await run(['plan', '--json']);
    const { delays, worstCase, amplification, warnings } = JSON.parse(out);
    expect(delays.map(({ min, max }: { min: number; max: number }) => [min, max])).toEqual([[0, 500], [0, 1_000], [0, 2_000]]);
    expect(worstCase).toBe(3_500 + 4 * 2_000);
    expect(amplification).toEqual({ withoutBudget: 4, withBudget: 1.01 });
    expect(warnings).toEqual([]);
    expect(code).toBe(0);
  });

  it('warns', async () => {
    expect((await run(['plan', '--jitter', 'none', '--calls', '10'])).out).toContain('Warning: jitter is none');
  });

  it('knows presets', async () => {
    expect((await run(['plan', 'axios-retry-exponential', '--calls', '10'])).out).toMatch(/^10 +\d/m);
  });
});

describe('what makes no sense ends with 2 and a message', () => {
  it.each([
    [['simulate', '--capacity', '0'], 'service field "capacity" must be a finite number > 0; came 0'],
    [['simulate', '--clients', '0'], 'scenario field "clients" must be a whole number from 1'],
    [['simulate', '--latency', '-5'], "must be a time such as 500, 500ms, 10s or 2m; came '-5'"],
    [['simulate', '--clients', 'many'], "must be a number >= 0; came 'many'"],
    [['simulate', '--policies', 'ful'], "unknown preset 'ful'; known are fixed, exponential"],
    [['simulate', '--capcity', '3'], 'Did you mean --capacity?'],
    [['simulate', '--outage-kind', 'flood'], 'Allowed choices are refused, 503, 429, timeout'],
    [['simulate', 'missing.json'], 'cannot read the scenario'],
    [['simulate', '--clients', '9', '--svg', 'no/such/folder.svg'], 'cannot write'],
    [['plan', 'fulll'], "unknown preset 'fulll'"],
    [['plan', 'full', '--jitter', 'none'], "either the preset 'full' or policy flags, not both"],
    [['plan', '--base-delay', '2s', '--max-delay', '1s'], 'option "maxDelay" must be at least baseDelay (2000); came 1000'],
    [['siumlate'], "unknown command 'siumlate'"],
    [[], 'Usage: axios-jitter'],
  ])('%j', async (args, message) => {
    const { code, out, err } = await run(args);
    expect(err).toContain(message);
    expect(out).toBe('');
    expect(code).toBe(2);
  });

  it('--help is no mistake', async () => {
    const { code, out } = await run(['simulate', '--help']);
    expect(out).toContain('--outage-kind <kind>');
    expect(code).toBe(0);
  });
});
