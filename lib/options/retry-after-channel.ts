/** What carries a shared Retry-After to other processes, threads or tabs. */

/** One answer's Retry-After, as plain data. */
export interface RetryAfterNote {
  /** The version of the note. */
  'axios-jitter': 1;
  /** Where the server asked for it: the call's `origin`. */
  origin: string;
  /** What the server asked for, in ms, > 0. */
  retryAfter: number;
  /** What is left of it, in ms, where a note is read later. @default retryAfter */
  left?: number;
}

/** A `BroadcastChannel` or a `MessagePort` fits as it is. */
export interface RetryAfterChannel {
  postMessage(message: RetryAfterNote): unknown;
  // Every platform has an event type of its own.
  /* eslint-disable @typescript-eslint/no-explicit-any */
  addEventListener(type: 'message', listener: (event: any) => void): void;
  removeEventListener(type: 'message', listener: (event: any) => void): void;
  /* eslint-enable @typescript-eslint/no-explicit-any */
}
