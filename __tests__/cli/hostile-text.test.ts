// F31: names and values from users never steer a terminal, a picture or a page.
import { JSDOM } from 'jsdom';

import { drawResult, renderReport } from '../../lib/cli/report';
import { fromJson, toJson } from '../../lib/cli/json';
import { clip, visible, widthOf, wrap } from '../../lib/chart/text';
import { ProgressBar } from '../../lib/cli/progress-bar';
import { renderTable } from '../../lib/cli/table';
import { simulate, type Scenario } from '../../lib/simulate';
import { bundleCli, run, writeFile } from './support/run-cli';

const hostile: Readonly<Record<string, string>> = {
  'an escape sequence': '\u001B[31mred\u001B[0m',
  'an operating system command': '\u001B]0;title\u0007',
  'a control sequence of eight bits': '\u009B2J',
  'a line break': 'one\nfull  1  1',
  'a carriage return and a backspace': 'abc\rX\b\b',
  'a null': 'a\u0000b',
  'a right-to-left override': 'abc\u202Egnp',
  'half of a pair': 'a\uD800b',
  'a line separator': 'a\u2028b',
  markup: '</style></script><script>alert(1)</script>&"\'><img src=x onerror=alert(1)>',
  'an end of CDATA': ']]>',
  'no character of XML': 'a\uFFFEb\uFFFF',
};
// What a terminal or an XML reader must not meet; a line break is ours.
const RAW = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFE\uFFFF]/u;

const scenarioOf = (name: string): Scenario => ({ clients: 5, service: { capacity: 5 }, outage: { length: 500 }, policies: { [name]: { retries: 3 }, full: 'full' } });

beforeAll(bundleCli);

describe.each(Object.entries(hostile))('%s in the name of a policy', (_, name) => {
  it('F31 reaches no terminal as it is', async () => {
    writeFile('hostile.json', JSON.stringify(scenarioOf(name)));
    const [table, json] = await Promise.all([run(['simulate', 'hostile.json']), run(['simulate', 'hostile.json', '--json'])]);
    expect(table).toMatchObject({ code: 0, err: '' });
    expect(table.out).not.toMatch(RAW);
    expect(json.out).not.toMatch(RAW);
    expect(JSON.parse(json.out).policies[0].policy).toBe(name);
    // Nor does it make a line of its own: two policies in four lists.
    expect(table.out.split('\n').filter((line) => line.startsWith('full '))).toHaveLength(4);
  });

  it('F31 leaves the picture valid XML', () => {
    const scenario = scenarioOf(name);
    const svg = drawResult(simulate(scenario), scenario);
    expect(svg).not.toMatch(RAW);
    const { window } = new JSDOM('');
    const { documentElement } = new window.DOMParser().parseFromString(svg, 'image/svg+xml');
    expect(documentElement.querySelector('parsererror')).toBeNull();
    expect(documentElement.querySelectorAll('script, img')).toHaveLength(0);
  });

  it('F31 makes no element of the report', () => {
    const scenario = scenarioOf(name);
    const html = renderReport(simulate(scenario), scenario, '');
    expect(html).not.toMatch(RAW);
    const { document } = new JSDOM(html).window;
    expect(document.querySelectorAll('img, [onerror]')).toHaveLength(0);
    expect(document.querySelector('tbody')?.textContent).toContain(visible(name));
    expect(fromJson(document.querySelector('pre')?.textContent ?? '')).toEqual(JSON.parse(JSON.stringify(scenario)));
  });
});

describe('F31 a wrong value', () => {
  const escape = '\u001B[31m\u009B2J';

  it.each([
    ['of a flag', ['plan', '--calls', escape]],
    ['of a flag with choices', ['simulate', '--overload', escape]],
    ['that is no flag', ['simulate', `--${escape}`]],
    ['that is no command', [escape]],
    ['that is no preset', ['plan', escape]],
    ['that is no file', ['simulate', escape]],
    ['that is no folder', ['simulate', '--clients', '1', '--svg', `${escape}/x.svg`]],
  ])('%s is told without steering the terminal', async (_, args) => {
    const { code, err, out } = await run(args);
    expect(out + err).not.toMatch(RAW);
    expect(err).toContain('␛[31m');
    expect(code).toBe(2);
  });

  it.each([
    ['a file that is no JSON', `[${escape}`],
    ['a field that does not exist', JSON.stringify({ [escape]: 1, clients: 1, service: { capacity: 1 } })],
    ['a policy that does not exist', JSON.stringify({ clients: 1, service: { capacity: 1 }, policies: [escape] })],
    ['an option that does not exist', JSON.stringify({ clients: 1, service: { capacity: 1 }, policies: { mine: { [escape]: 1 } } })],
  ])('%s likewise', async (_, text) => {
    writeFile('wrong.json', text);
    const { code, err } = await run(['simulate', 'wrong.json']);
    expect(err).not.toMatch(RAW);
    expect(err).toContain('␛');
    expect(code).toBe(2);
  });
});

describe('text for a terminal', () => {
  it('leaves other writing as it is', () => {
    for (const text of ['naïve', '日本語', 'заказ', '€ 5', 'a\u0301', '👍']) expect(visible(text)).toBe(text);
  });

  it.each([['abc', 3], ['日本語', 6], ['a\u0301', 1], ['👍', 2], ['', 0]])('%s takes %d columns', (text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  it.each([['abcdef', 4, 'abc…'], ['abcd', 4, 'abcd'], ['日本語', 4, '日…'], ['\u001B[0m', 3, '␛[…']])('%j in %d columns is %s', (text, width, clipped) => {
    expect(clip(text, width)).toBe(clipped);
  });

  it('breaks lines at blanks', () => {
    expect(wrap('one two three four', '  ', 9)).toBe('one two\n  three\n  four');
  });

  it('keeps tables in 80 columns: the first column gives way', () => {
    const table = renderTable(['name', 'number'], [['x'.repeat(100), '1'.repeat(50)]]);
    expect(table.split('\n').map(widthOf)).toEqual([80, 80, 80]);
  });
});

it.each([Infinity, 'a\u009Bb', '\u202E', 'plain', null])('JSON of %j can be read again', (value) => {
  const text = toJson({ value });
  expect(text).not.toMatch(RAW);
  expect(fromJson(text)).toEqual({ value });
});

describe('80 columns', () => {
  it.each([
    [['simulate', '--clients', '10000', '--max-requests', '200000']],
    [['simulate', '--clients', '300', '--rate', '20', '--outage', '2s', '--base-delay', '100']],
    [['simulate', 'names.json']],
    [['plan']],
    [['plan', 'axios-retry-exponential']],
    [['plan', '--retries', 'Infinity', '--max-delay', '1000000m', '--factor', '9', '--calls', '5', '--jitter', 'none', '--retry-after-spread', '0']],
    [['--help']],
    [['simulate', '--help']],
    [['plan', '--help']],
  ])('%j fits', async (args) => {
    writeFile('names.json', JSON.stringify(scenarioOf('policy '.repeat(20))));
    const { out } = await run(args);
    const wide = out.split('\n').filter((line) => widthOf(line) > 80);
    expect(wide).toEqual([]);
    expect(out).not.toBe('');
  });
});

it('F31 the progress bar shows the name of a policy as text, in one line of 80 columns', () => {
  const written: string[] = [];
  const bar = new ProgressBar({ isTTY: true, write: (text: unknown) => written.push(String(text)) > 0 }, true);
  const progress = { policy: '\u001B]0;title\u0007\n'.repeat(9), done: 3, policies: 9, settled: 9_999_999, clients: 10_000_000, time: 1, requests: 49_999_999 };
  bar.show(progress, 1_000);
  const [line = ''] = written;
  expect(line.startsWith('\r\u001B[K')).toBe(true);
  expect(line.slice(4)).not.toMatch(/[\p{Cc}]/u);
  expect(widthOf(line.slice(4))).toBeLessThanOrEqual(80);
});
