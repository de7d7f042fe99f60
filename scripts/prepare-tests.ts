// Runs before `npm test`: installs what the tests need and npm cannot install where that may be done without asking,
// and says in one line each what is missing then. With REQUIRE_TEST_TOOLS=1 that is a failure.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { areToolsRequired, findTool, missingTools, type Tool } from './test-tools';

const MINUTE = 60_000;

function succeeds(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore', timeout: MINUTE / 6 });
    return true;
  } catch {
    return false;
  }
}

/** What goes before `apt-get`, or undefined where packages cannot be installed without asking somebody. */
function privilege(): string[] | undefined {
  if (!existsSync('/etc/debian_version') || !succeeds('apt-get', ['--version'])) return undefined;
  if (process.getuid?.() === 0) return [];
  return succeeds('sudo', ['-n', 'true']) ? ['sudo', '-n'] : undefined;
}

function aptGet(prefix: readonly string[], args: readonly string[]): void {
  // `env` because sudo drops variables. Another apt-get may be at work.
  const words = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', '-o', 'DPkg::Lock::Timeout=120', ...args];
  const [command = '', ...rest] = words;
  execFileSync(command, rest, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8', timeout: 10 * MINUTE });
}

const reasonOf = (error: unknown): string => {
  const { stderr, message } = error as { stderr?: string; message: string };
  return (stderr?.trim() || message).split('\n').at(-1) ?? '';
};

function install(missing: readonly Tool[]): void {
  const prefix = privilege();
  if (prefix === undefined) return;
  try {
    aptGet(prefix, ['update']);
  } catch {
    // The package lists at hand may do.
  }
  for (const { name, debianPackage } of missing) {
    console.log(`Installing ${name} for the tests: apt-get install ${debianPackage}`);
    try {
      aptGet(prefix, ['install', '-y', '--no-install-recommends', debianPackage]);
    } catch (error) {
      console.error(`${name} could not be installed: ${reasonOf(error)}`);
    }
  }
}

const missing = missingTools();
if (missing.length > 0) install(missing);
const still = missing.filter(({ name }) => findTool(name) === undefined);
for (const { name, project, advice } of still) {
  console.error(`${name} is missing, so the tests in __tests__/${project}/ cannot run: ${advice}.`);
}
if (still.length > 0 && areToolsRequired()) process.exitCode = 1;
