/** From a JSON file and flags to a scenario; flags win. */
import { PRESETS, type Policy, type PresetName, type Scenario } from '../simulate';
import { readJson } from './files';
import { fieldsOf } from './fields';
import type { Flags } from './flags';
import { UsageError } from './usage-error';

/** The options that the policy flags make; none given = undefined. */
export function readPolicy(flags: Flags): Record<string, unknown> | undefined {
  const options = fieldsOf('option', flags);
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

/** What a file holds, or nothing. */
class Given {
  readonly #fields: Readonly<Record<string, unknown>>;

  /** @throws UsageError for what is no scenario at all. */
  constructor(readonly file: string | undefined) {
    const content = file === undefined ? {} : readJson(file);
    // What `--json` prints holds the scenario beside the result.
    const fields = isRecord(content) && isRecord(content['scenario']) ? content['scenario'] : content;
    if (!isRecord(fields)) throw new UsageError(`${file ?? ''} must hold a JSON object`);
    this.#fields = fields;
  }

  get all(): Readonly<Record<string, unknown>> {
    return this.#fields;
  }

  /** @throws UsageError if it is there and no object. */
  part(name: string): Readonly<Record<string, unknown>> {
    const value = this.#fields[name] ?? {};
    if (isRecord(value)) return value;
    throw new UsageError(`${this.file ?? ''}: scenario field "${name}" must be an object`);
  }

  /** Names of presets, or policies by name. @throws UsageError */
  get policies(): Scenario['policies'] {
    const value = this.#fields['policies'];
    if (value === undefined || Array.isArray(value) || isRecord(value)) return value as Scenario['policies'];
    throw new UsageError(`${this.file ?? ''}: scenario field "policies" must be a list of presets, or an object of policies by name`);
  }
}

function clientsOf({ clients, processes, clientsPerProcess }: Readonly<Record<string, unknown>>): number {
  const isCounted = typeof processes === 'number' && typeof clientsPerProcess === 'number';
  return (clients ?? (isCounted ? processes * clientsPerProcess : 10_000)) as number;
}

function quotaOf(flags: Flags): object {
  const quota = fieldsOf('quota field', flags);
  return Object.keys(quota).length > 0 ? { quota } : {};
}

/** @throws UsageError for what is no scenario at all; the rest is checked by the simulation. */
export function readScenario(file: string | undefined, flags: Flags): Scenario {
  const given = new Given(file);
  const clients = clientsOf({ ...given.all, ...fieldsOf('scenario field', flags) });
  const isNew = file === undefined;
  const scenario = {
    ...given.all,
    ...fieldsOf('scenario field', flags),
    clients,
    ...(flags['rate'] !== undefined && { arrival: fieldsOf('arrival field', flags) }),
    service: { ...(isNew && { capacity: Math.max(1, clients / 20) }), ...given.part('service'), ...fieldsOf('service field', flags), ...quotaOf(flags) },
    outage: { length: isNew ? 10_000 : 0, ...given.part('outage'), ...fieldsOf('outage field', flags) },
    network: { ...given.part('network'), ...fieldsOf('network field', flags) },
    policies: readPolicies(flags, given.policies),
  };
  // What is wrong in it is for the simulation to say.
  return scenario as unknown as Scenario;
}
