// The programs that some tests need and npm cannot install: where they are, and how to get them.
import { execFileSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

export type ToolName = 'Chromium' | 'Redis';

export interface Tool {
  readonly name: ToolName;
  /** The jest project of the tests that need it; they are in `__tests__/<project>/`. */
  readonly project: string;
  /** Names on PATH. */
  readonly programs: readonly string[];
  /** Where else it is installed. */
  readonly places: readonly string[];
  /** Environment variable with the path of the program. */
  readonly variable: string;
  readonly debianPackage: string;
  readonly advice: string;
}

const windowsFolders = ['ProgramFiles', 'ProgramFiles(x86)', 'LocalAppData'].flatMap((name) => process.env[name] ?? []);
const macFolders = ['/Applications', path.join(homedir(), 'Applications')];
const browserPlaces: Partial<Record<NodeJS.Platform, string[]>> = {
  win32: windowsFolders.flatMap((folder) => ['Google/Chrome', 'Chromium'].map((name) => path.join(folder, name, 'Application/chrome.exe'))),
  darwin: macFolders.flatMap((folder) => ['Google Chrome', 'Chromium'].map((name) => path.join(folder, `${name}.app/Contents/MacOS/${name}`))),
};

export const tools: readonly Tool[] = [
  {
    name: 'Chromium',
    project: 'browser',
    programs: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    places: browserPlaces[process.platform] ?? [],
    variable: 'CHROMIUM_PATH',
    debianPackage: 'chromium',
    advice: 'install Chromium or Google Chrome (Debian: apt-get install chromium), or set CHROMIUM_PATH',
  },
  {
    name: 'Redis',
    project: 'redis',
    programs: ['redis-server'],
    places: [],
    variable: 'REDIS_SERVER_PATH',
    debianPackage: 'redis-server',
    advice: 'install redis-server (Debian: apt-get install redis-server; macOS: brew install redis), or set REDIS_SERVER_PATH',
  },
];

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** On some systems a stub says what to install. Elsewhere than on Linux a browser would open its window. */
function runs(file: string): boolean {
  if (process.platform !== 'linux') return true;
  try {
    execFileSync(file, ['--version'], { stdio: 'ignore', timeout: 30_000 });
    return true;
  } catch {
    return false;
  }
}

function candidates({ programs, places, variable }: Tool): string[] {
  const given = process.env[variable];
  if (given !== undefined && given !== '') return [given];
  const ending = process.platform === 'win32' ? '.exe' : '';
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return [...folders.flatMap((folder) => programs.map((program) => path.join(folder, program + ending))), ...places];
}

/** The path of a program that runs, or undefined. */
export function findTool(name: ToolName): string | undefined {
  const tool = tools.find((one) => one.name === name);
  return tool && candidates(tool).filter(isProgram).find(runs);
}

/** @throws Error that says what to install. */
export function needTool(name: ToolName): string {
  const found = findTool(name);
  if (found !== undefined) return found;
  throw new Error(`${name} is missing: ${tools.find((tool) => tool.name === name)?.advice}`);
}

export const missingTools = (): Tool[] => tools.filter(({ name }) => findTool(name) === undefined);

/** Set in CI: what is missing is a failure. */
export const areToolsRequired = (): boolean => !['', '0', undefined].includes(process.env['REQUIRE_TEST_TOOLS']);
