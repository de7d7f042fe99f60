/** axios-retry's delays, in ms. Each of them asks Retry-After; an own `retryDelay` does not. */
import type { AxiosError } from 'axios';
import { readRetryAfter } from '../policy/retry-after';

/** What the server asks for, in ms; 0 where it asks for nothing. */
export function retryAfter(error?: AxiosError): number {
  return readRetryAfter(error?.response?.headers) ?? 0;
}

export function noDelay(_retryNumber: number, error?: AxiosError): number {
  return retryAfter(error);
}

/** `2 ** retryNumber * delayFactor`, or what Retry-After asks for where that is more, and up to 20 % on top. */
export function exponentialDelay(retryNumber = 0, error?: AxiosError, delayFactor = 100): number {
  const delay = Math.max(2 ** retryNumber * delayFactor, retryAfter(error));
  return delay + delay * 0.2 * Math.random();
}

/** `retryNumber * delayFactor`, or what Retry-After asks for where that is more. */
export function linearDelay(delayFactor = 100): (retryNumber: number, error: AxiosError | undefined) => number {
  return (retryNumber, error) => Math.max(retryNumber * delayFactor, retryAfter(error));
}
