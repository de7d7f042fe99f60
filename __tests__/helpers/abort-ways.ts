import { getEventListeners } from 'node:events';
import type { AxiosRequestConfig } from 'axios';
import axios from './axios';

/** One way for a caller to give up a call. */
export interface AbortWay {
  readonly config: Pick<AxiosRequestConfig, 'signal' | 'cancelToken'>;
  readonly abort: () => void;
  /** What must be found along `cause`, or as the error itself. */
  readonly reason: () => unknown;
  /** Listeners left on the signal or token. */
  readonly listeners: () => number;
}

function bySignal(given: unknown): AbortWay {
  const controller = new AbortController();
  const { signal } = controller;
  return {
    config: { signal },
    abort: () => (given === undefined ? controller.abort() : controller.abort(given)),
    reason: () => signal.reason as unknown,
    listeners: () => getEventListeners(signal, 'abort').length,
  };
}

function byToken(): AbortWay {
  const source = axios.CancelToken.source();
  const listening = new Set<unknown>();
  // `subscribe` is public, but not in axios' types.
  const token = source.token as unknown as Record<'subscribe' | 'unsubscribe', (listener: unknown) => void>;
  const { subscribe, unsubscribe } = token;
  token.subscribe = (listener) => {
    listening.add(listener);
    subscribe.call(source.token, listener);
  };
  token.unsubscribe = (listener) => {
    listening.delete(listener);
    unsubscribe.call(source.token, listener);
  };
  return {
    config: { cancelToken: source.token },
    abort: () => source.cancel('the user left'),
    reason: () => source.token.reason,
    listeners: () => listening.size,
  };
}

/** Name and maker of each way that a test can choose the moment of. */
export const ABORT_WAYS: [string, () => AbortWay][] = [
  ['a signal', () => bySignal(undefined)],
  ['a signal with a reason', () => bySignal(new Error('the user left'))],
  ['a signal with a reason that is no error', () => bySignal('the user left')],
  ['a cancel token', byToken],
];

/** The error and what it names as `cause`, on to the end. */
export function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let current = error; current !== undefined && causes.length < 10; current = (current as Error | undefined)?.cause) {
    causes.push(current);
    if (typeof current !== 'object' || current === null) break;
  }
  return causes;
}
