/** What a failed attempt was: error or response in, a kind out. No attempt is counted and nothing is sent here. */
import type { AxiosError, AxiosResponse } from 'axios';
import { chainOf, isCancellation, MAX_DEPTH, type ErrorLike } from '../axios/recognize';
import { isObject } from '../checks/checks';
import type { FailureKind } from '../watch/events';
import { getHeader } from '../axios/headers';
import type { ResolvedRetryOptions } from '../options/resolve';

/** Never reached the server. */
const UNSENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(HOST|NET)(UNREACH|DOWN)|UND_ERR_CONNECT_TIMEOUT)$/;
/** The connection broke. Z_BUF_ERROR is a compressed body that ends too early. */
const BROKEN = /^(ECONNRESET|EPIPE|UND_ERR_(SOCKET|(HEADERS|BODY)_TIMEOUT)|ERR_STREAM_PREMATURE_CLOSE|Z_BUF_ERROR)$/;
/** What axios says when it knows nothing better: the cause may. */
const VAGUE = /^(ERR_(NETWORK|BAD_RESPONSE)|ECONNABORTED|ETIMEDOUT)$/;
// An answer cut off in the middle has a message and no code; axios 1.2 and 1.6 report it as a limit that is off.
// No code either: a mock (nock, msw) that has no answer, and fetch in a circle of redirects.
const HOPELESS = /^Nock: |^\[MSW\] |^redirect count exceeded$/;
const CUT_OFF = /^(stream has been aborted|maxContentLength size of -1 exceeded|socket hang up|terminated|aborted)$/;

const textOf = ({ message }: ErrorLike): string => (typeof message === 'string' ? message : '');

function kindOfCode(error: ErrorLike): FailureKind | undefined {
  const { code, name, syscall } = error;
  // A mock without an answer for this request: ENETUNREACH by its code, but waiting does not help.
  // The fetch of Node 24 (undici 7) has lost the code of an answer that is no HTTP, HPE_….
  if (HOPELESS.test(textOf(error)) || name === 'HTTPParserError') return 'permanent';
  if (typeof code !== 'string') return undefined;
  if (code === 'ERR_HTTP2_STREAM_ERROR') return textOf(error).includes('NGHTTP2_REFUSED_STREAM') ? 'unsent' : 'network';
  if (UNSENT.test(code)) return 'unsent';
  if (BROKEN.test(code)) return 'network';
  if (code === 'ETIMEDOUT' && syscall !== undefined) return syscall === 'connect' ? 'unsent' : 'network';
  return VAGUE.test(code) ? undefined : 'permanent'; // a certificate, a bad URL, a limit: it will not heal
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
  return chain.map(kindOfCode).find((kind) => kind !== undefined) ?? (chain.some((link) => CUT_OFF.test(textOf(link))) ? 'network' : undefined);
}

/** The kind of an answer: `status` when its status can heal, undefined when it is fine, or hopeless. */
export function kindOfResponse(
  { status, headers }: AxiosResponse,
  retryAfter: number | undefined,
  { statuses, hasDefaultStatuses }: ResolvedRetryOptions,
): 'status' | undefined {
  // The server's own word beats the list.
  const wish = status < 400 ? undefined : getHeader(headers, 'x-should-retry')?.trim().toLowerCase();
  // RFC 9110, section 15.5.14: 413 with Retry-After is a temporary condition.
  const isListed = () => statuses(status) || (hasDefaultStatuses && status === 413 && retryAfter !== undefined);
  return wish === 'true' || (wish !== 'false' && isListed()) ? 'status' : undefined;
}

/** The kind of an AxiosError, the same for every adapter and axios version. */
export function kindOfError(error: AxiosError, retryAfter: number | undefined, options: ResolvedRetryOptions): FailureKind {
  const { code, message, response } = error;
  // XMLHttpRequest's own abort carries the code that axios uses for timeouts.
  if (isCancellation(error) || (code === 'ECONNABORTED' && message === 'Request aborted')) return 'cancelled';
  const kind = (response && kindOfResponse(response, retryAfter, options)) ?? kindOfCause(error);
  // The answer arrived: only a body that was cut off can heal.
  if (response) return kind === 'status' || (kind === 'network' && response.status < 400) ? kind : 'permanent';
  if (kind) return kind;
  if (code === 'ECONNABORTED' || code === 'ETIMEDOUT') return 'timeout';
  return code === undefined || code === 'ERR_NETWORK' ? 'network' : 'permanent';
}
