// `npm run compare` fills docs/compare.md from runs; here a sample of its cells is run again. Cases that take real time are left to it.
import { readFileSync } from 'node:fs';
import { families } from '../../scripts/compare/cases/index';
import { renderRow, type Result } from '../../scripts/compare/page';
import { play, type Scenario } from '../../scripts/compare/scenario';
import { subjects } from '../../scripts/compare/subjects';

const SAMPLE = ['R01', 'R06', 'R08', 'R70', 'R31', 'R33', 'R41', 'R54', 'R55', 'R63', 'R65', 'R80', 'R83', 'R96'];
const cases = families.flatMap(({ name, cases: all }) => all.map((scenario) => [scenario, name] as const));
const sample = cases.filter(([{ id }]) => SAMPLE.includes(id));
const page = readFileSync('docs/compare.md', 'utf8');

async function playAll(scenario: Scenario, family: string): Promise<Result> {
  const cells: Result['cells'] = {};
  for (const subject of subjects) cells[subject.name] = await play(scenario, subject);
  return { family, id: scenario.id, title: scenario.title, right: scenario.right, cells };
}

describe('the comparison', () => {
  beforeEach(() => {
    // axios-retryer logs whatever it does.
    for (const method of ['log', 'warn', 'error', 'debug'] as const) jest.spyOn(console, method).mockImplementation(() => undefined);
  });

  it('has at least 60 cases, each once', () => {
    const titles = cases.map(([{ id, title }]) => `${id} ${title}`);
    expect(titles.length).toBeGreaterThanOrEqual(60);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it('has a row on the page for each case', () => {
    const rows = cases.map(([{ id, title, right }]) => `| ${id} | ${title} | ${right} |`);
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });

  it.each(sample.map(([scenario, family]) => [scenario.id, scenario.title, scenario, family] as const))('%s, %s: as on the page', async (_id, _title, scenario, family) => {
    expect(page).toContain(renderRow(await playAll(scenario, family)));
  });
});
