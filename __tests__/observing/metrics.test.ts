// The metrics of real calls, by the real SDK and the real prom-client.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { metrics } from '@opentelemetry/api';
import { AggregationTemporality, DataPointType, InMemoryMetricExporter, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import axios, { type AxiosInstance } from 'axios';
import { Registry } from 'prom-client';

import { attachRetry, type RetryHandle, type RetryOptions } from '../../lib/index';
import { openTelemetry } from '../../lib/opentelemetry';
import { prometheus } from '../../lib/prometheus';

const noWait = (): Promise<void> => Promise.resolve();

/** Answers with the status that the path names: /503. */
let server: Server;
let origin: string;
beforeAll(async () => {
  server = createServer((request, response) => response.writeHead(Number(request.url?.slice(1, 4))).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

interface Series {
  readonly name: string;
  readonly labels: Record<string, string>;
  readonly value: number;
}

/** What both collectors are asked for. */
interface Collector {
  observer(maxOrigins?: number): NonNullable<RetryOptions['observers']>[number];
  collect(): Promise<Series[]>;
}

const rename = (name: string): string => name.replaceAll('.', '_');
const textual = (labels: object): Record<string, string> =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [rename(name), String(value)]));

/** The name that a Prometheus gets from the Collector. */
function prometheusNameOf(name: string, unit: string, isMonotonic: boolean): string {
  return `${rename(name)}${unit === 's' ? '_seconds' : ''}${isMonotonic ? '_total' : ''}`;
}

function openTelemetryCollector(): Collector {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  metrics.disable();
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  return {
    observer: (maxOrigins) => openTelemetry({ traces: false, maxOrigins }),
    async collect() {
      exporter.reset();
      await reader.forceFlush();
      const collected = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
      return collected.flatMap((metric): Series[] => {
        const name = prometheusNameOf(metric.descriptor.name, metric.descriptor.unit, metric.dataPointType === DataPointType.SUM && metric.isMonotonic);
        if (metric.dataPointType === DataPointType.HISTOGRAM) {
          return metric.dataPoints.flatMap(({ attributes, value }) => [
            { name: `${name}_count`, labels: textual(attributes), value: value.count },
            { name: `${name}_sum`, labels: textual(attributes), value: value.sum ?? 0 },
          ]);
        }
        return metric.dataPoints.map(({ attributes, value }) => ({ name, labels: textual(attributes), value: value as number }));
      });
    },
  };
}

function prometheusCollector(): Collector {
  const registry = new Registry();
  return {
    observer: (maxOrigins) => prometheus({ registry, maxOrigins }),
    async collect() {
      const text = await registry.metrics();
      return text.split('\n').flatMap((line): Series[] => {
        const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
        if (name === undefined || name.endsWith('_bucket')) return [];
        const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', text = '']) => [label, text] as const);
        return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
      });
    },
  };
}

describe.each([
  ['openTelemetry()', openTelemetryCollector],
  ['prometheus()', prometheusCollector],
] as const)('%s', (_, start) => {
  let collector: Collector;
  const handles: RetryHandle[] = [];

  function attach(options: RetryOptions & { maxOrigins?: number } = {}): { api: AxiosInstance; retry: RetryHandle } {
    const { maxOrigins, ...others } = options;
    const api = axios.create({ baseURL: origin });
    const retry = attachRetry(api, { sleep: noWait, observers: [collector.observer(maxOrigins)], ...others });
    handles.push(retry);
    return { api, retry };
  }

  async function find(name: string, labels: Record<string, string> = {}): Promise<number[]> {
    const isLike = (series: Series): boolean => series.name === name && Object.entries(labels).every(([label, value]) => series.labels[label] === value);
    return (await collector.collect()).filter(isLike).map(({ value }) => value);
  }

  beforeEach(() => {
    collector = start();
  });
  afterEach(() => {
    for (const handle of handles.splice(0)) handle.detach();
    metrics.disable();
  });

  it('counts calls, retries and give-ups', async () => {
    const { api } = attach();
    await api.get('/200');
    await api.get('/503').catch(() => undefined);
    await api.get('/404').catch(() => undefined);

    expect(await find('axios_jitter_calls_total', { axios_jitter_outcome: 'success', axios_jitter_retried: 'false' })).toEqual([1]);
    expect(await find('axios_jitter_calls_total', { axios_jitter_outcome: 'failure', axios_jitter_retried: 'true' })).toEqual([1]);
    expect(await find('axios_jitter_retries_total')).toEqual([3]);
    expect(await find('axios_jitter_give_ups_total', { axios_jitter_reason: 'exhausted' })).toEqual([1]);
    expect(await find('axios_jitter_give_ups_total', { axios_jitter_reason: 'not-retryable' })).toEqual([1]);
    expect(await find('axios_jitter_call_attempts_sum')).toEqual([6]);
    expect(await find('axios_jitter_call_duration_seconds_count')).toEqual(expect.arrayContaining([1]));
    expect(await find('axios_jitter_retry_delay_seconds_count')).toEqual([3]);
  });

  it('has address and port as labels, and no method, path or status', async () => {
    const { api } = attach();
    await api.get('/503?secret=1').catch(() => undefined);

    const names = new Set((await collector.collect()).flatMap(({ labels }) => Object.keys(labels)));
    expect([...names].sort()).toEqual([
      'axios_jitter_kind', 'axios_jitter_outcome', 'axios_jitter_reason', 'axios_jitter_retried', 'server_address', 'server_port',
    ]);
    expect(JSON.stringify(await collector.collect())).not.toContain('secret');
  });

  it('shows the tokens of a budget, and its capacity again when it is full', async () => {
    const { api } = attach({ budget: { capacity: 3, deposit: 3 } });
    await api.get('/503').catch(() => undefined);
    expect(await find('axios_jitter_budget_tokens')).toEqual([0]);

    await api.get('/200');
    expect(await find('axios_jitter_budget_tokens')).toEqual([3]);
  });

  it('shows circuits that are open, and 0 when they have closed or are detached', async () => {
    let state: 'open' | 'closed' = 'open';
    const breaker = () => ({ execute: <T>(send: () => Promise<T>) => send(), get state() { return state; } });
    const { api, retry } = attach({ circuitBreaker: breaker });
    await api.get('/200');
    const open = { axios_jitter_state: 'open' };
    expect(await find('axios_jitter_circuit_state', open)).toEqual([1]);

    state = 'closed';
    expect(await find('axios_jitter_circuit_state', open)).toEqual([0]);

    state = 'open';
    expect(await find('axios_jitter_circuit_state', open)).toEqual([1]);
    retry.detach();
    expect(await find('axios_jitter_circuit_state', open)).toEqual([0]);
  });

  it('shows the calls that wait', async () => {
    let wake = (): void => undefined;
    const { api } = attach({ retries: 1, sleep: () => new Promise((resolve) => (wake = resolve)) });
    const call = api.get('/503').catch(() => undefined);
    while ((await find('axios_jitter_call_waiting'))[0] !== 1) await new Promise(setImmediate);

    wake();
    await call;
    expect(await find('axios_jitter_call_waiting')).toEqual([0]);
  });

  it('adds up what several instances report', async () => {
    const [first, second] = [attach(), attach()];
    await first.api.get('/200');
    await second.api.get('/200');

    expect(await find('axios_jitter_calls_total')).toEqual([2]);
  });

  it('makes a bounded number of series of 10,000 addresses and 5,000 origins', async () => {
    const api = axios.create({ adapter: (config) => Promise.resolve({ status: 200, statusText: '', data: '', headers: {}, config }) });
    handles.push(attachRetry(api, { observers: [collector.observer(10)] }));
    const calls = Array.from({ length: 10_000 }, (_, index) => api.get(`https://host-${index % 5_000}.example.com/${index}`));
    await Promise.all(calls);

    const series = await collector.collect();
    // calls, attempts, duration: each for 10 origins and for all others; the sum and the count of a histogram are two.
    expect(series.filter(({ labels }) => labels['server_address'] !== undefined)).toHaveLength(5 * 11);
    expect(await find('axios_jitter_calls_total', { server_address: '_OTHER' })).toEqual([9_980]);
  }, 120_000);
});

describe('openTelemetry() without an SDK', () => {
  it('watches no call', () => {
    metrics.disable();
    const config = { method: 'get', headers: {} } as never;
    expect(openTelemetry().onCall?.({ config, retries: 3, origin: 'https://a' })).toBeUndefined();
  });

  it.each([
    ['traces', { traces: 1 }, /"traces" must be true or false/],
    ['maxOrigins', { maxOrigins: -1 }, /"maxOrigins" must be a whole number >= 0/],
    ['an unknown name', { spans: true }, /unknown openTelemetry option "spans"/],
  ])('rejects a wrong %s', (_, options, message) => {
    expect(() => openTelemetry(options as never)).toThrow(message);
  });
});

describe('prometheus()', () => {
  it.each([
    ['registry', { registry: {} }, /"registry" must be a Registry of prom-client/],
    ['maxOrigins', { maxOrigins: 1.5 }, /"maxOrigins" must be a whole number >= 0/],
  ])('rejects a wrong %s', (_, options, message) => {
    expect(() => prometheus(options as never)).toThrow(message);
  });
});
