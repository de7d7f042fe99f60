import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { version } from '../../package.json';
import { bundleCli, file, run } from './support/run-cli';

beforeAll(bundleCli);

const small = ['simulate', '--clients', '200', '--capacity', '20', '--outage', '5s'];

describe('simulate', () => {
  it('prints a table with a row and a sparkline for each policy', async () => {
    const { code, out, err } = await run([...small, '--policies', 'fixed,full']);
    // Two tables, the requests and the share served.
    expect(out.split('\n').filter((line) => /^(fixed|full) /.test(line))).toHaveLength(8);
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
    // The name space of SVG, and the name of the service that is simulated.
    expect(html.replaceAll(/http:\/\/(www\.w3\.org\/2000\/svg|simulated)/g, '')).not.toMatch(/https?:\/\/|<script src|<link rel="style|@import url|<img/);
    expect(html).toContain('role="rowheader">full</th>');
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
    expect(worstCase).toBe(3 * 70_000 + 4 * 2_000);
    expect(amplification).toEqual({ withoutBudget: 4, withBudget: 1.01 });
    expect(warnings).toEqual([]);
    expect(code).toBe(0);
  });

  it('says which policy it is about: the defaults, a preset, or the flags', async () => {
    const outs = await Promise.all([[], ['default'], ['full'], ['--retries', '1']].map((args) => run(['plan', ...args, '--calls', '1'])));
    expect(outs.map(({ out }) => /^Policy: (\S+)\./.exec(out)?.[1])).toEqual(['default', 'default', 'full', 'yours']);
  });

  it('prints what its figures rest on', async () => {
    const { out } = await run(['plan', '--calls', '50', '--timeout', '3s']);
    expect(out).toContain('an attempt takes at most 3.0 s (--timeout)');
    expect(out).toContain('50 calls of one process fail at once');
    expect(out.replaceAll(/\s+/g, ' ')).toContain('each has a Retry-After of 60.0 s');
  });

  it('warns', async () => {
    expect((await run(['plan', '--jitter', 'none', '--calls', '10'])).out).toContain('Warning: the delays have no jitter');
  });

  it.each([
    ['without a timeout', ['--timeout', '0'], /Worst case of a call: no end; totalTimeout would limit it\n[^]*Warning: neither timeout nor totalTimeout is set/],
    ['without a timeout, with a totalTimeout', ['--timeout', '0', '--total-timeout', '5s'], /Worst case of a call: 5\.0 s\n[^]*the whole call takes at most 5\.0 s[^]*No warnings\./],
    ['of a policy with a budget', [], / {2}1\.01 \(4 without its retry budget\)\n/],
    ['of a peer, without words for what it does not have', ['axios-retry'], / {2}4 \(it has no retry budget; 1\.01 with the default one\)\n[^]*a Retry-After\s+of any length is waited for[^]*Warning: no retry budget: in a full outage the service gets 4/],
    ['of endless retries', ['full'], /Warning: no retry budget: in a full outage the service gets retries without\s+end/],
  ])('tells the truth %s', async (_, args, text) => {
    expect((await run(['plan', ...args])).out).toMatch(text);
  });

  it('knows presets', async () => {
    expect((await run(['plan', 'axios-retry-exponential', '--calls', '10'])).out).toContain('Policy: axios-retry-exponential');
  });
});

describe('what makes no sense ends with 2 and a message', () => {
  it.each([
    [['simulate', '--capacity', '0'], '--capacity: service field "capacity" must be a finite number > 0; got 0'],
    [['simulate', '--clients', '0'], '--clients: scenario field "clients" must be a whole number from 1'],
    [['simulate', '--latency', '-5'], "must be a time such as 500, 500ms, 10s or 2m; got '-5'"],
    [['simulate', '--outage-start', '1d'], '--outage-start <time>'],
    [['simulate', '--rate', 'Infinity'], '--rate: arrival field "rate" must be a finite number > 0; got Infinity'],
    [['simulate', '--network-jitter', '1e3'], '--network-jitter <time>'],
    [['simulate', '--factor', '0.5', '--policies', 'full'], '--factor: policy "yours": option "factor"'],
    [['simulate', '--budget', '0.5'], '--budget: policy "yours": RetryBudget option "cost" must be at most capacity (0.5)'],
    [['plan', '--calls', 'abc'], "--calls <n>' argument 'abc' is invalid"],
    [['plan', '--calls', '0'], '--calls: plan option "calls" must be a whole number from 1'],
    [['plan', '--timeout', 'soon'], "--timeout <time>' argument 'soon' is invalid"],
    [['plan', '--seed', '1.5'], '--seed: plan option "seed" must be a whole number; got 1.5'],
    [['simulate', '--clients', 'many'], "must be a number >= 0; got 'many'"],
    [['simulate', '--policies', 'ful'], "unknown preset 'ful'; known are default, axios-retry"],
    [['simulate', '--capcity', '3'], 'Did you mean --capacity?'],
    [['simulate', '--outage-kind', 'flood'], 'Allowed choices are refused, 503, 429, timeout'],
    [['simulate', 'missing.json'], 'cannot read the scenario missing.json: ENOENT: no such file or directory\n'],
    [['simulate', '--clients', '9', '--svg', 'no/such/folder.svg'], 'cannot write no/such/folder.svg: ENOENT: no such file or directory\n'],
    [['simulate', '--clients', '9', '--html', '.'], 'cannot write .: it is a folder\n'],
    [['plan', 'fulll'], "unknown preset 'fulll'"],
    [['plan', 'full', '--jitter', 'none'], "either the preset 'full' or policy flags, not both"],
    [['plan', '--base-delay', '2s', '--max-delay', '1s'], '--max-delay: option "maxDelay" must be at least baseDelay (2000); got 1000'],
    [['siumlate'], "unknown command 'siumlate'"],
    [[], 'Usage: axios-jitter'],
  ])('%j', async (args, message) => {
    const { code, out, err } = await run(args);
    expect(err).toContain(message);
    expect(out).toBe('');
    expect(code).toBe(2);
  });

  it.each([
    [[], 'must hold a JSON object'],
    [{ clients: 1, service: 5 }, 'wrong.json: scenario field "service" must be an object'],
    [{ clients: 1, service: { capacity: 1 }, outage: [] }, 'wrong.json: scenario field "outage" must be an object'],
    [{ clients: 1, service: { capacity: 1 }, policies: 'full' }, 'wrong.json: scenario field "policies" must be a list of presets'],
    [{ clients: 1, service: { capacity: -1 } }, 'wrong.json: service field "capacity" must be a finite number > 0; got -1'],
    [{ clients: 1, service: { capacity: 1 }, policies: { mine: { retires: 1 } } }, 'wrong.json: policy "mine": unknown option "retires"'],
  ])('in a file: %j', async (scenario, message) => {
    writeFileSync(file('wrong.json'), JSON.stringify(scenario));
    const { code, err } = await run(['simulate', 'wrong.json']);
    expect(err).toContain(message);
    expect(code).toBe(2);
  });

  it('--help is no mistake', async () => {
    const { code, out } = await run(['simulate', '--help']);
    expect(out).toContain('--outage-kind <kind>');
    expect(code).toBe(0);
  });

  it.each([['plan'], ['simulate'], ['lab']])('%s --help says the unit of each flag that takes a time', async (command) => {
    const { out } = await run([command, '--help']);
    expect(out).toMatch(/--base-delay <time>/);
    expect(out).toContain('\nA <time> is in ms (500 or 500ms), s (10s) or min (2m).\n');
  });
});

it.each([['--version'], ['-v']])('%s prints the version of the package', async (flag) => {
  expect(await run([flag])).toEqual({ code: 0, out: `${version}\n`, err: '' });
});

describe('a scenario that --json wrote', () => {
  const endless = ['--clients', '30', '--capacity', '10', '--outage', '1s', '--policies', 'full,default', '--factor', '3', '--retries', 'Infinity', '--queue-limit', 'Infinity'];

  it('can be read again, without an end too, and gives the same', async () => {
    const first = await run(['simulate', ...endless, '--json']);
    writeFileSync(file('again.json'), first.out);
    const again = await run(['simulate', 'again.json', '--json']);
    expect(first.out).toContain('"retries":"Infinity"');
    expect(first.out).not.toContain('null');
    expect(again).toEqual(first);
  });

  it('can be read again from the report, too', async () => {
    const { out } = await run(['simulate', ...endless, '--html', 'again.html', '--json']);
    const [, text = ''] = /<pre[^>]*>(.*?)<\/pre>/s.exec(readFileSync(file('again.html'), 'utf8')) ?? [];
    writeFileSync(file('again.json'), text.replaceAll('&quot;', '"'));
    expect((await run(['simulate', 'again.json', '--json'])).out).toBe(out);
  });

  it('says of a plan without an end that it has none', async () => {
    const { worstCase, amplification } = JSON.parse((await run(['plan', 'full', '--calls', '5', '--json'])).out);
    expect([worstCase, amplification.withoutBudget]).toEqual(['Infinity', 'Infinity']);
  });
});

describe('lab', () => {
  const page = /^<!doctype html>.*id="controls".*<\/html>\s*$/s;

  it('writes a page and opens it with the program that BROWSER names', async () => {
    // A browser that notes what it was asked to open.
    writeFileSync(file('browser'), `#!/bin/sh\nprintf %s "$1" > ${file('opened.part')}\nmv ${file('opened.part')} ${file('opened')}\n`, { mode: 0o755 });
    const { code, out } = await run(['lab', '--html', 'a lab.html'], { env: { BROWSER: file('browser') } });
    expect(out).toBe('The laboratory: a lab.html\n');
    expect(code).toBe(0);
    while (!existsSync(file('opened'))) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(fileURLToPath(readFileSync(file('opened'), 'utf8'))).toBe(realpathSync(file('a lab.html')));
    expect(readFileSync(file('a lab.html'), 'utf8')).toMatch(page);
  });

  it('says where the page is when there is no browser, and writes to a folder of its own', async () => {
    const { code, out } = await run(['lab'], { env: { BROWSER: file('no browser') } });
    const [, written = ''] = /^The laboratory: (.*)\nOpen it in a browser\.\n$/.exec(out) ?? [];
    expect(readFileSync(written, 'utf8')).toMatch(page);
    rmSync(path.dirname(written), { recursive: true });
    expect(code).toBe(0);
  });

  it('begins with the scenario and the policy that were given', async () => {
    await run(['lab', '--no-open', '--html', 'own.html', '--clients', '300', '--outage', '7s', '--retries', '5', '--jitter', 'equal', '--no-budget']);
    const [, json = ''] = /id="setting">(.*?)<\/script>/s.exec(readFileSync(file('own.html'), 'utf8')) ?? [];
    expect(JSON.parse(json)).toMatchObject({ clients: 300, outage: 7_000, retries: 5, jitter: 'equal', budget: 0 });
  });

  it('refuses what makes no sense, and writes nothing', async () => {
    const { code, err } = await run(['lab', '--no-open', '--html', 'none.html', '--capacity', '0']);
    expect(err).toContain('--capacity: service field "capacity"');
    expect(existsSync(file('none.html'))).toBe(false);
    expect(code).toBe(2);
  });
});
