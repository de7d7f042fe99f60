// What the extras cost a call that succeeds, beside the same instance without them: `node bench/extras.mjs [sdk]`. One process
// for each state of the OpenTelemetry API, which takes its SDK once.
import { BroadcastChannel } from 'node:worker_threads';
import { metrics, trace } from '@opentelemetry/api';
import { AggregationTemporality, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor, InMemorySpanExporter } from '@opentelemetry/sdk-trace-base';
import axios from 'axios';
import { Registry } from 'prom-client';
import { attachRetry } from '../dist/index.js';
import { openTelemetry } from '../dist/opentelemetry.js';
import { prometheus } from '../dist/prometheus.js';
import { compare, runRounds, timeCalls } from './rounds.mjs';
import { succeed } from './subjects.mjs';

const [state, effort] = process.argv.slice(2);
const { rounds, calls } = JSON.parse(effort);
const MINUTE = 60_000;

function subject(options) {
  const api = axios.create({ baseURL: 'http://service.test', adapter: succeed });
  attachRetry(api, options);
  return { api };
}

function registerSdk() {
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] }));
  const reader = new PeriodicExportingMetricReader({ exporter: new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE), exportIntervalMillis: MINUTE });
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  return exporter;
}

const exporter = state === 'sdk' ? registerSdk() : undefined;
const channel = new BroadcastChannel('bench');
const pairs = {
  none: [
    ['OpenTelemetry observer without an SDK', {}, { observers: [openTelemetry()] }],
    ['Prometheus observer', {}, { observers: [prometheus({ registry: new Registry() })] }],
    ["a channel, over `shareRetryAfter: 'all'` without", { shareRetryAfter: 'all' }, { shareRetryAfter: 'all', retryAfterChannel: channel }],
  ],
  sdk: [['OpenTelemetry observer with its SDK', {}, { observers: [openTelemetry()] }]],
};

const results = [];
for (const [what, without, withIt] of pairs[state]) {
  for (const concurrency of [1, 64]) {
    const subjects = { without: subject(without), with: subject(withIt) };
    const measured = await runRounds(subjects, (one) => timeCalls(one, calls, concurrency), { rounds, warmUp: 8 });
    exporter?.reset();
    const [, { value, ratio }] = compare(measured, 'without', (round, name) => round[name].cpu);
    results.push({ what, concurrency, value, ratio });
  }
}
channel.close();
process.stdout.write(JSON.stringify(results), () => process.exit());
