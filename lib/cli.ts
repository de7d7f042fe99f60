/** The command line: `npx axios-jitter simulate` and `npx axios-jitter plan`. Exit codes: 0, 2 for what makes no sense, 130 for Ctrl-C. */
import { Command, CommanderError } from 'commander';
import { UsageError } from './cli/format';
import { addPlan } from './cli/plan-command';
import { Interrupted } from './cli/run-steps';
import { addSimulate } from './cli/simulate-command';

const USAGE = 2;
const INTERRUPTED = 130;

/** What an error means for the shell; what is no user's mistake is thrown on. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
  if (error instanceof Interrupted) return INTERRUPTED;
  const isUsage = error instanceof UsageError || error instanceof TypeError || error instanceof RangeError;
  if (!isUsage || (error.name !== 'Error' && !error.message.startsWith('axios-jitter: '))) throw error;
  console.error(`error: ${error.message.replace(/^axios-jitter: /, '')}`);
  return USAGE;
}

const program = new Command('axios-jitter')
  .description('Choose a retry policy by its effect on the service.')
  .exitOverride()
  .showHelpAfterError('(--help shows the flags)');
addSimulate(program);
addPlan(program);

// `| head` closes the pipe early: no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}
