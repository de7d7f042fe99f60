/** Scenarios once, at the edge: from what users give to a complete, checked one. */
import { check, describe, isFunction, isObject, number, resolvePolicy, type Rule } from './library';
import { PRESETS } from './presets';
import type { NetworkOptions, OutageOptions, Policy, Scenario, ServiceOptions } from './scenario';

type Complete<T> = { readonly [K in keyof T]-?: Exclude<T[K], undefined> };

/** Past this point there is no default and no check. */
export type CompleteScenario = Readonly<{
  clients: number;
  /** Clients per second; Infinity = all at once. */
  rate: number;
  service: Complete<ServiceOptions>;
  outage: Complete<OutageOptions>;
  network: Complete<NetworkOptions>;
  timeout: number;
  clientsPerProcess: number;
  policies: readonly (readonly [name: string, policy: Policy])[];
  retries: number | undefined;
  seed: number;
  bucket: number;
  horizon: number;
  maxRequests: number;
}>;

const whole = (from: number, to = Infinity, words = ` >= ${from}`) =>
  number(`a whole number${words}`, (value) => Number.isInteger(value) && value >= from && value <= to);
const finiteFrom0 = number('a finite number >= 0', (value) => value >= 0 && value < Infinity);
const above0 = number('a finite number > 0', (value) => value > 0 && value < Infinity);
const oneOf = (...values: readonly string[]): Rule => [
  `one of ${values.map((value) => `'${value}'`).join(', ')}`,
  (value) => values.includes(value as string),
];
const object: Rule = ['an object', (value) => isObject(value) && !Array.isArray(value)];

const SCENARIO: Readonly<Record<keyof Scenario, Rule>> = {
  clients: whole(1, 10_000_000, ' from 1 to 10000000'),
  arrival: ["'at-once' or { rate: clients per second }", (value) => value === 'at-once' || isObject(value)],
  service: object,
  outage: object,
  network: object,
  timeout: above0,
  clientsPerProcess: whole(1),
  policies: ['a list of presets, or an object of policies by name', isObject],
  retries: number('a whole number >= 0, or Infinity', (value) => value >= 0 && (Number.isInteger(value) || value === Infinity)),
  seed: number('a whole number', Number.isSafeInteger),
  bucket: number('a multiple of 100', (value) => value > 0 && value < Infinity && value % 100 === 0),
  horizon: number('a number of ms from 100 to 86400000', (value) => value >= 100 && value <= 86_400_000),
  maxRequests: whole(1),
};
const SERVICE: Readonly<Record<keyof ServiceOptions, Rule>> = {
  capacity: above0,
  latency: finiteFrom0,
  concurrency: whole(1, 1_000_000, ' from 1 to 1000000'),
  overload: oneOf('reject', 'queue'),
  queueLimit: number('a whole number >= 0, or Infinity', (value) => value >= 0 && (Number.isInteger(value) || value === Infinity)),
  rejectCost: number('a number from 0 to 1', (value) => value >= 0 && value <= 1),
  retryAfter: finiteFrom0,
};
const OUTAGE: Readonly<Record<keyof OutageOptions, Rule>> = {
  start: finiteFrom0,
  length: finiteFrom0,
  kind: oneOf('refused', '503', '429', 'timeout'),
  retryAfter: finiteFrom0,
};
const NETWORK: Readonly<Record<keyof NetworkOptions, Rule>> = { delay: finiteFrom0, jitter: finiteFrom0 };

function requireField(value: unknown, what: string, name: string, [allowed]: Rule): void {
  if (value === undefined) throw new TypeError(`axios-jitter: ${what} "${name}" must be ${allowed}; came undefined`);
}

/** The error, with the policy that it is about. */
function about(name: string, error: unknown): unknown {
  if (!(error instanceof TypeError || error instanceof RangeError)) return error;
  const message = error.message.replace('axios-jitter: ', `axios-jitter: policy "${name}": `);
  return error instanceof RangeError ? new RangeError(message) : new TypeError(message);
}

/** A policy that a function makes is checked when it is made. @throws what `attachRetry` would, with the policy's name. */
function checkOptions(name: string, policy: Policy): void {
  if (typeof policy !== 'object') return;
  try {
    resolvePolicy(policy, () => 0);
  } catch (error) {
    throw about(name, error);
  }
}

/** A preset's name or a policy as it was given. @throws TypeError */
function checkPolicy(name: string, policy: unknown): Policy {
  if (typeof policy === 'string' && !Object.hasOwn(PRESETS, policy)) {
    throw new TypeError(`axios-jitter: unknown preset ${describe(policy)}; known are ${Object.keys(PRESETS).join(', ')}`);
  }
  if (typeof policy === 'string' || isFunction(policy) || (isObject(policy) && !Array.isArray(policy))) return policy as Policy;
  throw new TypeError(`axios-jitter: policy "${name}" must be a preset, options or a function; came ${describe(policy)}`);
}

function listPolicies(given: Scenario['policies']): CompleteScenario['policies'] {
  const policies = given ?? Object.keys(PRESETS);
  const entries: (readonly [string, unknown])[] = Array.isArray(policies)
    ? policies.map((name: unknown) => [String(name), name] as const)
    : Object.entries(policies);
  if (entries.length === 0) throw new RangeError('axios-jitter: scenario field "policies" must name at least one; came none');
  const checked = entries.map(([name, policy]) => [name, checkPolicy(name, policy)] as const);
  for (const [name, policy] of checked) checkOptions(name, policy);
  return checked;
}

function rateOf(arrival: Scenario['arrival']): number {
  if (arrival === undefined || arrival === 'at-once') return Infinity;
  const { rate } = check(arrival, { rate: above0 }, 'arrival field');
  requireField(rate, 'arrival field', 'rate', above0);
  return rate;
}

function completeService(given: ServiceOptions): Complete<ServiceOptions> {
  const { capacity, latency = 50, overload = 'reject', ...rest } = check(given, SERVICE, 'service field');
  requireField(capacity, 'service field', 'capacity', SERVICE.capacity);
  const { concurrency = Math.max(1, Math.ceil((capacity * latency) / 1_000)), queueLimit = Infinity } = rest;
  const { rejectCost = 0.02, retryAfter = 0 } = rest;
  return { capacity, latency, concurrency, overload, queueLimit, rejectCost, retryAfter };
}

/** @throws TypeError or RangeError that names the field, what is allowed and what came. */
export function completeScenario(given: Scenario): CompleteScenario {
  const scenario = check(given, SCENARIO, 'scenario field');
  requireField(scenario.clients, 'scenario field', 'clients', SCENARIO.clients);
  requireField(scenario.service, 'scenario field', 'service', SCENARIO.service);
  const { start = 0, length, kind = '503', retryAfter = 1_000 } = check(scenario.outage ?? { length: 0 }, OUTAGE, 'outage field');
  requireField(length, 'outage field', 'length', OUTAGE.length);
  const { delay = 10, jitter = 2 } = check(scenario.network ?? {}, NETWORK, 'network field');
  const { timeout = 2_000, clientsPerProcess = 1, seed = 1, bucket = 100, horizon = 7_200_000, maxRequests = 50_000_000 } = scenario;
  return {
    clients: scenario.clients,
    rate: rateOf(scenario.arrival),
    service: completeService(scenario.service),
    outage: { start, length, kind, retryAfter },
    network: { delay, jitter },
    timeout,
    clientsPerProcess,
    policies: listPolicies(scenario.policies),
    retries: scenario.retries,
    seed,
    bucket,
    horizon,
    maxRequests,
  };
}
