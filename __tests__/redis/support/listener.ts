// Who hears a channel, and waits for what it hears: by order and number, not by the clock.
import { setTimeout as sleep } from 'node:timers/promises';

import type { RetryAfterChannel, RetryAfterNote } from 'axios-jitter/redis';

export const note = (origin: string, retryAfter = 60_000): RetryAfterNote => ({ 'axios-jitter': 1, origin, retryAfter });

/** Waits until it is so, for not longer than a test may take. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const endsAt = Date.now() + 15_000;
  while (!(await isSo())) {
    if (Date.now() > endsAt) throw new Error(`never came true: ${String(isSo)}`);
    await sleep(10);
  }
}

export interface Heard {
  readonly notes: RetryAfterNote[];
  readonly origins: string[];
  stop(): void;
}

export function hear(channel: RetryAfterChannel): Heard {
  const notes: RetryAfterNote[] = [];
  const listener = ({ data }: { data: RetryAfterNote }): void => void notes.push(data);
  channel.addEventListener('message', listener);
  return {
    notes,
    get origins() {
      return notes.map(({ origin }) => origin);
    },
    stop: () => channel.removeEventListener('message', listener),
  };
}
