/** One answer's Retry-After, held for everybody who calls the same origin. */
import { spreadRetryAfter } from '../policy/backoff';
import type { Call, Config } from './call';
import { sleep } from '../time/sleep';
import type { Attempt } from './attempt';

/** Notes that the origin asked to be left alone for `retryAfter` ms; no longer than `maxRetryAfter` is held. */
export function share(call: Call, origin: string, retryAfter: number): void {
  const { now, maxRetryAfter } = call.options;
  const until = now() + Math.min(retryAfter, maxRetryAfter);
  const { pauses } = call.attachment;
  if (until > (pauses.get(origin, now()) ?? 0)) pauses.set(origin, until, now());
}

/** How long the origin still wants to be left alone, in ms. */
export function sharedRetryAfter(call: Call, origin: string): number {
  const { now, shareRetryAfter } = call.options;
  if (shareRetryAfter === false) return 0;
  return Math.max(0, (call.attachment.pauses.get(origin, now()) ?? 0) - now());
}

/** With `'all'` a first attempt waits as well, spread like a retry. False: the caller has gone, or the deadline would pass. */
export async function waitForFirst(call: Call, attempt: Attempt, config: Config): Promise<boolean> {
  const { options } = call;
  const interrupt = call.watch();
  if (options.shareRetryAfter !== 'all' || attempt.number > 1) return true;
  const left = sharedRetryAfter(call, call.originOf(config));
  if (left === 0) return true;
  const wait = spreadRetryAfter(left, options);
  const isTooLong = options.totalTimeout !== undefined && call.elapsed + wait >= options.totalTimeout;
  if (isTooLong) interrupt.interrupt('deadline');
  else await sleep(wait, options, interrupt);
  return interrupt.cause === undefined;
}
