// What the retry budget costs and saves, as docs/protecting.md and README.md give it: counted again.
import { execFileSync } from 'node:child_process';

import { bundleProgram } from '../helpers/program';
import { readme, root, tableOf } from '../helpers/readme';

const { rows } = tableOf('Retry budget', 'failures of single requests');
const rates: Readonly<Record<string, string>> = { '10%, at random': '0.1', '20%, at random': '0.2', '30%, at random': '0.3', 'all (outage)': '1' };
/** What the README gives of it. In CI every row is counted. */
const quoted = '30%, at random';
const counted = process.env['REQUIRE_TEST_TOOLS'] === '1' ? Object.keys(rates) : [quoted];

let program: string;
beforeAll(() => {
  program = bundleProgram('bench/outage.ts');
});

it('has a row for each rate', () => {
  expect(rows.map(([name]) => name)).toEqual(Object.keys(rates));
});

it.each(counted)('is counted: %s', (name) => {
  const printed = execFileSync(process.execPath, [program, '20260101', rates[name] ?? ''], { cwd: root, encoding: 'utf8' });
  const row = rows.find(([first]) => first === name) ?? [];
  expect(printed).toContain(`| ${row.join(' | ')} |`);
});

it('is quoted as it is', () => {
  const [, withBudget = '', , without = ''] = rows.find(([name]) => name === quoted) ?? [];
  expect(readme).toContain(`where 30% of requests fail at random, ${withBudget} of calls fail instead of ${without}.`);
});
