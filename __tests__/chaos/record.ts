import type { AbortWay } from '../helpers/abort-ways';
import type { StopReason } from '../../lib/index';
import type { PreparedBody } from './bodies';
import type { CallPlan } from './plan';

/** What is known of one call, from all sides. */
export class CallRecord {
  /** Attempts that an inner interceptor saw. */
  inner = 0;
  /** Requests handed to the pool of sockets. */
  left = 0;
  /** Requests whose headers the proxy saw. */
  seen = 0;
  /** Requests that the application got in full, with their keys. */
  readonly keys: (string | undefined)[] = [];
  /** Outcomes that an outer interceptor saw. */
  outer = 0;
  retryEvents = 0;
  giveUpEvents = 0;
  recoverEvents = 0;
  /** When the next attempt may begin. */
  notBefore = 0;
  /** Attempts when the caller gave up. */
  atAbort: { readonly inner: number; readonly left: number; readonly waited: boolean } | undefined;
  end: 'resolved' | 'rejected' | undefined;
  /** What the report says. */
  attempts: number | undefined;
  hasReport = false;
  reason: StopReason | undefined;
  isCancellation = false;

  constructor(
    readonly plan: CallPlan,
    readonly body: PreparedBody,
    readonly abortWay: AbortWay | undefined,
  ) {}

  /** The caller gives up. */
  abort(isWaiting = false): void {
    if (this.end !== undefined || this.atAbort) return;
    this.atAbort = { inner: this.inner, left: this.left, waited: isWaiting };
    this.abortWay?.abort();
  }

  /** One line for a violation. */
  describe(): string {
    const { method, isKeyed, body, abort, timeout, totalTimeout, responseType, faults, answers } = this.plan;
    const story = faults.slice(0, Math.max(1, this.seen)).map(({ kind }, index) => `${kind}/${String(answers[index]?.status)}`);
    return [
      `client ${this.plan.client} ${method}${isKeyed ? '+key' : ''} ${body} ${responseType}`,
      abort && `abort ${abort.when} ${abort.ms}`,
      timeout !== undefined && `timeout ${timeout}`,
      totalTimeout !== undefined && `totalTimeout ${totalTimeout}`,
      `${this.end ?? 'pending'} ${this.reason ?? ''}`,
      `counted ${String(this.attempts)} inner ${this.inner} left ${this.left} seen ${this.seen} received ${this.keys.length}`,
      `requests ${story.join(' ')}`,
    ]
      .filter(Boolean)
      .join(', ');
  }
}
