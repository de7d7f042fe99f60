/** Traces and metrics of calls and retries, for OpenTelemetry. */
import { trace, type Tracer, type TracerProvider } from '@opentelemetry/api';
import { check, isFlag, number, type Rules } from './checks/checks';
import { measureCall } from './telemetry/call-metrics';
import { traceCall } from './telemetry/call-span';
import { attachSource, type StatsSource } from './telemetry/gauges';
import { SCOPE, currentInstruments } from './telemetry/otel-metrics';
import type { CallObserver, CallStart, RetryObserver } from './watch/observer';

export interface OpenTelemetryOptions {
  /** A span for each call, and the number of each resend on the client spans below it. @default true */
  traces?: boolean | undefined;
  /** Counters, histograms and gauges. @default true */
  metrics?: boolean | undefined;
  /** `false`: no span of its own; the events go to the span that is active where the call begins. @default true */
  callSpan?: boolean | undefined;
  /** How many origins get series of their own, a whole number >= 0; the others share `_OTHER`. @default 100 */
  maxOrigins?: number | undefined;
}

const RULES: Rules = {
  traces: ['true or false', isFlag],
  metrics: ['true or false', isFlag],
  callSpan: ['true or false', isFlag],
  maxOrigins: number('a whole number >= 0', (value) => Number.isInteger(value) && value >= 0),
};

/** All instances of the process: a gauge is one number for all of them. */
const sources = new Set<StatsSource>();

// The API hands out a proxy, whose delegate is what somebody has registered.
type Registered = TracerProvider & { getDelegateTracer?(name: string): Tracer | undefined };

/** A tracer of the provider that is registered now, or nothing where none is. */
function currentTracer(): Tracer | undefined {
  const registered: Registered = trace.getTracerProvider();
  return registered.getDelegateTracer ? registered.getDelegateTracer(SCOPE) : registered.getTracer(SCOPE);
}

function both(outer: CallObserver, inner: CallObserver): CallObserver {
  return {
    onAttempt: (attempt, send) => outer.onAttempt?.(attempt, () => inner.onAttempt?.(attempt, send)),
    onRetry(event) {
      outer.onRetry?.(event);
      inner.onRetry?.(event);
    },
    onEnd(end) {
      inner.onEnd?.(end);
      outer.onEnd?.(end);
    },
  };
}

/**
 * An observer that reports to the OpenTelemetry SDK which is registered when a call begins; while none is, it does nothing.
 * Each call is an INTERNAL span, each send inside it a client span of whatever instrumentation is installed, and from
 * the second on with `http.request.resend_count`, redirects included. No query, header, body or credentials are shown.
 *
 * @throws TypeError or RangeError for a wrong option.
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): RetryObserver {
  const given = check(options, RULES, 'openTelemetry option');
  const { traces = true, metrics = true, callSpan = true, maxOrigins = 100 } = given;
  const instrumentsNow = (): ReturnType<typeof currentInstruments> => (metrics ? currentInstruments(sources, maxOrigins) : undefined);
  const tracerNow = (): Tracer | undefined => (traces ? currentTracer() : undefined);
  const observeCall = (call: CallStart): CallObserver | undefined => {
    const instruments = instrumentsNow();
    const measured = instruments && measureCall(instruments.record, instruments.origins.of(call.origin, maxOrigins));
    const tracer = tracerNow();
    const traced = tracer && traceCall(tracer, call, callSpan);
    return traced && measured ? both(traced, measured) : (traced ?? measured);
  };
  return {
    ...(metrics && { onAttach: (handle) => attachSource(sources, handle) }),
    // Calls are not watched at all while no SDK is registered.
    get onCall() {
      return (tracerNow() ?? instrumentsNow()) ? observeCall : undefined;
    },
  };
}
