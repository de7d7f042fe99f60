/** What a simulation answers, and how it is read from the counts. */
import { capacityOf } from './service';
import type { CompleteScenario } from './complete';
import type { StopReason } from './library';
import { TICK, type Tally } from './tally';

export interface Peak {
  /** Requests in the fullest 100 ms. */
  requests: number;
  /** When those 100 ms begin, in ms. */
  at: number;
  /** Over the mean of the 100 ms from the first request to the last. */
  ratio: number;
}

export interface PolicyResult {
  policy: string;
  /** Retries that it allows a call; Infinity = no end. */
  maxRetries: number;
  /** Requests per bucket as they reach the service; the retries among them; calls answered with success. */
  requests: number[];
  retries: number[];
  served: number[];
  totalRequests: number;
  /** Requests per call. */
  amplification: number;
  /** Of the retries: a first attempt is the scenario's doing, a retry the policy's. */
  peak: Peak;
  /** Of all requests after the end of the outage: what meets the service that comes back. */
  peakAfterOutage: Peak;
  /** Calls that ended well; those of them that needed a retry. */
  successes: number;
  recovered: number;
  /** Calls given up, by the library's reason. */
  gaveUp: Partial<Record<StopReason, number>>;
  /** Calls that still waited when the simulation ended. */
  unfinished: number;
  /** When that share of all calls was served, in ms; `undefined` = never. */
  timeTo: { p50: number | undefined; p95: number | undefined; p99: number | undefined };
  /** From when on no second brought more requests than the service can serve, in ms; `undefined` = not by the end. */
  backUnderCapacity: number | undefined;
  /** How long served calls took, waits included, in ms. */
  waits: { p50: number | undefined; p99: number | undefined };
  /** Requests turned away over capacity or over the quota. */
  rejected: number;
  /** Requests served after their client had stopped waiting. */
  wasted: number;
  /** The simulated time at which it ended, in ms, and whether `maxRequests` or `horizon` ended it. */
  endedAt: number;
  truncated: boolean;
  /** What of the policy was not simulated. */
  notes: string[];
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
const round = (value: number): number => Math.round(value * 1_000) / 1_000;

/** The fullest of the counts from `from` on. */
function peakOf(counts: readonly number[], from = 0): Peak {
  let fullest = from;
  let first = -1;
  let last = from;
  for (let tick = from; tick < counts.length; tick++) {
    const count = counts[tick] as number;
    if (count === 0) continue;
    if (first < 0) first = tick;
    last = tick;
    if (count > (counts[fullest] as number)) fullest = tick;
  }
  if (first < 0) return { requests: 0, at: 0, ratio: 0 };
  const requests = counts[fullest] as number;
  const mean = sum(counts.slice(first, last + 1)) / (last + 1 - first);
  return { requests, at: fullest * TICK, ratio: round(requests / mean) };
}

function widen(counts: readonly number[], bucket: number, end: number): number[] {
  const step = bucket / TICK;
  const wide = new Array<number>(Math.ceil(end / step)).fill(0);
  counts.forEach((count, tick) => {
    const place = Math.floor(tick / step);
    wide[place] = (wide[place] as number) + count;
  });
  return wide;
}

/** The value below which that share of `total` lies (nearest rank), or undefined if there are not so many. */
function quantile(sorted: Float64Array, share: number, total: number): number | undefined {
  const value = sorted[Math.max(1, Math.ceil(share * total)) - 1];
  return value === undefined ? undefined : round(value);
}

const SECOND = 1_000 / TICK;

function backUnder(counts: readonly number[], capacity: number): number {
  let back = 0;
  for (let tick = 0; tick < counts.length; tick += SECOND) {
    if (sum(counts.slice(tick, tick + SECOND)) > capacity) back = (tick + SECOND) * TICK;
  }
  return back;
}

/** The counts of a run that ended at `endedAt`, as a result. */
export function summarize(tally: Tally, scenario: CompleteScenario, end: Pick<PolicyResult, 'policy' | 'maxRetries' | 'endedAt' | 'truncated' | 'notes'>): PolicyResult {
  const { clients, bucket, service, outage } = scenario;
  const servedAt = tally.servedAt.subarray(0, tally.successes);
  const waits = tally.waits.subarray(0, tally.successes).sort();
  const requests = tally.requests.counts;
  const ticks = Math.max(requests.length, tally.served.counts.length);
  const back = backUnder(requests, capacityOf(service));
  return {
    ...end,
    requests: widen(requests, bucket, ticks),
    retries: widen(tally.retries.counts, bucket, ticks),
    served: widen(tally.served.counts, bucket, ticks),
    totalRequests: tally.total,
    amplification: round(tally.total / clients),
    peak: peakOf(tally.retries.counts),
    peakAfterOutage: peakOf(requests, Math.ceil((outage.start + outage.length) / TICK)),
    successes: tally.successes,
    recovered: tally.recovered,
    gaveUp: tally.gaveUp,
    unfinished: clients - tally.settled,
    timeTo: { p50: quantile(servedAt, 0.5, clients), p95: quantile(servedAt, 0.95, clients), p99: quantile(servedAt, 0.99, clients) },
    backUnderCapacity: end.truncated && back >= end.endedAt - 1_000 ? undefined : back,
    waits: { p50: quantile(waits, 0.5, waits.length), p99: quantile(waits, 0.99, waits.length) },
    rejected: tally.rejected,
    wasted: tally.wasted,
  };
}
