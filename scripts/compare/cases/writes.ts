/** Which requests may be repeated. */
import { counted, ended, plural, requests, type Scenario, type World } from '../scenario';
import type { Step } from '../service';
import { jitter } from '../subjects';

const UNUSED = 'http://127.0.0.1:9';

function sends(method: string, step: Step, headers: Record<string, string> = {}): (world: World) => Promise<string> {
  return async (world) => {
    world.service.answers(step, 200);
    const data = ['post', 'put', 'patch'].includes(method) ? { a: 1 } : undefined;
    return counted(world, world.attached({ delay: 0 }).request({ method, url: '/', data, headers }));
  };
}

/** A POST that nobody listens for is counted where it is sent from. */
async function refused({ bare, subject }: World): Promise<string> {
  const api = bare({ baseURL: UNUSED });
  let sent = 0;
  api.interceptors.request.use((config) => (sent++, config));
  subject.attach(api, { delay: 0 });
  const end = await ended(api.post('/', {}));
  return `${plural(sent, 'attempt')}, ${end}`;
}

async function redirected(world: World): Promise<string> {
  const { service, attached } = world;
  service.answers({ status: 303, headers: { location: `${UNUSED}/receipt` } });
  await ended(attached({ delay: 0 }).post('/orders', {}));
  return requests(service.count);
}

async function optedIn(world: World): Promise<string> {
  const { service, attached } = world;
  service.answers(503, 200, 400);
  const api = attached({ delay: 0, methods: ['POST'] });
  const first = await counted(world, api.post('/', {}));
  return `${first}; then ${await counted(world, api.post('/', {}))}`;
}

async function makesKey({ service, bare, subject }: World): Promise<string> {
  service.answers(503, 503, 200);
  const api = bare();
  if (subject.name === jitter.name) jitter.with(api, { baseDelay: 0, idempotencyKey: true });
  await ended(api.post('/', {}));
  const keys = new Set(service.received.map(({ headers }) => headers['idempotency-key']));
  return `${requests(service.count)}, ${keys.size} key`;
}

export const writes: readonly Scenario[] = [
  { id: 'R51', title: 'POST, the connection breaks after the request was read', right: '1 request, fails ECONNRESET', run: sends('post', 'reset') },
  { id: 'R51', title: 'GET, the connection breaks', right: '2 requests, 200', run: sends('get', 'reset') },
  { id: 'R120', title: 'POST, connection refused: it was never sent', right: '4 attempts, fails ECONNREFUSED', run: refused },
  { id: 'R54', title: 'POST, 503', right: '1 request, fails 503', run: sends('post', 503) },
  { id: 'own', title: 'PUT, 503', right: '2 requests, 200', run: sends('put', 503) },
  { id: 'own', title: 'DELETE, 503', right: '2 requests, 200', run: sends('delete', 503) },
  { id: 'own', title: 'PATCH, 503', right: '1 request, fails 503', run: sends('patch', 503) },
  { id: 'R55', title: 'POST with an Idempotency-Key of the caller, 503', right: '2 requests, 200', run: sends('post', 503, { 'Idempotency-Key': 'order-7' }) },
  { id: 'F03', title: 'POST with an empty Idempotency-Key, 503', right: '1 request, fails 503', run: sends('post', 503, { 'Idempotency-Key': '' }) },
  { id: 'R55', title: 'one generated key on all attempts of a POST', right: '3 requests, 1 key', noWay: ['axios-retry', 'retry-axios', 'axios-retryer'], run: makesKey },
  { id: 'R52', title: 'POST allowed by an option: 503 is retried, 400 is not', right: '2 requests, 200; then 3 requests, fails 400', run: optedIn },
  { id: 'S01', title: 'POST is done and redirected to a port where nobody listens', right: '1 request', run: redirected },
];
