/** The story of a call: the event for those who watch, the report on its error or response. */
import type { AxiosError, AxiosResponse } from 'axios';
import type { Call, Config, Outcome } from './call';
import { define, isObject, memberOf } from '../checks/checks';
import type { Failure } from './failure';
import type { FailedAttempt, RetryEvent, RetryReport, StopReason } from '../watch/events';
import { findAxiosError, findResponse } from '../axios/recognize';
import type { CallEnd, CallStart } from '../watch/observer';
import type { Attempt } from './attempt';

type EventDetails = Pick<RetryEvent, 'willRetry'> & Partial<Pick<RetryEvent, 'delay' | 'reason' | 'hookError'>>;

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

export function makeEvent(call: Call, attempt: Attempt, failure: Failure, details: EventDetails): RetryEvent {
  const { error, response, kind, retryAfter } = failure;
  const config = configOf(call, attempt, failure);
  return {
    // A refused attempt is no attempt.
    attempt: attempt.phase === 'refused' ? attempt.number - 1 : attempt.number,
    retries: call.options.retries,
    kind,
    origin: originFor(call, config),
    elapsed: call.elapsed,
    ...(error && { error }),
    ...(response && { response }),
    config,
    ...(retryAfter !== undefined && { retryAfter }),
    ...details,
  };
}

/** What observers are told of a call that has ended. */
export function makeEnd(call: Call, outcome: Outcome, failure?: Pick<CallEnd, 'reason' | 'kind'>): CallEnd {
  const { sent: attempts, elapsed } = call;
  const response = outcome.ok && findResponse(outcome.value);
  return {
    isSuccess: !failure,
    attempts,
    elapsed,
    ...failure,
    ...(!outcome.ok && { error: outcome.error }),
    ...(response && { response }),
  };
}

/** A failed attempt as plain data. */
export function summarize(attempt: Attempt, { kind, error, response, retryAfter }: Failure): FailedAttempt {
  const failed: FailedAttempt = { attempt: attempt.number, kind };
  const code = memberOf(error, 'code');
  if (response) failed.status = response.status;
  if (typeof code === 'string') failed.code = code;
  if (retryAfter !== undefined) failed.retryAfter = retryAfter;
  return failed;
}

export function makeReport(call: Call, reason?: StopReason, hookError?: unknown): RetryReport {
  const { sent, elapsed, totalDelay, retryAfter, history } = call;
  return {
    attempts: sent,
    ...(reason && { reason }),
    elapsed,
    totalDelay,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(hookError !== undefined && { hookError }),
    history,
  };
}

/** Puts the report where it can be found and does not show: not in JSON, logs or `Object.keys`. Frozen objects stay as they are. */
export function attachReport(target: object | undefined, report: RetryReport): void {
  if (target) define(target, 'retry', { value: report, configurable: true, writable: true });
}

/**
 * The report of a call, from what it rejected or resolved with; also when an inner layer wrapped the
 * error. Undefined for calls that axios-jitter did not judge, and for those that succeeded at once.
 */
export function getRetryReport(errorOrResponse: unknown): RetryReport | undefined {
  const carrier: AxiosError | AxiosResponse | undefined = findAxiosError(errorOrResponse) ?? findResponse(errorOrResponse);
  return isObject(carrier?.retry) ? carrier.retry : undefined;
}
