/** Settings: per request, wrong ones, hooks that change the next attempt. */
import type { AxiosRequestConfig } from 'axios';
import { counted, ended, plural, requests, type Scenario, type World } from '../scenario';
import { rest } from '../waits';
import { jitter, type Policy } from '../subjects';

async function ownRetries(world: World, retries: number): Promise<string> {
  const { service, attached, subject, waits } = world;
  service.answers(500);
  await ended(attached({ retries: 5, delay: 30 }).get('/', subject.forRequest({ retries })));
  const delays = waits.asked.filter((ms) => ms === 30).length;
  return `${requests(service.count)}, ${plural(delays, 'wait')} of 30 ms`;
}

async function switchedOff(world: World): Promise<string> {
  const { service, attached, subject } = world;
  service.answers(500);
  const off = subject.name === jitter.name ? { retry: false as const } : subject.forRequest({ retries: 0 });
  return counted(world, attached({ delay: 0 }).get('/', off));
}

async function attachWith(world: World, policy: Policy): Promise<string> {
  const { service, bare, subject } = world;
  service.answers(500);
  const api = bare();
  try {
    subject.attach(api, policy);
  } catch {
    return 'refused when attached';
  }
  const end = await ended(api.get('/', { signal: AbortSignal.timeout(500) }));
  return `accepted: ${service.count > 10 ? 'sent again for ever' : `${requests(service.count)}, ${end}`}`;
}

async function misspelt({ bare, subject }: World): Promise<string> {
  try {
    if (subject.name === jitter.name) jitter.with(bare(), { retrys: 5 } as object);
    else subject.attach(bare(), { retrys: 5 } as object);
    return 'accepted in silence';
  } catch {
    return 'refused when attached';
  }
}

async function sharedConfig({ service, attached }: World): Promise<string> {
  service.answers(500);
  const api = attached({ retries: 2, delay: 0 });
  const config: AxiosRequestConfig = { headers: { 'x-a': '1' } };
  await Promise.all(Array.from({ length: 5 }, () => ended(api.get('/', config))));
  const parallel = service.count;
  await ended(api.get('/', config));
  return `${parallel}, then ${service.count - parallel} requests`;
}

async function oneCounter(world: World): Promise<string> {
  world.service.answers(500, 'reset', 500, 'reset', 200);
  return counted(world, world.attached({ delay: 0, retries: 3 }).get('/'));
}

async function failover({ service, attached }: World): Promise<string> {
  service.answers(200);
  const api = attached({ delay: 0, beforeRetry: (config) => void (config.baseURL = service.url) }, { baseURL: 'http://127.0.0.1:9' });
  const end = await ended(api.get('/'));
  return `${requests(service.count)}, ${end}`;
}

async function awaited({ service, attached }: World): Promise<string> {
  service.answers(({ headers }) => (headers['x-token'] === 'new' ? 200 : 503));
  const beforeRetry = async (config: AxiosRequestConfig): Promise<void> => {
    await rest(50);
    Object.assign(config.headers ?? {}, { 'x-token': 'new' });
  };
  const end = await ended(attached({ delay: 0, beforeRetry }).get('/'));
  return `${requests(service.count)}, ${end}`;
}

/** Five calls are refused until the token is new; the hook fetches it once. */
async function refresh({ service, attached }: World): Promise<string> {
  service.answers(({ headers }) => (headers['x-token'] === 'new' ? 200 : 401));
  let fetched = 0;
  let pending: Promise<string> | undefined;
  const fetchToken = async (): Promise<string> => {
    fetched += 1;
    await rest(30);
    return 'new';
  };
  const api = attached({
    delay: 0,
    retries: 1,
    shouldRetry: (error) => error.response?.status === 401,
    beforeRetry: async (config) => Object.assign(config.headers ?? {}, { 'x-token': await (pending ??= fetchToken()) }),
  });
  const ends = await Promise.all(Array.from({ length: 5 }, () => ended(api.get('/'))));
  return `${new Set(ends).size === 1 ? `all ${ends[0]}` : ends.join()}, ${fetched} refresh`;
}

async function resendHeader({ service, bare }: World): Promise<string> {
  service.answers(500, 500, 200);
  const api = bare();
  jitter.with(api, { baseDelay: 0, attemptHeader: 'x-resend' });
  await ended(api.get('/'));
  return service.received.map(({ headers }) => headers['x-resend'] ?? 'absent').join(', ');
}

async function bodyDecides(world: World): Promise<string> {
  world.service.answers({ status: 429, body: '{"code":"quota"}' });
  const shouldRetry = ({ response }: { response?: { data?: unknown } }): boolean => (response?.data as { code?: string } | undefined)?.code !== 'quota';
  return counted(world, world.attached({ delay: 0, shouldRetry }).get('/'));
}

export const options: readonly Scenario[] = [
  { id: 'R93', title: '`retries: 2` means 3 requests', right: '3 requests, fails 500', run: (world) => (world.service.answers(500), counted(world, world.attached({ retries: 2, delay: 0 }).get('/'))) },
  { id: 'R79', title: 'instance: 5 retries, 30 ms; request: 1 retry', right: '2 requests, 1 wait of 30 ms', run: (world) => ownRetries(world, 1) },
  { id: 'R80', title: 'switched off for one request', right: '1 request, fails 500', run: switchedOff },
  { id: 'R93', title: '`retries: -1` is refused', right: 'refused when attached', run: (world) => attachWith(world, { retries: -1 }) },
  { id: 'R93', title: '`retries: NaN` is refused', right: 'refused when attached', run: (world) => attachWith(world, { retries: NaN }) },
  { id: 'R09', title: 'a misspelt option is refused', right: 'refused when attached', run: misspelt },
  { id: 'R83', title: 'one config object for 5 calls at once, then once more; 2 retries', right: '15, then 3 requests', run: sharedConfig },
  { id: 'R94', title: 'one count over all kinds of failures; 500, reset, 500, reset, 200', right: '4 requests, fails ECONNRESET', run: oneCounter },
  { id: 'R91', title: 'a hook sends the next attempt to another host', right: '1 request, 200', run: failover },
  { id: 'R92', title: 'an async hook is awaited before the next attempt', right: '2 requests, 200', run: awaited },
  { id: 'R84', title: '5 calls get 401; a hook refreshes the token once', right: 'all 200, 1 refresh', run: refresh },
  { id: 'R89', title: 'a header counts the resends', right: 'absent, 1, 2', noWay: ['axios-retry', 'retry-axios', 'axios-retryer'], run: resendHeader },
  { id: 'R59', title: '429 whose body says "quota used up": a condition reads the body', right: '1 request, fails 429', run: bodyDecides },
];
