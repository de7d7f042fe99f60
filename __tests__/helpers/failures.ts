// Failures as one axios or another hands them out, made without sending anything.
import { AxiosError, AxiosHeaders, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';

export const CONFIG: InternalAxiosRequestConfig = { headers: new AxiosHeaders(), url: '/orders', method: 'get' };

interface Facts {
  code?: string;
  syscall?: string;
  name?: string;
  cause?: unknown;
  errors?: unknown[];
}

export function systemError(message: string, facts: Facts = {}): Error {
  return Object.assign(new Error(message), facts);
}

export const coded = (code: string, facts: Facts = {}): Error => systemError(`it was ${code}`, { code, ...facts });

/** As axios up to 1.12 makes it: what the error had stands on the AxiosError too. */
export function flat(error: Error): AxiosError {
  return Object.assign(new AxiosError(error.message, undefined, CONFIG), error, { cause: error });
}

/** As axios since 1.13 makes it: the code alone is copied. */
export function nested(error: Error & Facts): AxiosError {
  return Object.assign(new AxiosError(error.message, error.code, CONFIG), { cause: error });
}

/** As the fetch adapter makes it. */
export function fetched(cause: unknown): AxiosError {
  return Object.assign(new AxiosError('Network Error', 'ERR_NETWORK', CONFIG), { cause });
}

/** As axios 1.7 to 1.12 passes on what its fetch adapter does not know. */
export function terminated(cause: unknown): AxiosError {
  const outer = systemError('terminated', { name: 'TypeError', cause });
  return Object.assign(new AxiosError('terminated', undefined, CONFIG), { cause: outer });
}

export function answer(status: number, headers: Record<string, string> = {}): AxiosResponse {
  return { status, statusText: '', headers: new AxiosHeaders(headers), data: '', config: CONFIG };
}

export function rejectedAnswer(status: number, headers: Record<string, string> = {}): AxiosError {
  const code = status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_BAD_RESPONSE';
  return new AxiosError(`Request failed with status code ${status}`, code, CONFIG, {}, answer(status, headers));
}
