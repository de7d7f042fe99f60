/** One answer's Retry-After, held for everybody who calls the same origin. */
import type { RetryAfterChannel } from '../options/retry-options';
import { spreadRetryAfter } from '../policy/backoff';
import type { Pause } from '../policy/pause';
import { safely } from '../watch/observers';
import type { Attachment, Call, Config } from './call';
import { checkInterrupt } from './hooks';
import { wait } from './wait';

/** Leaves the origin alone for `ms` from now on; a pause that is on is never shortened. Returns how much longer it has become. */
export function hold({ pauses, options }: Attachment, origin: string, ms: number, asked: number): number {
  const now = options.now();
  const known = pauseOf({ pauses, options }, origin);
  const before = known?.until ?? now;
  const until = Math.max(before, now + ms);
  if (until > now) pauses.set(origin, { until, asked: Math.max(asked, known?.asked ?? 0) }, now);
  return until - before;
}

/** Shares what the origin asked for with the other calls to it. No longer than `maxRetryAfter` is held. */
export function share(call: Call, origin: string, retryAfter: number): void {
  const { maxRetryAfter, retryAfterChannel } = call.options;
  const ms = Math.min(retryAfter, maxRetryAfter);
  // The refusals of a crowd are one note.
  const isNews = hold(call.attachment, origin, ms, ms) > ms / 10;
  if (isNews) safely(() => retryAfterChannel?.postMessage({ 'axios-jitter': 1, origin, retryAfter }));
}

const isTime = (value: unknown): value is number => typeof value === 'number' && value > 0 && value < Infinity;

/** Hears what others were told, until the returned function is called. Whoever may publish may send anything. */
export function hear(attachment: Attachment, channel: RetryAfterChannel & { start?(): void }): () => void {
  const { maxRetryAfter } = attachment.options;
  const onMessage = ({ data }: { data: Record<string, unknown> }): void => {
    const { 'axios-jitter': version, origin, retryAfter, left = retryAfter } = data;
    if (version !== 1 || typeof origin !== 'string' || origin.length > 1_024 || !isTime(retryAfter) || !isTime(left)) return;
    hold(attachment, origin, Math.min(left, maxRetryAfter), Math.min(retryAfter, maxRetryAfter));
  };
  const listener = (event: { data: Record<string, unknown> }): unknown => safely(() => onMessage(event));
  channel.addEventListener('message', listener);
  // A MessagePort holds its messages back until then.
  channel.start?.();
  return () => safely(() => channel.removeEventListener('message', listener));
}

/** The pause that is on. */
export function pauseOf({ pauses, options }: Pick<Attachment, 'pauses' | 'options'>, origin: string): Pause | undefined {
  const now = options.now();
  const pause = pauses.get(origin, now);
  return pause && pause.until > now ? pause : undefined;
}

/**
 * With `'all'`: waits while a pause is on. At the end of a wait it looks again, and waits for what was renewed meanwhile:
 * for `maxRetryAfter` and one spread at most, what a retry has waited before included. @throws as `wait` does
 */
export async function waitForPause(call: Call, config: Config): Promise<void> {
  const { options, attachment } = call;
  const { now } = attachment.options;
  const origin = call.originOf(config);
  const since = call.waited?.since ?? now();
  for (;;) {
    const time = Math.max(now(), call.waited?.until ?? since);
    const pause = pauseOf(attachment, origin);
    const left = pause ? Math.min(pause.until, since + options.maxRetryAfter) - time : 0;
    if (!pause || !(left > 0)) return;
    const ms = spreadRetryAfter(left, options, pause.asked);
    call.waited = { since, until: time + ms };
    await waitOnce(call, ms);
  }
}

async function waitOnce(call: Call, ms: number): Promise<void> {
  const { totalTimeout } = call.options;
  if (totalTimeout !== undefined && call.elapsed + ms >= totalTimeout) call.watch().interrupt('deadline');
  try {
    await wait(call, ms);
  } finally {
    call.endWaiting();
  }
  checkInterrupt(call);
  call.totalDelay += ms;
}
