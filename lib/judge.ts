/** From a failure to a verdict: gathers what the ladder looks at, and asks `shouldRetry`. */
import type { Call } from './call';
import { canHeal, decide, isIdempotent, type Stop, type Verdict } from './decide';
import type { Failure } from './examine';
import { consult, interrupted, toVerdict } from './hooks';
import { configOf, makeEvent, summarize } from './report';
import { share, sharedRetryAfter } from './shared-retry-after';
import type { Attempt } from './state';

const NO_OPINION = { value: undefined };

function askUser(
  call: Call,
  attempt: Attempt,
  failure: Failure,
): Promise<{ readonly value: boolean | undefined } | Stop> | typeof NO_OPINION {
  const { shouldRetry } = call.options;
  // A stranger's failure has neither error nor response, and a cancellation is final.
  if (!shouldRetry || failure.kind === 'cancelled' || !(failure.error ?? failure.response)) return NO_OPINION;
  const willRetry = canHeal(failure.kind) && (failure.kind !== 'status' || isIdempotent(call.request, call.options));
  const event = makeEvent(call, attempt, failure, { willRetry });
  return consult(call, () => shouldRetry(event), toVerdict('shouldRetry'));
}

// Takes a token for the retry; `call.paidBy` says from whom, until the retry has failed.
function takeToken(call: Call, origin: string): boolean {
  const { budget, now } = call.options;
  if (!budget) return true;
  if (!budget.tryTake(origin, now())) return false;
  call.paidBy = origin;
  return true;
}

function retryAfterOf(call: Call, failure: Failure, origin: () => string): number | undefined {
  if (call.options.shareRetryAfter === false) return failure.retryAfter;
  if (failure.retryAfter) share(call, origin(), failure.retryAfter);
  const shared = sharedRetryAfter(call, origin());
  return shared > 0 ? Math.max(shared, failure.retryAfter ?? 0) : failure.retryAfter;
}

/** The verdict on a failed attempt. */
export async function judge(call: Call, attempt: Attempt, failure: Failure): Promise<Verdict> {
  // The retry that has just failed was paid for.
  call.paidBy = undefined;
  call.remember(summarize(attempt, failure));
  if (failure.stop) return failure.stop;
  if (call.watch().cause) return interrupted(call);
  const opinion = await askUser(call, attempt, failure);
  if ('reason' in opinion) return opinion;
  const origin = (): string => call.originOf(configOf(call, attempt, failure));
  const verdict = decide({
    options: call.options,
    kind: failure.kind,
    attempt: attempt.number,
    request: call.request,
    elapsed: call.elapsed,
    retryAfter: retryAfterOf(call, failure, origin),
    previousBackoff: call.previousBackoff,
    opinion: opinion.value,
    takeToken: () => takeToken(call, origin()),
    describeEvent: () => makeEvent(call, attempt, failure, { willRetry: true }),
  });
  if (verdict.retry) call.previousBackoff = verdict.backoff;
  return verdict;
}
