// README.md and the pages of docs/ as data: their code blocks and tables. Their code, compiled and run: run-block.ts.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(__dirname, '../..');
export const readme = readFileSync(path.join(root, 'README.md'), 'utf8');

/** All pages that a user reads, by their path. */
export const pages: Readonly<Record<string, string>> = Object.fromEntries(
  ['README.md', ...readdirSync(path.join(root, 'docs')).filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`)].map((file) => [
    file,
    readFileSync(path.join(root, file), 'utf8'),
  ]),
);

export interface Block {
  /** The heading above it and its place below: `Five lines 1`. */
  readonly name: string;
  readonly language: string;
  readonly code: string;
}

export interface Table {
  readonly heading: string;
  readonly columns: readonly string[];
  /** The cells without the escapes of a table. */
  readonly rows: readonly (readonly string[])[];
}

interface Section {
  readonly heading: string;
  readonly text: string;
}

/** Headings inside code blocks are none: those are cut out first by whoever looks for text. */
function sectionsOf(text: string): Section[] {
  const parts = text.split(/^#{2,3} (.+)$/m);
  return parts.flatMap((part, index) => (index % 2 === 1 ? [{ heading: part, text: parts[index + 1] ?? '' }] : []));
}

export const headingsOf = (page: string): string[] => sectionsOf(pages[page] ?? '').map(({ heading }) => heading);

export const blocksOf = (page: string): Block[] => sectionsOf(pages[page] ?? '').flatMap(({ heading, text }) =>
  [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = ''], index) => ({
    name: `${heading} ${index + 1}`,
    language,
    code,
  })),
);

const cellsOf = (line: string): string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

const tables: readonly Table[] = Object.values(pages).flatMap(sectionsOf).flatMap(({ heading, text }) =>
  [...text.matchAll(/(?:^\|.*\n)+/gm)].map(([table]) => {
    const [columns = [], , ...rows] = table.trim().split('\n').map(cellsOf);
    return { heading, columns, rows };
  }),
);

export function tableOf(heading: string, firstColumn: string): Table {
  const table = tables.find(({ heading: own, columns }) => own === heading && columns[0] === firstColumn);
  if (!table) throw new Error(`No page has a table "${firstColumn}" under "${heading}"`);
  return table;
}

/** The words in backticks. */
export const codesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
