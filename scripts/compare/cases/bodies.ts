/** What is sent again: bodies and headers. */
import { Readable } from 'node:stream';
import FormData from 'form-data';
import type { AxiosRequestConfig } from 'axios';
import { counted, ended, requests, type Scenario, type World } from '../scenario';
import { jitter } from '../subjects';

const POST = { delay: 0, methods: ['POST'] };

/** Whether all requests had the same body. */
async function sameBody(world: World, makeBody: () => unknown, config: AxiosRequestConfig = {}): Promise<string> {
  const { service, attached } = world;
  service.answers(503, 200);
  await ended(attached(POST).post('/', makeBody(), config));
  const bodies = new Set(
    service.received.map(({ body, headers: { 'content-type': type = '' } }) => {
      const boundary = /boundary=(.*)/.exec(type)?.[1] ?? 'none';
      return `${type} ${body}`.replaceAll(boundary, 'boundary');
    }),
  );
  return `${requests(service.count)}, ${bodies.size === 1 ? 'the same body' : 'different bodies'}`;
}

function oneShot(makeBody: () => unknown): (world: World) => Promise<string> {
  return async (world) => {
    world.service.answers(503, 200);
    return counted(world, world.attached(POST).post('/', makeBody(), { timeout: 1_500 }));
  };
}

function form(): FormData {
  const body = new FormData();
  body.append('name', 'value');
  return body;
}

function nativeForm(): globalThis.FormData {
  const body = new globalThis.FormData();
  body.append('name', 'value');
  return body;
}

/** A fresh stream for each attempt, by an option or in a hook. */
async function freshStream(world: World): Promise<string> {
  const { service, bare, subject } = world;
  service.answers(503, 200);
  const api = bare({ timeout: 1_500 });
  const make = (): Readable => Readable.from([Buffer.from('content')]);
  if (subject.name === jitter.name) jitter.with(api, { baseDelay: 0, methods: ['POST'], body: make });
  else subject.attach(api, { ...POST, beforeRetry: (config) => void (config.data = make()) });
  await ended(api.post('/', make()));
  return service.received.map(({ body }) => body).join(', ');
}

async function ownTransform({ service, attached }: World): Promise<string> {
  service.answers(503, 200);
  const transformRequest = [(data: unknown): string => JSON.stringify({ wrapped: data })];
  await ended(attached(POST).post('/', 'x', { transformRequest }));
  return service.received.map(({ body }) => body).join(', ');
}

async function editedInPlace({ service, bare, subject }: World): Promise<string> {
  service.answers(503, 200);
  const api = bare();
  api.interceptors.request.use((config) => {
    (config.params as { list: number[] }).list.push(1);
    return config;
  });
  subject.attach(api, { delay: 0 });
  await ended(api.get('/', { params: { list: [] } }));
  return service.received.map(({ path }) => decodeURIComponent(path)).join(', ');
}

async function headersKept({ service, attached }: World): Promise<string> {
  service.answers(500, 200);
  const api = attached({ delay: 0 });
  api.interceptors.request.use((config) => ({ ...config, headers: { ...config.headers } as never }));
  await ended(api.get('/', { headers: { authorization: 'Bearer abc' } }));
  return service.received.map(({ headers }) => headers.authorization).join(', ');
}

async function lengthAgrees({ service, attached }: World): Promise<string> {
  service.answers(500, 200);
  await ended(attached({ delay: 0 }).put('/', { name: 'value' }));
  const agree = service.received.every(({ body, headers }) => Number(headers['content-length']) === body.length && body.length > 0);
  return `${requests(service.count)}, ${agree ? 'lengths agree' : 'lengths differ'}`;
}

async function removedDefault({ service, attached }: World): Promise<string> {
  service.answers(503, 200);
  const api = attached({ delay: 0 }, { headers: { 'x-trace': 'on' } });
  await ended(api.get('/', { headers: { 'x-trace': null } as never }));
  return service.received.map(({ headers }) => headers['x-trace'] ?? 'absent').join(', ');
}

async function frozen(world: World): Promise<string> {
  world.service.answers(503, 200);
  const config = Object.freeze({ headers: Object.freeze({ 'x-a': '1' }) });
  return counted(world, world.attached({ delay: 0 }).get('/', config));
}

async function sameAgent({ service, bare, subject }: World): Promise<string> {
  service.answers(503, 200);
  const { Agent } = await import('node:http');
  const seen = new Set<unknown>();
  const api = bare({ httpAgent: new Agent() });
  api.interceptors.request.use((config) => {
    seen.add(config.httpAgent);
    return config;
  });
  subject.attach(api, { delay: 0 });
  await ended(api.get('/'));
  return seen.size === 1 ? 'one agent' : `${seen.size} agents`;
}

const one = '2 requests, the same body';
export const bodies: readonly Scenario[] = [
  { id: 'R27', title: 'a JSON body is sent again', right: one, run: (world) => sameBody(world, () => ({ a: [1, { b: 2 }] })) },
  { id: 'R27', title: 'URLSearchParams are sent again', right: one, run: (world) => sameBody(world, () => new URLSearchParams({ a: '1' })) },
  { id: 'R27', title: 'a Buffer is sent again', right: one, run: (world) => sameBody(world, () => Buffer.from([0, 255, 10]), { headers: { 'content-type': 'application/octet-stream' } }) },
  { id: 'R27', title: 'a native FormData is sent again', right: one, run: (world) => sameBody(world, nativeForm) },
  { id: 'R19', title: 'a body made with `form-data` can be read once: refused, with the real error', right: '1 request, fails 503', run: oneShot(form) },
  { id: 'own', title: 'a Node stream can be read once: refused, with the real error', right: '1 request, fails 503', run: oneShot(() => Readable.from([Buffer.from('content')])) },
  { id: 'R21', title: 'a fresh stream for each attempt', right: 'content, content', run: freshStream },
  { id: 'R31', title: 'a custom `transformRequest` sees on each attempt what it saw on the first', right: '{"wrapped":"x"}, {"wrapped":"x"}', run: ownTransform },
  { id: 'F18', title: 'an interceptor that edits `params` in place', right: '/?list[]=1, /?list[]=1', run: editedInPlace },
  { id: 'R72', title: 'an interceptor that spreads headers into a plain object', right: 'Bearer abc, Bearer abc', run: headersKept },
  { id: 'R23', title: 'body and content length of a PUT agree', right: '2 requests, lengths agree', run: lengthAgrees },
  { id: 'own', title: 'a default header that the caller removed stays removed', right: 'absent, absent', run: removedDefault },
  { id: 'R82', title: 'a frozen config works', right: '2 requests, 200', run: frozen },
  { id: 'R68', title: 'the same agent object on each attempt', right: 'one agent', run: sameAgent },
];
