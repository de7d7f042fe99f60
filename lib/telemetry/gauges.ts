/** What stands now, read when it is collected: calls that wait, tokens left, circuits that are not closed. */
import type { RetryStats } from '../watch/stats';
import { STATE, type Labels, type MeasureName } from './measures';

/** What `attachRetry` returns, as far as it is read. */
export interface StatsSource {
  stats(): RetryStats;
}

export interface Reading {
  readonly measure: MeasureName;
  readonly value: number;
  readonly labels: Labels;
}

type LabelsOf = (origin: string) => Labels;

/** Sums by label set. */
class Sums {
  readonly #sums = new Map<string, Reading>();

  add(measure: MeasureName, value: number, labels: Labels): void {
    const key = keyOf(labels) + measure;
    this.#sums.set(key, { measure, value: value + (this.#sums.get(key)?.value ?? 0), labels });
  }

  values(): Reading[] {
    return [...this.#sums.values()];
  }
}

interface Known {
  readonly labels: Labels;
  readonly capacity: number;
}

const keyOf = (labels: Labels): string => JSON.stringify(labels);

/** Adds a handle; returns what takes it away again. */
export function attachSource(sources: Set<StatsSource>, source: StatsSource): () => void {
  sources.add(source);
  return () => void sources.delete(source);
}

/**
 * Reads the handles of all attached instances, for one collector. What was reported once goes on being so: a full budget has
 * its capacity, a circuit that closed is 0. (The SDK for JavaScript repeats the last value of what is no longer reported.)
 * What is remembered is remembered by label, so it is as bounded as the labels are.
 */
export class Gauges {
  readonly #budgetsOf = new WeakMap<StatsSource, Map<string, Known>>();
  readonly #budgets = new Map<string, Known>();
  readonly #circuits = new Map<string, Labels>();

  constructor(readonly sources: ReadonlySet<StatsSource>) {}

  collect(labelsOf: LabelsOf): Reading[] {
    const sums = new Sums();
    const read = [...this.sources].map((source) => ({ known: this.#knownOf(source), stats: source.stats() }));
    sums.add('waiting', read.reduce((sum, { stats }) => sum + stats.waiting, 0), {});
    for (const { known, stats } of read) this.#addTokens(sums, stats, known, labelsOf);
    for (const [key, { labels, capacity }] of this.#budgets) {
      if (!read.some(({ known }) => known.has(key))) sums.add('tokens', capacity, labels);
    }
    this.#addCircuits(sums, read.flatMap(({ stats }) => stats.circuits), labelsOf);
    return sums.values();
  }

  #knownOf(source: StatsSource): Map<string, Known> {
    const known = this.#budgetsOf.get(source) ?? new Map<string, Known>();
    this.#budgetsOf.set(source, known);
    return known;
  }

  #addTokens(sums: Sums, { budgets }: RetryStats, known: Map<string, Known>, labelsOf: LabelsOf): void {
    const listed = new Set<string>();
    for (const { origin, tokens, capacity } of budgets) {
      const labels = labelsOf(origin);
      const key = keyOf(labels);
      listed.add(key);
      known.set(key, { labels, capacity });
      this.#budgets.set(key, { labels, capacity });
      sums.add('tokens', tokens, labels);
    }
    for (const [key, { labels, capacity }] of known) if (!listed.has(key)) sums.add('tokens', capacity, labels);
  }

  #addCircuits(sums: Sums, circuits: RetryStats['circuits'], labelsOf: LabelsOf): void {
    for (const { origin } of circuits) this.#circuits.set(keyOf(labelsOf(origin)), labelsOf(origin));
    for (const [key, labels] of this.#circuits) {
      for (const state of ['open', 'half-open'] as const) {
        const count = circuits.filter((circuit) => circuit.state === state && keyOf(labelsOf(circuit.origin)) === key).length;
        sums.add('circuits', count, { ...labels, [STATE]: state });
      }
    }
  }
}
