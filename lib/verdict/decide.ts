/** May this failure be retried, and when? Facts in, a verdict out; only the last rung spends something. */
import type { InternalAxiosRequestConfig } from 'axios';
import { computeBackoff, spreadRetryAfter } from '../policy/backoff';
import { isOneShot } from '../axios/body';
import { checkMs } from '../checks/checks';
import type { FailureKind, RetryEvent, StopReason } from '../watch/events';
import { keyOf } from './idempotency-key';
import type { ResolvedRetryOptions } from '../options/resolve';

export interface Go {
  readonly retry: true;
  /** How long to wait, in ms. */
  readonly delay: number;
  /** The computed backoff without Retry-After: what the next decorrelated delay grows from. */
  readonly backoff: number;
  /** The idempotency key that the retry must carry, where it is safe for that key alone. */
  readonly key?: string | undefined;
}
/** No. A class, so that it cannot be mistaken for anything a user gives. */
export class Stop {
  readonly retry = false;
  constructor(
    readonly reason: StopReason,
    /** What a hook threw, with reason `hook-failed`. */
    readonly hookError?: unknown,
  ) {}
}
export type Verdict = Go | Stop;

type Request = Pick<InternalAxiosRequestConfig, 'method' | 'headers' | 'data'>;

/** What the ladder looks at. */
export interface Facts {
  readonly options: ResolvedRetryOptions;
  readonly kind: FailureKind;
  /** The attempt that has just ended, counted from 1. */
  readonly attempt: number;
  /** The request as it would be replayed. */
  readonly request: Request;
  /** The request as it went out, where inner layers have changed it. */
  readonly sent?: Request;
  /** ms since the call began. */
  readonly elapsed: number;
  /** What the server asked for, in ms. */
  readonly retryAfter: number | undefined;
  /** What the spread is measured by, where that is more than `retryAfter`. */
  readonly asked?: number;
  readonly previousBackoff: number | undefined;
  /** What `shouldRetry` said. */
  readonly opinion: boolean | undefined;
  /** Spends a token. False: there is none. */
  readonly takeToken: () => boolean;
  /** For the `delay` option. */
  readonly describeEvent: () => RetryEvent;
}

/** Section 4's verdict on status and code. */
export const canHeal = (kind: FailureKind): boolean => kind !== 'permanent' && kind !== 'cancelled';

type Repetition = Pick<Facts, 'kind' | 'opinion' | 'request' | 'sent' | 'options'>;

/** Whether a repetition does no harm whatever it carries. */
function isHarmless({ kind, opinion, request, sent = request, options }: Repetition): boolean {
  const isSafe = ({ method = 'get' }: Request): boolean => options.methods.has(method.toUpperCase());
  return opinion === true || kind === 'unsent' || kind === 'response' || (isSafe(request) && isSafe(sent));
}

/** The idempotency key of the request, where it has gone out with it. */
function arrivingKey({ request, sent = request, options }: Repetition): string | undefined {
  const key = keyOf(request.headers, options);
  return key === keyOf(sent.headers, options) ? key : undefined;
}

function computeDelay(facts: Facts): Go {
  const { options, attempt, previousBackoff, retryAfter, asked, describeEvent } = facts;
  const own: unknown = options.delay?.(describeEvent());
  const backoff = own === undefined ? computeBackoff(attempt, previousBackoff, options) : checkMs('option "delay"', own);
  // 0 means "now": the normal backoff is kind enough.
  const delay = retryAfter ? Math.max(backoff, spreadRetryAfter(retryAfter, options, asked)) : backoff;
  // What nobody can wait for and the option `delay` has not given comes of `random`.
  return { retry: true, delay: checkMs('option "random"', delay), backoff, key: isHarmless(facts) ? undefined : arrivingKey(facts) };
}

/** The ladder of refusals, cheapest first: the first that applies is the reason. */
export function refuse(facts: Omit<Facts, 'takeToken' | 'describeEvent'>): StopReason | undefined {
  const { options, kind, attempt, request, retryAfter, opinion } = facts;
  if (kind === 'cancelled') return 'aborted';
  if (!(opinion ?? canHeal(kind))) return 'not-retryable';
  if (!isHarmless(facts) && arrivingKey(facts) === undefined) return 'method';
  if (!options.body && isOneShot(request.data)) return 'body';
  if (attempt > options.retries) return 'exhausted';
  if (retryAfter !== undefined && retryAfter > options.maxRetryAfter) return 'retry-after';
  return undefined;
}

/** The verdict on a failed attempt. A hook that throws is one too: reason `hook-failed`. */
export function decide(facts: Facts): Verdict {
  const { options, elapsed, takeToken } = facts;
  const reason = refuse(facts);
  if (reason) return new Stop(reason);
  try {
    const go = computeDelay(facts);
    if (options.totalTimeout !== undefined && elapsed + go.delay >= options.totalTimeout) return new Stop('deadline');
    if (options.dryRun) return new Stop('dry-run');
    return takeToken() ? go : new Stop('budget');
  } catch (hookError) {
    return new Stop('hook-failed', hookError);
  }
}
