/** Failures that can heal, and failures that cannot. */
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { AxiosRequestConfig } from 'axios';
import { selfSigned } from '../../../__tests__/helpers/self-signed';
import { counted, ended, plural, type Scenario, type World } from '../scenario';
import type { Step } from '../service';
import { jitter } from '../subjects';

function gets(steps: readonly [Step, ...Step[]], config: AxiosRequestConfig = {}): (world: World) => Promise<string> {
  return async (world) => {
    world.service.answers(...steps);
    return counted(world, world.attached({ delay: 0 }).get('/', config));
  };
}

const once = (status: number): Scenario => ({ id: 'R59', title: `GET, ${status}`, right: `1 request, fails ${status}`, run: gets([status, 200]) });
const again = (id: string, status: number): Scenario => ({ id, title: `GET, ${status}`, right: '2 requests, 200', run: gets([status, 200]) });

/** Attempts are counted where they are sent from. */
async function attempts(world: World, config: AxiosRequestConfig): Promise<string> {
  const { bare, subject } = world;
  const api = bare();
  let sent = 0;
  api.interceptors.request.use((request) => (sent++, request));
  subject.attach(api, { delay: 0 });
  const end = await ended(api.get('/', config));
  return `${plural(sent, 'attempt')}, ${end}`;
}

async function certificate(world: World): Promise<string> {
  const server = https.createServer(selfSigned, (_request, response) => response.end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseURL = `https://localhost:${(server.address() as AddressInfo).port}`;
  try {
    return await attempts(world, { baseURL, family: 4 } as AxiosRequestConfig);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function accepted(world: World): Promise<string> {
  world.service.answers(503, 200);
  return counted(world, world.attached({ delay: 0 }, { validateStatus: () => true }).get('/'));
}

/** 200 with a body that says "try later", by whatever option the package has for it. */
async function pending(world: World): Promise<string> {
  const { service, bare, subject } = world;
  service.answers({ status: 200, body: '{"state":"pending"}' }, { status: 200, body: '{"state":"done"}' });
  const api = bare();
  const isPending = ({ data }: { data: { state?: string } }): boolean => data.state === 'pending';
  if (subject.name === jitter.name) jitter.with(api, { baseDelay: 0, shouldRetryResponse: isPending });
  else {
    const { default: axiosRetry } = await import('axios-retry');
    axiosRetry(api, { retryCondition: () => true, validateResponse: (response) => !isPending(response as never) });
  }
  return counted(world, api.get('/'));
}

async function pendingForEver(world: World): Promise<string> {
  world.service.answers({ status: 200, body: '{"state":"pending"}' });
  const { bare, subject } = world;
  const api = bare();
  if (subject.name === jitter.name) jitter.with(api, { baseDelay: 0, retries: 2, shouldRetryResponse: () => true });
  else {
    const { default: axiosRetry } = await import('axios-retry');
    axiosRetry(api, { retries: 2, retryCondition: () => true, validateResponse: () => false });
  }
  return counted(world, api.get('/'));
}

const html = { status: 503, headers: { 'content-type': 'text/html' }, body: '<h1>busy</h1>' };
const noResponseOption = ['retry-axios', 'axios-retryer'] as const;

export const failures: readonly Scenario[] = [
  ...[400, 401, 404, 409, 501, 505].map(once),
  ...[408, 425, 429, 500, 502, 504].map((status) => again('R59', status)),
  ...[522, 529].map((status) => again('S14', status)),
  { id: 'R120', title: 'a host name that DNS does not resolve (yet)', right: '4 attempts, fails ENOTFOUND', run: (world) => attempts(world, { baseURL: 'http://nobody.invalid' }) },
  { id: 'R119', title: 'a response that is cut off in the middle', right: '2 requests, 200', run: gets(['cut', 200]) },
  { id: 'R58', title: 'a response longer than `maxContentLength`', right: '1 request, fails ERR_BAD_RESPONSE', run: gets([{ status: 200, body: '"0123456789"' }], { maxContentLength: 5 }) },
  { id: 'R58', title: 'a redirect loop', right: '1 attempt, fails ERR_FR_TOO_MANY_REDIRECTS', run: (world) => (world.service.answers({ status: 302, headers: { location: '/' } }), attempts(world, { maxRedirects: 2 })) },
  { id: 'R58', title: 'a self-signed certificate', right: '1 attempt, fails DEPTH_ZERO_SELF_SIGNED_CERT', run: certificate },
  { id: 'R58', title: 'an invalid URL', right: '1 attempt, fails "Invalid URL"', run: (world) => attempts(world, { baseURL: 'http://[' }) },
  { id: 'R58', title: 'invalid JSON, with `responseType: \'json\'`', right: '1 request, fails 200', run: gets([{ status: 200, body: '{' }], { responseType: 'json', transitional: { silentJSONParsing: false } }) },
  { id: 'S07', title: '503 with an HTML page where JSON is demanded', right: '2 requests, 200', run: gets([html, 200], { responseType: 'json', transitional: { silentJSONParsing: false } }) },
  { id: 'R75', title: '503 that `validateStatus` accepts', right: '2 requests, 200', run: accepted },
  { id: 'R76', title: '200 whose body says "pending"', right: '2 requests, 200', noWay: noResponseOption, run: pending },
  { id: 'R76', title: 'the same for ever: the caller gets the last response', right: '3 requests, 200', noWay: noResponseOption, run: pendingForEver },
];
