/** Between two attempts: free what the failed one holds, tell, wait, prepare the next. */
import { discard } from '../axios/body';
import type { Call, Config } from './call';
import { answered, isObject } from '../checks/checks';
import { Stop, type Go } from '../verdict/decide';
import type { RetryEvent } from '../watch/events';
import type { Failure } from './failure';
import { consult, interrupted } from './hooks';
import { isWatched, tell } from '../watch/observers';
import { makeEvent } from './report';
import { freshBody } from './begin';
import { wait } from './wait';
import { copyConfig } from '../axios/snapshot';
import { Attempt, RetryState } from './attempt';

/** What comes before the wait: what the failed attempt holds is freed, and the watchers are told. */
export function announce(call: Call, failed: Attempt, failure: Failure, { delay }: Go): void {
  // An unread answer would keep its socket; a body that was made for one attempt has done its work.
  discard(failure.response?.data);
  discard(call.body);
  const entry = call.history.at(-1);
  if (entry) entry.delay = delay;
  if (isWatched(call.options, 'onRetry')) tell(call.options, 'onRetry', makeEvent(call, failed, failure, { willRetry: true, delay }), call.observers);
}

/** The wait; what a shared Retry-After may ask for meanwhile comes on top of it. */
export function rest(call: Call, { delay }: Go): ReturnType<typeof wait> {
  const { shareRetryAfter, now } = call.options;
  if (shareRetryAfter === 'all') call.waited = { since: now(), until: now() + delay };
  return wait(call, delay);
}

const toConfig = (fallback: Config) => (answer: unknown): Config =>
  answered(
    'beforeRetry',
    'a request config or nothing',
    (given): given is Config | undefined => given === undefined || (isObject(given) && isObject(given['headers'])),
    answer,
  ) ?? fallback;

/** What the next attempt is sent from: the snapshot, and what options make of a copy of it. */
async function prepareNext(call: Call, attempt: Attempt, event: () => RetryEvent): Promise<Stop | Config> {
  const { attemptHeader, beforeRetry, body } = call.options;
  if (attemptHeader === false && !beforeRetry && !body) return call.request;
  // The hook may edit body and params in place, too.
  const config = copyConfig(call.request, call.isEditable || beforeRetry !== undefined);
  config.retryState = new RetryState(attempt);
  if (attemptHeader !== false) config.headers[attemptHeader] = String(attempt.number - 1);
  if (body) config.data = call.body = freshBody(call.options);
  if (!beforeRetry) return config;
  const edited = await consult(call, () => beforeRetry(config, event()), toConfig(config));
  const result = edited instanceof Stop || !call.interrupt?.cause ? edited : interrupted(call);
  return result instanceof Stop ? result : result.value;
}

/** What comes after the wait: the next attempt, or why there is none. */
export async function takeTurn(call: Call, failed: Attempt, failure: Failure, { delay }: Go): Promise<Stop | Attempt> {
  if (call.interrupt?.cause) return interrupted(call);
  call.totalDelay += delay;
  const attempt = new Attempt(failed.number + 1, call);
  try {
    const config = await prepareNext(call, attempt, () => makeEvent(call, failed, failure, { willRetry: true, delay }));
    if (config instanceof Stop) return config;
    call.endWaiting();
    attempt.config = config;
    return attempt;
  } catch (hookError) {
    return new Stop('hook-failed', hookError);
  }
}
