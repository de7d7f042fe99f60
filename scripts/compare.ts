/**
 * `npm run compare`: the same cases against axios-jitter and three other packages, each cell from a run with the real one
 * against a real server. Writes docs/compare.md and reports/compare.json; `--only R01,S07` and `--family Writes` print some and write nothing.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { families } from './compare/cases/index';
import { renderPage, type Result } from './compare/page';
import { play } from './compare/scenario';
import { subjects } from './compare/subjects';

const { values } = parseArgs({ options: { only: { type: 'string' }, family: { type: 'string' } } });
const only = values.only?.split(',');

const versionOf = (name: string): string => {
  const file = name === 'axios-jitter' ? 'package.json' : `node_modules/${name}/package.json`;
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
};

// axios-retryer logs whatever it does.
Object.assign(console, { log: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined });

const results: Result[] = [];
for (const { name: family, cases } of families) {
  for (const scenario of cases) {
    if (values.family && values.family !== family) continue;
    if (only && !only.includes(scenario.id)) continue;
    const cells: Result['cells'] = {};
    for (const subject of subjects) cells[subject.name] = await play(scenario, subject);
    const { id, title, right } = scenario;
    results.push({ family, id, title, right, cells });
    process.stdout.write(`${id} ${title}\n`);
    for (const [name, cell] of Object.entries(cells)) if (cell.verdict !== 'right') process.stdout.write(`    ${name}: ${cell.what || cell.verdict}\n`);
  }
}
if (!only && !values.family) {
  const versions = Object.fromEntries([...subjects.map(({ name }) => name), 'axios'].map((name) => [name, versionOf(name)]));
  mkdirSync('reports', { recursive: true });
  mkdirSync('docs', { recursive: true });
  writeFileSync('reports/compare.json', `${JSON.stringify({ versions, results }, null, 1)}\n`);
  writeFileSync('docs/compare.md', renderPage(results, versions));
}
// Calls that hang would keep the process.
process.exit();
