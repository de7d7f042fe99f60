// Runs in the page: what the tests find there as `inPage`.
import axios, { type AxiosInstance } from 'axios';
import { attachRetry, getRetryReport, type FailureKind, type RetryHandle, type RetryOptions, type StopReason } from 'axios-jitter';

/** What a call came to, as plain data: nothing else leaves a page. */
export interface Outcome {
  readonly status: number | undefined;
  readonly data: unknown;
  readonly name?: string;
  readonly message?: string;
  readonly code?: string | undefined;
  /** Of the error's `cause`. */
  readonly cause?: string | undefined;
  readonly isCancel?: boolean;
  readonly attempts: number | undefined;
  readonly kinds: readonly FailureKind[];
  readonly reason: StopReason | undefined;
  readonly retryAfter: number | undefined;
}

interface Client {
  readonly api: AxiosInstance;
  readonly retry: RetryHandle;
  /** What was waited for, in ms; without waiting. */
  readonly delays: number[];
}

function client(adapter: string, options: RetryOptions = {}): Client {
  const delays: number[] = [];
  const api = axios.create({ adapter: adapter as 'xhr' });
  const sleep = (ms: number): Promise<void> => {
    delays.push(ms);
    return Promise.resolve();
  };
  return { api, delays, retry: attachRetry(api, { jitter: 'none', sleep, ...options }) };
}

function describe(error: unknown): Partial<Outcome> {
  if (!(error instanceof Error)) return {};
  const { name, message, cause } = error;
  const { code } = error as { code?: string };
  return { name, message, code, cause: cause === undefined ? undefined : String(cause), isCancel: axios.isCancel(error) };
}

async function outcome(call: Promise<unknown>): Promise<Outcome> {
  const result: unknown = await call.catch((error: unknown) => error);
  const response = result instanceof Error ? (result as { response?: unknown }).response : result;
  const { status, data } = (response ?? {}) as { status?: number; data?: unknown };
  const report = getRetryReport(result);
  return {
    status,
    data,
    ...describe(result),
    attempts: report?.attempts,
    kinds: report?.history.map(({ kind }) => kind) ?? [],
    reason: report?.reason,
    retryAfter: report?.retryAfter,
  };
}

const inPage = { axios, attachRetry, client, outcome };

declare global {
  var inPage: {
    readonly axios: typeof axios;
    readonly attachRetry: typeof attachRetry;
    client(adapter: string, options?: RetryOptions): Client;
    outcome(call: Promise<unknown>): Promise<Outcome>;
  };
  /** A place for what a test looks at later. */
  var kept: Promise<Outcome>;
}

globalThis.inPage = inPage;
