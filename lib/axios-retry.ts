/** The exports, options and state of axios-retry 4.5, on the loop of axios-jitter. */
import type { AxiosInstance, AxiosStatic, InternalAxiosRequestConfig } from 'axios';
import { exponentialDelay, linearDelay, noDelay } from './axios-retry/delays';
import {
  isIdempotentRequestError,
  isNetworkError,
  isNetworkOrIdempotentRequestError,
  isRetryableError,
  isSafeRequestError,
} from './axios-retry/conditions';
import { makeRules, stateOf } from './axios-retry/rules';
import type { AxiosRetry, IAxiosRetryConfig, IAxiosRetryReturn } from './axios-retry/types';
import { attachRules } from './drop-in/drop-in';

export { exponentialDelay, linearDelay, retryAfter } from './axios-retry/delays';
export { isIdempotentRequestError, isNetworkError, isNetworkOrIdempotentRequestError, isRetryableError, isSafeRequestError } from './axios-retry/conditions';
export type { AxiosRetry, IAxiosRetryConfig, IAxiosRetryConfigExtended, IAxiosRetryReturn } from './axios-retry/types';
export { namespace } from './axios-retry/rules';

export const DEFAULT_OPTIONS: Required<IAxiosRetryConfig> = {
  retries: 3,
  retryCondition: isNetworkOrIdempotentRequestError,
  retryDelay: noDelay,
  shouldResetTimeout: false,
  onRetry: () => undefined,
  onMaxRetryTimesExceeded: () => undefined,
  validateResponse: null,
};

function attach(instance: AxiosStatic | AxiosInstance, options?: IAxiosRetryConfig): IAxiosRetryReturn {
  const { request } = instance.interceptors;
  const defaults = { ...DEFAULT_OPTIONS, ...options };
  const requestInterceptorId = request.use((config: InternalAxiosRequestConfig) => {
    const state = stateOf(config, defaults);
    state.lastRequestTime = Date.now();
    // Every answer passes `validateResponse` first.
    if (state.validateResponse) config.validateStatus = () => false;
    return config;
  });
  const responseInterceptorId = attachRules(instance, makeRules(defaults), () => request.eject(requestInterceptorId));
  return { requestInterceptorId, responseInterceptorId };
}

const axiosRetry: AxiosRetry = Object.assign(attach, {
  isNetworkError,
  isRetryableError,
  isSafeRequestError,
  isIdempotentRequestError,
  isNetworkOrIdempotentRequestError,
  exponentialDelay,
  linearDelay,
});

export default axiosRetry;
