/** What becomes of a request. */
import type { FailureKind } from './library';

/** What a request meets at the service. */
export const Outcome = { served: 1, refused: 2, unavailable: 3, limited: 4, silent: 5, rejected: 6, timedOut: 7 } as const;
export type Outcome = (typeof Outcome)[keyof typeof Outcome];

/** As the library would judge it. */
export const KINDS: Readonly<Record<Outcome, readonly [kind: FailureKind, status?: number]>> = {
  [Outcome.served]: ['response'],
  [Outcome.refused]: ['unsent'],
  [Outcome.unavailable]: ['status', 503],
  [Outcome.limited]: ['status', 429],
  [Outcome.silent]: ['timeout'],
  [Outcome.rejected]: ['status', 503],
  [Outcome.timedOut]: ['timeout'],
};
