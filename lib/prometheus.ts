/** Metrics of calls and retries, for prom-client: the names and labels that OpenTelemetry's metrics have in Prometheus. */
import { Counter, Gauge, Histogram, register, type Registry } from 'prom-client';
import { check, hasMethod, number, type Rules } from './checks/checks';
import { measureCall } from './telemetry/call-metrics';
import { Gauges, attachSource, type StatsSource } from './telemetry/gauges';
import { MEASURES, type Labels, type Measure, type MeasureName } from './telemetry/measures';
import { OriginLabels } from './telemetry/origin-labels';
import type { RetryObserver } from './watch/observer';

export interface PrometheusOptions {
  /** Where the metrics are registered. @default prom-client's own registry */
  registry?: Registry | undefined;
  /** How many origins get series of their own, a whole number >= 0; the others share `_OTHER`. @default 100 */
  maxOrigins?: number | undefined;
}

const RULES: Rules = {
  registry: ["a Registry of prom-client", (value) => hasMethod(value, 'registerMetric')],
  maxOrigins: number('a whole number >= 0', (value) => Number.isInteger(value) && value >= 0),
};

const underscored = (name: string): string => name.replaceAll('.', '_');

/** The name that the OpenTelemetry Collector and Prometheus' OTLP endpoint give the measure. */
export function prometheusName({ name, kind, unit }: Measure): string {
  return `${underscored(name)}${unit === 's' ? '_seconds' : ''}${kind === 'counter' ? '_total' : ''}`;
}

const prometheusLabels = (labels: Labels): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [underscored(name), String(value)]));

type Metric = Counter | Histogram | Gauge;

/** The metrics of one registry, shared by all instances that report to it. */
class Metrics {
  readonly sources = new Set<StatsSource>();
  readonly gauges = new Gauges(this.sources);
  readonly origins = new OriginLabels();
  readonly #metrics = new Map<MeasureName, Metric>();

  constructor(registry: Registry, readonly maxOrigins: number) {
    for (const [key, measure] of Object.entries(MEASURES) as [MeasureName, Measure][]) this.#metrics.set(key, this.#make(registry, measure));
  }

  record(measure: MeasureName, value: number, labels: Labels): void {
    const metric = this.#metrics.get(measure);
    if (metric instanceof Counter) metric.inc(prometheusLabels(labels), value);
    else if (metric instanceof Histogram) metric.observe(prometheusLabels(labels), value);
  }

  #make(registry: Registry, measure: Measure): Metric {
    const { kind, description: help, labels, buckets, isGlobal } = measure;
    const labelNames = [...(isGlobal ? [] : ['server.address', 'server.port']), ...labels].map(underscored);
    const common = { name: prometheusName(measure), help, labelNames, registers: [registry] };
    if (kind === 'counter') return new Counter(common);
    if (kind === 'histogram') return new Histogram({ ...common, ...(buckets && { buckets }) });
    const { gauges, origins, maxOrigins } = this;
    return new Gauge({
      ...common,
      collect() {
        this.reset();
        for (const reading of gauges.collect((origin) => origins.of(origin, maxOrigins))) {
          if (MEASURES[reading.measure] === measure) this.set(prometheusLabels(reading.labels), reading.value);
        }
      },
    });
  }
}

const registries = new WeakMap<Registry, Metrics>();

function metricsOf(registry: Registry, maxOrigins: number): Metrics {
  const known = registries.get(registry);
  // After `registry.clear()` ours are gone.
  if (known && registry.getSingleMetric(prometheusName(MEASURES.calls))) return known;
  const made = new Metrics(registry, maxOrigins);
  registries.set(registry, made);
  return made;
}

/**
 * An observer that keeps metrics in a registry of prom-client. Several instances on one registry share one set: counters and gauges add up.
 * At most 28 x (maxOrigins + 1) series of counters and histograms; no method, path or status is a label.
 *
 * @throws TypeError or RangeError for a wrong option.
 */
export function prometheus(options: PrometheusOptions = {}): RetryObserver {
  const { registry = register, maxOrigins = 100 } = check(options, RULES, 'prometheus option');
  const metrics = metricsOf(registry, maxOrigins);
  return {
    onAttach: (handle) => attachSource(metrics.sources, handle),
    onCall: (call) => measureCall((measure, value, labels) => metrics.record(measure, value, labels), metrics.origins.of(call.origin, maxOrigins)),
  };
}
