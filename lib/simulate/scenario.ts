/** What a simulation is asked: plain data, as it stands in a JSON file too. All times are in ms. */
import type { PolicyOptions, Random } from './library';

export type { PolicyOptions, SimulatedChannel } from './library';

/** How an outage looks to a client. */
export type OutageKind = 'refused' | '503' | '429' | 'timeout';

/** The names of the built-in policies; what they are stands in `presets.ts`. */
export type PresetName =
  | 'default'
  | 'axios-retry'
  | 'axios-retry-exponential'
  | 'retry-axios'
  | 'full'
  | 'equal'
  | 'decorrelated'
  | 'exponential'
  | 'fixed';

/** A policy: a preset's name, options, or a function that makes options from the simulation's own source of chance. */
export type Policy = PresetName | PolicyOptions | ((random: Random) => PolicyOptions);

export interface ServiceOptions {
  /** Requests per second that it can serve, > 0. */
  capacity: number;
  /** How long one request takes, >= 0. @default 50 */
  latency?: number | undefined;
  /** Requests in hand at once, a whole number >= 1. @default what `capacity` and `latency` need */
  concurrency?: number | undefined;
  /** What becomes of a request that finds no place: a 503 at once, or it waits in line. @default 'reject' */
  overload?: 'reject' | 'queue' | undefined;
  /** With 'queue': places in line; beyond them a 503. What its client no longer waits for is served all the same. @default Infinity */
  queueLimit?: number | undefined;
  /** What turning a request away costs, as a share of the work of serving one, 0 to 1. @default 0.02 */
  rejectCost?: number | undefined;
  /** Retry-After of a 503 over capacity, 0 = none. @default 0 */
  retryAfter?: number | undefined;
  /** Beyond it a 429, with the whole seconds until the window ends as Retry-After. @default none */
  quota?: QuotaOptions | undefined;
}

export interface QuotaOptions {
  /** Served in one window, for all clients together; a whole number >= 1. */
  requests: number;
  /** Length of a window, in ms, > 0: one ends where the next begins. */
  window: number;
}

export interface OutageOptions {
  /** @default 0 */
  start?: number | undefined;
  /** >= 0 */
  length: number;
  /** @default '503' */
  kind?: OutageKind | undefined;
  /** Retry-After of a 429. @default 1_000 */
  retryAfter?: number | undefined;
}

export interface NetworkOptions {
  /** One way. @default 10 */
  delay?: number | undefined;
  /** Standard deviation of `delay`. @default 2 */
  jitter?: number | undefined;
}

export interface Scenario {
  /** Clients; each makes one call. A whole number from 1 to 10,000,000. @default `processes` times `clientsPerProcess`, where both are given */
  clients?: number | undefined;
  /** All at the same instant, or spread by chance over `clients / rate` seconds. @default 'at-once' */
  arrival?: 'at-once' | { rate: number } | undefined;
  service: ServiceOptions;
  /** @default none */
  outage?: OutageOptions | undefined;
  network?: NetworkOptions | undefined;
  /** axios' `timeout` of an attempt, > 0. @default 2_000 */
  timeout?: number | undefined;
  /** Processes, to which the clients belong in equal parts. @default what `clientsPerProcess` makes of them */
  processes?: number | undefined;
  /** Clients that share a process, and with it a retry budget and a shared Retry-After. @default 1 */
  clientsPerProcess?: number | undefined;
  /** What to compare: names of presets, or policies by name. @default all presets */
  policies?: readonly PresetName[] | Readonly<Record<string, Policy>> | undefined;
  /** `retries` for every policy, in place of its own. */
  retries?: number | undefined;
  /** A whole number: the same seed gives the same result everywhere. @default 1 */
  seed?: number | undefined;
  /** Width of the result's time buckets, a multiple of 100. @default 100 */
  bucket?: number | undefined;
  /** Where the simulation ends, > 0; calls that still wait then are `unfinished`. @default 3_600_000 */
  horizon?: number | undefined;
  /** Requests per policy after which it ends as well, >= 1. @default 50_000_000 */
  maxRequests?: number | undefined;
}
