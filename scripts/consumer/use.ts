// A consumer's code: compiled as .mts, .cts and .ts, against several axios versions.
import axios, { isAxiosError } from 'axios';
import type { AxiosInstance, AxiosRequestConfig, AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import { attachRetry, getRetryReport } from 'axios-jitter';
import type { RequestRetryOptions, RetryReport } from 'axios-jitter';
import { circuitBreaker } from 'axios-jitter/cockatiel';

export const breaker = circuitBreaker();
const options: RequestRetryOptions = { retries: 2, shouldRetry: (event) => event.attempt < 2 };
const api: AxiosInstance = axios.create({ retry: options });
export const handle = attachRetry(api, options);
attachRetry(axios).detach();
api.defaults.retry = 3;

export async function call(): Promise<number | undefined> {
  const response = await api.get<string>('/x', { retry: { retries: 1 } });
  await api.post('/x', {}, { retry: 1 });
  await api.get('/x', { retry: false });
  // @ts-expect-error -- a misspelt option
  await api.get('/x', { retry: { retrys: 1 } });
  // @ts-expect-error -- a wrong type
  await api.get('/x', { retry: 'often' });
  // @ts-expect-error -- a misspelt option
  attachRetry(api, { retrys: 1 });

  const config: InternalAxiosRequestConfig = response.config;
  const own: AxiosRequestConfig<string> = { retry: undefined };
  const attempt: number | undefined = config.retryState?.attempt ?? own.retryState?.attempt;
  // @ts-expect-error -- it is a number
  const text: string | undefined = config.retryState?.attempt;
  const typed: AxiosResponse<string, number> = response;
  return text === undefined ? attempt : typed.retry?.attempts;
}

export function attempts(error: unknown): number | undefined {
  if (isAxiosError(error)) {
    // @ts-expect-error -- it is a number
    const text: string | undefined = error.retry?.attempts;
    return text === undefined ? error.retry?.attempts : error.response?.retry?.attempts;
  }
  if (axios.isAxiosError<string, number>(error)) {
    return error.retry?.attempts;
  }
  const report: RetryReport | undefined = getRetryReport(error as object);
  return report?.attempts;
}
