/**
 * What a retry policy does to the service when many clients fail at once: a discrete-event simulation in virtual time.
 * It asks the library's own delays, ladder and budget; the same seed gives the same result on every platform.
 */
import { completeScenario } from './simulate/complete';
import type { PolicyResult } from './simulate/result';
import { runPolicy, type Progress } from './simulate/run';
import type { Scenario } from './simulate/scenario';

export type { RetryOptions } from './simulate/library';
export type { Progress } from './simulate/run';
export type { Peak, PolicyResult } from './simulate/result';
export type {
  NetworkOptions, OutageKind, OutageOptions, Policy, PolicyOptions, PresetName, QuotaOptions, Scenario, ServiceOptions, SimulatedChannel,
} from './simulate/scenario';
export {
  CONTENTION_POLICIES, simulateContention, type ContentionOptions, type ContentionPolicy, type ContentionResult,
} from './simulate/contention';
export { planPolicy, type Plan, type PlanAssumptions, type PlanOptions } from './simulate/plan';
export type { DelayRow } from './simulate/delays';
export { JITTERED, PRESETS } from './simulate/presets';

export interface SimulationResult {
  /** In the order of the scenario. */
  policies: PolicyResult[];
  /** What was simulated. */
  clients: number;
  seed: number;
  /** Width of the time buckets, in ms. */
  bucket: number;
}

/**
 * The simulation in steps of some 100,000 events, for a progress bar or a page that stays alive: each step yields how
 * far it is, the return value is the result.
 *
 * @throws TypeError or RangeError for a scenario that makes no sense, before the first step.
 */
export function simulateInSteps(scenario: Scenario): Generator<Progress, SimulationResult> {
  const complete = completeScenario(scenario);
  return (function* () {
    const { clients, policies, seed, bucket } = complete;
    const results: PolicyResult[] = [];
    for (const [name, policy] of policies) {
      const run = runPolicy(name, policy, complete);
      let step = run.next();
      for (; step.done !== true; step = run.next()) {
        yield { ...step.value, policy: name, done: results.length, policies: policies.length, clients };
      }
      results.push(step.value);
    }
    return { policies: results, clients, seed, bucket };
  })();
}

/**
 * What each policy of the scenario does to the service. Synchronous; `onProgress` is called now and then.
 *
 * @throws TypeError or RangeError for a scenario that makes no sense.
 */
export function simulate(scenario: Scenario, onProgress?: (progress: Progress) => void): SimulationResult {
  const steps = simulateInSteps(scenario);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) onProgress?.(step.value);
  return step.value;
}
