/** Types are checked by `npm run typecheck`, not each time that jest starts.
 * @jest-config-loader ts-node
 * @jest-config-loader-options {"transpileOnly": true, "compilerOptions": {"module": "CommonJS", "moduleResolution": "Node10"}}
 */
import type { Config } from 'jest';
import { areToolsRequired, missingTools } from './scripts/test-tools';

type ProjectConfig = NonNullable<Exclude<NonNullable<Config['projects']>[number], string>>;

/** Older axios releases: names of npm aliases in package.json. */
const older = ['1.2', '1.6', '1.7', '1.13'];
/** Both ends of the peer range; what lies between runs when asked for, and in `npm run test:matrix`. */
const byDefault = ['newest', '1.2'];

/** `AXIOS_VERSIONS=1.6,1.13 npx jest` runs others. */
const asked = process.env['AXIOS_VERSIONS'];
const wanted = asked === undefined || asked === '' ? byDefault : asked.split(',').map((name) => name.trim());
const unknown = wanted.filter((name) => name !== 'newest' && !older.includes(name));
if (unknown.length > 0) {
  throw new Error(`AXIOS_VERSIONS: ${unknown.join(', ')} unknown; allowed: newest, ${older.join(', ')}`);
}

const common: ProjectConfig = {
  testEnvironment: '<rootDir>/scripts/jest-environment.cjs',
  testEnvironmentOptions: { globalsCleanup: 'off' },
  restoreMocks: true,
  // What the simulator looks up most: a global is slow to find from inside jest's sandbox.
  sandboxInjectedGlobals: ['Infinity', 'Math'],
  // Where the mutants live, with a package.json of the same name.
  modulePathIgnorePatterns: ['<rootDir>/.stryker-tmp/'],
};

/** `BREAKERS=newer npx jest` runs with the next major versions of cockatiel and opossum, which want Node 22. */
const newerBreakers = { '^cockatiel$': 'cockatiel-4', '^opossum$': 'opossum-10' };

/** Examples and the README's code import the package by its name. */
const sources = {
  '^axios-jitter$': '<rootDir>/lib/index.ts',
  '^axios-jitter/([a-z-]+)$': '<rootDir>/lib/$1.ts',
  ...(process.env['BREAKERS'] === 'newer' ? newerBreakers : {}),
};

/** Packages that neighbours of the plugin or the charts bring along and that exist as ES modules only: compiled for jest. */
const esModules = ['cockatiel-4', 'd3-array', 'd3-path', 'd3-shape', 'internmap', 'axios-cookiejar-support', 'agent-base', 'rettime', 'until-async', '@open-draft/deferred-promise'];

/** ts-jest, one file at a time: types are left to `npm run typecheck`. */
const compile = (more: object): [string, object] => [
  '<rootDir>/scripts/ts-jest-once.cjs',
  { tsconfig: { target: 'ES2022', module: 'CommonJS', esModuleInterop: true, isolatedModules: true, ...more }, diagnostics: false },
];
const toCommonJs = { '^.+\\.ts$': compile({}) };

const missing = missingTools();
if (missing.length > 0 && areToolsRequired()) {
  throw new Error(`REQUIRE_TEST_TOOLS is set, and ${missing.map(({ name, advice }) => `${name} is missing: ${advice}`).join('; ')}`);
}
const missingIn = (project: string): boolean => missing.some((tool) => tool.project === project);
const needing = (project: string): ProjectConfig => ({
  ...common,
  displayName: project,
  testMatch: [`<rootDir>/__tests__/${project}/**/*.test.ts`],
  setupFilesAfterEnv: missingIn(project) ? ['<rootDir>/scripts/skip-tests.ts'] : [],
});

/** All tests that need no program from outside, against the axios in package.json. */
const newest: ProjectConfig = {
  ...common,
  displayName: 'newest',
  testMatch: ['<rootDir>/__tests__/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/__tests__/(browser|redis)/'],
  transform: { ...toCommonJs, '^.+\\.m?js$': compile({ allowJs: true }) },
  transformIgnorePatterns: [`/node_modules/(?!.*/node_modules/|(${esModules.join('|')})/)`],
  moduleNameMapper: sources,
};

/** What is built, in a real Chromium: runs together with `newest`. */
const browser: ProjectConfig = {
  ...needing('browser'),
  transform: toCommonJs,
  globalSetup: '<rootDir>/__tests__/browser/support/global-setup.ts',
  globalTeardown: '<rootDir>/__tests__/browser/support/global-teardown.ts',
};

/** With a real Redis: runs together with `newest`. */
const redis: ProjectConfig = {
  ...needing('redis'),
  transform: newest.transform ?? {},
  transformIgnorePatterns: newest.transformIgnorePatterns ?? [],
  moduleNameMapper: sources,
};

/** What goes through axios, once more against an older axios. */
function olderProject(version: string): ProjectConfig {
  return {
    ...common,
    displayName: `axios-${version}`,
    testMatch: ['<rootDir>/__tests__/{behaviour,chaos}/**/*.test.ts'],
    transform: toCommonJs,
    moduleNameMapper: { ...sources, '^axios$': `axios-${version}` },
    globals: { AXIOS_UNDER_TEST: version },
  };
}

const config: Config = {
  projects: wanted.flatMap((name) => (name === 'newest' ? [newest, browser, redis] : [olderProject(name)])),
  // Only for what never ends: a busy machine is slow.
  testTimeout: 120_000,
  maxWorkers: 2,
  testSequencer: '<rootDir>/scripts/longest-first.cjs',
  reporters: [
    'default',
    [
      '<rootDir>/scripts/not-run-reporter.mjs',
      { advice: Object.fromEntries(missing.map(({ name, project, advice }) => [project, `${name} is missing: ${advice}`])) },
    ],
  ],
  // The command line is tested as a process of its own, the page of the laboratory in a browser.
  collectCoverageFrom: ['lib/**/*.ts', '!lib/cli.ts', '!lib/cli/**', '!lib/page.ts', '!lib/page/**'],
  coverageReporters: ['text', 'lcov'],
  coverageThreshold: { global: { branches: 92 } },
};

export default config;
