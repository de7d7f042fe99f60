/** `axios-jitter plan`: the figures of a policy, without running it. */
import type { Command } from 'commander';
import { planPolicy, PRESETS, type Plan, type PlanOptions } from '../simulate';
import { fieldsOf, namingFlags } from './fields';
import { addFlags, PLAN_FLAGS, POLICY_FLAGS, type Flags } from './flags';
import { formatCount, formatTime } from '../chart/format';
import { UsageError } from './usage-error';
import { toJson } from './json';
import { say } from './output';
import { readPolicy, readPreset } from './read-scenario';
import { renderTable } from './table';
import { wrap } from '../chart/text';

const describeAsked = (retryAfter: number | undefined): string => {
  if (retryAfter === undefined) return 'Retry-After is ignored';
  return retryAfter === Infinity ? 'a Retry-After of any length is waited for' : `each has a Retry-After of ${formatTime(retryAfter)}`;
};

function describeAssumptions({ timeout, totalTimeout, calls, retryAfter }: Plan['assumptions']): string[] {
  const attempt = timeout === Infinity ? 'an attempt has no timeout (--timeout 0)' : `an attempt takes at most ${formatTime(timeout)} (--timeout)`;
  return [
    `- ${attempt}: axios' timeout is per attempt, and in Node it ends at the headers; hooks take no time`,
    ...(totalTimeout === undefined ? [] : [`- the whole call takes at most ${formatTime(totalTimeout)}, waits included`]),
    `- in the worst case every response arrives at the last moment, and ${describeAsked(retryAfter)}`,
    `- ${formatCount(calls)} calls of one process fail at once, each with its retries (--calls)`,
  ].map((line) => wrap(line, '  '));
}

function describeLoad({ amplification, assumptions }: Plan): string {
  const [without, withOne] = [amplification.withoutBudget, amplification.withBudget].map(formatCount);
  return assumptions.hasBudget ? `${withOne} (${without} without its retry budget)` : `${without} (it has no retry budget; ${withOne} with the default one)`;
}

function renderPlan(name: string, plan: Plan): string {
  const { delays, worstCase, worstCaseWithoutRetryAfter, warnings, assumptions } = plan;
  const rows = delays.map(({ retry, min, mean, p99, max }) => [String(retry), ...[min, mean, p99, max].map(formatCount)]);
  const facts = [
    `Worst case of a call: ${formatTime(worstCase)}${assumptions.totalTimeout === undefined ? '; totalTimeout would limit it' : ''}`,
    `  without any Retry-After: ${formatTime(worstCaseWithoutRetryAfter)}`,
    'Requests per call in a full outage:',
    `  ${describeLoad(plan)}`,
  ];
  const found = warnings.length > 0 ? warnings.map((warning) => wrap(`Warning: ${warning}`, '  ')) : ['No warnings.'];
  return [
    `Policy: ${name}. Its delays in ms:`,
    renderTable(['retry', 'min', 'mean', 'p99', 'max'], rows),
    facts.join('\n'),
    ['Assumed:', ...describeAssumptions(assumptions)].join('\n'),
    found.join('\n'),
  ].join('\n\n');
}

async function planCommand(preset: string | undefined, flags: Flags): Promise<void> {
  const own = readPolicy(flags);
  if (preset !== undefined && own) throw new UsageError(`either the preset '${preset}' or policy flags, not both`);
  const policy = own ?? readPreset(preset ?? 'default');
  const plan = await namingFlags(flags, undefined, () => planPolicy(policy, fieldsOf('plan option', flags) as PlanOptions));
  say(flags['json'] === true ? toJson(plan) : renderPlan(typeof policy === 'string' ? policy : 'yours', plan));
}

export function addPlan(program: Command): void {
  const command = program
    .command('plan')
    .description("a policy's delays, its worst case, its load on a service that is down, and likely mistakes")
    .argument('[preset]', `a preset instead of policy flags: ${Object.keys(PRESETS).join(', ')}`, undefined)
    .action(planCommand);
  addFlags(command, [...PLAN_FLAGS, ...POLICY_FLAGS]);
}
