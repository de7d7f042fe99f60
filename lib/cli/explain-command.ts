/** `axios-jitter explain`: what was logged, in sentences. */
import type { Command } from 'commander';
import { explain } from '../explain';
import { readText } from './files';
import { fromJson } from './json';
import { say } from './output';
import { UsageError } from './usage-error';

function parse(text: string): unknown {
  try {
    return fromJson(text);
  } catch {
    return undefined;
  }
}

/** What one JSON text holds, or else each line: JSON, or as it is. */
function readLogged(text: string): unknown[] {
  const whole = parse(text);
  if (whole !== undefined) return Array.isArray(whole) ? whole : [whole];
  return text.split(/\r?\n/).map((line) => parse(line) ?? line);
}

function explainCommand(file: string): void {
  const nothing = explain(undefined);
  const found = readLogged(readText(file, 'the log')).map(explain).filter((story) => story !== nothing);
  if (found.length === 0) {
    const allowed = 'a report as getRetryReport(error) gives it, an object with one under "retry", or a line of logRetries';
    throw new UsageError(`${file === '-' ? 'standard input' : file} holds nothing to explain, neither as JSON nor line by line: ${allowed}`);
  }
  say(found.join('\n\n'));
}

export function addExplain(program: Command): void {
  program
    .command('explain')
    .description('why a call was retried or not: a logged report, or lines of a log, in sentences')
    .argument('<log>', 'a file, or - for standard input: JSON (what getRetryReport(error) gave, or { config: { method, baseURL, url }, retry: getRetryReport(error) }), or lines of logRetries, each as text or JSON')
    .action(explainCommand);
}
