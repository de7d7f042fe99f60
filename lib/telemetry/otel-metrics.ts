/** The instruments of one meter provider. */
import { ValueType, createNoopMeter, metrics, type BatchObservableResult, type Meter, type MeterProvider, type Observable } from '@opentelemetry/api';
import { Gauges, type StatsSource } from './gauges';
import { MEASURES, type Measure, type MeasureName, type RecordMeasure } from './measures';
import { OriginLabels } from './origin-labels';

export const SCOPE = 'axios-jitter';

/** What a provider's instruments take, and the labels that its series have. */
export interface Instruments {
  readonly record: RecordMeasure;
  readonly origins: OriginLabels;
}

type Recorder = (value: number, labels: Record<string, string | number | boolean>) => void;

function makeRecorder(meter: Meter, { name, kind, unit, description, buckets }: Measure): Recorder | undefined {
  if (kind === 'counter') {
    const counter = meter.createCounter(name, { unit, description, valueType: ValueType.INT });
    return (value, labels) => counter.add(value, labels);
  }
  if (kind !== 'histogram') return undefined;
  const histogram = meter.createHistogram(name, { unit, description, ...(buckets && { advice: { explicitBucketBoundaries: buckets } }) });
  return (value, labels) => histogram.record(value, labels);
}

function makeObservable(meter: Meter, { name, kind, unit, description }: Measure): Observable | undefined {
  if (kind === 'up-down-counter') return meter.createObservableUpDownCounter(name, { unit, description });
  return kind === 'gauge' ? meter.createObservableGauge(name, { unit, description }) : undefined;
}

function makeInstruments(meter: Meter, sources: ReadonlySet<StatsSource>, maxOrigins: number): Instruments {
  const gauges = new Gauges(sources);
  const origins = new OriginLabels();
  const recorders = new Map<MeasureName, Recorder>();
  const observables = new Map<MeasureName, Observable>();
  for (const [key, measure] of Object.entries(MEASURES) as [MeasureName, Measure][]) {
    const recorder = makeRecorder(meter, measure);
    if (recorder) recorders.set(key, recorder);
    const observable = makeObservable(meter, measure);
    if (observable) observables.set(key, observable);
  }
  const observe = (result: BatchObservableResult): void => {
    for (const { measure, value, labels } of gauges.collect((origin) => origins.of(origin, maxOrigins))) {
      const observable = observables.get(measure);
      if (observable) result.observe(observable, value, labels);
    }
  };
  meter.addBatchObservableCallback(observe, [...observables.values()]);
  return { record: (measure, value, labels) => recorders.get(measure)?.(value, labels), origins };
}

const known = new WeakMap<MeterProvider, Instruments | undefined>();

/**
 * The instruments of the provider that is registered now, or nothing where none is. By the provider's identity: an
 * instrument that was made before an SDK was registered would do nothing for ever.
 */
export function currentInstruments(sources: ReadonlySet<StatsSource>, maxOrigins: number): Instruments | undefined {
  const provider = metrics.getMeterProvider();
  if (known.has(provider)) return known.get(provider);
  const meter = provider.getMeter(SCOPE);
  const made = meter === createNoopMeter() ? undefined : makeInstruments(meter, sources, maxOrigins);
  known.set(provider, made);
  return made;
}
