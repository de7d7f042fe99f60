// Every option and export of retry-axios, as its users write them; compiled with the real one too, and with both at once.
import axios, { type AxiosError, type AxiosInstance } from 'axios';
import * as rax from 'axios-jitter/retry-axios';
import { attach, detach, getConfig, shouldRetryRequest, type RaxConfig, type RetryConfig } from 'axios-jitter/retry-axios';

const api: AxiosInstance = axios.create();
const raxConfig: RetryConfig = {
  retry: 5,
  retryDelay: 100,
  httpMethodsToRetry: ['GET', 'POST'],
  statusCodesToRetry: [[100, 199], [429, 429]],
  backoffType: 'static',
  jitter: 'full',
  checkRetryAfter: false,
  maxRetryAfter: 10_000,
  maxRetryDelay: 5_000,
  onError: (error) => void error.message,
  onRetryAttempt: async (error) => {
    error.config?.headers.set('x-retry', String(rax.getConfig(error)?.currentRetryAttempt));
    await Promise.resolve();
  },
  shouldRetry: (error) => shouldRetryRequest(error) && (getConfig(error)?.retriesRemaining ?? 1) > 0,
};
api.defaults.raxConfig = raxConfig;
export const id: number = rax.attach(api);
rax.detach(id, api);
detach(attach());

export async function call(): Promise<AxiosError[] | undefined> {
  const config: RaxConfig = { url: '/x', raxConfig };
  // @ts-expect-error -- a misspelt option
  await api.get('/x', { raxConfig: { retrys: 1 } });
  // @ts-expect-error -- a wrong word
  await api.get('/x', { raxConfig: { backoffType: 'odd' } });
  const response = await api.request(config);
  return response.config.raxConfig?.errors;
}
