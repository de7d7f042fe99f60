/** Between two attempts: free what the failed one holds, tell, wait, prepare the next. */
import { discard } from '../axios/body';
import { likeHeaders } from '../axios/headers';
import { copyConfig } from '../axios/snapshot';
import { answered, isObject, memberOf } from '../checks/checks';
import { nextTurn } from '../time/sleep';
import { Stop, type Go } from '../verdict/decide';
import { lacksKey } from '../verdict/idempotency-key';
import { Attempt } from './attempt';
import type { Call, Config } from './call';
import type { Failure } from './failure';
import { freshBody } from './fresh-body';
import { checkInterrupt, consult } from './hooks';
import { makeEvent, tell } from './report';
import { wait } from './wait';

/** What comes before the wait: what the failed attempt holds is freed, and the watchers are told. */
export function announce(call: Call, failed: Attempt, failure: Failure, { delay }: Go): void {
  // An unread answer would keep its socket; a body that was made for one attempt has done its work.
  discard(memberOf(failure.response, 'data'));
  discard(call.body);
  const entry = call.history.at(-1);
  if (entry) entry.delay = delay;
  tell(call, 'onRetry', failed, failure, { willRetry: true, delay });
}

/** The wait; what a shared Retry-After may ask for meanwhile comes on top of it. */
export function waitToRetry(call: Call, { delay }: Go): ReturnType<typeof wait> {
  const { shareRetryAfter, now } = call.options;
  if (shareRetryAfter === 'all') call.waited = { since: now(), until: now() + delay };
  return wait(call, delay);
}

const isConfig = (given: unknown): given is Config | undefined => given === undefined || (isObject(given) && isObject(given['headers']));

/** What the next attempt is sent from: the snapshot, and what options make of a copy of it. */
function prepareConfig(call: Call, attempt: Attempt, failed: () => Parameters<typeof makeEvent>): Promise<Config> | Config {
  const { attemptHeader, beforeRetry, body } = call.options;
  if (attemptHeader === false && !beforeRetry && !body) return call.request;
  // The hook may edit values in place, too.
  const config = copyConfig(call.request, call.isEditable || beforeRetry !== undefined);
  config.retryState = attempt.state;
  if (attemptHeader !== false) config.headers[attemptHeader] = String(attempt.number - 1);
  if (body) config.data = freshBody(call);
  if (!beforeRetry) return config;
  return consult(call, beforeRetry(config, makeEvent(...failed())), (answer) => {
    const given = answered('beforeRetry', 'a request config or nothing', isConfig, answer) ?? config;
    given.headers = likeHeaders(given.headers, call.request.headers);
    return given;
  });
}

/** What comes after the wait: the next attempt. @throws Stop, and what a hook throws */
export async function prepareRetry(call: Call, failed: Attempt, failure: Failure, { delay, key }: Go): Promise<Attempt> {
  // Where nothing takes time, neither waits nor adapter, an abort could never be heard. Not each time: it has its price.
  if (call.sent % 10 === 0) await nextTurn();
  checkInterrupt(call);
  call.totalDelay += delay;
  const attempt = new Attempt(failed.number + 1, call);
  const config = prepareConfig(call, attempt, () => [call, failed, failure, { willRetry: true, delay }]);
  attempt.config = config instanceof Promise ? await config : config;
  attempt.neededKey = key;
  if (lacksKey(attempt.config, key, call.options)) throw new Stop('method');
  checkInterrupt(call);
  call.endWaiting();
  return attempt;
}
