// Proves that the house rules of eslint.config.mjs fire, and that every file of lib/ has its place in them.
import { readdirSync } from 'node:fs';

import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

import { cliFlow, entryPoints, flow, simulatorFlow } from '../eslint.config.mjs';

const imports = '@typescript-eslint/no-restricted-imports';

const [top] = flow;
const bottom = flow.at(-1);
const [middle, below] = flow.slice(Math.floor(flow.length / 2));

/** [path, code, the rule that must report it, or undefined if it is fine] */
const cases = [
  [`lib/${middle}.ts`, `import './${below}';`, undefined],
  [`lib/${middle}.ts`, `import './${bottom}';`, undefined],
  [`lib/${middle}.ts`, `import './${top}';`, imports],
  [`lib/${middle}.ts`, `import './${middle}';`, imports],
  [`lib/${below}.ts`, `import './${middle}';`, imports],
  [`lib/${below}.ts`, `import './${middle}.js';`, imports],
  [`lib/${below}.ts`, `import '../lib/${middle}';`, imports],
  [`lib/${below}.ts`, `export type { Some } from './${middle}';`, imports],
  [`lib/${below}.ts`, `export * from './${middle}';`, imports],
  [`lib/${top}.ts`, "import './index';", imports],
  ['lib/retry-after.ts', "import './events';", undefined],
  ['lib/retry-after.ts', "import './retry';", imports],
  ['lib/index.ts', `export * from './${top}';`, undefined],
  ['lib/index.ts', "export * from './cockatiel';", imports],
  ['lib/cockatiel.ts', "import './index';", imports],
  ['lib/index.ts', "export * from './simulate/random';", imports],
  ['lib/index.ts', "export * from './simulate';", imports],
  ['lib/retry.ts', "import './simulate';", imports],
  ['lib/simulate.ts', "import './simulate/run';", undefined],
  ['lib/simulate/run.ts', "import './clients';", undefined],
  ['lib/simulate/clients.ts', "import './run';", imports],
  ['lib/simulate/clients.ts', "import '../decide';", imports],
  ['lib/simulate/library.ts', "import '../decide';", undefined],
  ['lib/simulate/run.ts', "import 'node:fs';", imports],
  ['lib/simulate/run.ts', 'setTimeout(() => {}, 1);', 'no-restricted-globals'],
  ['lib/cli/chart.ts', "import '../simulate';", undefined],
  ['lib/cli/chart.ts', "import '../decide';", imports],
  ['lib/cli/files.ts', "import 'node:fs';", undefined],
  ['lib/cli/files.ts', "import './chart';", imports],
  ['lib/not-listed.ts', "import './events';", imports],
  ['lib/retry.ts', "import axios from 'axios'; axios();", imports],
  ['lib/retry.ts', "import type { AxiosError } from 'axios'; export type E = AxiosError;", undefined],
  ['lib/retry.ts', "import 'node:http';", imports],
  ['lib/retry.ts', "import 'http';", imports],
  ['lib/retry.ts', 'export const p = new Promise(() => {});', 'no-restricted-syntax'],
  ['lib/sleep.ts', 'export const p = new Promise(() => {});', undefined],
  ['lib/retry.ts', 'setTimeout(() => {}, 1);', 'no-restricted-globals'],
  ['lib/retry.ts', 'globalThis.setTimeout(() => {}, 1);', 'no-restricted-properties'],
  ['lib/retry.ts', 'export const s = AbortSignal.timeout(1);', 'no-restricted-properties'],
  ['lib/sleep.ts', 'setTimeout(() => {}, 1);', undefined],
  ['lib/retry.ts', '// line\n'.repeat(151), 'max-lines'],
  ['lib/retry.ts', '// line\n'.repeat(150), undefined],
  ['__tests__/x.test.ts', 'it.only("x", () => {});', 'no-restricted-syntax'],
  ['__tests__/x.test.ts', 'describe.skip("x", () => {});', 'no-restricted-syntax'],
  ['__tests__/x.test.ts', 'it.skip.each([1])("x", () => {});', 'no-restricted-syntax'],
  ['__tests__/x.test.ts', 'xit("x", () => {});', 'no-restricted-syntax'],
  ['__tests__/x.test.ts', 'it("x", () => {});', undefined],
  ['__tests__/x.test.ts', "import nock from 'nock'; nock();", 'no-restricted-imports'],
];

// The samples are in no TypeScript project, so the rules that need types are off.
const linter = new ESLint({
  overrideConfig: [tseslint.configs.disableTypeChecked, { rules: { 'no-undef': 'off' } }],
});

const problems = [];

for (const [filePath, code, expected] of cases) {
  const [result] = await linter.lintText(code, { filePath });
  const reported = [...new Set(result.messages.map((message) => message.ruleId ?? message.message))];
  if (reported.join() !== (expected ?? '')) {
    problems.push(`${filePath}: ${JSON.stringify(code.slice(0, 60))}: expected ${expected ?? 'nothing'}, got ${reported.join() || 'nothing'}`);
  }
}

for (const file of readdirSync(new URL('../lib/', import.meta.url))) {
  if (file.endsWith('.ts') && ![...flow, ...entryPoints].includes(file.slice(0, -'.ts'.length))) {
    problems.push(`lib/${file} has no place in \`flow\` or \`entryPoints\` of eslint.config.mjs`);
  }
}

for (const [folder, names] of [['simulate', simulatorFlow], ['cli', cliFlow]]) {
  for (const file of readdirSync(new URL(`../lib/${folder}/`, import.meta.url))) {
    if (!names.includes(file.replace(/\.ts$/, ''))) {
      problems.push(`lib/${folder}/${file} has no place in its flow in eslint.config.mjs`);
    }
  }
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
} else {
  console.log(`lint rules: ${cases.length} samples judged as expected`);
}
