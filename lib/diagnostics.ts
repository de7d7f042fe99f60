/** Retries on Node's diagnostics channels: for tools that watch a process without a word in its set-up of axios. */
import { channel } from 'node:diagnostics_channel';
import { toEventData, type EventData } from './watch/event-data';
import type { RetryEvent } from './watch/events';
import type { RetryObserver } from './watch/observer';

const retry = channel('axios-jitter:retry');
const giveUp = channel('axios-jitter:give-up');
const recover = channel('axios-jitter:recover');

/**
 * An observer that publishes each retry, give-up and recovery as plain data on `axios-jitter:retry`, `axios-jitter:give-up` and
 * `axios-jitter:recover`, in the asynchronous context of the caller. Without a subscriber nothing is built. Node only.
 */
export function diagnostics(): RetryObserver {
  const publisher = (to: typeof retry, name: EventData['event']) => (event: RetryEvent) => {
    if (to.hasSubscribers) to.publish(toEventData(name, event));
  };
  return { onRetry: publisher(retry, 'retry'), onGiveUp: publisher(giveUp, 'give-up'), onRecover: publisher(recover, 'recover') };
}
