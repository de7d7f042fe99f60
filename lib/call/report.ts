/** The story of a call: the event for those who watch, the report on its error or response. */
import type { AxiosError, AxiosResponse } from 'axios';
import type { Call, Config } from './call';
import { define, isObject, memberOf } from '../checks/checks';
import type { Failure } from './failure';
import type { FailedAttempt, RetryEvent, RetryReport, StopReason } from '../watch/events';
import { findAxiosError, findResponse } from '../axios/recognize';
import type { CallEnd, CallStart, EventObserver } from '../watch/observer';
import { isWatched, observe, tell as tellAll } from '../watch/observers';
import type { Attempt, Outcome } from './attempt';

type EventDetails = Pick<RetryEvent, 'willRetry'> & { readonly delay?: number; readonly reason?: StopReason; readonly hookError?: unknown };

/** The config that the attempt went out with, as far as inner layers let it be known. */
export function configOf(call: Call, attempt: Attempt, failure?: Pick<Failure, 'error' | 'response'>): Config {
  const known = memberOf(failure?.error, 'config') ?? memberOf(failure?.response, 'config');
  return (known as Config | undefined) ?? attempt.config ?? call.request;
}

// An event must come about whatever the `origin` option does: its throw is found where the budget asks.
function originFor(call: Call, config: Config): string {
  try {
    return call.originOf(config);
  } catch {
    return '';
  }
}

/** What observers are told of a call that begins. */
export const startOf = (call: Call, config: Config): CallStart => ({
  config,
  retries: call.options.retries,
  get origin() {
    return originFor(call, config);
  },
});

/** Without the members that nothing is known of. */
function known<T extends object>(members: { [Name in keyof T]: T[Name] | undefined }): T {
  const there: Partial<T> = {};
  for (const name of Object.keys(members) as (keyof T)[]) if (members[name] !== undefined) there[name] = members[name];
  return there as T;
}

export function makeEvent(call: Call, attempt: Attempt, failure: Failure, details: EventDetails): RetryEvent {
  const { error, response, kind, retryAfter } = failure;
  const config = configOf(call, attempt, failure);
  return known<RetryEvent>({
    // A refused attempt is no attempt.
    attempt: attempt.number - Number(attempt.phase === 'refused'),
    retries: call.options.retries,
    kind,
    origin: originFor(call, config),
    elapsed: call.elapsed,
    error,
    response,
    config,
    retryAfter,
    ...details,
  });
}

/** Tells all who watch; nobody, no event. */
export function tell(call: Call, name: keyof EventObserver, ...event: [Attempt, Failure, EventDetails]): void {
  if (isWatched(call.options, name)) tellAll(call.options, name, makeEvent(call, ...event), call.observers);
}

/** Tells those who watch this call that it has ended. */
export function tellEnd({ options, observers, sent: attempts, elapsed }: Call, outcome: Outcome, failure?: Pick<CallEnd, 'reason' | 'kind'>): void {
  const { error, value } = outcome as { error?: unknown; value?: unknown };
  const end = known<CallEnd>({ isSuccess: !failure, attempts, elapsed, ...failure, error, response: findResponse(value) });
  for (const observer of observers) observe(options, () => observer.onEnd?.(end));
}

/** A failed attempt as plain data. */
export function summarize({ number: attempt }: Attempt, { kind, error, response, retryAfter }: Failure): FailedAttempt {
  const code = memberOf(error, 'code');
  return known<FailedAttempt>({ attempt, kind, status: response?.status, code: typeof code === 'string' ? code : undefined, retryAfter });
}

/** Puts the report of a call on its error or response. */
export function attachReport(call: Call, target: object | undefined, reason?: StopReason, hookError?: unknown): void {
  const { sent: attempts, elapsed, totalDelay, retryAfter, history } = call;
  const value = known<RetryReport>({ attempts, reason, elapsed, totalDelay, retryAfter, hookError, history });
  // Where it can be found and does not show: not in JSON, logs or `Object.keys`. Frozen objects stay as they are.
  if (target) define(target, 'retry', { value, configurable: true, writable: true });
}

/**
 * The report of a call, from what it rejected or resolved with; also when an inner layer wrapped the
 * error. Undefined for calls that axios-jitter did not judge, and for those that succeeded at once.
 */
export function getRetryReport(errorOrResponse: unknown): RetryReport | undefined {
  const carrier: AxiosError | AxiosResponse | undefined = findAxiosError(errorOrResponse) ?? findResponse(errorOrResponse);
  return isObject(carrier?.retry) ? carrier.retry : undefined;
}
