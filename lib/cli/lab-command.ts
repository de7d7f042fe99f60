/** `axios-jitter lab`: writes a laboratory and opens it in the browser. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { toScenario, INITIAL } from '../lab/setting';
import { checkWritable, writeWhole } from './files';
import { addFlags, LAB_FLAGS, POLICY_FLAGS, SCENARIO_FLAGS, type Flags } from './flags';
import { namingFlags } from './fields';
import { say } from './output';
import { readScenario } from './read-scenario';
import { renderLaboratory } from './report';
import { simulateInSteps, type Scenario } from '../simulate';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** What opens an address: the program that BROWSER names, or the system's. */
function openerOf(): readonly [command: string, ...args: string[]] {
  const own = process.env['BROWSER'];
  const [command = 'xdg-open', ...args] = own !== undefined && own !== '' ? [own] : (OPENERS[process.platform] ?? []);
  return [command, ...args];
}

/** Whether a browser could be asked; it goes on by itself. */
async function open(file: string): Promise<boolean> {
  const [command, ...args] = openerOf();
  const child = spawn(command, [...args, pathToFileURL(file).href], { detached: true, stdio: 'ignore' });
  try {
    await once(child, 'spawn');
    child.unref();
    return true;
  } catch {
    return false;
  }
}

// Nothing given: what the laboratory itself begins with.
function scenarioOf(file: string | undefined, flags: Flags): Scenario {
  const isGiven = file !== undefined || Object.keys(flags).some((name) => !['html', 'open', 'budget'].includes(name));
  return isGiven ? readScenario(file, flags) : toScenario(INITIAL);
}

async function labCommand(file: string | undefined, flags: Flags): Promise<void> {
  const scenario = scenarioOf(file, flags);
  // What is wrong is said before anything is written.
  await namingFlags(flags, file, () => simulateInSteps(scenario));
  const target = typeof flags['html'] === 'string' ? flags['html'] : path.join(mkdtempSync(path.join(tmpdir(), 'axios-jitter-')), 'lab.html');
  checkWritable(target);
  writeWhole(target, renderLaboratory(scenario));
  const isOpen = flags['open'] !== false && (await open(path.resolve(target)));
  say(isOpen ? `The laboratory: ${target}` : `The laboratory: ${target}\nOpen it in a browser.`);
}

export function addLab(program: Command): void {
  const command = program
    .command('lab')
    .description('write a page with sliders for policy, clients and outage, and open it')
    .argument('[scenario.json]', 'the first setting; flags override it')
    .action(labCommand);
  addFlags(command, [...LAB_FLAGS, ...SCENARIO_FLAGS, ...POLICY_FLAGS]);
}
