/** What axios-retry does with a failure, in its order: validate, count, ask, delay, timeout, tell. */
import type { AxiosError, InternalAxiosRequestConfig } from 'axios';
import { endWith, type Rules } from '../drop-in/drop-in';
import { toMs } from '../drop-in/to-ms';
import type { IAxiosRetryConfig, IAxiosRetryConfigExtended } from './types';

export const namespace = 'axios-retry';

type Defaults = Required<IAxiosRetryConfig>;
type State = Defaults & IAxiosRetryConfigExtended & { retryCount: number };

/** The state on a config, with the options of the instance filled in. */
export function stateOf(config: InternalAxiosRequestConfig, defaults: Defaults): State {
  const state: State = { ...defaults, retryCount: 0, ...config[namespace] };
  config[namespace] = state;
  return state;
}

async function mayRetry({ retryCount, retries, retryCondition }: State, error: AxiosError): Promise<boolean> {
  // What is no number allows none.
  if (!(retryCount < retries)) return false;
  const answer: unknown = retryCondition(error);
  // A promise of anything but `false` is a yes; of other answers, what is truthy.
  if (typeof answer !== 'object') return Boolean(answer);
  return Promise.resolve<unknown>(answer).then((promised) => promised !== false, () => false);
}

/** What is left of a timeout that all attempts share. undefined: each has its own. */
function timeLeft({ shouldResetTimeout, lastRequestTime }: State, { timeout }: InternalAxiosRequestConfig, delay: number): number | undefined {
  if (shouldResetTimeout || !timeout || !lastRequestTime) return undefined;
  return Math.ceil(timeout - (Date.now() - lastRequestTime) - delay);
}

async function decide(state: State, error: AxiosError, config: InternalAxiosRequestConfig): Promise<number | undefined> {
  if (!(await mayRetry(state, error))) {
    if (state.retryCount >= state.retries) await state.onMaxRetryTimesExceeded(error, state.retryCount);
    return undefined;
  }
  state.retryCount += 1;
  const delay = toMs(state.retryDelay(state.retryCount, error));
  const left = timeLeft(state, config, delay);
  if (left !== undefined) {
    if (left <= 0) return undefined;
    config.timeout = left;
  }
  await state.onRetry(state.retryCount, error, config);
  return delay;
}

export const makeRules = (defaults: Defaults): Rules => ({
  async decide(error, retries) {
    const { config, response } = error;
    if (!config) return undefined;
    const state = stateOf(config, defaults);
    state.retryCount = retries;
    if (response && state.validateResponse?.(response)) {
      endWith(error, () => response);
      return undefined;
    }
    return decide(state, error, config);
  },
  prepare(next, { config }) {
    const state = config?.[namespace];
    if (state) next[namespace] = { ...state };
  },
});
