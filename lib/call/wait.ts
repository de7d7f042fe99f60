/** Waiting before an attempt: the caller, the deadline or a detach can end it. */
import { pause } from '../time/sleep';
import type { Stop } from '../verdict/decide';
import type { Call } from './call';
import { consult, interruption } from './hooks';

/**
 * Waits `ms`, or until the call is interrupted. Resolves with a stop when the `sleep` option failed.
 * Not async, and awaited by the loop itself: what waits in great numbers should be small.
 */
export function wait(call: Call, ms: number): Promise<Stop | void> | Stop | undefined {
  const { sleep } = call.options;
  call.beginWaiting();
  const stop = interruption(call);
  if (stop) return stop;
  const interrupt = call.watch();
  if (sleep) return consult(call, () => sleep(ms, interrupt.signal), () => undefined).then((slept) => ('reason' in slept ? slept : undefined));
  return ms > 0 ? pause(ms, interrupt) : undefined;
}
