// docs/planner.md: its commands are run, its outputs, tables and pictures made again.
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import { simulate, type PolicyResult, type PresetName } from 'axios-jitter/simulate';

import { clients, limit, network, outage, policies as herd, service, timeout } from '../../examples/herd/setting';
import { drawContention, drawHerd, runContention } from '../../examples/pictures/pictures';
import { formatCount, formatLimit, formatTime } from '../../lib/chart/format';
import { planPolicy, PRESETS } from '../../lib/simulate';
import { bundleCli, file, run, writeFile, type Ran } from '../cli/support/run-cli';
import { blocksOf, pages, readme, root, tableOf } from '../helpers/readme';

const page = pages['docs/planner.md'] ?? '';
const blocks = blocksOf('docs/planner.md');
const commands = blocks.filter(({ language }) => language === 'sh').flatMap(({ code }) => code.trim().split('\n'));
const argumentsOf = (command: string): string[] => command.replace(/^npx axios-jitter /, '').split(' ');
// A browser that does nothing.
const env = { BROWSER: 'true' };
const ran = new Map<string, Promise<Ran>>();

/** What a command of the page came to: several tests ask, it runs once. */
function ranOnce(command: string): Promise<Ran> {
  const known = ran.get(command) ?? run(argumentsOf(command), { env });
  ran.set(command, known);
  return known;
}

beforeAll(() => {
  bundleCli();
  writeFile('scenario.json', blocks.find(({ language }) => language === 'json')?.code ?? '');
});

it.each(commands)('runs: %s', async (command) => {
  expect(command).toMatch(/^npx axios-jitter (plan|simulate|lab)( |$)/);
  const { code, out, err } = await ranOnce(command);
  expect(err).toBe('');
  expect(out).not.toBe('');
  expect(code).toBe(0);
});

it('has an output for two commands, and they print it', async () => {
  const outputs = blocks.flatMap(({ language, code }, index) => (language === 'text' ? [[blocks[index - 1]?.code.trim() ?? '', code] as const] : []));
  expect(outputs).toHaveLength(2);
  for (const [command, output] of outputs) expect((await ranOnce(command)).out).toBe(output);
});

it('says what the plan says', async () => {
  const facts: Readonly<Record<string, string>> = { 'plan --total-timeout 8s': '8.0 s', 'plan --timeout 0': 'no end' };
  for (const [command, worst] of Object.entries(facts)) {
    expect((await ranOnce(`npx axios-jitter ${command}`)).out).toMatch(new RegExp(`Worst case of a call: ${worst.replace('.', '\\.')}(; totalTimeout would limit it)?\n`));
    expect(page).toContain(command);
    expect(page).toContain(worst);
  }
});

it('says what the README says of the budget', () => {
  const { withBudget, withoutBudget } = planPolicy('default').amplification;
  const [sent, without] = [withBudget, withoutBudget].map((requests) => formatCount(Math.round(requests * 10_000)));
  expect(readme).toContain(`10,000 calls of one process in an outage send ${sent} requests, not ${without}.`);
});

it('writes the picture and the report where it says', async () => {
  await ranOnce('npx axios-jitter simulate scenario.json --svg out.svg --html report.html');
  expect(readFileSync(file('out.svg'), 'utf8')).toContain('<svg');
  expect(readFileSync(file('report.html'), 'utf8')).toContain("default-src 'none'");
});

it('says of each preset how many retries it allows', () => {
  const { rows } = tableOf('Presets', 'preset');
  const listed = rows.flatMap(([names = '', , retries]) => [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, retries]));
  const { policies } = simulate({ clients: 1, service: { capacity: 10 } });
  expect(listed).toEqual(policies.map(({ policy, maxRetries }) => [policy, formatLimit(maxRetries)]));
  expect(listed.map(([name]) => name)).toEqual(Object.keys(PRESETS));
});

it('names the versions whose defaults the presets are', () => {
  for (const name of ['axios-retry', 'retry-axios']) {
    const { version } = JSON.parse(readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8')) as { version: string };
    expect(page).toContain(`${name} ${version} as it comes`);
  }
});

describe('the table of the formulas', () => {
  const { rows } = tableOf('Presets', 'preset');
  expect(rows.length).toBeGreaterThan(0);
  const all = page.slice(page.indexOf('| preset | requests per call')).split('\n\n')[0]?.split('\n').slice(2) ?? [];
  const cells = all.map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()));
  const names = cells.map(([name = '']) => name.replaceAll('`', '') as PresetName);
  const { policies } = simulate({ clients: 10_000, service: { capacity: 500 }, outage: { length: 10_000 }, policies: names });

  it.each(cells)('is what the simulator says: %s', (name = '', ...figures) => {
    const { amplification, peak, peakAfterOutage, timeTo, backUnderCapacity } = policies.find(({ policy }) => `\`${policy}\`` === name) as PolicyResult;
    expect(figures).toEqual([
      formatCount(amplification), formatCount(peak.requests), formatCount(peakAfterOutage.requests),
      formatTime(timeTo.p50), formatTime(timeTo.p99), formatTime(backUnderCapacity),
    ]);
  });
});

describe('the contention experiment', () => {
  const results = runContention();
  const { rows } = tableOf('The classic contention experiment', 'clients');
  const counts = [10, 20, 50, 100, 150, 200];

  it.each(rows)('has these figures for %s clients', (count = '', ...cells) => {
    const place = counts.indexOf(Number(count));
    const found = [...results.values()].map((values) => values[place] ?? { calls: 0, time: 0 });
    const seconds = (time: number): string => (time < 10_000 ? (time / 1_000).toFixed(1) : String(Math.round(time / 1_000)));
    expect(cells.map((cell) => cell.replace(/ \(.*\)/, ''))).toEqual(found.map(({ calls, time }) => `${formatCount(Math.round(calls))}, ${seconds(time)} s`));
  });

  it.each(Object.entries(drawContention(results)))('has the picture %s that is drawn from them', (name, svg) => {
    expect(readFileSync(path.join(root, 'examples/pictures', name), 'utf8')).toBe(svg);
  });
});

it('has the picture of the herd that the simulator draws', () => {
  expect(readFileSync(path.join(root, 'examples/pictures/herd.svg'), 'utf8')).toBe(drawHerd());
});

describe('the table of a run with a real server', () => {
  const { rows } = tableOf('With a real server', 'policy');
  const { policies } = simulate({ clients, service, timeout, horizon: limit, outage: { length: outage }, network, policies: herd });
  const figureOf = (policy: string, figure: string): string => {
    const result = policies.find(({ policy: name }) => `\`${name}\`` === policy) as PolicyResult;
    if (figure === '99% served') return formatTime(result.timeTo.p99);
    return figure === 'requests per call' ? result.amplification.toFixed(2) : formatCount(result.peak.requests);
  };

  it.each(rows)('has the simulated figure: %s, %s', (policy = '', figure = '', real = '', simulated = '', difference = '') => {
    expect(simulated).toBe(figureOf(policy, figure));
    const [one, other] = [real, simulated].map(parseFloat) as [number, number];
    expect(Math.abs(Math.abs(one - other) / Math.max(one, other) - parseFloat(difference) / 100)).toBeLessThan(0.01);
  });
});

it('shows pictures that are there, and small', () => {
  const images = [...page.matchAll(/(?:!\[[^\]]*\]\(|src=")([^)"]+)/g)].map(([, target = '']) => path.join(root, 'docs', target));
  expect(images.length).toBeGreaterThan(4);
  expect(images.filter((image) => !existsSync(image) || statSync(image).size > 130_000)).toEqual([]);
});
