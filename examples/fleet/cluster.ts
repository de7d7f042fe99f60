import cluster from 'node:cluster';
import type { RetryAfterChannel, RetryAfterNote } from 'axios-jitter';

// Import this in the primary too: it forwards messages.
cluster.on('message', (sender, note: RetryAfterNote) => {
  for (const worker of Object.values(cluster.workers ?? {})) {
    if (worker !== sender && note['axios-jitter'] === 1) worker?.send(note, () => undefined);
  }
});

class ClusterChannel extends EventTarget {
  postMessage(note: RetryAfterNote): void {
    process.send?.(note);
  }
}
const channel = new ClusterChannel();
process.on('message', (data) => channel.dispatchEvent(new MessageEvent('message', { data })));

export const clusterChannel: RetryAfterChannel = channel;
