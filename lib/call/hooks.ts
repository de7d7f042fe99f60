/** Asking the user's deciders: a throw, nonsense, an abort or the deadline in the meantime is a verdict too. */
import type { Call } from './call';
import { answered, isFlag, isThenable } from '../checks/checks';
import { Stop } from '../verdict/decide';
import { INTERRUPTED, unlessInterrupted } from '../time/interrupt';

/** The hook's answer, or why there is none. A hook that never settles is waited for until the interrupt comes. */
export async function consult<T>(
  call: Call,
  ask: () => unknown,
  parse: (answer: unknown) => T,
): Promise<{ readonly value: T } | Stop> {
  try {
    const asked = ask();
    const answer = isThenable(asked) ? await unlessInterrupted(asked, call.watch()) : asked;
    return answer === INTERRUPTED ? interrupted(call) : { value: parse(answer) };
  } catch (hookError) {
    return new Stop('hook-failed', hookError);
  }
}

/** The stop that an interrupt means. */
export function interrupted(call: Call): Stop {
  return new Stop(call.interrupt?.cause ?? 'aborted');
}

/** For answers that must be yes, no or nothing: a condition that counts everything but `false` as yes is a trap. */
export const toVerdict = (name: string) => (answer: unknown): boolean | undefined =>
  answered(name, 'true, false or undefined', (given): given is boolean | undefined => given === undefined || isFlag(given), answer);
