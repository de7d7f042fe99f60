/** Cancelling. */
import axios from 'axios';
import { counted, ended, requests, times, type Scenario, type World } from '../scenario';
import { jitter } from '../subjects';
import { rest } from '../waits';

const WAIT = 400;

/** Aborts as soon as the package waits; says how long it took to reject. */
async function inTheWait(world: World, cancel: { abort: () => void; config: object }): Promise<string> {
  const { service, attached, waits } = world;
  service.answers(500);
  waits.isReal = true;
  let aborted = 0;
  waits.onWait = (ms) => {
    if (ms < WAIT || aborted > 0) return;
    aborted = performance.now();
    queueMicrotask(cancel.abort);
  };
  const end = await ended(attached({ delay: WAIT }).get('/', cancel.config));
  const late = performance.now() - aborted > WAIT / 2 ? ', late' : '';
  await rest(WAIT + 100);
  return `${requests(service.count)}, ${end}${late}`;
}

function bySignal(): { abort: () => void; config: object } {
  const controller = new AbortController();
  return { abort: () => controller.abort(), config: { signal: controller.signal } };
}

function byToken(): { abort: () => void; config: object } {
  const source = axios.CancelToken.source();
  return { abort: () => source.cancel('stop'), config: { cancelToken: source.token } };
}

async function beforehand(world: World): Promise<string> {
  return counted(world, world.attached({ delay: 0 }).get('/', { signal: AbortSignal.abort() }));
}

async function inFlight(world: World): Promise<string> {
  const { service, attached } = world;
  service.answers('hang');
  const controller = new AbortController();
  let told = 0;
  const api = attached({ delay: 0, onRetry: () => void told++ });
  const call = ended(api.get('/', { signal: controller.signal }));
  await rest(60);
  controller.abort();
  const end = await call;
  await rest(60);
  return `${requests(service.count)}, ${end}, hook ran ${times(told)}`;
}

async function secondAttempt({ service, attached, unhandled }: World): Promise<string> {
  service.answers(500, 'hang');
  const controller = new AbortController();
  const call = ended(attached({ delay: 0 }).get('/', { signal: controller.signal }));
  while (service.count < 2) await rest(5);
  controller.abort();
  const end = await call;
  await rest(50);
  return `${requests(service.count)}, ${end}, ${unhandled.length} unhandled`;
}

async function endless({ bare, subject }: World): Promise<string> {
  const controller = new AbortController();
  let sent = 0;
  const adapter = (config: object): Promise<never> => {
    sent += 1;
    // Whoever starves the event loop is stopped from here.
    if (sent > 2_000) controller.abort();
    if (sent > 2_100) return new Promise(() => undefined);
    return Promise.reject(Object.assign(new axios.AxiosError('reset', 'ECONNRESET', config as never)));
  };
  const api = bare({ adapter });
  // A retry budget ends it long before.
  if (subject.name === jitter.name) jitter.with(api, { retries: 5_000, baseDelay: 0, budget: false });
  else subject.attach(api, { retries: 5_000, delay: 0 });
  const call = ended(api.get('/', { signal: controller.signal }));
  await Promise.race([call, rest(20)]);
  controller.abort();
  const end = await call;
  return `${end}${sent > 2_000 ? ', the event loop starved' : ''}`;
}

export const cancel: readonly Scenario[] = [
  { id: 'R32', title: 'aborted in the wait: rejects at once, sends nothing more', right: '1 request, cancelled', run: (world) => inTheWait(world, bySignal()) },
  { id: 'R32', title: 'cancelled by a token in the wait', right: '1 request, cancelled', run: (world) => inTheWait(world, byToken()) },
  { id: 'R33', title: 'aborted before the call', right: '0 requests, cancelled', run: beforehand },
  { id: 'R35', title: 'aborted in flight: no retry, no hook', right: '1 request, cancelled, hook ran 0 times', run: inFlight },
  { id: 'R36', title: 'aborted during the second attempt: one rejection, nothing unhandled', right: '2 requests, cancelled, 0 unhandled', run: secondAttempt },
  { id: 'F24', title: 'endless retries without delay, aborted after 20 ms', right: 'cancelled', run: endless },
];
