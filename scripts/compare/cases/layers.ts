/** Interceptors of the user's, and attaching itself. */
import { ended, plural, requests, times, type Scenario, type World } from '../scenario';
import { jitter } from '../subjects';

async function unwrapped({ service, attached }: World): Promise<string> {
  service.answers(500, 200);
  const api = attached({ delay: 0 });
  let ran = 0;
  api.interceptors.response.use((response: { data: unknown }) => {
    ran += 1;
    return response.data as never;
  });
  const end = await ended(api.get('/'));
  return `${end}, interceptor ran ${times(ran)}`;
}

async function logged({ service, attached }: World): Promise<string> {
  service.answers(500, 500, 200);
  const api = attached({ delay: 0 });
  let lines = 0;
  const log = <T>(value: T): T => (lines++, value);
  api.interceptors.response.use(log, (error: unknown) => Promise.reject(log(error)));
  await ended(api.get('/'));
  return plural(lines, 'line');
}

async function swallowed({ service, attached }: World): Promise<string> {
  service.answers(500);
  const api = attached({ delay: 0, retries: 2 });
  let ran = 0;
  api.interceptors.response.use(undefined, () => void (ran += 1));
  await ended(api.get('/'));
  return `${requests(service.count)}, interceptor ran ${times(ran)}`;
}

/** A new token for each attempt, from an interceptor that was registered before or after the package. */
async function tokens(world: World, isBefore: boolean): Promise<string> {
  const { service, bare, subject } = world;
  service.answers(503, 200);
  const api = bare();
  let made = 0;
  const sign = (): number =>
    api.interceptors.request.use((config) => {
      made += 1;
      config.headers.set('x-token', `t${made}`);
      return config;
    });
  if (isBefore) sign();
  subject.attach(api, { delay: 0 });
  if (!isBefore) sign();
  await ended(api.get('/'));
  return service.received.map(({ headers }) => headers['x-token']).join(', ');
}

async function allTokens({ service, bare }: World): Promise<string> {
  service.answers(503, 200);
  const api = bare();
  jitter.with(api, { baseDelay: 0, requestInterceptors: 'all' });
  let made = 0;
  api.interceptors.request.use((config) => {
    made += 1;
    config.headers.set('x-token', `t${made}`);
    return config;
  });
  await ended(api.get('/'));
  return service.received.map(({ headers }) => headers['x-token']).join(', ');
}

async function attachedTwice({ service, bare, subject }: World): Promise<string> {
  service.answers(500);
  const api = bare();
  let told = 0;
  const policy = { retries: 2, delay: 0, onRetry: () => void told++ };
  subject.attach(api, policy);
  subject.attach(api, policy);
  await ended(api.get('/'));
  return `${requests(service.count)}, hook ran ${times(told)}`;
}

async function detached({ service, bare, subject }: World): Promise<string> {
  service.answers(500);
  const api = bare();
  const detach = subject.attach(api, { delay: 0 });
  detach();
  await ended(api.get('/'));
  return requests(service.count);
}

async function foreign({ service, attached }: World): Promise<string> {
  service.answers(500, 500, 200);
  const api = attached({ delay: 0 }, { baseURL: `${service.url}/v1`, headers: { 'x-app': 'shop' } });
  const end = await ended(api.get('/orders'));
  const seen = new Set(service.received.map(({ path, headers }) => `${path} ${headers['x-app']}`));
  return `${end}, ${[...seen].join(' and ')}`;
}

async function rewrapped({ service, bare, subject }: World): Promise<string> {
  service.answers(503, 200);
  const api = bare();
  subject.attach(api, { delay: 0 });
  // A hand-made wrapper: the address gets a prefix on each pass.
  api.interceptors.request.use((config) => ({ ...config, url: `/v1${config.url}` }));
  await ended(api.get('/orders'));
  return service.received.map(({ path }) => path).join(', ');
}

async function resent({ service, bare, subject }: World): Promise<string> {
  service.answers(({ headers }) => (headers.authorization === 'new' ? 200 : 401));
  const api = bare();
  api.interceptors.response.use(undefined, (error: { config: { headers: Record<string, string> } }) => {
    error.config.headers['authorization'] = 'new';
    return api.request(error.config);
  });
  subject.attach(api, { delay: 0 });
  const end = await ended(api.get('/'));
  return `${requests(service.count)}, ${end}`;
}

export const layers: readonly Scenario[] = [
  { id: 'R01', title: 'an interceptor registered later returns `response.data`; 500, then 200', right: 'resolves {"answer":200}, interceptor ran once', run: unwrapped },
  { id: 'R02', title: 'a logging interceptor registered later; 500, 500, 200', right: '1 line', run: logged },
  { id: 'R03', title: 'an error interceptor registered later swallows the error; 500 always, 2 retries', right: '3 requests, interceptor ran once', run: swallowed },
  { id: 'R91', title: 'a request interceptor registered before makes a new token for each attempt', right: 't1, t2', run: (world) => tokens(world, true) },
  { id: 'own', title: 'a request interceptor registered *later* makes a new token for each attempt, by default', right: 't1, t2', run: (world) => tokens(world, false) },
  { id: 'own', title: 'the same with an option for it (`requestInterceptors: \'all\'`; the peers need none)', right: 't1, t2', run: (world) => (world.subject.name === jitter.name ? allTokens(world) : tokens(world, false)) },
  { id: 'R06', title: 'attached twice; 500 always, 2 retries', right: '3 requests, hook ran 2 times', run: attachedTwice },
  { id: 'R07', title: 'detached again; 500', right: '1 request', run: detached },
  { id: 'R08', title: 'base URL and headers of the instance reach each attempt', right: '200, /v1/orders shop', run: foreign },
  { id: 'R70', title: 'a request interceptor puts a prefix before the URL', right: '/v1/orders, /v1/orders', run: rewrapped },
  { id: 'R84', title: 'an inner interceptor sends `error.config` again with a new token', right: '2 requests, 200', run: resent },
];
