/** Times for a person. */

/** 412 ms, 2.5 s, 3.2 min. */
export function formatTime(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${Number((ms / 1_000).toFixed(1))} s` : `${Number((ms / 60_000).toFixed(1))} min`;
}
