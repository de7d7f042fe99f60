/** The command line: `npx axios-jitter simulate`, `plan`, `lab` and `explain`. Exit codes: 0, 1 for a fault of ours, 2 for wrong usage, 130 for Ctrl-C. */
import { Command, CommanderError } from 'commander';
import { UsageError } from './cli/usage-error';
import { addExplain } from './cli/explain-command';
import { addLab } from './cli/lab-command';
import { commanderOutput, complain } from './cli/output';
import { addPlan } from './cli/plan-command';
import { Interrupted } from './cli/run-steps';
import { addSimulate } from './cli/simulate-command';

/** The package's, put in by the build. */
declare const VERSION: string;

const FAULT = 1;
const USAGE = 2;
const INTERRUPTED = 130;

/** What an error means for the shell, after it was said. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
  if (error instanceof Interrupted) return INTERRUPTED;
  if (error instanceof UsageError) {
    complain(`error: ${error.message}`);
    return USAGE;
  }
  complain(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return FAULT;
}

const program = new Command('axios-jitter')
  .description('Choose a retry policy by its effect on the service, and see why a call was retried.')
  .version(VERSION, '-v, --version', 'the version of axios-jitter')
  .exitOverride()
  .configureOutput(commanderOutput)
  .showHelpAfterError('(--help shows the flags)');
addSimulate(program);
addPlan(program);
addLab(program);
addExplain(program);

// `| head` closes the pipe early: no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}
