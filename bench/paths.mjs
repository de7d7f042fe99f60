// The success path in memory and over HTTP, and the retry path: time, in rounds.
import http from 'node:http';
import { compare, runRounds, timeCalls } from './rounds.mjs';
import { all, countedRequest, failThrice, makeSubject, RETRIES, succeed } from './subjects.mjs';

const makeAll = (make) => Object.fromEntries(all.map((name) => [name, { api: make(name) }]));

const compareTimes = (results) => ({
  cpu: compare(results, 'bare', (round, name) => round[name].cpu),
  wall: compare(results, 'bare', (round, name) => round[name].wall),
});
// Calls of each subject before the rounds that count: the more code, the longer it takes until it is optimised.
const WARM_UP = 5_000;
const withWarmUp = (rounds, calls) => ({ rounds, warmUp: Math.ceil(WARM_UP / calls) });

export async function successInMemory(concurrency, { rounds, calls }) {
  const subjects = makeAll((name) => makeSubject(name, { adapter: succeed }));
  const results = await runRounds(subjects, (subject) => timeCalls(subject, calls, concurrency), withWarmUp(rounds, calls));
  return compareTimes(results);
}

export async function successOverHttp(concurrency, baseURL, { rounds, calls }) {
  const agents = [];
  const subjects = makeAll((name) => {
    const httpAgent = new http.Agent({ keepAlive: true, maxSockets: concurrency });
    agents.push(httpAgent);
    return makeSubject(name, { baseURL, httpAgent, proxy: false });
  });
  const results = await runRounds(subjects, (subject) => timeCalls(subject, calls, concurrency), withWarmUp(rounds, calls));
  for (const agent of agents) agent.destroy();
  return compareTimes(results);
}

/** Bare axios with calls that succeed at once, beside the plugins with calls that need all retries. */
export function retrySubjects() {
  const make = (name) => ({ api: makeSubject(name, { adapter: name === 'bare' ? succeed : failThrice }), makeConfig: countedRequest });
  return Object.fromEntries(all.map((name) => [name, make(name)]));
}

/** What a retry costs: the call, less what a call that succeeds at once costs in the same round, by the retries. */
export const perRetry = (metric) => (round, name) =>
  name === 'bare' ? undefined : (round[name][metric] - round.bare[metric]) / RETRIES;

/** @param subjects of `retrySubjects`; `isWarm`: they were measured before */
export async function retryPath(subjects, concurrency, { rounds, calls, isWarm }) {
  const results = await runRounds(subjects, (subject) => timeCalls(subject, calls, concurrency), isWarm ? { rounds, warmUp: 1 } : withWarmUp(rounds, calls));
  return compare(results, 'floor', perRetry('cpu'));
}
