/** From a failure to a verdict: gathers what the ladder looks at, and asks `shouldRetry`. */
import { findOneShot } from '../axios/body';
import type { Call } from './call';
import { decide, refuse, type Facts, type Go } from '../verdict/decide';
import type { Failure } from './failure';
import { checkInterrupt, consult, interrupted, toVerdict } from './hooks';
import { configOf, makeEvent, summarize } from './report';
import { pauseOf, share } from './shared-retry-after';
import type { Attempt } from './attempt';

function askUser(call: Call, attempt: Attempt, failure: Failure, facts: Facts): Promise<boolean | undefined> | undefined {
  const { shouldRetry } = call.options;
  // A stranger's failure has neither error nor response, and a cancellation is final.
  if (!shouldRetry || failure.kind === 'cancelled' || !(failure.error ?? failure.response)) return undefined;
  const event = makeEvent(call, attempt, failure, { willRetry: refuse(facts) === undefined });
  return consult(call, shouldRetry(event), toVerdict('shouldRetry'));
}

// Takes a token for the retry; `call.paidBy` says from whom, until the retry has failed.
function takeToken(call: Call, originOf: () => string): boolean {
  const { budget, now } = call.options;
  if (!budget) return true;
  const origin = originOf();
  if (!budget.tryTake(origin, now())) return false;
  call.paidBy = origin;
  return true;
}

function retryAfterOf(call: Call, { retryAfter }: Failure, origin: () => string): Pick<Facts, 'retryAfter' | 'asked'> {
  if (call.options.shareRetryAfter === false) return { retryAfter };
  if (retryAfter) share(call, origin(), retryAfter);
  const pause = pauseOf(call.attachment, origin());
  return pause ? { retryAfter: Math.max(pause.until - call.attachment.options.now(), retryAfter ?? 0), asked: pause.asked } : { retryAfter };
}

function gatherFacts(call: Call, attempt: Attempt, failure: Failure): Facts {
  const sent = configOf(call, attempt, failure);
  const origin = (): string => call.originOf(sent);
  return {
    options: call.options,
    kind: failure.kind,
    attempt: attempt.number,
    request: call.request,
    sent,
    elapsed: call.elapsed,
    ...retryAfterOf(call, failure, origin),
    previousBackoff: call.previousBackoff,
    opinion: undefined,
    takeToken: () => takeToken(call, origin),
    describeEvent: () => makeEvent(call, attempt, failure, { willRetry: true }),
  };
}

// What inner layers make of the next attempt is seen when it leaves: a body that they have put there must be a fresh one, and a
// key that makes the retry safe must still be there.
function noteWhatMustHold(call: Call, sent: unknown, { key }: Go): void {
  const oneShot = call.options.body ? undefined : findOneShot(sent);
  if (oneShot) (call.usedBodies ??= new WeakSet()).add(oneShot);
  call.isWrapped ||= oneShot !== undefined || (key !== undefined && call.isEditable);
}

/** The verdict on a failed attempt: it may be retried, or a stop is thrown. */
export async function judge(call: Call, attempt: Attempt, failure: Failure): Promise<Go> {
  // A retry that was sent and has failed was paid for.
  if (attempt.phase !== 'sent') call.refund();
  call.paidBy = undefined;
  // What was never sent because the call was interrupted is no failed attempt.
  const isNone = attempt.phase === 'refused' || (attempt.phase !== 'sent' && call.watch().cause !== undefined);
  if (!isNone) call.remember(summarize(attempt, failure));
  if (failure.stop) throw failure.stop;
  if (call.watch().cause) throw interrupted(call);
  const facts = gatherFacts(call, attempt, failure);
  const asked = askUser(call, attempt, failure, facts);
  const opinion = asked && (await asked);
  const verdict = decide(opinion === undefined ? facts : { ...facts, elapsed: call.elapsed, opinion });
  if (!verdict.retry) throw verdict;
  noteWhatMustHold(call, facts.sent?.data, verdict);
  call.previousBackoff = verdict.backoff;
  checkInterrupt(call);
  return verdict;
}
