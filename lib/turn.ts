/** Between two attempts: free what the failed one holds, tell, wait, prepare the next. */
import { discard } from './body';
import type { Call, Config } from './call';
import { describe, isObject } from './checks';
import { stop, type Go, type Stop } from './decide';
import type { Failure } from './examine';
import { consult, interrupted } from './hooks';
import { isWatched, tell } from './observers';
import { makeEvent } from './report';
import { equip, freshBody } from './request-side';
import { sleep } from './sleep';
import { copyConfig } from './snapshot';
import { Attempt, RetryState } from './state';

export interface Turn {
  readonly attempt: Attempt;
  readonly config: Config;
}

/** Waits, and can be ended by the caller, the deadline or a detach. */
async function rest(call: Call, delay: number): Promise<Stop | undefined> {
  const { place, counters } = call.attachment;
  const interrupt = call.watch();
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

/** The next attempt's config: the snapshot again, then what `body` and `beforeRetry` make of it. */
async function prepareNext(call: Call, attempt: Attempt, config: Config, event: () => ReturnType<typeof makeEvent>): Promise<Stop | Config> {
  const { attemptHeader, beforeRetry } = call.options;
  config.retryState = new RetryState(attempt);
  if (attemptHeader !== false) config.headers[attemptHeader] = String(attempt.number - 1);
  if (call.options.body) config.data = attempt.body = freshBody(call.options);
  if (!beforeRetry) return config;
  const edited = await consult(call, () => beforeRetry(config, event()), toConfig(config));
  if (!('reason' in edited)) return call.interrupt?.cause ? interrupted(call) : edited.value;
  discard(attempt.body);
  return edited;
}

/** Everything from the verdict to the next send. A stop means that nothing is sent. */
export async function takeTurn(call: Call, failed: Attempt, failure: Failure, { delay }: Go): Promise<Stop | Turn> {
  const { options, attachment } = call;
  if (attachment.place.isDetached) return stop('detached');
  // An unread answer would keep its socket; a body that was made for one attempt has done its work.
  discard(failure.response?.data);
  discard(failed.body);
  const event = (): ReturnType<typeof makeEvent> => makeEvent(call, failed, failure, { willRetry: true, delay });
  const entry = call.history.at(-1);
  if (entry) entry.delay = delay;
  if (isWatched(options, 'onRetry')) tell(options, 'onRetry', event());
  const cut = await rest(call, delay);
  if (cut) return cut;
  const attempt = new Attempt(failed.number + 1, call);
  try {
    const config = await prepareNext(call, attempt, copyConfig(call.request, call.isEditable), event);
    if ('reason' in config) return config;
    equip(call, attempt, config);
    attempt.config = config;
    attachment.counters.retries += 1;
    return { attempt, config };
  } catch (hookError) {
    return { retry: false, reason: 'hook-failed', hookError };
  }
}
