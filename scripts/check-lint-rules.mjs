// Proves that the house rules of eslint.config.mjs fire, and that every file of lib/ has its place in them.
import { readdirSync } from 'node:fs';

import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

import { names } from './layout.mjs';

const imports = '@typescript-eslint/no-restricted-imports';

/** [path, code, the rule that must report it, or undefined if it is fine] */
const cases = [
  ['lib/call/judge.ts', "import './report';", undefined],
  ['lib/call/judge.ts', "import '../verdict/decide';", undefined],
  ['lib/call/judge.ts', "import '../checks/checks';", undefined],
  ['lib/call/judge.ts', "import '../retry';", imports],
  ['lib/call/judge.ts', "import '../attach';", imports],
  ['lib/verdict/decide.ts', "import '../call/call';", imports],
  ['lib/verdict/decide.ts', "import '../call/call.js';", imports],
  ['lib/verdict/decide.ts', "export type { Some } from '../call/call';", imports],
  ['lib/verdict/decide.ts', "export * from '../call/call';", imports],
  ['lib/watch/events.ts', "import type { Some } from '../options/resolve'; export type S = Some;", imports],
  ['lib/axios/errors.ts', "import '../../lib/axios/body';", imports],
  ['lib/axios/errors.ts', "import '../axios/body';", imports],
  ['lib/checks/checks.ts', "import '../time/sleep';", imports],
  ['lib/retry.ts', "import './call/call';", undefined],
  ['lib/retry.ts', "import './attach';", imports],
  ['lib/retry.ts', "import './index';", imports],
  ['lib/retry.ts', "import './simulate';", imports],
  ['lib/retry.ts', "import './simulate/random';", imports],
  ['lib/attach.ts', "import './interceptors';", undefined],
  ['lib/call/call.ts', "import '../cockatiel';", imports],
  ['lib/index.ts', "export * from './attach';", undefined],
  ['lib/index.ts', "export * from './cockatiel';", imports],
  ['lib/index.ts', "export * from './simulate';", imports],
  ['lib/index.ts', "export * from './simulate/random';", imports],
  ['lib/cockatiel.ts', "import './circuit/circuit';", undefined],
  ['lib/cockatiel.ts', "import './index';", imports],
  ['lib/circuit/circuit.ts', "import { CircuitState } from 'cockatiel'; CircuitState();", undefined],
  ['lib/call/call.ts', "import { CircuitState } from 'cockatiel'; CircuitState();", imports],
  ['lib/simulate.ts', "import './simulate/run';", undefined],
  ['lib/simulate/run.ts', "import './clients';", undefined],
  ['lib/simulate/clients.ts', "import '../verdict/decide';", imports],
  ['lib/simulate/clients.ts', "import '../simulate';", imports],
  ['lib/simulate/library.ts', "import '../verdict/decide';", undefined],
  ['lib/simulate/library.ts', "import '../index';", imports],
  ['lib/simulate/run.ts', "import 'node:fs';", imports],
  ['lib/simulate/run.ts', 'setTimeout(() => {}, 1);', 'no-restricted-globals'],
  ['lib/cli.ts', "import './cli/format';", undefined],
  ['lib/cli.ts', "import './verdict/decide';", imports],
  ['lib/cli/chart.ts', "import '../simulate';", undefined],
  ['lib/cli/chart.ts', "import '../simulate/run';", imports],
  ['lib/cli/chart.ts', "import '../verdict/decide';", imports],
  ['lib/cli/files.ts', "import 'node:fs';", undefined],
  ['lib/cli/files.ts', 'setTimeout(() => {}, 1);', undefined],
  ['lib/not-listed.ts', "import './watch/events';", imports],
  ['lib/not-listed/file.ts', "import '../watch/events';", imports],
  ['lib/call/deeper/file.ts', "import '../call';", imports],
  ['lib/retry.ts', "import axios from 'axios'; axios();", imports],
  ['lib/retry.ts', "import type { AxiosError } from 'axios'; export type E = AxiosError;", undefined],
  ['lib/retry.ts', "import 'node:http';", imports],
  ['lib/retry.ts', "import 'http';", imports],
  ['lib/retry.ts', "import 'commander';", imports],
  ['lib/retry.ts', 'export default 1;', 'no-restricted-syntax'],
  ['lib/retry.ts', 'const one = 1; export { one as default };', 'no-restricted-syntax'],
  ['lib/time/sleep.ts', 'export default 1;', 'no-restricted-syntax'],
  ['lib/retry.ts', 'export const p = new Promise(() => {});', 'no-restricted-syntax'],
  ['lib/time/sleep.ts', 'export const p = new Promise(() => {});', undefined],
  ['lib/retry.ts', 'setTimeout(() => {}, 1);', 'no-restricted-globals'],
  ['lib/retry.ts', 'globalThis.setTimeout(() => {}, 1);', 'no-restricted-properties'],
  ['lib/retry.ts', 'export const s = AbortSignal.timeout(1);', 'no-restricted-properties'],
  ['lib/time/sleep.ts', 'setTimeout(() => {}, 1);', undefined],
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
  if (!names.includes(file.replace(/\.ts$/, ''))) problems.push(`lib/${file} has no place in scripts/layout.mjs`);
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
} else {
  console.log(`lint rules: ${cases.length} samples judged as expected`);
}
