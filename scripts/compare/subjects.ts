/** The four packages behind one interface: each is set up as its own documentation says. */
import type { AxiosError, AxiosInstance, AxiosRequestConfig } from 'axios';
import { attachRetry, type RetryOptions } from 'axios-jitter';
import axiosRetry, { type IAxiosRetryConfig } from 'axios-retry';
import { createRetryer, DefaultRetryStrategy, type RetryManagerOptions } from 'axios-retryer';
import * as retryAxios from 'retry-axios';

/** What a scenario may ask of a package. What is not asked for stays at the package's default. */
export interface Policy {
  readonly retries?: number;
  /** The same delay before each retry, in ms. */
  readonly delay?: number;
  /** Methods that may be sent again, instead of the default ones. */
  readonly methods?: readonly string[];
  readonly shouldRetry?: (error: AxiosError) => boolean;
  /** Asked before each retry, with the config that is sent next. */
  readonly beforeRetry?: (config: AxiosRequestConfig, error: AxiosError | undefined) => unknown;
  /** Told of each retry, with its number. */
  readonly onRetry?: (retry: number) => unknown;
  /** Told when no retry is left. */
  readonly onGiveUp?: () => unknown;
}

export type SubjectName = 'axios-jitter' | 'axios-retry' | 'retry-axios' | 'axios-retryer';

export interface Subject {
  readonly name: SubjectName;
  /** Attaches to an instance; the result takes it off again. */
  attach(api: AxiosInstance, policy: Policy): () => void;
  /** What a request must carry to have retries of its own. */
  forRequest(policy: Pick<Policy, 'retries'>): AxiosRequestConfig;
}

function without<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}

/** Options of axios-jitter that no policy can name; for the scenarios that are about them. */
export const jitter: Subject & { with(api: AxiosInstance, options: RetryOptions): () => void } = {
  name: 'axios-jitter',
  attach: (api, policy) => jitter.with(api, jitterOptions(policy)),
  forRequest: (policy) => ({ retry: without({ retries: policy.retries }) }),
  with: (api, options) => attachRetry(api, options).detach,
};

function jitterOptions({ retries, delay, methods, shouldRetry, beforeRetry, onRetry, onGiveUp }: Policy): RetryOptions {
  return without<RetryOptions>({
    retries,
    methods,
    onGiveUp,
    ...(delay !== undefined && { baseDelay: delay, maxDelay: Math.max(1, delay), factor: 1, jitter: 'none' as const }),
    shouldRetry: shouldRetry && (({ error }) => error && shouldRetry(error)),
    beforeRetry: beforeRetry && (async (config, { error }) => void (await beforeRetry(config, error))),
    onRetry: onRetry && (({ attempt }) => onRetry(attempt)),
  });
}

const axiosRetrySubject: Subject = {
  name: 'axios-retry',
  attach(api, { retries, delay, methods, shouldRetry, beforeRetry, onRetry, onGiveUp }) {
    const isMethod = (error: AxiosError): boolean =>
      axiosRetry.isRetryableError(error) && methods?.includes(error.config?.method?.toUpperCase() ?? '') === true;
    const ids = axiosRetry(
      api,
      without<IAxiosRetryConfig>({
        retries,
        retryDelay: delay === undefined ? undefined : () => delay,
        retryCondition: shouldRetry ?? (methods && isMethod),
        onRetry: async (count: number, error: AxiosError, config: AxiosRequestConfig) => {
          await beforeRetry?.(config, error);
          await onRetry?.(count);
        },
        onMaxRetryTimesExceeded: onGiveUp && (() => void onGiveUp()),
      } as IAxiosRetryConfig),
    );
    return () => {
      api.interceptors.request.eject(ids.requestInterceptorId);
      api.interceptors.response.eject(ids.responseInterceptorId);
    };
  },
  forRequest: (policy) => ({ 'axios-retry': without({ retries: policy.retries }) as IAxiosRetryConfig }),
};

const retryAxiosSubject: Subject = {
  name: 'retry-axios',
  attach(api, { retries, delay, methods, shouldRetry, beforeRetry, onRetry }) {
    api.defaults.raxConfig = without<retryAxios.RetryConfig>({
      retry: retries,
      ...(delay !== undefined && { retryDelay: delay, backoffType: 'static' as const }),
      httpMethodsToRetry: methods && [...methods],
      shouldRetry,
      onRetryAttempt:
        (beforeRetry ?? onRetry) &&
        (async (error: AxiosError) => {
          await beforeRetry?.(error.config ?? {}, error);
          await onRetry?.(retryAxios.getConfig(error)?.currentRetryAttempt ?? 0);
        }),
    } as retryAxios.RetryConfig);
    const id = retryAxios.attach(api);
    return () => retryAxios.detach(id, api);
  },
  forRequest: (policy) => ({ raxConfig: without({ retry: policy.retries }) as retryAxios.RetryConfig }),
};

/** Its own strategy, with a fixed delay or another question where the policy asks for it. */
function strategyOf({ delay, methods, shouldRetry }: Policy): DefaultRetryStrategy | undefined {
  if (delay === undefined && !shouldRetry) return undefined;
  const strategy = new DefaultRetryStrategy(undefined, methods && [...methods]);
  if (delay !== undefined) strategy.getDelay = () => delay;
  if (shouldRetry) strategy.getIsRetryable = shouldRetry;
  return strategy;
}

/** A manager of axios-retryer, for the scenarios that are about it. */
export function makeRetryer(api: AxiosInstance, options: RetryManagerOptions = {}): ReturnType<typeof createRetryer> {
  return createRetryer({ axiosInstance: api, ...options });
}

const retryerSubject: Subject = {
  name: 'axios-retryer',
  attach(api, policy) {
    const { retries, methods, beforeRetry, onRetry, onGiveUp } = policy;
    const options = { retries, retryableMethods: methods && [...methods], retryStrategy: strategyOf(policy) };
    const retryer = makeRetryer(api, without(options) as RetryManagerOptions);
    retryer.on('beforeRetry', (config) => {
      void beforeRetry?.(config, undefined);
      void onRetry?.(config.__retryAttempt ?? 0);
    });
    if (onGiveUp) retryer.on('onFailure', () => void onGiveUp());
    return () => retryer.destroy();
  },
  forRequest: ({ retries }) => without({ __requestRetries: retries }) as AxiosRequestConfig,
};

export const subjects: readonly Subject[] = [jitter, axiosRetrySubject, retryAxiosSubject, retryerSubject];
