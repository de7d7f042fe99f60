/** One call as a trace: a span around its attempts, and an event for each retry and for giving up. */
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, context, trace, type Attributes, type Context, type Span, type Tracer } from '@opentelemetry/api';
import { findAxiosError } from '../axios/recognize';
import type { FailureKind, RetryEvent } from '../watch/events';
import type { CallEnd, CallObserver, CallStart } from '../watch/observer';
import { KIND, OUTCOME, REASON } from './measures';
import { addressLabels } from './origin-labels';
import { Resends, countingContext } from './resend-count';

const METHODS = new Set(['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY', 'TRACE']);

function spanName({ config }: CallStart): string {
  const method = (config.method ?? 'get').toUpperCase();
  return `call ${METHODS.has(method) ? method : 'HTTP'}`;
}

type Failed = Pick<RetryEvent, 'error' | 'response'> & { readonly kind?: FailureKind | undefined };

/** What the caller gets, when it is a failure. */
function failureOf({ kind, error, response }: CallEnd): Failed {
  const found = findAxiosError(error);
  const answer = response ?? found?.response;
  return { kind, ...(found && { error: found }), ...(answer && { response: answer }) };
}

/** The status as text, else a code that looks like one: nothing that somebody wrote into it by hand. */
function errorType({ error, response }: Failed): string {
  if (response) return String(response.status);
  const code: unknown = error?.code;
  return typeof code === 'string' && /^[A-Z][A-Z\d_]*$/.test(code) ? code : '_OTHER';
}

function describeFailure(attempt: number, failed: Failed): Attributes {
  return {
    'axios_jitter.attempt': attempt,
    ...(failed.kind !== undefined && { [KIND]: failed.kind }),
    'error.type': errorType(failed),
    ...(failed.response && { 'http.response.status_code': failed.response.status }),
  };
}

/** The only place that emits events: a move to log events (OTEP 4430) is one line. */
function emit(span: Span | undefined, name: string, attributes: Attributes): void {
  span?.addEvent(name, attributes);
}

function endSpan(span: Span, end: CallEnd): void {
  const { isSuccess, attempts, reason } = end;
  span.setAttributes({ 'axios_jitter.attempts': attempts, [OUTCOME]: isSuccess ? 'success' : 'failure' });
  if (!isSuccess) {
    if (reason !== undefined) span.setAttribute(REASON, reason);
    span.setAttribute('error.type', errorType(failureOf(end)));
    // No message: it could hold what must not be shown.
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

/** Traces one call. With `callSpan: false` the caller's own span gets the events, and nothing else is done to it. */
export function traceCall(tracer: Tracer, call: CallStart, callSpan: boolean): CallObserver {
  const caller = context.active();
  const made = callSpan
    ? tracer.startSpan(spanName(call), { kind: SpanKind.INTERNAL, attributes: addressLabels(call.origin) }, caller)
    : undefined;
  const span = made ?? trace.getSpan(caller);
  const resends = new Resends();
  // Where contexts do not follow promises (a stack, in browsers), the caller's is the one.
  const contextOf = (active: Context): Context => {
    const base = active === ROOT_CONTEXT ? caller : active;
    return countingContext(made ? trace.setSpan(base, made) : base, resends);
  };
  return {
    onAttempt: (_, send) => context.with(contextOf(context.active()), send),
    onRetry(event) {
      emit(span, 'axios_jitter.retry', { ...describeFailure(event.attempt, event), 'axios_jitter.delay_ms': Math.round(event.delay) });
    },
    onEnd(end) {
      if (!end.isSuccess) emit(span, 'axios_jitter.give_up', { ...describeFailure(end.attempts, failureOf(end)), [REASON]: end.reason ?? '' });
      if (made) endSpan(made, end);
    },
  };
}
