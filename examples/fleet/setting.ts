/** What the demo runs: one API key, one quota, many workers. */
export const workers = 8;
/** Calls of each worker, one every `every` ms, whether or not the others have ended. */
export const calls = 50;
export const every = 200;
/** 40 requests a second against a quota of 25, counted in windows of 5 s. */
export const quota = { requests: 125, window: 5_000 };
export const timeout = 5_000;

/** `alone`: each call for itself. `all`: the calls of a process share what one of them was told. `channel`: all processes do. */
export type Mode = 'alone' | 'all' | 'channel';

/** What a worker is told, and what it tells. */
export interface Task {
  readonly mode: Mode;
  readonly url: string;
  /** Without: worker_threads, over a BroadcastChannel. */
  readonly redisUrl?: string | undefined;
}
export interface Done {
  readonly failed: number;
}
