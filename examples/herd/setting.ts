/** What the demo runs, in reality and in the simulation. */
import type { RetryOptions } from 'axios-jitter';

export const clients = 500;
/** axios' timeout of an attempt, in ms. */
export const timeout = 1_000;
export const outage = 3_000;
/** Ten requests at a time of 100 ms each: 100 requests/s. Turning one away costs 30 % of the work of serving one. */
export const service = { capacity: 100, concurrency: 10, latency: 100, rejectCost: 0.3 };
/** One way in the simulation, in ms: not loopback, but one process that needs some 300 ms to send 500 requests. */
export const network = { delay: 60, jitter: 40 };
/** A real run ends here whatever happens, in ms. */
export const limit = 40_000;

const endless = { retries: Infinity, budget: false } as const;
export const policies: Readonly<Record<'fixed' | 'full', RetryOptions>> = {
  fixed: { ...endless, baseDelay: 1_000, factor: 1, jitter: 'none' },
  full: { ...endless, maxDelay: 5_000 },
};

/** The header that tells the server which requests are retries. */
export const attemptHeader = 'x-attempt';
