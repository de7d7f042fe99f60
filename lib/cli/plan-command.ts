/** `axios-jitter plan`: a policy on paper. */
import type { Command } from 'commander';
import { planPolicy, type Plan, type Policy } from '../simulate';
import { addFlags, pick, POLICY_FLAGS, type Flags } from './flags';
import { formatCount, formatTime, parseNumber, parseTime, UsageError } from './format';
import { readPolicy, readPreset } from './read-scenario';
import { renderTable } from './table';

function renderPlan({ delays, worstCase, amplification, warnings }: Plan): string {
  const rows = delays.map(({ retry, min, mean, p99, max }) => [String(retry), ...[min, mean, p99, max].map(formatCount)]);
  const facts = [
    `Worst case of a call: ${formatTime(worstCase)}`,
    `Requests per call in a full outage: ${formatCount(amplification.withoutBudget)} without budget, ${formatCount(amplification.withBudget)} with it`,
  ];
  const found = warnings.length > 0 ? warnings.map((warning) => `Warning: ${warning}`).join('\n') : 'No warnings.';
  return [renderTable(['retry', 'min ms', 'mean', 'p99', 'max'], rows), facts.join('\n'), found].join('\n\n');
}

function planCommand(preset: string | undefined, flags: Flags): void {
  const own = readPolicy(flags);
  if (preset !== undefined && own) throw new UsageError(`either the preset '${preset}' or policy flags, not both`);
  const policy: Policy = preset === undefined ? (own ?? {}) : readPreset(preset);
  const plan = planPolicy(policy, pick(flags, { timeout: 'timeout', calls: 'calls', seed: 'seed' }));
  console.log(flags['json'] === true ? JSON.stringify(plan) : renderPlan(plan));
}

export function addPlan(program: Command): void {
  const command = program
    .command('plan')
    .description("a policy's delays, its worst case, its load on a service that is down, and what looks wrong")
    .argument('[preset]', 'a preset instead of policy flags')
    .option('--timeout <time>', "axios' timeout of an attempt (default: 2s)", parseTime)
    .option('--calls <n>', 'calls of one process that fail at once (default: 10000)', parseNumber)
    .option('--seed <n>', 'the same seed, the same result', parseNumber)
    .option('--json', 'the plan as JSON')
    .action(planCommand);
  addFlags(command, POLICY_FLAGS);
}
