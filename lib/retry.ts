/** The life of a failed call. */
import type { Call } from './call/call';
import { examine } from './call/failure';
import { judge } from './call/judge';
import { replay } from './call/replay';
import { endAtDeadline, giveUp, recover } from './call/finish';
import { toStop } from './call/hooks';
import type { Attempt } from './call/attempt';
import { announce, prepareRetry, waitToRetry } from './call/prepare-retry';

/**
 * Runs a call from the outcome of its first attempt to its end: resolves or rejects with what the caller gets.
 * The count goes along with the attempts here, so that a state which somebody lost or changed cannot restart it.
 */
export async function retryCall(call: Call, first: Attempt): Promise<unknown> {
  let attempt = first;
  for (;;) {
    if (call.interrupt?.cause === 'deadline') await endAtDeadline(call, attempt);
    // What happened?
    const failure = await examine(call, attempt);
    if (!failure) return recover(call, attempt);
    try {
      // May it be retried, and when?
      const go = await judge(call, attempt, failure);
      // Tell those who watch, wait, prepare the next attempt.
      announce(call, attempt, failure, go);
      await waitToRetry(call, go);
      const next = await prepareRetry(call, attempt, failure, go);
      // Send it again.
      call.lastError = failure.error;
      await replay(call, next);
      attempt = next;
    } catch (stop) {
      return giveUp(call, attempt, failure, toStop(stop));
    }
  }
}
