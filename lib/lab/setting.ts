/** A setting of the laboratory: from and to the fragment of an address, and as a scenario. */
import type { Policy, PolicyOptions, PresetName, RetryOptions, Scenario } from '../simulate';
import { FIELDS, isSlider, type Field } from './fields';

/** The value of each field by its name. */
export type Setting = Readonly<Record<string, number | string>>;

export const INITIAL: Setting = Object.fromEntries(FIELDS.map(({ name, initial }) => [name, initial]));

/** The value if the field can have it. */
function accept(field: Field, value: unknown): number | string | undefined {
  if (!isSlider(field)) return field.choices.find((choice) => choice === value);
  const [lowest = 0, highest = 0] = [field.values[0], field.values.at(-1)];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= lowest && number <= highest ? number : undefined;
}

/** What of `given` the fields can have; the rest is as in `base`. */
export function completeSetting(given: Readonly<Record<string, unknown>>, base: Setting): Setting {
  return Object.fromEntries(FIELDS.map((field) => [field.name, accept(field, given[field.name]) ?? base[field.name] ?? field.initial]));
}

/** `#retries=5&jitter=equal`; what is unknown or out of range is as in `base`. */
export function readFragment(fragment: string, base: Setting): Setting {
  return completeSetting(Object.fromEntries(new URLSearchParams(fragment.replace(/^#/, ''))), base);
}

/** What differs from `base`. */
export function toFragment(setting: Setting, base: Setting): string {
  const changed = FIELDS.filter(({ name }) => setting[name] !== base[name]);
  return new URLSearchParams(changed.map(({ name }) => [name, String(setting[name])])).toString();
}

const numberOf = (setting: Setting, name: string): number => Number(setting[name]);

/** The options that differ from the plugin's own defaults. */
export function toOptions(setting: Setting): RetryOptions {
  const of = (name: string): number => numberOf(setting, name);
  const baseDelay = of('baseDelay');
  const options = {
    retries: of('retries'),
    baseDelay,
    factor: of('factor'),
    maxDelay: Math.max(baseDelay, of('maxDelay')),
    jitter: setting['jitter'],
    retryAfterSpread: of('spread'),
    totalTimeout: of('totalTimeout') === 0 ? undefined : of('totalTimeout'),
    budget: of('budget') === 0 ? false : { capacity: of('budget') },
  };
  const defaults: Readonly<Record<string, unknown>> = { retries: 3, baseDelay: 500, factor: 2, maxDelay: 10_000, jitter: 'full', retryAfterSpread: 0.5 };
  const isDefault = (name: string, value: unknown): boolean => value === undefined || value === defaults[name] || (name === 'budget' && of('budget') === 100);
  return Object.fromEntries(Object.entries(options).filter(([name, value]) => !isDefault(name, value)));
}

/** A page must answer: a policy that sends without end is cut off. */
const MAX_REQUESTS = 3_000_000;

/** `yours` first, then the other. */
export function toScenario(setting: Setting): Scenario {
  const of = (name: string): number => numberOf(setting, name);
  const peer = setting['peer'] as PresetName;
  const policies: Readonly<Record<string, Policy>> = { yours: toOptions(setting), [peer]: peer };
  return {
    clients: Math.round(of('clients')),
    arrival: of('over') === 0 ? 'at-once' : { rate: (of('clients') / of('over')) * 1_000 },
    service: { capacity: of('capacity'), latency: of('latency'), overload: setting['overload'] as 'reject' | 'queue', rejectCost: of('rejectCost') },
    outage: { start: of('start'), length: of('outage'), kind: setting['kind'] as '503', retryAfter: of('retryAfter') },
    timeout: of('timeout'),
    clientsPerProcess: Math.round(of('perProcess')),
    seed: Math.round(of('seed')),
    policies,
    maxRequests: MAX_REQUESTS,
  };
}

/** What is beyond a slider's end is at its end. */
function nearest(field: Field, value: unknown): unknown {
  if (!isSlider(field) || typeof value !== 'number') return value;
  return Math.min(Math.max(value, field.values[0] ?? 0), field.values.at(-1) ?? 0);
}

/** Whom the scenario compares with: its first preset that is not our own. */
const peerOf = (policies: Scenario['policies']): unknown => Object.values(policies ?? {}).find((policy) => typeof policy === 'string' && policy !== 'default');

const asOptions = (policy: Policy | undefined): PolicyOptions => (typeof policy === 'object' ? policy : {});

/** The setting nearest to a scenario: what a laboratory can move of it. */
export function toSetting(scenario: Scenario): Setting {
  const { arrival, service, outage, timeout, processes = 1, seed, policies } = scenario;
  const { clients = processes * (scenario.clientsPerProcess ?? 1) } = scenario;
  const { clientsPerProcess = scenario.processes === undefined ? 1 : clients / processes } = scenario;
  const own = Array.isArray(policies) ? {} : asOptions((policies as Readonly<Record<string, Policy>> | undefined)?.['yours']);
  const { retries, baseDelay, factor, maxDelay, jitter, retryAfterSpread, totalTimeout, budget } = own;
  const given = {
    retries, baseDelay, factor, maxDelay, jitter, totalTimeout,
    spread: retryAfterSpread,
    budget: budget === false ? 0 : budget?.capacity,
    clients,
    over: typeof arrival === 'object' ? Math.round((clients / arrival.rate) * 1_000) : 0,
    perProcess: clientsPerProcess,
    timeout,
    capacity: service.capacity, latency: service.latency, overload: service.overload, rejectCost: service.rejectCost ?? 0.02,
    start: outage?.start ?? 0,
    outage: outage?.length ?? 0,
    kind: outage?.kind,
    retryAfter: outage?.retryAfter,
    seed,
    peer: peerOf(policies),
  };
  return completeSetting(Object.fromEntries(FIELDS.map((field) => [field.name, nearest(field, (given as Readonly<Record<string, unknown>>)[field.name])])), INITIAL);
}
