// Every option and export of axios-retry, as its users write them; compiled with the real one too, and with both at once.
import axios, { type AxiosError, type AxiosInstance, type AxiosRequestConfig } from 'axios';
import axiosRetry, {
  DEFAULT_OPTIONS,
  exponentialDelay,
  isIdempotentRequestError,
  isNetworkError,
  isNetworkOrIdempotentRequestError,
  isRetryableError,
  isSafeRequestError,
  linearDelay,
  namespace,
  retryAfter,
  type AxiosRetry,
  type IAxiosRetryConfig,
  type IAxiosRetryConfigExtended,
  type IAxiosRetryReturn,
} from 'axios-jitter/axios-retry';

const api: AxiosInstance = axios.create({ 'axios-retry': { retries: 1 } });
const options: IAxiosRetryConfig = {
  retries: 5,
  shouldResetTimeout: true,
  retryCondition: (error) => isNetworkOrIdempotentRequestError(error) || error.response?.status === 429,
  retryDelay: (retryCount, error) => axiosRetry.exponentialDelay(retryCount, error, 1_000),
  onRetry: async (retryCount, error, requestConfig) => {
    requestConfig.headers = { ...requestConfig.headers, 'x-retry': String(retryCount), 'x-code': error.code ?? '' };
    await Promise.resolve();
  },
  onMaxRetryTimesExceeded: (error, retryCount) => void [error.message, retryCount],
  validateResponse: (response) => response.status < 500,
};
export const { requestInterceptorId, responseInterceptorId }: IAxiosRetryReturn = axiosRetry(api, options);
axiosRetry(axios);
axiosRetry(axios, { retryDelay: exponentialDelay, retryCondition: () => Promise.resolve(true), validateResponse: null });
axiosRetry(axios, { retryDelay: linearDelay(), retryCondition: isRetryableError });
axiosRetry(axios, { retryDelay: axiosRetry.linearDelay(200), retryCondition: axiosRetry.isSafeRequestError });
api.interceptors.request.eject(requestInterceptorId);
api.interceptors.response.eject(responseInterceptorId);

export async function call(): Promise<number | undefined> {
  const own: AxiosRequestConfig = { 'axios-retry': { retries: 0, onRetry: () => undefined } };
  // @ts-expect-error -- a misspelt option
  await api.get('/x', { 'axios-retry': { retrys: 1 } });
  // @ts-expect-error -- a wrong type
  axiosRetry(api, { retries: 'often' });
  const { config } = await api.get('/x', own);
  const state: IAxiosRetryConfigExtended | undefined = config[namespace];
  return config['axios-retry']?.retryCount ?? state?.lastRequestTime;
}

export const attach: AxiosRetry = axiosRetry;
export const defaults: Required<IAxiosRetryConfig> = DEFAULT_OPTIONS;
export const answers = (error: AxiosError): (boolean | number)[] => [
  isNetworkError(error),
  isRetryableError(error),
  isSafeRequestError(error),
  isIdempotentRequestError(error),
  axiosRetry.isNetworkError(error),
  axiosRetry.isRetryableError(error),
  axiosRetry.isIdempotentRequestError(error),
  axiosRetry.isNetworkOrIdempotentRequestError(error),
  retryAfter(),
  retryAfter(error),
  exponentialDelay(),
  linearDelay(10)(1, error),
];
