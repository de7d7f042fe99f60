/** Kindness to the service: delays, budgets, breakers, sockets. */
import { Agent } from 'node:http';
import { AxiosError, type InternalAxiosRequestConfig } from 'axios';
import { circuitBreaker } from 'axios-jitter/cockatiel';
import { createCircuitBreaker } from 'axios-retryer/plugins/CircuitBreakerPlugin';
import { counted, ended, type Scenario, type World } from '../scenario';
import { jitter, makeRetryer } from '../subjects';
import { rest } from '../waits';

const waitsOf = ({ waits }: World): number[] => waits.asked.filter((ms) => ms > 0);

async function quiet({ service, attached, waits }: World): Promise<string> {
  service.answers(200);
  const end = await ended(attached().get('/'));
  return waits.asked.length === 0 ? `${end}, no wait` : `${end}, waits ${waits.asked.join(' and ')} ms`;
}

async function spread(world: World): Promise<string> {
  const { service, attached, waits } = world;
  service.answers(503);
  const api = attached({ retries: 1 });
  const first: number[] = [];
  for (let call = 0; call < 20; call++) {
    waits.asked.length = 0;
    await ended(api.get('/'));
    first.push(Math.round(waits.longest));
  }
  return new Set(first).size > 10 ? 'spread' : `always ${[...new Set(first)].join(' or ')} ms`;
}

async function pauses(world: World): Promise<string> {
  world.service.answers(503);
  await ended(world.attached({ retries: 1 }).get('/'));
  return world.waits.longest > 1 ? 'waits' : 'comes back at once';
}

async function bounded(world: World): Promise<string> {
  const { service, attached } = world;
  service.answers(503);
  await ended(attached({ retries: 12 }).get('/'));
  const longest = Math.max(...waitsOf(world));
  return longest <= 60_000 ? 'at most a minute' : `${Math.round(longest / 1_000)} s`;
}

async function outage({ attached }: World): Promise<string> {
  let sent = 0;
  const adapter = (config: InternalAxiosRequestConfig): Promise<never> => {
    sent += 1;
    const response = { data: '', status: 503, statusText: '', headers: {}, config };
    return Promise.reject(new AxiosError('503', 'ERR_BAD_RESPONSE', config, {}, response));
  };
  const api = attached({ delay: 0 }, { adapter });
  await Promise.all(Array.from({ length: 200 }, () => ended(api.get('/'))));
  const load = sent / 200;
  return load <= 2 ? 'at most 2 requests a call' : `${load} requests a call`;
}

/** A breaker that opens after 3 failures; what the package offers for it. */
async function breaker(world: World): Promise<string> {
  const { service, bare, subject } = world;
  service.answers(500);
  const api = bare();
  if (subject.name === jitter.name) jitter.with(api, { baseDelay: 0, retries: 5, circuitBreaker: circuitBreaker({ minimumAttempts: 3, threshold: 0.5 }) });
  else makeRetryer(api, { retries: 5 }).use(createCircuitBreaker({ failureThreshold: 3, openTimeout: 30_000 } as never) as never);
  await ended(api.get('/'));
  const first = service.count;
  await ended(api.get('/'));
  return `${first} requests, then ${service.count - first}`;
}

async function sharedPause({ service, bare }: World): Promise<string> {
  service.answers({ status: 429, headers: { 'retry-after': '1' } }, 200);
  const api = bare();
  const slept: number[] = [];
  jitter.with(api, { shareRetryAfter: 'all', sleep: (ms) => Promise.resolve(void slept.push(ms)) });
  const first = ended(api.get('/'));
  while (service.count < 1) await rest(5);
  await rest(20);
  await Promise.all([first, ended(api.get('/'))]);
  return slept.length === 2 && slept.every((ms) => ms > 500) ? 'the second call waits too' : `waits: ${slept.join(', ')}`;
}

/** One socket, and the failed answer is a stream that nobody reads. */
async function socketFreed(world: World): Promise<string> {
  const { service, attached } = world;
  service.answers({ status: 503, body: 'x'.repeat(200_000) }, 200);
  const httpAgent = new Agent({ keepAlive: true, maxSockets: 1 });
  const api = attached({ delay: 0 }, { httpAgent, responseType: 'stream', timeout: 3_000 });
  const end = await counted(world, api.get('/'));
  httpAgent.destroy();
  return end;
}

async function manyAtOnce({ service, attached }: World): Promise<string> {
  service.answers(200);
  const start = performance.now();
  await Promise.all(Array.from({ length: 50 }, () => ended(attached().get('/'))));
  return performance.now() - start < 5_000 ? 'all answered' : 'slow';
}

const noBreaker = ['axios-retry', 'retry-axios'] as const;
export const protection: readonly Scenario[] = [
  { id: 'own', title: 'a call that succeeds at once waits for nothing else', right: '200, no wait', run: quiet },
  { id: 'R96', title: 'there is a delay before the first retry, by default', right: 'waits', run: pauses },
  { id: 'R97', title: 'default delays of 20 clients are spread at random', right: 'spread', run: spread },
  { id: 'R97', title: 'default delays of 12 retries have a bound', right: 'at most a minute', run: bounded },
  { id: 'R104', title: 'an outage: 200 calls at once, 3 retries each', right: 'at most 2 requests a call', run: outage },
  { id: 'R100', title: 'a circuit breaker that opens after 3 failures; 5 retries, two calls', right: '3 requests, then 0', noWay: noBreaker, run: breaker },
  { id: 'R106', title: 'one 429 with a delay holds other calls back too', right: 'the second call waits too', noWay: ['axios-retry', 'retry-axios', 'axios-retryer'], run: sharedPause },
  { id: 'R107', title: 'a streamed 503 that nobody reads, one socket: the socket is free for the retry', right: '2 requests, 200', run: socketFreed },
  { id: 'own', title: '50 calls at once', right: 'all answered', run: manyAtOnce },
];
