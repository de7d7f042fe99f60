/** From a JSON file and flags to a scenario; flags win. */
import { PRESETS, type Policy, type PresetName, type Scenario } from '../simulate';
import { readJson } from './files';
import { pick, type Flags } from './flags';
import { UsageError } from './format';

const same = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, name]));
const TOP = same('clients', 'timeout', 'clientsPerProcess', 'seed', 'bucket', 'horizon', 'maxRequests');
const SERVICE = same('capacity', 'latency', 'concurrency', 'overload', 'queueLimit', 'rejectCost');
const OUTAGE = { outage: 'length', outageStart: 'start', outageKind: 'kind', retryAfter: 'retryAfter' };
const NETWORK = { network: 'delay', networkJitter: 'jitter' };
const OPTIONS = same('retries', 'baseDelay', 'factor', 'maxDelay', 'jitter', 'totalTimeout', 'maxRetryAfter', 'retryAfterSpread');

/** The options that the policy flags make; none given = undefined. */
export function readPolicy(flags: Flags): Record<string, unknown> | undefined {
  const options = pick(flags, OPTIONS);
  // commander's `--no-budget` makes true the default.
  if (flags['budget'] !== undefined && flags['budget'] !== true) {
    options['budget'] = flags['budget'] === false ? false : { capacity: flags['budget'] };
  }
  return Object.keys(options).length > 0 ? options : undefined;
}

export function readPreset(name: string): PresetName {
  if (Object.hasOwn(PRESETS, name)) return name as PresetName;
  throw new UsageError(`unknown preset '${name}'; known are ${Object.keys(PRESETS).join(', ')}`);
}

type Policies = Readonly<Record<string, Policy>>;

function byName(names: readonly PresetName[]): Policies {
  return Object.fromEntries(names.map((name) => [name, name]));
}

function namedPolicies(flags: Flags, given: Scenario['policies']): Policies {
  if (typeof flags['policies'] === 'string') return byName(flags['policies'].split(',').map((name) => readPreset(name.trim())));
  if (given === undefined) return byName(Object.keys(PRESETS) as PresetName[]);
  return Array.isArray(given) ? byName(given as readonly PresetName[]) : (given as Policies);
}

// `--retries` alone is for every policy; with another policy flag there is one policy more.
function readPolicies(flags: Flags, given: Scenario['policies']): Policies {
  const own = readPolicy(flags) ?? {};
  const isPolicy = Object.keys(own).some((name) => name !== 'retries');
  return { ...(isPolicy && { yours: own }), ...namedPolicies(flags, given) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws UsageError for what is no scenario at all; the rest is checked by the simulation. */
export function readScenario(file: string | undefined, flags: Flags): Scenario {
  const base = file === undefined ? {} : readJson(file);
  if (!isRecord(base)) throw new UsageError(`${file ?? 'the scenario'} must hold a JSON object`);
  const part = (name: string): Record<string, unknown> => (isRecord(base[name]) ? base[name] : {});
  const clients = (flags['clients'] ?? base['clients'] ?? 10_000) as number;
  const outage = file === undefined ? { length: 10_000 } : part('outage');
  const scenario = {
    ...base,
    ...pick(flags, TOP),
    clients,
    ...(flags['rate'] !== undefined && { arrival: { rate: flags['rate'] as number } }),
    service: { ...(file === undefined && { capacity: Math.max(1, clients / 20) }), ...part('service'), ...pick(flags, SERVICE) },
    outage: { length: 0, ...outage, ...pick(flags, OUTAGE) },
    network: { ...part('network'), ...pick(flags, NETWORK) },
    policies: readPolicies(flags, base['policies'] as Scenario['policies']),
    ...(flags['retries'] !== undefined && { retries: flags['retries'] as number }),
  };
  return scenario as Scenario;
}
