/** Work for later that nobody waits for. */

/** Calls `work` after `ms`, on a timer that does not keep a process alive. The result takes it back. */
export function later(ms: number, work: () => void): () => void {
  const timer: unknown = setTimeout(work, ms);
  // A number in browsers, an object in Node.
  (timer as { unref?(): void }).unref?.();
  return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
}
