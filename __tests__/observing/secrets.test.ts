// Marked values everywhere in requests and answers; none of them may stand in anything that is shown.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import axios, { type AxiosRequestConfig } from 'axios';
import { Registry } from 'prom-client';

import { diagnostics } from '../../lib/diagnostics';
import { explain } from '../../lib/explain';
import { attachRetry, logRetries, type RetryOptions } from '../../lib/index';
import { openTelemetry } from '../../lib/opentelemetry';
import { prometheus } from '../../lib/prometheus';

const MARK = 's3cret';
const NAMES = ['axios-jitter:retry', 'axios-jitter:give-up', 'axios-jitter:recover'];

let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url?.includes('/slow')) return;
    const status = request.url?.includes('/ok') ? 200 : 503;
    response.writeHead(status, MARK, { 'set-cookie': `session=${MARK}`, 'x-token': MARK }).end(JSON.stringify({ token: MARK }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** A request with a marked value wherever there can be one. */
const marked = (): AxiosRequestConfig => ({
  params: { key: MARK },
  headers: { Authorization: `Bearer ${MARK}`, Cookie: `session=${MARK}`, 'Idempotency-Key': MARK, 'X-Api-Key': MARK },
  data: { card: MARK },
});

type Scenario = readonly [name: string, options: RetryOptions, send: (api: ReturnType<typeof axios.create>) => Promise<unknown>];

const scenarios: readonly Scenario[] = [
  ['a call that is given up', {}, (api) => api.get(`/down?key=${MARK}#${MARK}`, marked())],
  ['a write that is not repeated', {}, (api) => api.post('/down', { card: MARK })],
  ['an abort with a reason', { sleep: () => new Promise(() => undefined) }, (api) => {
    const controller = new AbortController();
    const call = api.get('/down', { ...marked(), signal: controller.signal });
    setTimeout(() => controller.abort(new Error(MARK)), 20);
    return call;
  }],
  ['a hook that throws', { beforeRetry: () => { throw new Error(MARK); } }, (api) => api.get('/down', marked())],
  ['an open circuit', { circuitBreaker: { execute: () => Promise.reject(new Error(MARK)) } }, (api) => api.get('/down', marked())],
  ['the deadline', { totalTimeout: 30 }, (api) => api.get(`/slow?key=${MARK}`, marked())],
  ['a refused connection', { retries: 1 }, (api) => api.get(`http://user:${MARK}@127.0.0.1:1/${'x'}?key=${MARK}`, marked())],
  ['a wrong option of the request', {}, (api) => api.get(`/down?key=${MARK}`, { ...marked(), retry: { retries: -1 } })],
  ['an address with a blank before it', { retries: 1 }, (api) => api.get('/down', { ...marked(), baseURL: ` http://user:${MARK}@127.0.0.1:1` })],
  ['basic auth', {}, (api) => api.get('/down', { ...marked(), auth: { username: MARK, password: MARK } })],
];

describe('nothing that is shown holds a secret of', () => {
  const exporter = new InMemorySpanExporter();
  const shown: unknown[] = [];
  const show = (...values: unknown[]): void => void shown.push(...values);
  const onMessage = (message: unknown): void => show(message);

  beforeAll(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
    for (const name of NAMES) subscribe(name, onMessage);
  });
  afterAll(() => {
    for (const name of NAMES) unsubscribe(name, onMessage);
    trace.disable();
    context.disable();
  });

  it.each(scenarios)('%s', async (_, options, send) => {
    shown.length = 0;
    exporter.reset();
    const registry = new Registry();
    const logger = { info: show, warn: show, error: show };
    const observers = [openTelemetry(), prometheus({ registry }), diagnostics(), logRetries(logger, { fields: 'last' })];
    const api = axios.create({ baseURL: `http://user:${MARK}@127.0.0.1:${port}` });
    attachRetry(api, { baseDelay: 1, observers, ...options });

    const error = await send(api).then(() => undefined, (reason: unknown) => reason);

    const spans = exporter.getFinishedSpans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status }));
    const own = error instanceof Error && /axios-jitter|circuit breaker|totalTimeout/.test(error.message) ? error.message : '';
    const all = JSON.stringify([shown, spans, await registry.metrics(), explain(error), own]);
    expect(error).toBeDefined();
    expect(shown.length + own.length).toBeGreaterThan(0);
    expect(all).not.toContain(MARK);
  });
});
