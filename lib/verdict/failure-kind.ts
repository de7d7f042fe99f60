/** What a failed attempt was: error or response in, a kind out. No attempt is counted and nothing is sent here. */
import type { AxiosError, AxiosResponse } from 'axios';
import { answerOf, chainOf, isCancellation, MAX_DEPTH } from '../axios/recognize';
import { isObject, memberOf, textOf } from '../checks/checks';
import type { FailureKind } from '../watch/events';
import { getHeader } from '../axios/headers';
import type { ResolvedRetryOptions } from '../options/resolve';
import { isRedirected, isSecuring } from './evidence';
import { CUT_OFF, FACTS, VAGUE } from './failure-facts';

function kindOfLink(error: AxiosError, link: object, isListed: boolean): FailureKind | undefined {
  const code = memberOf(link, 'code');
  const syscall = textOf(memberOf(link, 'syscall'));
  const what = `${textOf(code) || textOf(memberOf(link, 'name'))};${syscall && isSecuring(error) ? 'connect' : syscall};${textOf(memberOf(link, 'message'))}`;
  const kind = FACTS.find(([says]) => says.test(what))?.[1];
  // Proof is about the request that the caller made.
  if (kind === 'unsent' && isRedirected(error, link, isListed)) return 'network';
  // A certificate, a bad URL, a limit: it will not heal.
  return kind ?? (typeof code === 'string' && !VAGUE.test(code) ? 'permanent' : undefined);
}

// Not the texts that validators list. What of it is no error says nothing, so that it proves nothing.
const isErrorList = (errors: unknown): errors is unknown[] =>
  Array.isArray(errors) && errors.some((error) => (memberOf(error, 'message') ?? memberOf(error, 'code')) !== undefined);

// axios since 1.13 copies the code of its cause and leaves there what was being done; HTTP/2 says that no connection came about, its
// cause why.
function isLast(link: object, index: number, chain: object[]): boolean {
  const code = memberOf(link, 'code');
  const cause = chain[index + 1];
  return !cause || code === undefined || (code !== memberOf(cause, 'code') && code !== 'ERR_HTTP2_STREAM_CANCEL');
}

/** What the system says of `error`: in `top`, or below it. */
function kindOfCause(error: AxiosError, top: unknown, depth = 0): FailureKind | undefined {
  const chain = chainOf(top).filter(isLast);
  const errors = chain.map((link) => memberOf(link, 'errors')).find(isErrorList);
  if (errors && depth < MAX_DEPTH) {
    // Happy Eyeballs reports one error per address, and copies the code of one of them to the outside.
    const [kind, ...others] = new Set(errors.map((one) => kindOfCause(error, one, depth + 1)));
    return (others.length === 0 && kind) || 'network';
  }
  // A code says more than a message.
  return (
    chain.map((link) => kindOfLink(error, link, depth > 0)).find((kind) => kind !== undefined) ??
    (chain.some((link) => CUT_OFF.test(textOf(memberOf(link, 'message')))) ? 'network' : undefined)
  );
}

/** The kind of an answer: `status` when its status can heal, undefined when it is fine, or hopeless. */
export function kindOfResponse(
  { status, headers }: AxiosResponse,
  retryAfter: number | undefined,
  { statuses, hasDefaultStatuses }: ResolvedRetryOptions,
): 'status' | undefined {
  // The server's own word beats the list.
  const word = status < 400 ? undefined : (getHeader(headers, 'x-should-retry') ?? getHeader(headers, 'stripe-should-retry'));
  const wish = word?.trim().toLowerCase();
  // RFC 9110, section 15.5.14: 413 with Retry-After is a temporary condition.
  if (wish === 'false') return undefined;
  return wish === 'true' || statuses(status) || (hasDefaultStatuses && status === 413 && retryAfter !== undefined) ? 'status' : undefined;
}

/** The kind of an AxiosError, the same for every adapter and axios version. `answer`: what came of one, read or not. */
export function kindOfError(
  error: AxiosError,
  retryAfter: number | undefined,
  options: ResolvedRetryOptions,
  answer = answerOf(error),
): FailureKind {
  const code = memberOf(error, 'code');
  // XMLHttpRequest's own abort carries the code that axios uses for timeouts.
  if (isCancellation(error) || (code === 'ECONNABORTED' && memberOf(error, 'message') === 'Request aborted')) return 'cancelled';
  if (answer && kindOfResponse(answer, retryAfter, options)) return 'status';
  if (answer && answer.status >= 400) return 'permanent';
  // A response of status 0 is no answer, and what its error says is about none.
  const hasNone = !answer && isObject(memberOf(error, 'response'));
  const kind = kindOfCause(error, hasNone ? memberOf(error, 'cause') : error);
  // A good answer arrived: only reading it can have failed.
  if (kind) return answer && kind === 'unsent' ? 'network' : kind;
  if (code === 'ECONNABORTED' || code === 'ETIMEDOUT') return 'timeout';
  return hasNone || (!answer && (code === undefined || code === 'ERR_NETWORK')) ? 'network' : 'permanent';
}
