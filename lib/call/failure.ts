/** What happened: from an attempt's outcome to a failure, or none. Asks `shouldRetryResponse`. */
import type { AxiosError, AxiosResponse } from 'axios';
import type { Call } from './call';
import { Stop } from '../verdict/decide';
import { findAxiosError, findResponse } from '../axios/recognize';
import { kindOfError, kindOfResponse } from '../verdict/failure-kind';
import type { FailureKind } from '../watch/events';
import { consult, toVerdict } from './hooks';
import { readRetryAfter } from '../policy/retry-after';
import { RetryState, type Attempt } from './attempt';

export interface Failure {
  readonly kind: FailureKind;
  readonly error?: AxiosError | undefined;
  readonly response?: AxiosResponse | undefined;
  /** What the server asked for, in ms. */
  readonly retryAfter?: number | undefined;
  /** Retrying stops whatever the ladder would say. */
  readonly stop?: Stop;
}

/** Whether an outcome is of this call: a cache or a token request may hand out somebody else's. */
function isOf(call: Call, config: unknown): boolean {
  if (config === undefined) return true;
  const attempt = RetryState.attemptOf((config as { retryState?: unknown }).retryState);
  return attempt?.call === call;
}

/** Whether a success must be looked at; for all others the fast path ends here. */
export function mustExamine({ options }: Call, value: unknown): boolean {
  const response = findResponse(value);
  // A `statuses` of the user's is asked where its throw can be a verdict.
  const isPlain = options.shouldRetryResponse === undefined && options.hasDefaultStatuses;
  return response !== undefined && !(isPlain && response.status < 400);
}

// A `statuses` predicate of the user's may throw.
function classify<T>(kindOf: () => T): T | Stop {
  try {
    return kindOf();
  } catch (hookError) {
    return new Stop('hook-failed', hookError);
  }
}

async function examineValue(call: Call, value: unknown): Promise<Failure | undefined> {
  const response = findResponse(value);
  if (!response || !isOf(call, response.config)) return undefined;
  const retryAfter = readRetryAfter(response.headers);
  const kind = classify(() => kindOfResponse(response, retryAfter, call.options));
  if (kind instanceof Stop) return { kind: 'permanent', response, retryAfter, stop: kind };
  if (kind) return { kind, response, retryAfter };
  const { shouldRetryResponse } = call.options;
  if (!shouldRetryResponse) return undefined;
  const answer = await consult(call, () => shouldRetryResponse(response), toVerdict('shouldRetryResponse'));
  if (answer instanceof Stop) return { kind: 'response', response, retryAfter, stop: answer };
  return answer.value === true ? { kind: 'response', response, retryAfter } : undefined;
}

function examineError(call: Call, rejected: unknown): Failure {
  const error = findAxiosError(rejected);
  // A token request of an inner layer has a config, too: retrying ours does not mend it.
  if (!error || !isOf(call, error.config)) return { kind: 'permanent' };
  const { response } = error;
  const retryAfter = response && readRetryAfter(response.headers);
  const kind = classify(() => kindOfError(error, retryAfter, call.options));
  if (kind instanceof Stop) return { kind: 'permanent', error, response, retryAfter, stop: kind };
  return { kind, error, response, retryAfter };
}

/** The failure of an attempt, or undefined when it succeeded. */
export async function examine(call: Call, attempt: Attempt): Promise<Failure | undefined> {
  const { outcome } = attempt;
  const failure = outcome.ok ? await examineValue(call, outcome.value) : examineError(call, outcome.error);
  if (failure?.retryAfter !== undefined) call.retryAfter = failure.retryAfter;
  return failure && attempt.refusal ? { ...failure, stop: attempt.refusal } : failure;
}
