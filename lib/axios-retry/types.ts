/** The four types of axios-retry 4.5. Members and types are the peer's to the letter: two augmentations of `'axios-retry'` must be equal. */
import type { AxiosError, AxiosInstance, AxiosRequestConfig, AxiosResponse, AxiosStatic } from 'axios';

export interface IAxiosRetryConfig {
  /** Retries after the first attempt. @default 3 */
  retries?: number;
  /** Each attempt has the whole `timeout`; without, all attempts and waits share it. @default false */
  shouldResetTimeout?: boolean;
  /** May this failure be retried? @default network errors, and 429 or 5xx of an idempotent request */
  retryCondition?: (error: AxiosError) => boolean | Promise<boolean>;
  /** The delay before a retry, in ms. @default what Retry-After asks for, else none */
  retryDelay?: (retryCount: number, error: AxiosError) => number;
  /** Awaited before the wait. What it edits on `requestConfig` is sent; what it throws is what the caller gets. */
  onRetry?: (retryCount: number, error: AxiosError, requestConfig: AxiosRequestConfig) => Promise<void> | void;
  /** Awaited when no retry is left, before the call rejects. */
  onMaxRetryTimesExceeded?: (error: AxiosError, retryCount: number) => Promise<void> | void;
  /** Whether a response, of any status, is fine. `null`: axios' `validateStatus` says it. @default null */
  validateResponse?: ((response: AxiosResponse) => boolean) | null;
}

export interface IAxiosRetryConfigExtended extends IAxiosRetryConfig {
  /** How many retries there have been. */
  retryCount?: number;
  /** When the attempt began, in ms since 1970. */
  lastRequestTime?: number;
}

export interface IAxiosRetryReturn {
  /** Of the request interceptor that writes the state. */
  requestInterceptorId: number;
  /** Of the response interceptor: ejected, nothing is retried. */
  responseInterceptorId: number;
}

export interface AxiosRetry {
  (axiosInstance: AxiosStatic | AxiosInstance, axiosRetryConfig?: IAxiosRetryConfig): IAxiosRetryReturn;
  isNetworkError(error: AxiosError): boolean;
  isRetryableError(error: AxiosError): boolean;
  isSafeRequestError(error: AxiosError): boolean;
  isIdempotentRequestError(error: AxiosError): boolean;
  isNetworkOrIdempotentRequestError(error: AxiosError): boolean;
  exponentialDelay(retryNumber?: number, error?: AxiosError, delayFactor?: number): number;
  linearDelay(delayFactor?: number): (retryNumber: number, error: AxiosError | undefined) => number;
}

declare module 'axios' {
  interface AxiosRequestConfig {
    'axios-retry'?: IAxiosRetryConfigExtended;
  }
}
