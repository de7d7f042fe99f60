/** A delay as `setTimeout` takes it, in ms: what is no number, and what is negative or endless, is none. */
import { isObject } from '../checks/checks';

export function toMs(delay: unknown): number {
  const ms = isObject(delay) ? 0 : Number(delay);
  return ms > 0 && ms < Infinity ? ms : 0;
}
