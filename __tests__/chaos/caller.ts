// One call, from the caller's side: begins it, gives it up when planned, notes what came of it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { AxiosRequestConfig, AxiosResponse } from 'axios';
import axios from '../helpers/axios';
import { getRetryReport, type RequestRetryOptions } from '../../lib/index';
import type { Client } from './clients';
import type { CallRecord } from './record';
import type { Violations } from './violations';

function retryOptions({ plan, body }: CallRecord): RequestRetryOptions {
  return {
    ...(plan.retries !== undefined && { retries: plan.retries }),
    ...(plan.totalTimeout !== undefined && { totalTimeout: plan.totalTimeout }),
    ...(plan.isKeyed && { idempotencyKey: true }),
    ...(body.fresh && { body: body.fresh }),
  };
}

function configOf(record: CallRecord, client: Client): AxiosRequestConfig {
  const { plan, body, abortWay } = record;
  const retry = retryOptions(record);
  return {
    url: `/calls/${plan.id}`,
    method: plan.method,
    headers: { 'x-call': String(plan.id) },
    responseType: plan.responseType,
    ...(body.data !== undefined && { data: body.data }),
    ...(plan.timeout !== undefined && { timeout: plan.timeout }),
    ...(plan.hasSharedSignal && { signal: client.signal }),
    ...abortWay?.config,
    // axios measures a form-data body before it sends. Without redirects it then sends all the same, and never ends it, when an abort or
    // the deadline came meanwhile: bare axios, too.
    ...(client.forgoesRedirects && plan.body === 'form-data' && { maxRedirects: 5 }),
    // Without options of its own a request takes a shorter way.
    ...(Object.keys(retry).length > 0 && { retry }),
  };
}

async function readStream(stream: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk);
  } catch {
    return undefined; // cut off after the call had succeeded: the reader's affair
  }
  return Buffer.concat(chunks).toString();
}

/** The text of the answer; undefined where a stream was cut off. */
async function textOf({ data }: AxiosResponse, { method, responseType }: CallRecord['plan']): Promise<string | undefined> {
  if (responseType === 'stream') return readStream(data as AsyncIterable<Uint8Array>);
  if (responseType === 'arraybuffer') return Buffer.from(data as ArrayBuffer).toString();
  return typeof data === 'string' || method === 'HEAD' ? String(data) : JSON.stringify(data);
}

async function answerComplaint(response: AxiosResponse, { plan }: CallRecord): Promise<string | undefined> {
  const text = await textOf(response, plan);
  if (response.status !== 200) return `resolved with ${response.status}`;
  if (response.headers['x-call'] !== String(plan.id)) return `the answer to call ${String(response.headers['x-call'])}`;
  if (plan.method === 'HEAD' || text === undefined) return undefined;
  const isComplete = text.startsWith(`{"call":${plan.id},"padding":"`) && text.endsWith('"}');
  return isComplete ? undefined : `resolved with ${text.length} bytes: ${text.slice(0, 60)}`;
}

/** Frees what a failed call hands to its caller. */
function discard(error: unknown): void {
  const data: unknown = axios.isAxiosError(error) ? error.response?.data : undefined;
  const stream = data as { destroy?: () => void; cancel?: () => Promise<void>; locked?: boolean } | undefined;
  if (typeof stream?.destroy === 'function') stream.destroy();
  else if (typeof stream?.cancel === 'function') stream.cancel().catch(() => undefined);
}

function note(record: CallRecord, result: unknown): void {
  const report = getRetryReport(result);
  record.hasReport = report !== undefined;
  record.reason = report?.reason;
  record.attempts = report ? report.attempts : record.end === 'resolved' ? 1 : undefined;
}

async function giveUpInTime({ plan: { abort } }: CallRecord, record: CallRecord): Promise<void> {
  if (abort?.when !== 'ms') return;
  await sleep(abort.ms);
  record.abort();
}

/** Runs the call to its end. Never rejects. */
export async function runCall(record: CallRecord, client: Client, violations: Violations): Promise<void> {
  const { abort, id } = record.plan;
  if (abort?.when === 'before') record.abort();
  const call = client.api.request(configOf(record, client));
  if (abort?.when === 'now') record.abort();
  const givingUp = giveUpInTime(record, record);
  try {
    const response = await call;
    record.end = 'resolved';
    note(record, response);
    const complaint = await answerComplaint(response, record);
    if (complaint) violations.add('outcome', complaint, id);
  } catch (error) {
    record.end = 'rejected';
    note(record, error);
    record.isCancellation = axios.isCancel(error);
    if (!record.isCancellation && !axios.isAxiosError(error)) violations.add('outcome', `rejected with ${String(error)}`, id);
    discard(error);
  }
  await givingUp;
}
