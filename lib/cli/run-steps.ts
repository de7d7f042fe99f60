/** Runs the simulation and lets signals in between the steps. */
import { setImmediate } from 'node:timers/promises';
import { simulateInSteps, type Scenario, type SimulationResult } from '../simulate';
import { ProgressBar } from './progress-bar';

/** The user pressed Ctrl-C: exit code 130. */
export class Interrupted extends Error {}

/** @throws Interrupted on SIGINT or SIGTERM; what `simulate` throws for a wrong scenario. */
export async function runSteps(scenario: Scenario, hasProgress: boolean): Promise<SimulationResult> {
  const bar = new ProgressBar(process.stderr, hasProgress);
  const interrupt = { isAsked: false };
  const ask = (): void => {
    interrupt.isAsked = true;
  };
  process.once('SIGINT', ask);
  process.once('SIGTERM', ask);
  try {
    return await run(scenario, bar, interrupt);
  } finally {
    bar.clear();
    process.off('SIGINT', ask);
    process.off('SIGTERM', ask);
  }
}

async function run(scenario: Scenario, bar: ProgressBar, interrupt: { readonly isAsked: boolean }): Promise<SimulationResult> {
  const steps = simulateInSteps(scenario);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) {
    bar.show(step.value, performance.now());
    await setImmediate();
    if (interrupt.isAsked) throw new Interrupted();
  }
  return step.value;
}
