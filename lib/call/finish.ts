/** The end of a call: what the caller gets, what is counted, who is told. */
import { operationOf } from '../axios/origin';
import { addCause, cancellation, deadlineError } from '../axios/errors';
import { discard } from '../axios/body';
import type { RetryBudget } from '../policy/retry-budget';
import type { Call, Config } from './call';
import type { Stop } from '../verdict/decide';
import { findAxiosError, findResponse, isCancellation } from '../axios/recognize';
import type { Failure } from './failure';
import { attachReport, configOf, tell, tellEnd } from './report';
import { memberOf } from '../checks/checks';
import { callOf, type Attempt, type Outcome } from './attempt';

/** Counts a success at the first attempt: the fast path. */
export function succeed(call: Call, attempt: Attempt, value: unknown): void {
  const { budget } = call.options;
  // A full budget has nothing to gain, so the origin need not be known.
  // Where inner layers have sent it: there a retry would have taken its token.
  if (budget && !budget.isFull) reward(call, budget, configOf(call, attempt, { response: findResponse(value) }));
  call.end(call.interrupt && bodyOf(value));
  if (call.observers.length > 0) tellEnd(call, { ok: true, value });
}

function reward(call: Call, budget: RetryBudget, config: Config): void {
  try {
    budget.reward(call.originOf(config), call.options.now());
  } catch {
    // An `origin` option that throws is reported where a retry needs it; a success stays one.
  }
}

// An inner layer may have unwrapped it.
const bodyOf = (value: unknown): unknown => memberOf(findResponse(value), 'data') ?? value;

function unwrap(outcome: Outcome): unknown {
  if (outcome.ok) return outcome.value;
  throw outcome.error;
}

/** A success: after a retry its token goes back, and the watchers are told. */
export function recover(call: Call, attempt: Attempt): unknown {
  const value = unwrap(attempt.outcome);
  const last = call.history.at(-1);
  if (!last) {
    succeed(call, attempt, value);
    return value;
  }
  call.refund();
  call.attachment.counters.recovered += 1;
  const response = findResponse(value);
  attachReport(call, response);
  tell(call, 'onRecover', attempt, { kind: last.kind, response }, { willRetry: false });
  call.end(bodyOf(value));
  tellEnd(call, attempt.outcome);
  return value;
}

// Somebody else's error may carry somebody else's report.
function carrierOf(call: Call, outcome: Outcome): object | undefined {
  const carrier = outcome.ok ? findResponse(outcome.value) : findAxiosError(outcome.error);
  return (callOf(memberOf(carrier, 'config')) ?? call) === call ? carrier : undefined;
}

/** The caller has gone: axios' own cancellation, whatever the attempt came to; a stranger's error passes through. */
async function abandon(call: Call, attempt: Attempt, failure: Failure): Promise<Outcome> {
  const { outcome } = attempt;
  const signal = call.request.signal as AbortSignal | undefined;
  if (failure.kind === 'cancelled' && !outcome.ok) {
    addCause(outcome.error, signal?.reason);
    return outcome;
  }
  if (!(failure.error ?? failure.response)) return outcome;
  const config = configOf(call, attempt, failure);
  return { ok: false, error: await cancellation(call.instance, config, signal?.reason) };
}

/** A failure for good: the caller gets the very error, or response, of the last attempt. */
export async function giveUp(call: Call, attempt: Attempt, failure: Failure, stop: Stop): Promise<unknown> {
  const { reason, hookError } = stop;
  call.refund();
  discard(call.body);
  const final = reason === 'aborted' ? await abandon(call, attempt, failure) : attempt.outcome;
  call.attachment.counters.gaveUp[reason] += 1;
  const mayHaveActed = call.key !== undefined && call.history.some(({ kind }) => kind !== 'unsent' && kind !== 'permanent');
  if (mayHaveActed) call.undecided = operationOf(configOf(call, attempt, failure));
  attachReport(call, carrierOf(call, final), reason, hookError);
  tell(call, 'onGiveUp', attempt, failure, { willRetry: false, reason, hookError });
  call.end(final.ok && bodyOf(final.value));
  tellEnd(call, final, { reason, kind: failure.kind });
  return unwrap(final);
}

/** An attempt that the deadline cut short rejects as an axios timeout, with the failure before it as `cause`. */
export async function endAtDeadline(call: Call, attempt: Attempt): Promise<void> {
  const { outcome } = attempt;
  const { totalTimeout } = call.options;
  if (outcome.ok || totalTimeout === undefined || !isCancellation(outcome.error)) return;
  attempt.outcome = { ok: false, error: await deadlineError(call.instance, configOf(call, attempt), totalTimeout, call.lastError) };
}
