/** The exports, options and state of retry-axios 4.0, on the loop of axios-jitter. */
// eslint-disable-next-line @typescript-eslint/no-restricted-imports -- the peer attaches to the global axios where no instance is given
import axios from 'axios';
import type { AxiosError, AxiosInstance } from 'axios';
import { attachRules } from './drop-in/drop-in';
import { rules } from './retry-axios/rules';
import type { RetryConfig } from './retry-axios/types';

export { shouldRetryRequest } from './retry-axios/rules';
export type { RaxConfig, RetryConfig } from './retry-axios/types';

/** Attaches to `instance`, or to the global axios. Returns the id for `detach`. */
export function attach(instance?: AxiosInstance): number {
  return attachRules(instance ?? axios, rules);
}

/** Takes off what `attach` returned the id of. */
export function detach(interceptorId: number, instance?: AxiosInstance): void {
  (instance ?? axios).interceptors.response.eject(interceptorId);
}

/** The options and the state of the request that failed. */
export function getConfig(error: AxiosError): RetryConfig | undefined {
  return (error as Partial<AxiosError> | undefined)?.config?.raxConfig;
}
