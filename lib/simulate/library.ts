/** The one door to the library: its delays, ladder, budget and checks, as the simulation uses them. */
import type { AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import { check, complaint, hasMethod, isFlag, isObject, number } from '../checks/checks';
import { computeBackoff, spreadRetryAfter, type Jitter } from '../policy/backoff';
import { RetryBudget } from '../policy/retry-budget';
import { decide, type Facts } from '../verdict/decide';
import type { FailureKind, RetryEvent, StopReason } from '../watch/events';
import type { RetryOptions } from '../options/retry-options';
import { resolveOptions, type ResolvedRetryOptions } from '../options/resolve';
import type { Random } from './random';

export { check, describe, isFunction, isObject, number, type Rule } from '../checks/checks';
export type { FailureKind, Jitter, Random, ResolvedRetryOptions, RetryEvent, RetryOptions, StopReason };
export { RetryBudget };

const ORIGIN = 'http://simulated';
const REQUEST = { method: 'get', url: ORIGIN, headers: {} } as unknown as InternalAxiosRequestConfig;

/** The options of `attachRetry`; in place of a real channel stands what matters of it here. */
export type PolicyOptions = Omit<RetryOptions, 'retryAfterChannel'> & {
  /** Carries a shared Retry-After to all other processes; beside `shareRetryAfter`. A real one is refused. @default none */
  retryAfterChannel?: SimulatedChannel | RetryOptions['retryAfterChannel'];
};

export interface SimulatedChannel {
  /** How long a note is under way, in ms, >= 0. */
  transit: number;
}

/** Options as `attachRetry` would complete them, with the simulation's chance in place of `Math.random`. */
export function resolvePolicy(options: PolicyOptions, random: Random): ResolvedPolicy {
  const { retryAfterChannel, ...others } = options;
  const resolved = resolveOptions({ ...others, random: others.random ?? random });
  return { ...resolved, transit: transitOf(retryAfterChannel, resolved) };
}

/** Complete options, and how long a note to other processes is under way; `undefined` = there is no channel. */
export type ResolvedPolicy = ResolvedRetryOptions & { readonly transit: number | undefined };

const TRANSIT = number('a finite number of ms >= 0', (value) => value >= 0 && value < Infinity);

function transitOf(channel: PolicyOptions['retryAfterChannel'], { shareRetryAfter }: ResolvedRetryOptions): number | undefined {
  if (channel === undefined) return undefined;
  const isSimulated = isObject(channel) && !hasMethod(channel, 'postMessage');
  const { transit } = isSimulated ? check(channel as SimulatedChannel, { transit: TRANSIT }, 'channel field') : { transit: undefined };
  if (transit === undefined) throw complaint('option "retryAfterChannel"', 'must be { transit: ms } in a simulation', channel);
  if (shareRetryAfter === false) throw complaint('option "shareRetryAfter"', "must be true or 'all' beside retryAfterChannel", shareRetryAfter);
  return transit;
}

/** What a policy is told of a failed attempt. */
export interface Failure {
  kind: FailureKind;
  /** Of the answer, where there was one. */
  status: number | undefined;
  attempt: number;
  elapsed: number;
  retryAfter: number | undefined;
  /** The longest that was asked for of a shared Retry-After. */
  asked?: number | undefined;
  previousBackoff: number | undefined;
  budget: RetryBudget | undefined;
  now: number;
}

const answer = (status: number): AxiosResponse => ({ status, headers: {}, config: REQUEST }) as unknown as AxiosResponse;
const ANSWERS: Readonly<Record<number, AxiosResponse>> = { 429: answer(429), 503: answer(503) };

function describeFailure({ status = 0, attempt, kind, elapsed, retryAfter }: Failure, retries: number): RetryEvent {
  const event = { attempt, retries, kind, origin: ORIGIN, elapsed, config: REQUEST, willRetry: true };
  const response = ANSWERS[status];
  if (!response) return event;
  return retryAfter === undefined ? Object.assign(event, { response }) : Object.assign(event, { response, retryAfter });
}

// It may be asynchronous in the library; virtual time cannot wait for it.
function opinionOf(failure: Failure, { shouldRetry, retries }: ResolvedRetryOptions): boolean | undefined {
  const opinion = shouldRetry?.(describeFailure(failure, retries));
  if (opinion === undefined || isFlag(opinion)) return opinion;
  throw complaint('option "shouldRetry"', 'must return true, false or undefined, at once, in a simulation', opinion);
}

/** `{ retry: true, delay, backoff }` or `{ retry: false, reason }`: what the library's ladder says. */
export function decideFailure(failure: Failure, options: ResolvedRetryOptions): ReturnType<typeof decide> {
  const { attempt, elapsed, retryAfter, asked, previousBackoff, budget, now, status } = failure;
  const isListed = status === undefined || options.statuses(status);
  const facts: Facts = {
    options,
    kind: isListed ? failure.kind : 'permanent',
    attempt,
    request: REQUEST,
    elapsed,
    retryAfter,
    ...(asked !== undefined && { asked }),
    previousBackoff,
    opinion: opinionOf(failure, options),
    takeToken: () => budget?.tryTake(ORIGIN, now) ?? true,
    describeEvent: () => describeFailure(failure, options.retries),
  };
  return decide(facts);
}

/** A call has ended well: what the budget gets back. */
export function settleBudget(budget: RetryBudget, attempt: number, now: number): void {
  if (attempt === 1) budget.reward(ORIGIN, now);
  else budget.refund(ORIGIN, now);
}

/** How long to wait for a pause of which `left` ms are left. */
export function waitFor(left: number, asked: number, options: ResolvedRetryOptions): number {
  return spreadRetryAfter(left, options, asked);
}

/** A policy's delay alone, without ladder and budget. */
export function backoffOf(retry: number, previous: number | undefined, options: ResolvedRetryOptions): number {
  return computeBackoff(retry, previous, options);
}
