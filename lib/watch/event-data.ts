/** An event as plain data, for logs, channels and explanations: no query, header, body or secret. */
import { clean, pathOf } from '../axios/origin';
import type { FailureKind, RetryEvent, StopReason } from './events';

/** All times are whole ms. It can be cloned and serialised. */
export interface EventData {
  event: 'retry' | 'give-up' | 'recover';
  method: string;
  origin: string;
  path: string;
  attempt: number;
  retries: number;
  kind: FailureKind;
  elapsed: number;
  /** Of the answer, where there was one. */
  status?: number;
  /** Of the error, where there was no answer. */
  code?: string;
  delay?: number;
  retryAfter?: number;
  reason?: StopReason;
}

/** What may be told of an event. */
export function toEventData(event: EventData['event'], told: RetryEvent): EventData {
  const { config, origin, attempt, retries, kind, elapsed, response, error, delay, retryAfter, reason } = told;
  return {
    event,
    method: clean(String(config.method ?? 'get').toUpperCase()),
    origin: clean(origin),
    path: pathOf(config, origin),
    attempt,
    retries,
    kind,
    elapsed: Math.round(elapsed),
    ...(response ? { status: Math.round(response.status) } : typeof error?.code === 'string' && { code: clean(error.code) }),
    ...(delay !== undefined && { delay: Math.round(delay) }),
    ...(retryAfter !== undefined && { retryAfter: Math.round(retryAfter) }),
    ...(reason && { reason }),
  };
}
