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
  // Where the mutants live, with a package.json of the same name.
  modulePathIgnorePatterns: ['<rootDir>/.stryker-tmp/'],
};

/** Examples and the README's code import the package by its name. */
const sources = {
  '^axios-jitter$': '<rootDir>/lib/index.ts',
  '^axios-jitter/([a-z-]+)$': '<rootDir>/lib/$1.ts',
};

/** All tests, type-checked (`isolatedModules` is off), against the axios in package.json. */
const newest: ProjectConfig = {
  ...common,
  displayName: 'newest',
  testMatch: ['<rootDir>/__tests__/**/*.test.ts'],
  transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json' }] },
  moduleNameMapper: sources,
};

/** What goes through axios, once more against an older axios; its types were checked above. */
function olderProject(version: string): ProjectConfig {
  return {
    ...common,
    displayName: `axios-${version}`,
    testMatch: ['<rootDir>/__tests__/behaviour/**/*.test.ts'],
    transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.json', transpilation: true, diagnostics: false }] },
    moduleNameMapper: { ...sources, '^axios$': `axios-${version}` },
    globals: { AXIOS_UNDER_TEST: version },
  };
}

const config: Config = {
  projects: wanted.map((name) => (name === 'newest' ? newest : olderProject(name))),
  testTimeout: 20_000,
  maxWorkers: 2,
  // The command line is tested as a process of its own.
  collectCoverageFrom: ['lib/**/*.ts', '!lib/cli.ts', '!lib/cli/**'],
  coverageReporters: ['text', 'lcov'],
  coverageThreshold: { global: { branches: 95 } },
};

export default config;
