/** Asking what the user gave: the only place that catches what it throws, and the only one that asks whether the call was interrupted. */
import type { Call } from './call';
import { answered, isFlag, isThenable } from '../checks/checks';
import { Stop } from '../verdict/decide';
import { INTERRUPTED, unlessInterrupted } from '../time/interrupt';

/** Does the work of one step; what is thrown in it ends the call. */
export async function orStop<T>(work: () => T | PromiseLike<T>): Promise<T | Stop> {
  try {
    return await work();
  } catch (hookError) {
    return new Stop('hook-failed', hookError);
  }
}

/** The hook's answer, or why there is none. A hook that never settles is waited for until the interrupt comes. */
export function consult<T>(call: Call, ask: () => unknown, parse: (answer: unknown) => T): Promise<{ readonly value: T } | Stop> {
  return orStop(async () => {
    const asked = ask();
    const answer = isThenable(asked) ? await unlessInterrupted(asked, call.watch()) : asked;
    return answer === INTERRUPTED ? interrupted(call) : { value: parse(answer) };
  });
}

/**
 * Why nothing more is sent, if the caller has gone, the plugin was detached or the deadline has passed. Asked after each
 * step. The clock is asked too: a process that was frozen has heard no timer.
 */
export function interruption(call: Call): Stop | undefined {
  const interrupt = call.watch();
  const { totalTimeout } = call.options;
  if (call.attachment.registration.isDetached) interrupt.interrupt('detached');
  if (totalTimeout !== undefined && call.elapsed >= totalTimeout) interrupt.interrupt('deadline');
  return interrupt.cause && interrupted(call);
}

/** The stop that an interrupt means. */
export function interrupted(call: Call): Stop {
  return new Stop(call.interrupt?.cause ?? 'aborted');
}

/** For answers that must be yes, no or nothing: a condition that counts everything but `false` as yes is a trap. */
export const toVerdict = (name: string) => (answer: unknown): boolean | undefined =>
  answered(name, 'true, false or undefined', (given): given is boolean | undefined => given === undefined || isFlag(given), answer);
