/** `axios-jitter simulate`: what policies do to a service when many clients fail at once. */
import type { Command } from 'commander';
import { namingFlags } from './fields';
import { checkWritable, writeWhole } from './files';
import { addFlags, OUTPUT_FLAGS, POLICY_FLAGS, SCENARIO_FLAGS, type Flags } from './flags';
import { toJson } from './json';
import { say } from './output';
import { readScenario } from './read-scenario';
import { describeScenario, drawResult, renderReport } from './report';
import { runSteps } from './run-steps';
import { renderResult } from './table';
import { shownUntil } from '../chart/axis';

const filesOf = (flags: Flags): string[] => [flags['svg'], flags['html']].filter((file) => typeof file === 'string');

async function simulateCommand(file: string | undefined, flags: Flags): Promise<void> {
  const scenario = readScenario(file, flags);
  for (const target of filesOf(flags)) checkWritable(target);
  const result = await namingFlags(flags, file, () => runSteps(scenario, flags['progress'] !== false));
  if (typeof flags['svg'] === 'string') writeWhole(flags['svg'], drawResult(result, scenario));
  if (typeof flags['html'] === 'string') writeWhole(flags['html'], renderReport(result, scenario));
  if (flags['json'] === true) say(toJson({ scenario, ...result }));
  else say(renderResult(result, describeScenario(scenario), shownUntil(result, scenario)));
}

export function addSimulate(program: Command): void {
  const command = program
    .command('simulate')
    .description('what retry policies do to a service when many clients fail at once')
    .argument('[scenario.json]', 'a scenario; flags override it')
    .option('--policies <names>', 'presets to compare, with commas between them (default: all)')
    .action(simulateCommand);
  addFlags(command, [...SCENARIO_FLAGS, ...POLICY_FLAGS, ...OUTPUT_FLAGS]);
}
