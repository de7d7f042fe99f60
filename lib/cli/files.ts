/** Reading and writing files, with messages for people. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { UsageError } from './format';

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** @throws UsageError if it cannot be read, or is no JSON. */
export function readJson(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`cannot read the scenario: ${reason(error)}`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is no JSON: ${reason(error)}`);
  }
}

/** The whole file or nothing of it. @throws UsageError if it cannot be written. */
export function writeWhole(file: string, text: string): void {
  const part = `${file}.${process.pid}.part`;
  try {
    writeFileSync(part, text);
    renameSync(part, file);
  } catch (error) {
    throw new UsageError(`cannot write: ${reason(error)}`);
  }
}
