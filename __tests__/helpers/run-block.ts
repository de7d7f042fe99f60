// The code of README.md and of the pages of docs/, compiled and run. Apart from what reads the pages: TypeScript takes long to load.
import path from 'node:path';

import ts from 'typescript';

import { root, type Block } from './readme';

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
