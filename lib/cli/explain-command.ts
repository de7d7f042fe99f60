/** `axios-jitter explain`: a report that was written to a log, in sentences. */
import type { Command } from 'commander';
import { explain, isReport } from '../explain';
import { readJson } from './files';
import { say } from './output';
import { UsageError } from './usage-error';

/** The report itself, or what an error or response was logged as with it. */
function reportIn(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'retry' in value ? value.retry : value;
}

function explainCommand(file: string): void {
  const report = reportIn(readJson(file, 'the report'));
  if (!isReport(report)) throw new UsageError(`${file} holds no report: an object with attempts and history, as getRetryReport(error) gives it`);
  say(explain(report));
}

export function addExplain(program: Command): void {
  program
    .command('explain')
    .description('why a call was retried, or not: a report from a log, in sentences')
    .argument('<report>', 'a JSON file with what getRetryReport(error) gave')
    .action(explainCommand);
}
