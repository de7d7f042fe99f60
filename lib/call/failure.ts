/** What happened: from an attempt's outcome to a failure, or none. Asks `retryAfter` and `shouldRetryResponse`. */
import type { AxiosError, AxiosResponse } from 'axios';
import type { Call } from './call';
import { checkMs, memberOf } from '../checks/checks';
import type { Stop } from '../verdict/decide';
import { answerOf, findAxiosError, findResponse } from '../axios/recognize';
import { kindOfError, kindOfResponse } from '../verdict/failure-kind';
import type { FailureKind } from '../watch/events';
import { consult, toStop, toVerdict } from './hooks';
import { readRetryAfter } from '../policy/retry-after';
import { RetryState, type Attempt } from './attempt';

export interface Failure {
  readonly kind: FailureKind;
  readonly error?: AxiosError | undefined;
  /** Also one whose reading failed: what is known of it. */
  readonly response?: AxiosResponse | undefined;
  /** What the server asked for, in ms. */
  readonly retryAfter?: number | undefined;
  /** Retrying stops whatever the ladder would say. */
  readonly stop?: Stop;
}

/** Whether an outcome is of this call: a cache or a token request may hand out somebody else's. */
function isOf(call: Call, config: unknown): boolean {
  return config === undefined || RetryState.attemptOf(memberOf(config, 'retryState'))?.call === call;
}

/** Whether a success must be looked at; for all others the fast path ends here. */
export function mustExamine({ options }: Call, value: unknown): boolean {
  const status = findResponse(value)?.status;
  if (status === undefined) return false;
  // A `statuses` predicate of the user's is asked where its throw can be a verdict.
  return options.shouldRetryResponse !== undefined || status >= 400 || !options.hasDefaultStatuses || options.statuses(status);
}

// What the server asks for: as the user's function reads it, or in the headers.
function askedWait({ retryAfter }: Call['options'], response: AxiosResponse): number | undefined {
  if (retryAfter === false) return undefined;
  const own: unknown = retryAfter?.(response);
  return own === undefined ? readRetryAfter(response.headers) : checkMs('option "retryAfter"', own);
}

type Judged = Pick<Failure, 'kind' | 'retryAfter' | 'stop'>;

// A `statuses` or `retryAfter` of the user's may throw.
function classify(call: Call, response: AxiosResponse | undefined, kindOf: (retryAfter?: number) => FailureKind | undefined): Judged | undefined {
  try {
    const retryAfter = response && askedWait(call.options, response);
    const kind = kindOf(retryAfter);
    return kind && { kind, retryAfter };
  } catch (hookError) {
    return { kind: 'permanent', stop: toStop(hookError) };
  }
}

async function examineValue(call: Call, value: unknown): Promise<Failure | undefined> {
  const response = findResponse(value);
  if (!response || !isOf(call, response.config)) return undefined;
  const { shouldRetryResponse } = call.options;
  const judged = classify(call, response, (retryAfter) => kindOfResponse(response, retryAfter, call.options) ?? (shouldRetryResponse && 'response'));
  if (judged?.kind !== 'response' || !shouldRetryResponse) return judged && { ...judged, response };
  try {
    const answer = await consult(call, shouldRetryResponse(response), toVerdict('shouldRetryResponse'));
    return answer === true ? { ...judged, response } : undefined;
  } catch (thrown) {
    return { ...judged, response, stop: toStop(thrown) };
  }
}

function examineError(call: Call, { unread }: Attempt, rejected: unknown): Failure {
  const error = findAxiosError(rejected);
  // A token request of an inner layer has a config, too: retrying ours does not mend it.
  if (error ? !isOf(call, memberOf(error, 'config')) : !unread) return { kind: 'permanent' };
  const response = (error && answerOf(error)) ?? unread;
  const judged = classify(call, response, (retryAfter) =>
    error ? kindOfError(error, retryAfter, call.options, response) : response && kindOfResponse(response, retryAfter, call.options),
  );
  return { kind: 'permanent', ...judged, error, response };
}

/** The failure of an attempt, or undefined when it succeeded. */
export async function examine(call: Call, attempt: Attempt): Promise<Failure | undefined> {
  const { outcome } = attempt;
  const failure = outcome.ok ? await examineValue(call, outcome.value) : examineError(call, attempt, outcome.error);
  if (failure?.retryAfter !== undefined) call.retryAfter = failure.retryAfter;
  return failure && attempt.refusal ? { ...failure, stop: attempt.refusal } : failure;
}
