/** The text of a report: one sentence a line. Nothing of the request but what is shown in logs. */
import { isObject } from '../checks/checks';
import type { FailedAttempt, RetryReport } from '../watch/events';
import { formatTime } from './format';
import { REASONS, isReason } from './reasons';

/** Lines for attempts at most, beside those before and after them. */
const MAX_ATTEMPT_LINES = 26;
const CODE = /^[A-Z][A-Z\d_]*$/;
const KINDS = ['unsent', 'network', 'timeout', 'status', 'response', 'cancelled', 'permanent'];

export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** Whether it is a report, or what is left of one in a log. */
export function isReport(value: unknown): value is RetryReport {
  return isObject(value) && isNumber(value['attempts']) && Array.isArray(value['history']);
}

/** What an attempt came to. */
export function describeFailure({ kind, status, code }: Partial<FailedAttempt>): string {
  if (isNumber(status)) return `status ${status}`;
  if (typeof code === 'string' && CODE.test(code)) return code;
  return KINDS.includes(kind as string) ? String(kind) : 'a failure';
}

/** How long the wait after it was, and who asked for it. */
export function describeWait({ delay, retryAfter }: Partial<FailedAttempt>): string {
  if (!isNumber(delay)) return '';
  const asked = isNumber(retryAfter) && retryAfter > 0 && delay >= retryAfter;
  return `; waited ${formatTime(delay)}, ${asked ? `the server asked for ${formatTime(retryAfter)} (Retry-After)` : 'the computed backoff'}`;
}

function describeAttempts(history: readonly FailedAttempt[]): string[] {
  const lines = history.filter(isObject).map((failed) => {
    const { attempt } = failed;
    return `Attempt ${isNumber(attempt) ? attempt : '?'}: ${describeFailure(failed)}${describeWait(failed)}.`;
  });
  if (lines.length <= MAX_ATTEMPT_LINES) return lines;
  const half = (MAX_ATTEMPT_LINES - 2) / 2;
  return [...lines.slice(0, half), `(${lines.length - 2 * half} more attempts.)`, ...lines.slice(-half)];
}

/** Why it ended, in a sentence; none for a call that succeeded. `cause`: more than the reason says. */
export function describeEnd(reason: unknown, attempts: number, cause?: string): string[] {
  const further = attempts > 1 ? ' any further' : '';
  return isReason(reason) ? [`Why it was not retried${further}: ${reason}: ${cause ?? REASONS[reason]}.`] : [];
}

/** What is known of a call beside its report. */
export interface Known {
  /** Method, origin and path. */
  readonly target?: string | undefined;
  /** More than the reason says. */
  readonly cause?: string | undefined;
}

/** The sentences of a report. */
export function explainReport(report: RetryReport, { target = 'The call', cause }: Known = {}): string {
  const { attempts, elapsed, reason, history } = report;
  const sent = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  const outcome = reason === undefined ? 'succeeded' : 'failed';
  const time = isNumber(elapsed) ? ` in ${formatTime(elapsed)}` : '';
  return [`${target} ${outcome} after ${sent}${time}.`, ...describeAttempts(history), ...describeEnd(reason, attempts, cause)].join('\n');
}

/** For whatever has no report. */
export const NO_REPORT =
  'There is no retry report here: the call succeeded at its first attempt, was made without axios-jitter or with `retry: false`, or this is not an error or response of axios.';
