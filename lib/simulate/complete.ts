/** Scenarios once, at the edge: from what users give to a complete, checked one. */
import { check, describe, isFunction, isObject, resolvePolicy, type Rule } from './library';
import { PRESETS } from './presets';
import type { NetworkOptions, OutageOptions, Policy, QuotaOptions, Scenario, ServiceOptions } from './scenario';
import { above0, NETWORK, OUTAGE, QUOTA, SCENARIO, SERVICE } from './scenario-rules';

type Complete<T> = { readonly [K in keyof T]-?: Exclude<T[K], undefined> };

/** Past this point there is no default and no check. */
export type CompleteScenario = Readonly<{
  clients: number;
  /** Clients per second; Infinity = all at once. */
  rate: number;
  service: Complete<Omit<ServiceOptions, 'quota'>> & { readonly quota: QuotaOptions | undefined };
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

function requireField(value: unknown, what: string, name: string, [allowed]: Rule): void {
  if (value === undefined) throw new TypeError(`axios-jitter: ${what} "${name}" must be ${allowed}; got undefined`);
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
  throw new TypeError(`axios-jitter: policy "${name}" must be a preset, options or a function; got ${describe(policy)}`);
}

function listPolicies(given: Scenario['policies']): CompleteScenario['policies'] {
  const policies = given ?? Object.keys(PRESETS);
  const entries: (readonly [string, unknown])[] = Array.isArray(policies)
    ? policies.map((name: unknown) => [String(name), name] as const)
    : Object.entries(policies);
  if (entries.length === 0) throw new RangeError('axios-jitter: scenario field "policies" must name at least one; got none');
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

function completeQuota(given: QuotaOptions | undefined): QuotaOptions | undefined {
  if (given === undefined) return undefined;
  const { requests, window } = check(given, QUOTA, 'quota field');
  requireField(requests, 'quota field', 'requests', QUOTA.requests);
  requireField(window, 'quota field', 'window', QUOTA.window);
  return { requests, window };
}

function completeService(given: ServiceOptions): CompleteScenario['service'] {
  const { capacity, latency = 50, overload = 'reject', ...rest } = check(given, SERVICE, 'service field');
  requireField(capacity, 'service field', 'capacity', SERVICE.capacity);
  const { concurrency = Math.max(1, Math.ceil((capacity * latency) / 1_000)), queueLimit = Infinity } = rest;
  const { rejectCost = 0.02, retryAfter = 0 } = rest;
  return { capacity, latency, concurrency, overload, queueLimit, rejectCost, retryAfter, quota: completeQuota(rest.quota) };
}

/** Any two of the three make the third. */
function countClients(given: Scenario): Pick<CompleteScenario, 'clients' | 'clientsPerProcess'> {
  const { processes, clientsPerProcess, clients = (processes ?? NaN) * (clientsPerProcess ?? NaN) } = given;
  requireField(Number.isNaN(clients) ? undefined : clients, 'scenario field', 'clients', SCENARIO.clients);
  check({ clients }, SCENARIO, 'scenario field');
  const perProcess = processes === undefined ? clientsPerProcess ?? 1 : clients / processes;
  const isSound = Number.isInteger(perProcess) && (clientsPerProcess ?? perProcess) === perProcess;
  if (isSound) return { clients, clientsPerProcess: perProcess };
  const allowed = `must share ${clients} clients in equal parts${clientsPerProcess === undefined ? '' : ` of ${clientsPerProcess}`}`;
  throw new RangeError(`axios-jitter: scenario field "processes" ${allowed}; got ${String(processes)}`);
}

/** @throws TypeError or RangeError that names the field, what is allowed and what came. */
export function completeScenario(given: Scenario): CompleteScenario {
  const scenario = check(given, SCENARIO, 'scenario field');
  const { clients, clientsPerProcess } = countClients(scenario);
  requireField(scenario.service, 'scenario field', 'service', SCENARIO.service);
  const { start = 0, length, kind = '503', retryAfter = 1_000 } = check(scenario.outage ?? { length: 0 }, OUTAGE, 'outage field');
  requireField(length, 'outage field', 'length', OUTAGE.length);
  const { delay = 10, jitter = 2 } = check(scenario.network ?? {}, NETWORK, 'network field');
  const { timeout = 2_000, seed = 1, bucket = 100, horizon = 7_200_000, maxRequests = 50_000_000 } = scenario;
  return {
    clients,
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
