/** The page that shows what the runs came to. */
import type { Cell } from './scenario';
import { subjects, type SubjectName } from './subjects';

export interface Result {
  readonly family: string;
  readonly id: string;
  readonly title: string;
  readonly right: string;
  readonly cells: Partial<Record<SubjectName, Cell>>;
}

const NAMES = subjects.map(({ name }) => name);

const escaped = (text: string): string => text.replaceAll('|', '\\|');

export function renderCell(cell: Cell | undefined): string {
  if (!cell || cell.verdict === 'no way') return '–';
  return cell.verdict === 'right' ? 'yes' : escaped(cell.what);
}

/** One line of a table. */
export function renderRow({ id, title, right, cells }: Result): string {
  return `| ${id} | ${escaped(title)} | ${escaped(right)} | ${NAMES.map((name) => renderCell(cells[name])).join(' | ')} |`;
}

function renderFamily(family: string, results: readonly Result[]): string {
  const head = [`## ${family}`, '', `| case | situation | right | ${NAMES.join(' | ')} |`, `| --- | --- | --- |${' --- |'.repeat(NAMES.length)}`];
  return [...head, ...results.map(renderRow)].join('\n');
}

function count(results: readonly Result[], name: SubjectName): string {
  const of = (verdict: Cell['verdict']): number => results.filter(({ cells }) => cells[name]?.verdict === verdict).length;
  return `| ${name} | ${of('right')} | ${of('wrong')} | ${of('no way')} |`;
}

const isRight = ({ cells }: Result, name: SubjectName): boolean => cells[name]?.verdict === 'right';

/** Where axios-jitter is not right and somebody else is. */
function better(results: readonly Result[]): string {
  const lines = results
    .filter((result) => !isRight(result, 'axios-jitter') && NAMES.some((name) => isRight(result, name)))
    .map((result) => `- ${result.id}, ${result.title}: ${NAMES.filter((name) => isRight(result, name)).join(', ')}. axios-jitter: ${renderCell(result.cells['axios-jitter'])}.`);
  return lines.length > 0 ? lines.join('\n') : '- In none of these cases.';
}

export function renderPage(results: readonly Result[], versions: Readonly<Record<string, string>>): string {
  const families = [...new Set(results.map(({ family }) => family))];
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `${[
    '# Comparison',
    '',
    `Each cell comes from a run of \`npm run compare\`: the real package, set up as its own documentation says, against a real server on`,
    `127.0.0.1 (${named.join(', ')}). Waits of 20 ms and more are recorded and skipped. "yes" = it did what the column *right* says; a dash =`,
    'it has no option for it; anything else is what happened instead. We chose the cases, so they favour what we care about; what is right is our',
    'opinion, too. The first column says where a case is from: R, a public report of a user of one of the packages; S or F, a fault found by trying',
    'to break axios-jitter; own, an idea of ours. The number is the name of the case in the tests, nothing more.',
    '',
    '| package | right | otherwise | no option |',
    '| --- | ---: | ---: | ---: |',
    ...NAMES.map((name) => count(results, name)),
    '',
    'Where another package is better:',
    '',
    better(results),
    '',
    'What axios-retryer has beyond retrying (a queue with a limit and priorities, a token refresh, a cache, "retry the failed ones now"), and',
    'what does the same next to axios-jitter: [beside.md](beside.md).',
    '',
    ...families.map((family) => `${renderFamily(family, results.filter((result) => result.family === family))}\n`),
  ].join('\n')}`;
}
