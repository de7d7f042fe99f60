/** axios-retry's conditions. */
import type { AxiosError } from 'axios';

const SAFE = ['get', 'head', 'options'];
const IDEMPOTENT = [...SAFE, 'put', 'delete'];
// Of is-retry-allowed: a name or a network that is not there, and certificates.
const HOPELESS =
  /^(ENOTFOUND|ENETUNREACH|OUT_OF_MEM|UNABLE_TO_.*|CERT_.*|CRL_.*|ERROR_IN_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|INVALID_(CA|PURPOSE)|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$/;

/** No answer, and a code that may heal. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the peer's signature
export function isNetworkError(error: any): boolean {
  const { response, code } = error as Partial<AxiosError>;
  return !response && Boolean(code) && code !== 'ERR_CANCELED' && code !== 'ECONNABORTED' && !HOPELESS.test(code ?? '');
}

/** No answer but for a timeout, or one of status 429 or 5xx. */
export function isRetryableError({ code, response }: AxiosError): boolean {
  return code !== 'ECONNABORTED' && (!response || response.status === 429 || (response.status >= 500 && response.status <= 599));
}

const isOneOf = (methods: string[], error: AxiosError): boolean => isRetryableError(error) && methods.includes(error.config?.method ?? '');

export const isSafeRequestError = (error: AxiosError): boolean => isOneOf(SAFE, error);
export const isIdempotentRequestError = (error: AxiosError): boolean => isOneOf(IDEMPOTENT, error);
export const isNetworkOrIdempotentRequestError = (error: AxiosError): boolean => isNetworkError(error) || isIdempotentRequestError(error);
