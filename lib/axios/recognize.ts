/** What an outcome holds: axios' error, response or cancellation. */
import type { AxiosError, AxiosResponse } from 'axios';
import { isObject } from '../checks/checks';

/** How deep `cause` and `errors[]` are followed. */
export const MAX_DEPTH = 5;

export interface ErrorLike {
  code?: unknown;
  cause?: unknown;
  errors?: unknown;
  message?: unknown;
  name?: unknown;
  syscall?: unknown;
  isAxiosError?: unknown;
}

export function chainOf(error: unknown): ErrorLike[] {
  const chain: ErrorLike[] = [];
  for (let link = error; isObject(link) && chain.length < MAX_DEPTH; link = link['cause']) chain.push(link);
  return chain;
}

/** The AxiosError in a rejection: itself, or along `cause` where an inner layer wrapped it. */
export function findAxiosError(error: unknown): AxiosError | undefined {
  return chainOf(error).find((link) => link.isAxiosError === true || isCancellation(link)) as AxiosError | undefined;
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
