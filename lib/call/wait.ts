/** Waiting before an attempt: the caller, the deadline or a detach can end it. */
import { pause } from '../time/sleep';
import type { Call } from './call';
import { checkInterrupt, consult } from './hooks';

/**
 * Waits `ms`, or until the call is interrupted. @throws Stop, and what the `sleep` option throws
 * Not async, and awaited by the loop itself: what waits in great numbers should be small.
 */
export function wait(call: Call, ms: number): Promise<void> | undefined {
  const { sleep } = call.options;
  call.beginWaiting();
  checkInterrupt(call);
  const interrupt = call.watch();
  if (sleep) return consult(call, sleep(ms, interrupt.signal), () => undefined);
  return ms > 0 ? pause(ms, interrupt) : undefined;
}
