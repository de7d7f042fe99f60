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
import { callOf, type Attempt, type Outcome } from './attempt';

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

/** What an outcome comes to without asking `shouldRetryResponse`. */
function classify({ options }: Call, outcome: Outcome, error: AxiosError | undefined, response: AxiosResponse | undefined): Failure | undefined {
  try {
    const retryAfter = response && askedWait(options, response);
    const known = error ? kindOfError(error, retryAfter, options, response) : response && kindOfResponse(response, retryAfter, options);
    const kind = known ?? (outcome.ok ? options.shouldRetryResponse && 'response' : 'permanent');
    return kind && { kind, retryAfter, error, response };
  } catch (hookError) {
    // A `statuses` or `retryAfter` of the user's may throw.
    return { kind: 'permanent', error, response, stop: toStop(hookError) };
  }
}

function failureOf(call: Call, { outcome, unread }: Attempt): Failure | undefined {
  const error = outcome.ok ? undefined : findAxiosError(outcome.error);
  const response = outcome.ok ? findResponse(outcome.value) : ((error && answerOf(error)) ?? unread);
  const config = memberOf(error ?? response, 'config');
  // Somebody else's: a cache or a token request of an inner layer may hand it out, and retrying ours does not mend it.
  const isOurs = (error ?? response) !== undefined && (config === undefined || callOf(config) === call);
  if (isOurs) return classify(call, outcome, error, response);
  return outcome.ok ? undefined : { kind: 'permanent' };
}

/** Asks whether an accepted answer is a failure all the same. */
async function askResponse(call: Call, failure: Failure): Promise<Failure | undefined> {
  const { shouldRetryResponse } = call.options;
  try {
    const answer = await consult(call, shouldRetryResponse?.(failure.response as AxiosResponse), toVerdict('shouldRetryResponse'));
    return answer ? failure : undefined;
  } catch (thrown) {
    return { ...failure, stop: toStop(thrown) };
  }
}

/** The failure of an attempt, or undefined when it succeeded. */
export async function examine(call: Call, attempt: Attempt): Promise<Failure | undefined> {
  const found = failureOf(call, attempt);
  const failure = found?.kind === 'response' ? await askResponse(call, found) : found;
  if (failure?.retryAfter !== undefined) call.retryAfter = failure.retryAfter;
  return failure && attempt.refusal ? { ...failure, stop: attempt.refusal } : failure;
}
