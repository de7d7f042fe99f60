/** Reading and writing files, with messages for people. */
import { randomUUID } from 'node:crypto';
import { accessSync, chmodSync, constants, readFileSync, readlinkSync, renameSync, rmSync, statSync, lstatSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from './usage-error';
import { fromJson } from './json';

// Node's "ENOENT: no such file or directory, open '…'": the first half, the name is ours to say.
function reasonOf(error: unknown): string {
  return (error as Error).message.replace(/, \w+ '.*$/s, '');
}

/** The text of a file, or of standard input for `-`. @throws UsageError if it cannot be read. */
export function readText(file: string, what: string): string {
  try {
    return readFileSync(file === '-' ? process.stdin.fd : file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new UsageError(`cannot read ${what} ${file}: ${reasonOf(error)}`);
  }
}

/** @throws UsageError if it cannot be read, or is no JSON. */
export function readJson(file: string, what = 'the scenario'): unknown {
  const text = readText(file, what);
  try {
    return fromJson(text);
  } catch (error) {
    throw new UsageError(`${file} is no JSON: ${reasonOf(error)}`);
  }
}

/** Where a chain of symbolic links leads, also if nothing is there yet. */
function targetOf(file: string): string {
  let target = file;
  // As many as Linux follows.
  for (let links = 0; links < 40 && lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink(); links++) {
    target = path.resolve(path.dirname(target), readlinkSync(target));
  }
  return target;
}

/** @throws what a later `writeWhole` would, as far as it can be known. */
function checkTarget(target: string): void {
  const stats = statSync(target, { throwIfNoEntry: false });
  if (stats?.isDirectory()) throw new Error('it is a folder');
  accessSync(stats ? target : path.dirname(target), constants.W_OK);
}

function replaceFile(target: string, text: string, mode: number | undefined): void {
  const part = `${target}.${randomUUID()}.part`;
  try {
    writeFileSync(part, text, { flag: 'wx' });
    if (mode !== undefined) chmodSync(part, mode);
    renameSync(part, target);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

function explaining(file: string, write: (target: string) => void): void {
  try {
    write(targetOf(file));
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${reasonOf(error)}`);
  }
}

/** Before hours of work: can it be written at all? @throws UsageError if not. */
export function checkWritable(file: string): void {
  explaining(file, checkTarget);
}

/** The whole file or nothing of it; a link stays a link, and a device is written to. @throws UsageError if it cannot be written. */
export function writeWhole(file: string, text: string): void {
  explaining(file, (target) => {
    checkTarget(target);
    const stats = statSync(target, { throwIfNoEntry: false });
    if (stats && !stats.isFile()) writeFileSync(target, text);
    else replaceFile(target, text, stats?.mode);
  });
}
