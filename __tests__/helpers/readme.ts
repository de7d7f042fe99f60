// README.md and the pages of docs/ as data: their code blocks and tables; their code, compiled and run.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import ts from 'typescript';

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

/** What TypeScript says against blocks, under this repository's own settings. `prelude`: declarations that they may use. */
export function typeErrors(checked: readonly Block[], prelude: string): string[] {
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile.bind(ts.sys)) as { config: object };
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  const allOptions: ts.CompilerOptions = {
    ...options,
    moduleDetection: ts.ModuleDetectionKind.Force,
    experimentalDecorators: true,
  };
  const files = new Map(checked.map(({ name, code }, index) => [path.join(root, `${index} ${name}.ts`), code]));
  files.set(path.join(root, 'prelude.d.ts'), prelude);
  const host = ts.createCompilerHost(allOptions);
  host.jsDocParsingMode = ts.JSDocParsingMode.ParseNone;
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (file) => files.has(file) || fileExists(file);
  host.readFile = (file) => files.get(file) ?? readFile(file);
  host.getSourceFile = (file, target, ...rest) => {
    const code = files.get(file);
    return code === undefined ? getSourceFile(file, target, ...rest) : ts.createSourceFile(file, code, target);
  };
  const program = ts.createProgram([...files.keys()], allOptions, host);
  // What the blocks import is checked by `npm run typecheck`.
  const found = [...files.keys()].flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)));
  return found.map((diagnostic) => {
    const text = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n');
    return `${path.basename(diagnostic.file?.fileName ?? '', '.ts')}: ${text}`;
  });
}

/** Runs a block as a module; resolves with its exports when its last `await` is done. */
export async function runBlock({ code }: Block, modules: object, names: object): Promise<object> {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.CommonJS,
      esModuleInterop: true,
      experimentalDecorators: true,
    },
  });
  const exported = {};
  const load = (name: string): unknown => {
    const found: unknown = Reflect.get(modules, name);
    if (found === undefined) throw new Error(`A block imports ${name}, for which the test has no module`);
    return found;
  };
  // A function in a function: a block may declare what the names outside are called.
  const body = `return (async () => {${outputText}\n})();`;
  const run = new Function('require', 'exports', ...Object.keys(names), body) as (...args: unknown[]) => Promise<void>;
  await run(load, exported, ...(Object.values(names) as unknown[]));
  return exported;
}
