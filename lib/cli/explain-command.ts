/** `axios-jitter explain`: a logged report in sentences. */
import type { Command } from 'commander';
import { explain, isReport } from '../explain';
import { readJson } from './files';
import { say } from './output';
import { UsageError } from './usage-error';

function explainCommand(file: string): void {
  const logged = readJson(file, 'the report');
  const isEither = isReport(logged) || (typeof logged === 'object' && logged !== null && 'retry' in logged && isReport(logged.retry));
  if (!isEither) {
    throw new UsageError(`${file} holds no report: an object with attempts and history, as getRetryReport(error) gives it, or one with it under "retry"`);
  }
  say(explain(logged));
}

export function addExplain(program: Command): void {
  program
    .command('explain')
    .description('why a call was retried or not: a logged report, in sentences')
    .argument('<report>', 'a JSON file with what getRetryReport(error) gave, or with { config: { method, baseURL, url }, retry: getRetryReport(error) }')
    .action(explainCommand);
}
