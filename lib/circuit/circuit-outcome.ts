/** What an attempt's outcome says about the health of its origin. */
import type { AxiosResponse } from 'axios';
import { findAxiosError, findResponse } from '../axios/recognize';
import { kindOfError } from '../verdict/failure-kind';
import { DEFAULTS } from '../options/resolve';

export type Settled<T> = { readonly value: T } | { readonly error: unknown };

export async function settleSend<T>(send: () => Promise<T>): Promise<Settled<T>> {
  try {
    return { value: await send() };
  } catch (error) {
    return { error };
  }
}

export type Standing = 'success' | 'failure' | 'neither';

const ofResponse = ({ status }: AxiosResponse): Standing => (status >= 500 ? 'failure' : 'success');

/** `unsent`, `network`, `timeout` and statuses from 500 are failures; any other answer is a success. */
export function standingOf(settled: Settled<unknown>): Standing {
  if (!('error' in settled)) {
    const response = findResponse(settled.value);
    return response ? ofResponse(response) : 'success';
  }
  const error = findAxiosError(settled.error);
  if (!error) return 'neither';
  const kind = kindOfError(error, undefined, DEFAULTS);
  if (kind === 'cancelled') return 'neither';
  if (kind === 'unsent' || kind === 'network' || kind === 'timeout') return 'failure';
  // Without an answer it says nothing of the origin: a bad URL, a body too large.
  return error.response ? ofResponse(error.response) : 'neither';
}
