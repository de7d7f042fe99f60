/** The types of retry-axios 4.0. Members and types are the peer's to the letter: two augmentations of `raxConfig` must be equal. */
import type { AxiosError, AxiosRequestConfig } from 'axios';

export interface RetryConfig {
  /** Retries after the first attempt. @default 3 */
  retry?: number;
  /** State: how many retries there have been. */
  currentRetryAttempt?: number;
  /** State: how many retries are left. */
  retriesRemaining?: number;
  /** In ms: the delay of `static`, the base of `exponential`. @default 100 */
  retryDelay?: number;
  /** Methods that may be retried, in capitals. @default GET HEAD PUT OPTIONS DELETE */
  httpMethodsToRetry?: string[];
  /** Ranges of statuses that are retried, both ends included. @default [[100, 199], [429, 429], [500, 599]] */
  statusCodesToRetry?: number[][];
  /** Awaited before the wait is over, when another attempt will follow. */
  onError?: (error: AxiosError) => void | Promise<void>;
  /** Awaited after the wait, before the next attempt. */
  onRetryAttempt?: (error: AxiosError) => Promise<void>;
  /** Says alone whether to retry, within `retry`. */
  shouldRetry?: (error: AxiosError) => boolean;
  /** `linear`: a second more each time. @default 'exponential' */
  backoffType?: 'linear' | 'static' | 'exponential';
  /** Of `exponential`. @default 'none' */
  jitter?: 'none' | 'full' | 'equal';
  /** Wait as long as Retry-After asks for. @default true */
  checkRetryAfter?: boolean;
  /** A longer Retry-After, in ms, ends the call. @default 300_000 */
  maxRetryAfter?: number;
  /** Cap on the computed delay, in ms. @default none */
  maxRetryDelay?: number;
  /** State: the errors of all attempts so far. */
  errors?: AxiosError[];
}

export type RaxConfig = {
  raxConfig: RetryConfig;
} & AxiosRequestConfig;

declare module 'axios' {
  interface AxiosRequestConfig {
    raxConfig?: RetryConfig;
  }
}
