/** One policy against the scenario: events in the order of virtual time. No timer, no clock. */
import { ClientHeap } from './event-queue';
import type { CompleteScenario } from './complete';
import { Clients } from './clients';
import type { Policy } from './scenario';
import { summarize, type PolicyResult } from './result';
import { Tally } from './tally';

/** How far a simulation is. */
export interface Progress {
  readonly policy: string;
  /** Policies that are done, and how many there are. */
  readonly done: number;
  readonly policies: number;
  /** Calls of this policy that have ended, and how many there are. */
  readonly settled: number;
  readonly clients: number;
  /** Simulated time in ms, and requests so far. */
  readonly time: number;
  readonly requests: number;
}

const EVENTS_PER_STEP = 100_000;

/** Runs to the end; between steps it says how far it is. */
export function* runPolicy(
  name: string,
  policy: Policy,
  scenario: CompleteScenario,
): Generator<Pick<Progress, 'settled' | 'time' | 'requests'>, PolicyResult> {
  const { clients, horizon, maxRequests } = scenario;
  const tally = new Tally(clients);
  const queue = new ClientHeap(clients);
  const crowd = new Clients(policy, scenario, tally);
  for (let client = 0; client < clients; client++) queue.push(crowd.start(client), client);
  let time = 0;
  let events = 0;
  while (queue.size > 0 && queue.time < horizon && tally.total < maxRequests) {
    time = queue.time;
    const next = crowd.handle(queue.client, time);
    if (next === undefined) queue.removeTop();
    else queue.replaceTop(next);
    if (++events % EVENTS_PER_STEP === 0) yield { settled: tally.settled, time, requests: tally.total };
  }
  const { maxRetries, notes } = crowd;
  return summarize(tally, scenario, { policy: name, maxRetries, endedAt: Math.round(time), truncated: queue.size > 0, notes });
}
