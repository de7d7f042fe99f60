import eslint from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** The flow of lib/: each file may import only files further down. */
export const flow = [
  'log',
  'circuit',
  'circuit-options',
  'sliding-window',
  'circuit-outcome',
  'attach',
  'layer',
  'retry',
  'turn',
  'settle',
  'observers',
  'judge',
  'report',
  'replay',
  'request-side',
  'snapshot',
  'idempotency',
  'breaker',
  'shared-retry-after',
  'axios-errors',
  'examine',
  'state',
  'retry-after',
  'hooks',
  'eligibility',
  'decide',
  'headers',
  'call',
  'lane',
  'instance',
  'body',
  'resolve',
  'rules',
  'sleep',
  'options',
  'budget',
  'origins',
  'backoff',
  'events',
  'checks',
];

/** What package.json exports: may import anything in the flow; nothing imports them, nor they each other. */
export const entryPoints = ['index', 'cockatiel', 'simulate', 'cli'];

/** The flow of lib/simulate/, behind the entry `simulate`: only `library` knows the rest of lib/, which knows none of it. */
export const simulatorFlow = [
  'plan',
  'run',
  'clients',
  'result',
  'service',
  'tally',
  'complete',
  'presets',
  'scenario',
  'contention',
  'library',
  'random',
  'event-queue',
];

/** The flow of lib/cli/, behind the entry `cli`: of the rest of lib/ it knows the entry `simulate` alone. */
export const cliFlow = [
  'simulate-command',
  'plan-command',
  'run-steps',
  'read-scenario',
  'report',
  'table',
  'chart',
  'colours',
  'progress-bar',
  'files',
  'flags',
  'format',
];

const noPromiseConstructor = {
  selector: "NewExpression[callee.name='Promise']",
  message: '`new Promise` is for lib/sleep.ts only.',
};
const noPromiseWithResolvers = {
  selector: "MemberExpression[object.name='Promise'][property.name='withResolvers']",
  message: 'Not in ES2022, and by the same rule as `new Promise`.',
};
const timers = ['setTimeout', 'setInterval', 'setImmediate'];
const timerMessage = 'Timers are for lib/sleep.ts only.';
const timerProperties = ['globalThis', 'window', 'self'].flatMap((object) =>
  timers.map((property) => ({ object, property, message: timerMessage })),
);

/** An imported name of lib/, with or without an extension. */
function importOf(names) {
  return `^\\.{1,2}/(.*/)?(${names.join('|')})(\\.[cm]?[jt]s)?$`;
}

const noNode = {
  regex: '^node:|^(assert|buffer|crypto|events|fs|http|https|net|stream|timers|url|util)(/|$)',
  message: 'No Node built-in: lib/ runs in browsers and React Native too.',
};

function importRule(patterns, common = [noNode]) {
  return {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      {
        paths: [
          {
            name: 'axios',
            message: 'axios is a peer: the core imports its types only.',
            allowTypeImports: true,
          },
        ],
        patterns: [...common, ...patterns],
      },
    ],
  };
}

const direction = [
  {
    // Of a file that is in neither list.
    files: ['lib/**/*.ts'],
    rules: importRule([{ regex: '^\\.', message: 'Give this file its place in `flow` in eslint.config.mjs first.' }]),
  },
  ...flow.map((name, place) => ({
    files: [`lib/${name}.ts`],
    rules: importRule([
      {
        regex: importOf([...entryPoints, ...flow.slice(0, place + 1)]),
        message: `${name}.ts may import only files below it: see \`flow\` in eslint.config.mjs.`,
      },
    ]),
  })),
  {
    files: entryPoints.map((name) => `lib/${name}.ts`),
    rules: importRule([{ regex: importOf(entryPoints), message: 'Nothing imports an entry point.' }]),
  },
  // The core must not carry the simulator or the command line.
  {
    files: ['lib/index.ts', 'lib/cockatiel.ts'],
    rules: importRule([{ regex: `^\\./(simulate|cli)/|${importOf(entryPoints)}`, message: 'Not in the core.' }]),
  },
  ...layer('simulate', simulatorFlow, ['library'], '^\\.\\./'),
  ...layer('cli', cliFlow, [], '^\\.\\./(?!simulate$)', []),
  {
    files: ['lib/cli.ts'],
    rules: importRule([{ regex: '^\\./(?!cli/)', message: 'cli.ts starts the commands in lib/cli/ and knows no more.' }], []),
  },
];

/** A folder with a flow of its own; only the `doors` among its files may import what `outside` matches. */
function layer(folder, names, doors, outside, common = undefined) {
  return names.map((name, place) => ({
    files: [`lib/${folder}/${name}.ts`],
    rules: importRule(
      [
        {
          regex: `^\\./(${names.slice(0, place + 1).join('|')})(\\.[cm]?[jt]s)?$`,
          message: `${folder}/${name}.ts may import only files below it: see \`${folder === 'cli' ? 'cliFlow' : 'simulatorFlow'}\` in eslint.config.mjs.`,
        },
        ...(doors.includes(name) ? [] : [{ regex: outside, message: `${folder}/${name}.ts must not reach outside its folder.` }]),
      ],
      common,
    ),
  }));
}

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
    'no-restricted-syntax': ['error', noPromiseConstructor, noPromiseWithResolvers],
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

/** The command line runs on Node alone. */
const cli = {
  files: ['lib/cli.ts', 'lib/cli/**/*.ts'],
  languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
  rules: { 'no-restricted-globals': 'off' },
};

const sleep = {
  files: ['lib/sleep.ts'],
  rules: {
    'no-restricted-syntax': ['error', noPromiseWithResolvers],
    'no-restricted-globals': 'off',
    'no-restricted-properties': 'off',
  },
};

const nodeSide = {
  files: ['__tests__/**/*.ts', 'bench/**/*.ts', 'examples/**/*.ts', 'scripts/*.ts', '*.ts'],
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
  cli,
  sleep,
  nodeSide,
  noOnlyNoSkip,
  nockHelper,
  scripts,
);
