/** Errors that the plugin makes itself, in axios' own classes, without importing axios. */
import type { AxiosError } from 'axios';
import { laneOf, type CanceledErrorClass, type Config, type Place } from '../call/call';
import { isCancellation } from './recognize';
import type { Handler } from './instance';

type AxiosErrorClass = new (message: string, code: string, config: Config) => AxiosError;

/** Sends a finished config with axios' own dispatch, which resolves the names of adapters. */
export function sendBare(place: Place, config: Config): Promise<unknown> {
  // Not what axios merges: axios 1.2 drops the headers that the caller has switched off.
  const asItIs: Handler = { synchronous: true, fulfilled: () => config };
  return laneOf(place).send({ request: (visit) => visit(asItIs), response: () => undefined }, config);
}

/** Sets `cause` where there is none. Frozen errors stay as they are. */
export function addCause(error: unknown, cause: unknown): void {
  const inner = (error as Error).cause;
  // Under fetch axios 1.7 puts one cancellation into another.
  const target = (isCancellation(inner) ? inner : error) as Error;
  if (cause === undefined || target.cause !== undefined) return;
  Reflect.defineProperty(target, 'cause', { value: cause, configurable: true, writable: true });
}

// For an instance whose `request` gives none: somebody has replaced it.
class Canceled extends Error {
  readonly __CANCEL__ = true;
  readonly code = 'ERR_CANCELED';
  constructor(
    _: undefined,
    readonly config: Config,
  ) {
    super('canceled');
  }
}

async function findClass(place: Place): Promise<CanceledErrorClass> {
  const aborted = new AbortController();
  aborted.abort();
  const unsent = { url: '', signal: aborted.signal, adapter: () => Promise.reject(new Error('not sent')) };
  const error = await sendBare(place, unsent as unknown as Config).catch((reason: unknown) => reason);
  return (isCancellation(error) ? (error as object).constructor : Canceled) as CanceledErrorClass;
}

/** The class that axios rejects an aborted request with. In every version it inherits from AxiosError. */
async function classOf(place: Place): Promise<CanceledErrorClass> {
  place.CanceledError ??= await findClass(place);
  return place.CanceledError;
}

/** axios' own cancellation of `config`, with the abort reason as `cause`. */
export async function cancellation(place: Place, config: Config, cause?: unknown): Promise<AxiosError> {
  // A cancel token's reason is the error that axios itself would reject with.
  if (config.cancelToken?.reason) return config.cancelToken.reason as unknown as AxiosError;
  const error = new (await classOf(place))(undefined, config);
  addCause(error, cause);
  return error;
}

interface Details {
  readonly message: string;
  readonly code: string;
  readonly cause: unknown;
}

/** An AxiosError of the instance's own axios. */
export async function axiosError(place: Place, config: Config, { message, code, cause }: Details): Promise<AxiosError> {
  const { prototype } = await classOf(place);
  const { constructor: AxiosError } = Object.getPrototypeOf(prototype) as { constructor: AxiosErrorClass };
  const error = new AxiosError(message, code, config);
  addCause(error, cause);
  return error;
}

/** The end of `totalTimeout`: what axios itself reports for a timeout, with the last failure as `cause`. */
export function deadlineError(place: Place, config: Config, totalTimeout: number, cause: unknown): Promise<AxiosError> {
  const code = config.transitional?.clarifyTimeoutError ? 'ETIMEDOUT' : 'ECONNABORTED';
  return axiosError(place, config, { message: `totalTimeout of ${totalTimeout}ms exceeded`, code, cause });
}
