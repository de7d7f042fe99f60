/** What a failed attempt was: error or response in, a kind out. No attempt is counted and nothing is sent here. */
import type { AxiosError, AxiosResponse } from 'axios';
import { isObject } from './checks';
import type { FailureKind } from './events';
import { getHeader } from './headers';
import type { ResolvedRetryOptions } from './resolve';

/** How deep `cause` and `errors[]` are followed. */
const MAX_DEPTH = 5;

/** Never reached the server. */
const UNSENT = new Set([
  'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** The connection broke. Z_BUF_ERROR is a compressed body that ends too early. */
const BROKEN = new Set([
  'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT',
  'ERR_STREAM_PREMATURE_CLOSE', 'Z_BUF_ERROR',
]);
/** What axios says when it knows nothing better: the cause may. */
const VAGUE = new Set(['ERR_NETWORK', 'ERR_BAD_RESPONSE', 'ERR_BAD_REQUEST', 'ECONNABORTED', 'ETIMEDOUT']);
// An answer cut off in the middle has a message and no code; axios 1.2 and 1.6 report it as a limit that is off.
// No code either: a mock that has no answer, and fetch in a circle of redirects.
const HOPELESS = /^Nock: |^redirect count exceeded$/;
const CUT_OFF = /^(stream has been aborted|maxContentLength size of -1 exceeded|socket hang up|terminated|aborted)$/;

interface ErrorLike {
  code?: unknown;
  cause?: unknown;
  errors?: unknown;
  message?: unknown;
  syscall?: unknown;
}

/** The AxiosError in a rejection: itself, or along `cause` where an inner layer wrapped it. */
export function findAxiosError(error: unknown): AxiosError | undefined {
  let current = error;
  for (let depth = 0; depth < MAX_DEPTH && isObject(current); depth++) {
    if (current['isAxiosError'] === true || current['__CANCEL__'] === true) return current as unknown as AxiosError;
    current = current['cause'];
  }
  return undefined;
}

/** An axios response, and not what an inner layer made of one. */
export function findResponse(value: unknown): AxiosResponse | undefined {
  return isObject(value) && typeof value['status'] === 'number' && isObject(value['config'])
    ? (value as unknown as AxiosResponse)
    : undefined;
}

export function isCancellation(error: unknown): boolean {
  return isObject(error) && error['__CANCEL__'] === true;
}

function kindOfCode({ code, syscall, message }: ErrorLike): FailureKind | undefined {
  // A mock without an answer for this request: ENETUNREACH by its code, but waiting does not help.
  if (typeof message === 'string' && HOPELESS.test(message)) return 'permanent';
  if (typeof code !== 'string') return undefined;
  if (code === 'ERR_HTTP2_STREAM_ERROR') return String(message).includes('NGHTTP2_REFUSED_STREAM') ? 'unsent' : 'network';
  if (UNSENT.has(code)) return 'unsent';
  if (BROKEN.has(code)) return 'network';
  if (code === 'ETIMEDOUT' && syscall !== undefined) return syscall === 'connect' ? 'unsent' : 'network';
  return VAGUE.has(code) ? undefined : 'permanent'; // a certificate, a bad URL, a limit: it will not heal
}

const isCutOff = ({ message }: ErrorLike): boolean => typeof message === 'string' && CUT_OFF.test(message);

function chainOf(error: unknown): ErrorLike[] {
  const chain: ErrorLike[] = [];
  for (let link = error; isObject(link) && chain.length < MAX_DEPTH; link = link['cause']) chain.push(link);
  return chain;
}

// Happy Eyeballs reports one error per address, and copies the code of one of them to the outside.
function kindOfAll(errors: unknown[], depth: number): FailureKind {
  const kinds = errors.map((error) => kindOfCause(error, depth + 1));
  if (kinds.every((kind) => kind === 'unsent')) return 'unsent';
  return kinds.includes('permanent') ? 'permanent' : 'network';
}

const isErrorList = (errors: unknown): errors is object[] =>
  Array.isArray(errors) && errors.length > 0 && errors.every((error) => error instanceof Error || (isObject(error) && 'message' in error));

function kindOfCause(error: unknown, depth = 0): FailureKind | undefined {
  const chain = chainOf(error);
  const errors = chain.map((link) => link.errors).find(isErrorList);
  if (errors && depth < MAX_DEPTH) return kindOfAll(errors, depth);
  // A code says more than a message.
  return chain.map(kindOfCode).find((kind) => kind !== undefined) ?? (chain.some(isCutOff) ? 'network' : undefined);
}

/** Whether the status can heal. The server's own word, `x-should-retry`, beats the list. */
function hasRetryStatus(response: AxiosResponse, retryAfter: number | undefined, options: ResolvedRetryOptions): boolean {
  const { status, headers } = response;
  const isError = status >= 400;
  const wish = isError ? getHeader(headers, 'x-should-retry')?.trim().toLowerCase() : undefined;
  if (wish === 'true' || wish === 'false') return wish === 'true';
  // RFC 9110, section 15.5.14: 413 with Retry-After is a temporary condition.
  return options.statuses(status) || (options.hasDefaultStatuses && status === 413 && retryAfter !== undefined);
}

/** The kind of an answer that was accepted: `status` when its status can heal, undefined when it is fine. */
export function kindOfResponse(
  response: AxiosResponse,
  retryAfter: number | undefined,
  options: ResolvedRetryOptions,
): FailureKind | undefined {
  return hasRetryStatus(response, retryAfter, options) ? 'status' : undefined;
}

/** The kind of an AxiosError, the same for every adapter and axios version. */
export function kindOfError(error: AxiosError, retryAfter: number | undefined, options: ResolvedRetryOptions): FailureKind {
  const { code, message, response } = error;
  // XMLHttpRequest's own abort carries the code that axios uses for timeouts.
  if (isCancellation(error) || (code === 'ECONNABORTED' && message === 'Request aborted')) return 'cancelled';
  if (response && hasRetryStatus(response, retryAfter, options)) return 'status';
  const kind = kindOfCause(error);
  // The answer arrived: only a body that was cut off can heal.
  if (response) return kind === 'network' && response.status < 400 ? 'network' : 'permanent';
  if (kind) return kind;
  if (code === 'ECONNABORTED' || code === 'ETIMEDOUT') return 'timeout';
  return code === undefined || code === 'ERR_NETWORK' ? 'network' : 'permanent';
}
