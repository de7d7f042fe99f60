/** What retry-axios does with a failure, in its order: note, count, ask, Retry-After or backoff, tell. */
import type { AxiosError } from 'axios';
import type { Rules } from '../drop-in/drop-in';
import { toMs } from '../drop-in/to-ms';
import { readRetryAfter } from '../policy/retry-after';
import type { RetryConfig } from './types';

const DEFAULTS = {
  retry: 3,
  retryDelay: 100,
  backoffType: 'exponential',
  httpMethodsToRetry: ['GET', 'HEAD', 'PUT', 'OPTIONS', 'DELETE'],
  checkRetryAfter: true,
  maxRetryAfter: 300_000,
  statusCodesToRetry: [
    [100, 199],
    [429, 429],
    [500, 599],
  ],
} as const satisfies Record<string, unknown>;

// When axios merges configs, lists may have become objects.
const listOf = <T>(given: readonly T[] | Readonly<Record<string, T>> | undefined): readonly T[] | undefined => (given && !Array.isArray(given) ? Object.values(given) : (given as readonly T[] | undefined));

type State = RetryConfig & Required<Pick<RetryConfig, keyof typeof DEFAULTS | 'currentRetryAttempt' | 'errors'>>;

/** Whether the defaults, with the request's options filled in, would retry. */
export function shouldRetryRequest({ config, response }: AxiosError): boolean {
  const options = config?.raxConfig;
  if (!options || (options.currentRetryAttempt ?? 0) >= (options.retry ?? 0)) return false;
  if (!config.method || !listOf(options.httpMethodsToRetry)?.includes(config.method.toUpperCase())) return false;
  return !response?.status || (listOf(options.statusCodesToRetry) ?? []).some(([from = 0, to = 0]) => response.status >= from && response.status <= to);
}

/** The state of this failure, on its config. */
function noteFailure(error: AxiosError, retries: number): State {
  const given = Object.fromEntries(Object.entries(error.config?.raxConfig ?? {}).filter(([, value]) => value !== undefined && value !== null)) as RetryConfig;
  const state = { ...DEFAULTS, ...given, currentRetryAttempt: retries, errors: [...(given.errors ?? []), error] } as State;
  // The errors of all attempts would not fit into a line of a log.
  const toJSON = (): object => ({ ...state, errors: undefined });
  Object.defineProperty(state, 'toJSON', { value: toJSON, writable: true, configurable: true });
  if (error.config) error.config.raxConfig = state;
  return state;
}

function backoff({ backoffType, currentRetryAttempt: retry, retryDelay, jitter, maxRetryDelay = Infinity }: State): number {
  if (backoffType === 'linear') return Math.min(retry * 1_000, maxRetryDelay);
  if (backoffType === 'static') return Math.min(retryDelay, maxRetryDelay);
  const delay = ((2 ** retry - 1) / 2) * retryDelay;
  const random = jitter === 'full' ? Math.random() : jitter === 'equal' ? (1 + Math.random()) / 2 : 1;
  return Math.min(random * delay, maxRetryDelay);
}

export const rules: Rules = {
  async decide(error, retries) {
    const state = noteFailure(error, retries);
    if (!(retries < state.retry) || !(state.shouldRetry ?? shouldRetryRequest)(error)) return undefined;
    const asked = state.checkRetryAfter ? readRetryAfter(error.response?.headers) : undefined;
    if (asked !== undefined && asked > state.maxRetryAfter) return undefined;
    state.currentRetryAttempt += 1;
    state.retriesRemaining = state.retry - state.currentRetryAttempt;
    // 0 means "now": the backoff is kind enough.
    const delay = asked || toMs(backoff(state));
    if (!state.onError) return delay;
    // The wait runs while the hook does.
    const start = Date.now();
    await state.onError(error);
    return Math.max(0, delay - (Date.now() - start));
  },
  async prepare(next, error) {
    const state = error.config?.raxConfig;
    await state?.onRetryAttempt?.(error);
    if (state) next.raxConfig = { ...state };
  },
};
