/** What an outcome holds: axios' error, response or cancellation. Nothing here throws, whatever the outcome is. */
import type { AxiosError, AxiosResponse } from 'axios';
import { isObject, memberOf } from '../checks/checks';
import { fetchAnswerOf } from './fetch-answers';

/** How deep `cause` and `errors[]` are followed. */
export const MAX_DEPTH = 5;

export function chainOf(error: unknown): object[] {
  const chain: object[] = [];
  for (let link = error; isObject(link) && chain.length < MAX_DEPTH; link = memberOf(link, 'cause')) chain.push(link);
  return chain;
}

/** The AxiosError in a rejection: itself, or along `cause` where an inner layer wrapped it. */
export function findAxiosError(error: unknown): AxiosError | undefined {
  return chainOf(error).find((link) => memberOf(link, 'isAxiosError') === true || isCancellation(link)) as AxiosError | undefined;
}

/** An axios response, and not what an inner layer made of one. */
export function findResponse(value: unknown): AxiosResponse | undefined {
  return typeof memberOf(value, 'status') === 'number' && isObject(memberOf(value, 'config')) ? (value as AxiosResponse) : undefined;
}

export function isCancellation(error: unknown): boolean {
  return memberOf(error, '__CANCEL__') === true;
}

/** What axios' http adapter sends with: the request itself, or the last one of `follow-redirects`. */
export function wireRequestOf(error: AxiosError): unknown {
  const request = memberOf(error, 'request');
  return memberOf(request, '_currentRequest') ?? request;
}

/**
 * The answer that an error carries: axios' own, or what its adapter had of one when reading it failed. An answer of
 * status 0 is none.
 */
export function answerOf(error: AxiosError): AxiosResponse | undefined {
  const response = memberOf(error, 'response');
  if (isObject(response)) return memberOf(response, 'status') ? (response as unknown as AxiosResponse) : undefined;
  const unread = memberOf(wireRequestOf(error), 'res');
  const status = memberOf(unread, 'statusCode');
  const answer = status ? { status, headers: memberOf(unread, 'headers') } : fetchAnswerOf(memberOf(error, 'request'));
  return answer && ({ ...answer, config: memberOf(error, 'config') } as AxiosResponse);
}
