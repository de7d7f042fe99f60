import eslint from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

import { doors, entryPoints, hasDefault, isCommand, isNode, isPrivate, mayImport, names, packages } from './scripts/layout.mjs';

const noPromiseConstructor = {
  selector: "NewExpression[callee.name='Promise']",
  message: '`new Promise` is for lib/time/ only.',
};
const noPromiseWithResolvers = {
  selector: "MemberExpression[object.name='Promise'][property.name='withResolvers']",
  message: 'Not in ES2022, and by the same rule as `new Promise`.',
};
const timers = ['setTimeout', 'setInterval', 'setImmediate'];
const timerMessage = 'Timers are for lib/time/ only.';
const timerProperties = ['globalThis', 'window', 'self'].flatMap((object) =>
  timers.map((property) => ({ object, property, message: timerMessage })),
);

const noDefault = {
  selector: ":matches(ExportDefaultDeclaration, ExportSpecifier[exported.name='default'])",
  message: 'Named exports only: see `hasDefault` in scripts/layout.mjs.',
};

const axiosTypes = { name: 'axios', message: 'axios is a peer: lib/ imports its types only.', allowTypeImports: true };
const importRule = (...patterns) => ({
  '@typescript-eslint/no-restricted-imports': ['error', { paths: [axiosTypes], patterns }],
});

const anyOf = (list) => `(?:${list.length > 0 ? list.join('|') : '(?!)'})`;
const file = '/[a-z\\d-]+';

/** Packages and built-ins that are not for this part of lib/; the command line may use all. */
function foreign(name) {
  const allowed = ['\\.', 'axios$', ...(packages[name] ?? []).map((one) => `${one}$`), ...(isNode(name) ? ['node:'] : [])];
  const message = 'lib/ runs in browsers and React Native too and has no dependency: see `packages` and `node` in scripts/layout.mjs.';
  return isCommand(name) ? [] : [{ regex: `^(?!${anyOf(allowed)})`, message }];
}

/** Of what is in lib/: `own` (a pattern), and what the order allows. */
function relative(name, own, upwards, allowed) {
  // An entry point is known by its face alone.
  const others = `${upwards}${anyOf(allowed.map((one) => (isPrivate(one) ? one : `${one}(?:${file})?`)))}`;
  const message = `${name} may import only what stands below it, by the shortest path: see scripts/layout.mjs.`;
  return { regex: `^\\.(?!(?:${own}|${others})$)`, message };
}

const direction = [
  { files: ['lib/**/*.ts'], rules: importRule({ regex: '^\\.', message: 'Give this name its place in scripts/layout.mjs first.' }) },
  ...names.flatMap((name) => [
    { files: [`lib/${name}.ts`], rules: importRule(...foreign(name), relative(name, `/${name}${file}`, '/', mayImport(name))) },
    { files: [`lib/${name}/*.ts`], rules: importRule(...foreign(name), relative(name, file, './', mayImport(name, ''))) },
  ]),
  ...Object.entries(doors).flatMap(([name, { files = ['*'] }]) =>
    files.map((door) => ({
      files: [`lib/${name}/${door}.ts`],
      rules: importRule(...foreign(name), relative(name, file, './', mayImport(name, door))),
    })),
  ),
];

const lib = {
  files: ['lib/**/*.ts'],
  extends: [tseslint.configs.strictTypeChecked],
  languageOptions: { parserOptions: { project: './tsconfig.lib.json', tsconfigRootDir: import.meta.dirname } },
  rules: {
    'max-lines': ['error', { max: 150, skipBlankLines: false, skipComments: false }],
    'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
    'max-depth': ['error', 2],
    'max-params': ['error', 4],
    eqeqeq: 'error',
    // A stop is thrown from within a step of a call, and never leaves the loop: no stack is wanted.
    '@typescript-eslint/only-throw-error': ['error', { allow: [{ from: 'file', name: 'Stop' }] }],
    'no-restricted-syntax': ['error', noPromiseConstructor, noPromiseWithResolvers, noDefault],
    'no-restricted-globals': ['error', ...timers.map((name) => ({ name, message: timerMessage }))],
    'no-restricted-properties': [
      'error',
      ...timerProperties,
      { object: 'AbortSignal', property: 'timeout', message: timerMessage },
    ],
    '@typescript-eslint/consistent-type-imports': 'error',
    '@typescript-eslint/consistent-type-exports': 'error',
    '@typescript-eslint/switch-exhaustiveness-check': 'error',
    '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
    '@typescript-eslint/no-confusing-void-expression': [
      'error',
      { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
    ],
    // A hook may return nothing or a config; headers are objects with names from outside.
    '@typescript-eslint/no-invalid-void-type': 'off',
    '@typescript-eslint/no-dynamic-delete': 'off',
  },
};

/** tsconfig.lib.json has no types of Node. */
const onNode = {
  files: names.filter(isNode).flatMap((name) => [`lib/${name}.ts`, `lib/${name}/*.ts`]),
  languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
};

/** A process of its own, not code in somebody's program. */
const command = { files: names.filter(isCommand).flatMap((name) => [`lib/${name}.ts`, `lib/${name}/*.ts`]), rules: { 'no-restricted-globals': 'off' } };

const time = {
  files: ['lib/time/*.ts'],
  rules: {
    'no-restricted-syntax': ['error', noPromiseWithResolvers, noDefault],
    'no-restricted-globals': 'off',
    'no-restricted-properties': 'off',
  },
};

const dropIns = {
  files: entryPoints.filter(({ name }) => hasDefault(name)).map(({ name }) => `lib/${name}.ts`),
  rules: { 'no-restricted-syntax': ['error', noPromiseConstructor, noPromiseWithResolvers] },
};

const nodeSide = {
  files: ['__tests__/**/*.ts', 'bench/**/*.ts', 'examples/**/*.ts', 'scripts/*.ts', 'scripts/compare/**/*.ts', '*.ts'],
  extends: [tseslint.configs.recommended],
  languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
  rules: {
    '@typescript-eslint/no-floating-promises': 'error',
    '@typescript-eslint/await-thenable': 'error',
    '@typescript-eslint/consistent-type-imports': 'error',
    '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  },
};

const noOnlyNoSkip = {
  files: ['__tests__/**/*.ts'],
  rules: {
    'no-restricted-syntax': [
      'error',
      {
        selector: 'MemberExpression[object.name=/^(it|test|describe)$/][property.name=/^(only|skip|todo)$/]',
        message: 'No test is singled out or left out. Where an axios is too old: `itSince` of helpers/axios.ts.',
      },
      {
        selector: 'CallExpression > Identifier.callee[name=/^([fx]it|xtest|[fx]describe)$/]',
        message: 'No test is singled out or left out.',
      },
    ],
    'no-restricted-imports': [
      'error',
      { paths: [{ name: 'nock', message: 'Import helpers/nock.ts: it takes its patch of node:http away again.' }] },
    ],
  },
};

const nockHelper = { files: ['__tests__/helpers/nock.ts'], rules: { 'no-restricted-imports': 'off' } };

const globals = { console: 'readonly', process: 'readonly', URL: 'readonly' };
const scripts = [
  { files: ['**/*.mjs'], languageOptions: { globals } },
  { files: ['**/*.cjs'], languageOptions: { globals, sourceType: 'commonjs' } },
];

export default defineConfig(
  globalIgnores(['dist', 'coverage', 'reports', '.stryker-tmp']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  eslint.configs.recommended,
  lib,
  direction,
  onNode,
  command,
  time,
  ...(dropIns.files.length > 0 ? [dropIns] : []),
  nodeSide,
  noOnlyNoSkip,
  nockHelper,
  scripts,
);
