/** From a call to counters and histograms: the same for every collector. */
import type { CallEnd, CallObserver } from '../watch/observer';
import { KIND, OUTCOME, REASON, RETRIED, type Labels, type RecordMeasure } from './measures';

const SECOND = 1_000;

function recordEnd(record: RecordMeasure, origin: Labels, { isSuccess, attempts, elapsed, reason }: CallEnd): void {
  const labels = { ...origin, [OUTCOME]: isSuccess ? 'success' : 'failure', [RETRIED]: attempts > 1 };
  record('calls', 1, labels);
  record('duration', elapsed / SECOND, labels);
  if (attempts > 0) record('attempts', attempts, origin);
  if (reason !== undefined) record('giveUps', 1, { ...origin, [REASON]: reason });
}

/** Observes one call. `record` must not throw. */
export function measureCall(record: RecordMeasure, origin: Labels): CallObserver {
  let failed: string | undefined;
  return {
    onAttempt(_, send) {
      if (failed !== undefined) record('retries', 1, { ...origin, [KIND]: failed });
      send();
    },
    onRetry({ kind, delay }) {
      failed = kind;
      record('delay', delay / SECOND, origin);
    },
    onEnd: (end) => recordEnd(record, origin, end),
  };
}
