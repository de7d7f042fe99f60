/** Errors that the plugin makes itself, in axios' own classes, without importing axios. */
import type { AxiosError, InternalAxiosRequestConfig } from 'axios';
import { define, memberOf } from '../checks/checks';
import { isCancellation } from './recognize';
import type { Instance } from './instance';
import { sendPast } from './send';
import { replaceMembers } from './snapshot';

type Config = InternalAxiosRequestConfig;
type AxiosErrorClass = new (message: string, code: string, config: Config) => AxiosError;
type CanceledErrorClass = new (message: undefined, config: Config) => AxiosError;

/** Sends a finished config with axios' own dispatch, which resolves the names of adapters. */
export function sendBare(instance: Instance, config: Config): Promise<unknown> {
  // Not what axios merges: axios 1.2 drops the headers that the caller has switched off.
  const asItIs = {
    runWhen: (merged: Config) => {
      replaceMembers(merged, config);
      return false;
    },
  };
  return sendPast(instance, config, (side) => (side === 'request' ? [asItIs] : []));
}

/** Sets `cause` where there is none, and returns the error. Frozen errors stay as they are. */
export function addCause<T>(error: T, cause: unknown): T {
  const inner = memberOf(error, 'cause');
  // Under fetch axios 1.7 puts one cancellation into another.
  const target = isCancellation(inner) ? inner : error;
  if (cause !== undefined && memberOf(target, 'cause') === undefined) define(target as object, 'cause', { value: cause, configurable: true, writable: true });
  return error;
}

// For an instance whose `request` gives none: somebody has replaced it.
class Canceled extends Error {
  constructor(_: undefined, config: Config) {
    super('canceled');
    Object.assign(this, { __CANCEL__: true, code: 'ERR_CANCELED', config });
  }
}

const classes = new WeakMap<Instance, CanceledErrorClass>();

/** The class that axios rejects an aborted request with: it is asked once. In every version it inherits from AxiosError. */
async function classOf(instance: Instance): Promise<CanceledErrorClass> {
  const known = classes.get(instance);
  if (known) return known;
  // All that axios looks at: mini programs have no AbortController.
  const unsent = { url: '', signal: { aborted: true }, adapter: () => Promise.reject(new Error()) };
  const error = await sendPast(instance, unsent, () => []).catch((reason: unknown) => reason);
  const found = (isCancellation(error) ? (error as object).constructor : Canceled) as CanceledErrorClass;
  classes.set(instance, found);
  return found;
}

/** axios' own cancellation of `config`, with the abort reason as `cause`. */
export async function cancellation(instance: Instance, config: Config, cause?: unknown): Promise<AxiosError> {
  // A cancel token's reason is the error that axios itself would reject with.
  if (config.cancelToken?.reason) return config.cancelToken.reason as unknown as AxiosError;
  return addCause(new (await classOf(instance))(undefined, config), cause);
}

interface Details {
  readonly message: string;
  readonly code: string;
  readonly cause: unknown;
}

/** An AxiosError of the instance's own axios. */
export async function axiosError(instance: Instance, config: Config, { message, code, cause }: Details): Promise<AxiosError> {
  const { constructor: AxiosError } = Object.getPrototypeOf((await classOf(instance)).prototype) as { constructor: AxiosErrorClass };
  return addCause(new AxiosError(message, code, config), cause);
}

/** The end of `totalTimeout`: what axios itself reports for a timeout, with the last failure as `cause`. */
export function deadlineError(instance: Instance, config: Config, totalTimeout: number, cause: unknown): Promise<AxiosError> {
  const code = config.transitional?.clarifyTimeoutError ? 'ETIMEDOUT' : 'ECONNABORTED';
  return axiosError(instance, config, { message: `totalTimeout of ${totalTimeout}ms exceeded`, code, cause });
}
