/** What the demo runs: one API key, one quota, many workers. `FLEET=small` is for tests. */
const full = { workers: 8, calls: 50, every: 200, quota: { requests: 125, window: 5_000 } };
const small = { workers: 2, calls: 20, every: 50, quota: { requests: 20, window: 1_000 } };
/**
 * `calls` of each worker, one every `every` ms, whether or not the others have ended: 40 requests a second against a quota of
 * 25 (small: 20), counted in windows.
 */
export const { workers, calls, every, quota } = process.env['FLEET'] === 'small' ? small : full;
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
