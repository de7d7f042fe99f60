// The places of an option against a model of them, as the service and the waits show it.
import type { AxiosInstance, AxiosRequestConfig, InternalAxiosRequestConfig } from 'axios';
import fc from 'fast-check';
import { attachRetry, type RequestRetry } from '../../../lib/index';
import axios from '../../helpers/axios';
import { SERVICE, timeless } from '../../helpers/observed';

const BUILT_IN = {
  retries: 3,
  baseDelay: 500,
  factor: 2,
  maxDelay: 10_000,
  attemptHeader: false as string | false,
  idempotencyKey: false as string | boolean,
  methods: ['GET'] as readonly string[],
  dryRun: false,
};
type Options = typeof BUILT_IN;
type Given = { [Name in keyof Options]?: Options[Name] | undefined };

/** Each option may be missing, given, or given as `undefined`. */
const given: fc.Arbitrary<Given> = fc
  .record(
    {
      retries: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
      baseDelay: fc.option(fc.integer({ min: 0, max: 1_000 }), { nil: undefined }),
      factor: fc.option(fc.integer({ min: 1, max: 10 }), { nil: undefined }),
      maxDelay: fc.option(fc.integer({ min: 0, max: 20_000 }), { nil: undefined }),
      attemptHeader: fc.constantFrom(undefined, false as const, 'x-attempt', 'x-resend'),
      idempotencyKey: fc.constantFrom(undefined, false, 'one', 'other'),
      methods: fc.constantFrom(undefined, ['GET'], ['POST'], ['get', 'post'], []),
      dryRun: fc.constantFrom(undefined, false, false, true),
    },
    { requiredKeys: [] },
  )
  .filter(({ baseDelay = 0, maxDelay = Infinity }) => baseDelay <= maxDelay);

/** What may stand in a request's `retry` and in `instance.defaults.retry`. */
const place: fc.Arbitrary<Given | number | false | undefined> = fc.oneof(
  { arbitrary: given, weight: 5 },
  { arbitrary: fc.integer({ min: 0, max: 5 }), weight: 1 },
  { arbitrary: fc.constantFrom(false as const, undefined), weight: 1 },
);
const method = fc.constantFrom('get' as const, 'post' as const);

interface Course {
  waits: number[];
  /** What the plugin's headers were, attempt by attempt. */
  sent: Record<string, string>[];
}
type Places = [attached: Given, defaults: Given | number | false | undefined, own: Given | number | false | undefined];

function mergedOptions([attached, defaults, own]: Places): Options | false {
  if (own === false || (own === undefined && defaults === false)) return false;
  const merged: Record<string, unknown> = { ...BUILT_IN };
  for (const layer of [attached, defaults, own]) {
    const fields = typeof layer === 'number' ? { retries: layer } : layer || {};
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) merged[name] = value;
  }
  return merged as Options;
}

function expectedCourse(places: Places, verb: 'get' | 'post'): Course {
  const options = mergedOptions(places);
  if (!options) return { waits: [], sent: [{}] };
  const { retries, baseDelay, factor, maxDelay, attemptHeader, idempotencyKey, methods, dryRun } = options;
  const key = idempotencyKey === false ? {} : { 'idempotency-key': String(idempotencyKey) };
  const isRetried = !dryRun && (idempotencyKey !== false || methods.some((name) => name.toLowerCase() === verb));
  const waits = Array.from({ length: isRetried ? retries : 0 }, (_, index) => Math.min(maxDelay, baseDelay * factor ** index));
  const resends = waits.map((_, index) => ({ ...key, ...(attemptHeader !== false && { [attemptHeader]: String(index + 1) }) }));
  return { waits, sent: [key, ...resends] };
}

const OURS = ['idempotency-key', 'x-attempt', 'x-resend'];

function ourHeaders({ headers }: InternalAxiosRequestConfig): Record<string, string> {
  const pairs = Object.entries(headers.toJSON()).map(([name, value]): [string, string] => [name.toLowerCase(), String(value)]);
  return Object.fromEntries(pairs.filter(([name]) => OURS.includes(name)));
}

/** An instance whose every attempt fails with 503. */
function failing(sent: Record<string, string>[]): AxiosInstance {
  const adapter = (config: InternalAxiosRequestConfig): Promise<never> => {
    sent.push(ourHeaders(config));
    const response = { config, status: 503, statusText: '', data: '', headers: {} };
    return Promise.reject(new axios.AxiosError('unavailable', undefined, config, undefined, response));
  };
  return axios.create({ baseURL: SERVICE, adapter });
}

async function courseOf([attached, defaults, own]: Places, verb: 'get' | 'post'): Promise<Course> {
  const { waits, options } = timeless();
  const sent: Record<string, string>[] = [];
  const api = failing(sent);
  attachRetry(api, { ...options, jitter: 'none', budget: false, ...attached });
  if (defaults !== undefined) api.defaults.retry = defaults as RequestRetry;
  const config: AxiosRequestConfig = own === undefined ? {} : { retry: own as RequestRetry };
  await api.request({ ...config, url: '/orders', method: verb }).catch(() => undefined);
  return { waits, sent };
}

describe('whatever stands in the three places', () => {
  it('each option comes from the last of them that gives it', async () => {
    await fc.assert(
      fc.asyncProperty(given, place, place, method, async (attached, defaults, own, verb) => {
        expect(await courseOf([attached, defaults, own], verb)).toEqual(expectedCourse([attached, defaults, own], verb));
      }),
    );
  });

  it('nothing of a request is left for the next one', async () => {
    await fc.assert(
      fc.asyncProperty(given, place, place, async (attached, defaults, own) => {
        const { options } = timeless();
        const sent: Record<string, string>[] = [];
        const api = failing(sent);
        attachRetry(api, { ...options, jitter: 'none', budget: false, ...attached });
        if (defaults !== undefined) api.defaults.retry = defaults as RequestRetry;
        await api.get('/orders', own === undefined ? {} : { retry: own as RequestRetry }).catch(() => undefined);
        sent.length = 0;
        await api.get('/orders').catch(() => undefined);
        expect(sent).toEqual(expectedCourse([attached, defaults, undefined], 'get').sent);
      }),
    );
  });
});
