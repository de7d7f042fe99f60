// The command line as the package's build bundles it, run as a process of its own in a folder of its own.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const root = path.resolve(__dirname, '../../..');
export const folder = mkdtempSync(path.join(tmpdir(), 'axios-jitter-cli-'));
export const file = (name: string): string => path.join(folder, name);
const cli = file('cli.mjs');

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

/** For `beforeAll`. */
export function bundleCli(): void {
  execFileSync(process.execPath, [path.join(root, 'scripts/build-cli.mjs'), cli], { cwd: root });
}

export function writeFile(name: string, text: string): void {
  writeFileSync(file(name), text);
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Says so once Ctrl-C is listened for.
const watch = `data:text/javascript,process.on('newListener',(name)=>name==='SIGINT'&&setImmediate(()=>process.stderr.write('listening')))`;

export interface RunOptions {
  /** Ctrl-C as soon as it is listened for. */
  readonly interrupt?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  /** Standard input; none = closed. */
  readonly input?: string;
}

export function run(args: readonly string[], { interrupt = false, env = {}, input }: RunOptions = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const node = interrupt ? ['--import', watch, cli] : [cli];
    const child = spawn(process.execPath, [...node, ...args], { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    child.stdin.end(input);
    const ran: Ran = { code: null, out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (ran.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      ran.err += text;
      if (interrupt && ran.err === 'listening') child.kill('SIGINT');
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...ran, code }));
  });
}
