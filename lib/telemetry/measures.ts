/** What is measured, once for OpenTelemetry and Prometheus: names, units, buckets, labels. */

export interface Measure {
  /** As OpenTelemetry spells it; for Prometheus see `prometheusName`. */
  readonly name: string;
  readonly kind: 'counter' | 'histogram' | 'up-down-counter' | 'gauge';
  /** UCUM: `s`, or an annotation in braces. */
  readonly unit: string;
  readonly description: string;
  /** Beside `server.address` and `server.port`. */
  readonly labels: readonly string[];
  /** Of a histogram, in its unit. */
  readonly buckets?: number[];
  /** Of the whole process, not by origin. */
  readonly isGlobal?: boolean;
}

export const OUTCOME = 'axios_jitter.outcome';
export const RETRIED = 'axios_jitter.retried';
export const KIND = 'axios_jitter.kind';
export const REASON = 'axios_jitter.reason';
export const STATE = 'axios_jitter.state';

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export const MEASURES = {
  calls: { name: 'axios_jitter.calls', kind: 'counter', unit: '{call}', description: 'Calls that ended.', labels: [OUTCOME, RETRIED] },
  retries: { name: 'axios_jitter.retries', kind: 'counter', unit: '{retry}', description: 'Requests sent again, by what failed before.', labels: [KIND] },
  giveUps: { name: 'axios_jitter.give_ups', kind: 'counter', unit: '{call}', description: 'Calls that failed for good, by reason.', labels: [REASON] },
  attempts: {
    name: 'axios_jitter.call.attempts',
    kind: 'histogram',
    unit: '{attempt}',
    description: 'Requests sent for a call.',
    labels: [],
    buckets: [1, 2, 3, 4, 5, 10],
  },
  duration: {
    name: 'axios_jitter.call.duration',
    kind: 'histogram',
    unit: 's',
    description: 'Time of a call, waits included.',
    labels: [OUTCOME, RETRIED],
    buckets: [0.005, 0.01, 0.025, ...SECONDS],
  },
  delay: { name: 'axios_jitter.retry.delay', kind: 'histogram', unit: 's', description: 'Wait before a retry.', labels: [], buckets: SECONDS },
  waiting: {
    name: 'axios_jitter.call.waiting',
    kind: 'up-down-counter',
    unit: '{call}',
    description: 'Calls that wait before an attempt right now.',
    labels: [],
    isGlobal: true,
  },
  tokens: {
    name: 'axios_jitter.budget.tokens',
    kind: 'gauge',
    unit: '{token}',
    description: 'Retry tokens left, of origins that have been below capacity.',
    labels: [],
  },
  circuits: {
    name: 'axios_jitter.circuit.state',
    kind: 'gauge',
    unit: '{circuit}',
    description: '1 while the circuit of the origin is in this state.',
    labels: [STATE],
  },
} as const satisfies Record<string, Measure>;

export type MeasureName = keyof typeof MEASURES;
export type Labels = Record<string, string | number | boolean>;

/** Takes one value of a counter or a histogram. */
export type RecordMeasure = (measure: MeasureName, value: number, labels: Labels) => void;
