/** Timeouts of an attempt, of a whole call. */
import type { AxiosInstance, InternalAxiosRequestConfig } from 'axios';
import { counted, ended, requests, type Scenario, type World } from '../scenario';
import { jitter } from '../subjects';
import { rest } from '../waits';

async function timedOut(world: World, method: 'get' | 'post', clarify = false): Promise<string> {
  const { service, attached } = world;
  service.answers('hang', 200);
  const api = attached({ delay: 0 }, { timeout: 500, transitional: { clarifyTimeoutError: clarify } });
  return counted(world, api.request({ method, url: '/' }));
}

async function bothFlags(world: World): Promise<string> {
  const first = await timedOut(world, 'get', false);
  world.service.received.length = 0;
  const second = await timedOut(world, 'get', true);
  const decision = (what: string): string => what.replace(/fails .*/, 'fails');
  return decision(first) === decision(second) ? 'the same' : `${first}; ${second}`;
}

function noting(api: AxiosInstance, timeouts: (number | undefined)[]): void {
  api.interceptors.request.use((config: InternalAxiosRequestConfig) => {
    timeouts.push(config.timeout);
    return config;
  });
}

async function perAttempt({ service, bare, subject }: World): Promise<string> {
  service.answers('hang');
  const api = bare({ timeout: 80 });
  const timeouts: (number | undefined)[] = [];
  noting(api, timeouts);
  subject.attach(api, { delay: 0, retries: 2, shouldRetry: () => true });
  await ended(api.get('/'));
  return timeouts.join(', ');
}

/** Ends in good time, whatever way the package has to limit a call. */
async function limited({ service, bare, subject, waits }: World): Promise<string> {
  service.answers('hang');
  waits.isReal = true;
  const api = bare({ timeout: subject.name === jitter.name ? 0 : 300 });
  if (subject.name === jitter.name) jitter.with(api, { baseDelay: 0, retries: 5, totalTimeout: 300 });
  else subject.attach(api, { delay: 0, retries: 5, shouldRetry: () => true });
  const call = ended(api.get('/')).then(() => 'ends in time');
  return Promise.race([call, rest(1_200).then(() => 'keeps going')]);
}

async function bothLimits({ service, bare, waits }: World): Promise<string> {
  waits.isReal = true;
  service.answers('hang');
  const api = bare({ timeout: 400 });
  jitter.with(api, { baseDelay: 0, retries: 5, totalTimeout: 1_000 });
  await ended(api.get('/'));
  return requests(service.count);
}

/** The next wait would pass the limit. */
async function pointless({ service, bare, subject, waits }: World): Promise<string> {
  waits.isReal = true;
  service.answers(500);
  const api = bare({ timeout: subject.name === jitter.name ? 0 : 500 });
  if (subject.name === jitter.name) jitter.with(api, { baseDelay: 600, jitter: 'none', totalTimeout: 500 });
  else subject.attach(api, { delay: 600, retries: 4 });
  const end = await ended(api.get('/'));
  return `${requests(service.count)}, ${end}`;
}

export const time: readonly Scenario[] = [
  { id: 'R16', title: 'a GET times out, then 200', right: '2 requests, 200', run: (world) => timedOut(world, 'get') },
  { id: 'R16', title: 'a POST times out: it may have arrived', right: '1 request, fails ECONNABORTED', run: (world) => timedOut(world, 'post') },
  { id: 'R18', title: '`clarifyTimeoutError` off and on: the same decision', right: 'the same', run: bothFlags },
  { id: 'R11', title: '`timeout: 80` of each of 3 attempts', right: '80, 80, 80', run: perAttempt },
  { id: 'R14', title: 'a limit of 300 ms for a call with 5 retries; the server hangs', right: 'ends in time', run: limited },
  { id: 'R15', title: 'a limit per attempt (400 ms) and one for the call (1,000 ms) at once', right: '3 requests', noWay: ['axios-retry', 'retry-axios', 'axios-retryer'], run: bothLimits },
  { id: 'R12', title: 'limit 500 ms, next wait 600 ms: fails now, with the real error', right: '1 request, fails 500', run: pointless },
];
