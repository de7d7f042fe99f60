/** What the server asks for: Retry-After and its kin. */
import { counted, ended, type Scenario, type World } from '../scenario';
import { jitter, type Policy } from '../subjects';

const SECOND = 1_000;

/** The longest wait after an answer with these headers, against the wait that is right. */
async function waited(world: World, headers: Record<string, string>, policy: Policy = {}): Promise<string> {
  const { service, attached, waits } = world;
  service.answers({ status: 429, headers }, 200);
  const end = await counted(world, attached(policy).get('/'));
  const longest = Math.round(waits.longest);
  // Node fires such a timer after 1 ms.
  return `${end}, waited ${longest > 2 ** 31 - 1 ? '1 ms: the timer overflows' : `${longest} ms`}`;
}

async function atLeast(world: World, ms: number, headers: Record<string, string>, policy: Policy = {}): Promise<string> {
  const what = await waited(world, headers, policy);
  const { longest } = world.waits;
  return longest >= ms && longest <= 2 * ms + SECOND && what.startsWith('2 requests, 200') ? 'waits long enough' : what;
}

async function retries(world: World, headers: Record<string, string>): Promise<string> {
  const what = await waited(world, headers);
  return what.startsWith('2 requests, 200') && world.waits.longest < 5 * SECOND ? 'sends again' : what;
}

async function tooLong(world: World, seconds: number): Promise<string> {
  const what = await waited(world, { 'retry-after': String(seconds) });
  return what.startsWith('1 request, fails 429') ? 'fails at once with the 429' : what;
}

/** The server's clock is an hour behind: its date means "in 10 s" all the same. */
async function skewed(world: World): Promise<string> {
  const behind = Date.now() - 3_600 * SECOND;
  const headers = { date: new Date(behind).toUTCString(), 'retry-after': new Date(behind + 10 * SECOND).toUTCString() };
  return atLeast(world, 10 * SECOND, headers);
}

/** 20 clients are told "1 second" in the same instant. */
async function crowd({ service, bare, subject, waits }: World): Promise<string> {
  service.answers((received) => (received.path === '/again' ? 200 : { status: 429, headers: { 'retry-after': '1' } }));
  const clients = Array.from({ length: 20 }, () => {
    const api = bare();
    subject.attach(api, { retries: 1 });
    return ended(api.get('/'));
  });
  await Promise.all(clients);
  const long = waits.asked.filter((ms) => ms >= SECOND);
  const apart = new Set(long.map((ms) => Math.round(ms / 10))).size;
  if (long.length < 20) return 'they come back early';
  return apart > 10 ? 'they come back spread' : 'all come back in the same instant';
}

async function ignored({ service, bare, subject, waits }: World): Promise<string> {
  service.answers({ status: 429, headers: { 'retry-after': '60' } }, 200);
  const api = bare();
  if (subject.name === jitter.name) jitter.with(api, { baseDelay: 50, retryAfter: false });
  else if (subject.name === 'retry-axios') {
    subject.attach(api, { delay: 50 });
    Object.assign(api.defaults.raxConfig ?? {}, { checkRetryAfter: false });
  } else subject.attach(api, { delay: 50 });
  const end = await ended(api.get('/'));
  return waits.longest < SECOND ? `${end}, at once` : `${end}, waited ${waits.longest} ms`;
}

async function inTheBody({ service, bare, subject, waits }: World): Promise<string> {
  service.answers({ status: 429, body: '{"retry_after":1.2}' }, 200);
  const api = bare();
  const read = (data: unknown): number => 1_000 * (data as { retry_after: number }).retry_after;
  if (subject.name === jitter.name) jitter.with(api, { retryAfter: ({ data }) => read(data) });
  else {
    const { default: axiosRetry } = await import('axios-retry');
    axiosRetry(api, { retryDelay: (_count, { response }) => read(response?.data) });
  }
  await ended(api.get('/'));
  return waits.longest >= 1_200 ? 'waits long enough' : `waited ${waits.longest} ms`;
}

async function ownWord(world: World, status: number, word: string): Promise<string> {
  world.service.answers({ status, headers: { 'x-should-retry': word } }, 200);
  return counted(world, world.attached({ delay: 0 }).get('/'));
}

export const retryAfter: readonly Scenario[] = [
  { id: 'R40', title: '429 with `Retry-After: 1`, default delays', right: 'waits long enough', run: (world) => atLeast(world, SECOND, { 'retry-after': '1' }) },
  { id: 'R40', title: 'the same with a custom delay of 10 ms', right: 'waits long enough', run: (world) => atLeast(world, SECOND, { 'retry-after': '1' }, { delay: 10 }) },
  { id: 'R40', title: 'the same as a date', right: 'waits long enough', run: (world) => atLeast(world, 8 * SECOND, { 'retry-after': new Date(Date.now() + 10 * SECOND).toUTCString() }) },
  { id: 'own', title: 'a date of a server whose clock is an hour behind', right: 'waits long enough', run: skewed },
  { id: 'R41', title: '`Retry-After: 0`', right: 'sends again', run: (world) => retries(world, { 'retry-after': '0' }) },
  { id: 'R43', title: '`Retry-After: soon` cannot be parsed', right: 'sends again', run: (world) => retries(world, { 'retry-after': 'soon' }) },
  { id: 'R43', title: '`Retry-After: -5`', right: 'sends again', run: (world) => retries(world, { 'retry-after': '-5' }) },
  { id: 'R45', title: '`Retry-After: 3600`, default settings', right: 'fails at once with the 429', run: (world) => tooLong(world, 3_600) },
  { id: 'own', title: '`Retry-After: 2592000` (30 days, more than a timer can count)', right: 'fails at once with the 429', run: (world) => tooLong(world, 2_592_000) },
  { id: 'R46', title: 'Retry-After is ignored where an option says so', right: '200, at once', run: ignored },
  { id: 'R50', title: '`retry-after-ms: 1300`', right: 'waits long enough', run: (world) => atLeast(world, 1_300, { 'retry-after-ms': '1300' }) },
  { id: 'R50', title: '500 with `x-should-retry: false`', right: '1 request, fails 500', run: (world) => ownWord(world, 500, 'false') },
  { id: 'R50', title: '409 with `x-should-retry: true`', right: '2 requests, 200', run: (world) => ownWord(world, 409, 'true') },
  { id: 'S17', title: 'an API that gives the wait in the body', right: 'waits long enough', noWay: ['retry-axios', 'axios-retryer'], run: inTheBody },
  { id: 'own', title: '20 clients get `Retry-After: 1` at the same moment', right: 'they come back spread', run: crowd },
];
