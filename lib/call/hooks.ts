/** Asking what the user gave: the only place that says what its throw means, and the only one that asks whether the call was interrupted. */
import type { Call } from './call';
import { answered, isFlag, isThenable } from '../checks/checks';
import { Stop } from '../verdict/decide';
import { INTERRUPTED, unlessInterrupted } from '../time/interrupt';

/** Why the call ends when this was thrown in one of its steps: a stop of ours says it, anything else is what a hook threw. */
export const toStop = (thrown: unknown): Stop => (thrown instanceof Stop ? thrown : new Stop('hook-failed', thrown));

/** What a hook answered. One that never settles is waited for until the interrupt comes. @throws Stop at the interrupt, and what the hook throws */
export async function consult<T>(call: Call, asked: unknown, parse: (answer: unknown) => T): Promise<T> {
  const answer = isThenable(asked) ? await unlessInterrupted(asked, call.watch()) : asked;
  if (answer === INTERRUPTED) throw interrupted(call);
  return parse(answer);
}

/**
 * Asked after each step: nothing more is sent if the caller has gone, the plugin was detached or the deadline has passed.
 * The clock is asked too: a process that was frozen has heard no timer. @throws Stop
 */
export function checkInterrupt(call: Call): void {
  const interrupt = call.watch();
  const { totalTimeout } = call.options;
  if (call.attachment.registration.isDetached) interrupt.interrupt('detached');
  if (totalTimeout !== undefined && call.elapsed >= totalTimeout) interrupt.interrupt('deadline');
  if (interrupt.cause) throw interrupted(call);
}

/** The stop that an interrupt means. */
export function interrupted(call: Call): Stop {
  return new Stop(call.interrupt?.cause ?? 'aborted');
}

/** For answers that must be yes, no or nothing: a condition that counts everything but `false` as yes is a trap. */
export const toVerdict = (name: string) => (answer: unknown): boolean | undefined =>
  answered(name, 'true, false or undefined', (given): given is boolean | undefined => given === undefined || isFlag(given), answer);
