/** Between two attempts: free what the failed one holds, tell, wait, prepare the next. */
import { discard } from './body';
import type { Call, Config } from './call';
import { describe, isObject } from './checks';
import { stop, type Go, type Stop } from './decide';
import type { RetryEvent } from './events';
import type { Failure } from './examine';
import { consult, interrupted } from './hooks';
import { isWatched, tell } from './observers';
import { makeEvent } from './report';
import { freshBody } from './request-side';
import { sleep } from './sleep';
import { copyConfig } from './snapshot';
import { Attempt, RetryState } from './state';

/** Waits, and can be ended by the caller, the deadline or a detach. */
async function rest(call: Call, delay: number): Promise<Stop | undefined> {
  const { place, counters } = call.attachment;
  const interrupt = call.watch();
  if (delay === 0 && !call.options.sleep) return interrupt.cause && interrupted(call);
  place.waiting.add(interrupt);
  counters.waiting += 1;
  try {
    await sleep(delay, call.options, interrupt);
  } catch (hookError) {
    return { retry: false, reason: 'hook-failed', hookError };
  } finally {
    counters.waiting -= 1;
    place.waiting.delete(interrupt);
  }
  if (interrupt.cause) return interrupted(call);
  call.totalDelay += delay;
  return undefined;
}

const toConfig = (fallback: Config) => (answer: unknown): Config => {
  if (answer === undefined) return fallback;
  if (isObject(answer) && isObject(answer['headers'])) return answer as unknown as Config;
  throw new TypeError(`axios-jitter: option "beforeRetry" must return a request config or nothing; came ${describe(answer)}`);
};

/** What the next attempt is sent from: the snapshot, and what options make of a copy of it. */
async function prepareNext(call: Call, attempt: Attempt, event: () => RetryEvent): Promise<Stop | Config> {
  const { attemptHeader, beforeRetry, body } = call.options;
  if (attemptHeader === false && !beforeRetry && !body) return call.request;
  const config = copyConfig(call.request, call.isEditable);
  config.retryState = new RetryState(attempt);
  if (attemptHeader !== false) config.headers[attemptHeader] = String(attempt.number - 1);
  if (body) config.data = attempt.body = freshBody(call.options);
  if (!beforeRetry) return config;
  const edited = await consult(call, () => beforeRetry(config, event()), toConfig(config));
  if (!('reason' in edited) && !call.interrupt?.cause) return edited.value;
  discard(attempt.body);
  return 'reason' in edited ? edited : interrupted(call);
}

/** Everything from the verdict to the next send. A stop means that nothing is sent. */
export async function takeTurn(call: Call, failed: Attempt, failure: Failure, { delay }: Go): Promise<Stop | Attempt> {
  const { options, attachment } = call;
  if (attachment.place.isDetached) return stop('detached');
  // An unread answer would keep its socket; a body that was made for one attempt has done its work.
  discard(failure.response?.data);
  discard(failed.body);
  const event = (): RetryEvent => makeEvent(call, failed, failure, { willRetry: true, delay });
  const entry = call.history.at(-1);
  if (entry) entry.delay = delay;
  if (isWatched(options, 'onRetry')) tell(options, 'onRetry', event());
  const cut = await rest(call, delay);
  if (cut) return cut;
  const attempt = new Attempt(failed.number + 1, call);
  try {
    const config = await prepareNext(call, attempt, event);
    if ('reason' in config) return config;
    attempt.config = config;
    attachment.counters.retries += 1;
    return attempt;
  } catch (hookError) {
    return { retry: false, reason: 'hook-failed', hookError };
  }
}
