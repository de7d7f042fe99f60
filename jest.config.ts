import type { Config } from 'jest';

type ProjectConfig = NonNullable<Exclude<NonNullable<Config['projects']>[number], string>>;

/** Older axios releases: names of npm aliases in package.json. `1.7` runs only when asked for. */
const older = ['1.2', '1.6', '1.7', '1.13'];
const byDefault = ['newest', '1.2', '1.6', '1.13'];

/** `AXIOS_VERSIONS=1.2,newest npx jest` narrows the run. */
const asked = process.env['AXIOS_VERSIONS'];
const wanted = asked === undefined || asked === '' ? byDefault : asked.split(',').map((name) => name.trim());
const unknown = wanted.filter((name) => name !== 'newest' && !older.includes(name));
if (unknown.length > 0) {
  throw new Error(`AXIOS_VERSIONS: ${unknown.join(', ')} unknown; allowed: newest, ${older.join(', ')}`);
}

const common: ProjectConfig = {
  testEnvironment: 'node',
  testEnvironmentOptions: { globalsCleanup: 'off' },
  restoreMocks: true,
};

/** Examples and the README's code import the package by its name. */
const sources = {
  '^axios-jitter$': '<rootDir>/lib/index.ts',
  '^axios-jitter/([a-z-]+)$': '<rootDir>/lib/$1.ts',
};

/** Packages that neighbours of the plugin bring along and that exist as ES modules only: compiled for jest. */
const esModules = ['axios-cookiejar-support', 'agent-base', 'rettime', 'until-async', '@open-draft/deferred-promise'];

/** All tests, type-checked (`isolatedModules` is off), against the axios in package.json. */
const newest: ProjectConfig = {
  ...common,
  displayName: 'newest',
  testMatch: ['<rootDir>/__tests__/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/__tests__/browser/'],
  transform: {
    '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json' }],
    '^.+\\.m?js$': ['ts-jest', { tsconfig: { allowJs: true, target: 'ES2022', module: 'CommonJS' }, transpilation: true, diagnostics: false }],
  },
  transformIgnorePatterns: [`/node_modules/(?!.*/node_modules/|(${esModules.join('|')})/)`],
  moduleNameMapper: sources,
};

/** Types are left to `npm run typecheck`. */
const untyped: ProjectConfig['transform'] = {
  '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json', transpilation: true, diagnostics: false }],
};

/** What is built, in a real Chromium: runs together with `newest`. */
const browser: ProjectConfig = {
  ...common,
  displayName: 'browser',
  testMatch: ['<rootDir>/__tests__/browser/*.test.ts'],
  transform: untyped,
  globalSetup: '<rootDir>/__tests__/browser/support/global-setup.ts',
  globalTeardown: '<rootDir>/__tests__/browser/support/global-teardown.ts',
};

/** What goes through axios, once more against an older axios; its types were checked above. */
function olderProject(version: string): ProjectConfig {
  return {
    ...common,
    displayName: `axios-${version}`,
    testMatch: ['<rootDir>/__tests__/behaviour/**/*.test.ts'],
    transform: untyped,
    moduleNameMapper: { ...sources, '^axios$': `axios-${version}` },
    globals: { AXIOS_UNDER_TEST: version },
  };
}

const config: Config = {
  projects: wanted.flatMap((name) => (name === 'newest' ? [newest, browser] : [olderProject(name)])),
  testTimeout: 20_000,
  maxWorkers: 2,
  // The command line is tested as a process of its own.
  collectCoverageFrom: ['lib/**/*.ts', '!lib/cli.ts', '!lib/cli/**'],
  coverageReporters: ['text', 'lcov'],
  coverageThreshold: { global: { branches: 95 } },
};

export default config;
