// The tests as mutants.mjs runs them: against the newest axios, without type checks (a mutant need not type-check).
import path from 'node:path';
import { tsImport } from 'tsx/esm/api';

process.env.AXIOS_VERSIONS = 'newest';
const { default: main } = await tsImport('../jest.config.ts', import.meta.url);
const [newest] = main.projects;

export default {
  ...newest,
  rootDir: '..',
  // The runner of mutants knows no <rootDir>.
  testEnvironment: path.resolve(import.meta.dirname, 'jest-environment.cjs'),
  testSequencer: path.resolve(import.meta.dirname, 'shortest-first.cjs'),
  // What never settles should not take long to say so.
  testTimeout: 10_000,
};
