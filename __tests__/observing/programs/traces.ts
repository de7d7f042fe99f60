// Run as a process of its own: instrumentations patch what `require` gives. Prints the spans of a call in each scenario as JSON.
import { context, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import * as sdk from '@opentelemetry/sdk-trace-base';
import type { AddressInfo } from 'node:net';

const finished: sdk.ReadableSpan[] = [];
/** The ids in the order of their start: two may start at the same time of the clock. */
const started: string[] = [];
const processor: sdk.SpanProcessor = { onStart: (span) => void started.push(span.spanContext().spanId), onEnd: (span) => void finished.push(span), forceFlush: () => Promise.resolve(), shutdown: () => Promise.resolve() };
// The third generation of the SDK has it under another name.
const Provider = (sdk as { TracerProvider?: typeof sdk.BasicTracerProvider }).TracerProvider ?? sdk.BasicTracerProvider;
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
trace.setGlobalTracerProvider(new Provider({ spanProcessors: [processor] }));
registerInstrumentations({ instrumentations: [new HttpInstrumentation(), new UndiciInstrumentation()] });

const [adapter = 'http', ...scenarios] = process.argv.slice(2);

const answers: Record<string, (number | string)[]> = {
  recover: [503, 503, 200],
  redirect: ['/moved', 503, '/moved', 200],
  fail: [503],
  token: [503, 200],
  plain: [200],
};

async function spansOf(scenario: string): Promise<object[]> {
  // Loaded when the instrumentations are there.
  const { default: http } = await import('node:http');
  const { default: axios } = await import('axios');
  const { attachRetry } = await import('../../../lib/index');
  const { openTelemetry } = await import('../../../lib/opentelemetry');
  let next = 0;
  const server = http.createServer((request, response) => {
    if (request.url?.startsWith('/token')) return void response.end('{"token":"t"}');
    const steps = answers[scenario] ?? [200];
    const step = steps[Math.min(next++, steps.length - 1)] ?? 200;
    response.writeHead(typeof step === 'string' ? 302 : step, typeof step === 'string' ? { location: step } : {});
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const api = axios.create({ baseURL: `http://user:s3cret@127.0.0.1:${port}`, adapter: adapter as 'http' });
  const observers = [openTelemetry({ callSpan: scenario !== 'no-call-span' })];
  if (scenario === 'token') {
    const tokens = axios.create({ baseURL: `http://127.0.0.1:${port}`, adapter: adapter as 'http' });
    attachRetry(tokens, { observers });
    // Inside: asked for anew for each attempt, by a call of its own.
    api.interceptors.request.use(async (config) => {
      const { data } = await tokens.get('/token');
      config.headers.set('x-token', data.token);
      return config;
    });
  }
  attachRetry(api, { retries: 2, sleep: () => Promise.resolve(), observers });
  await trace.getTracer('test').startActiveSpan('caller', async (caller) => {
    await api.get('/orders', { params: { key: 's3cret' } }).catch(() => undefined);
    caller.end();
  });
  server.closeAllConnections();
  server.close();
  const placeOf = (span: sdk.ReadableSpan): number => started.indexOf(span.spanContext().spanId);
  const spans = finished.splice(0).sort((a, b) => placeOf(a) - placeOf(b));
  return spans.filter(({ kind }) => kind !== SpanKind.SERVER).map((span) => ({
    name: span.name,
    scope: span.instrumentationScope.name,
    kind: SpanKind[span.kind],
    id: span.spanContext().spanId,
    parent: span.parentSpanContext?.spanId,
    status: span.status,
    attributes: span.attributes,
    events: span.events.map(({ name, attributes }) => ({ name, attributes })),
  }));
}

async function main(): Promise<void> {
  const spans: Record<string, object[]> = {};
  for (const scenario of scenarios) spans[scenario] = await spansOf(scenario);
  console.log(JSON.stringify(spans));
}

void main();
