// Values that no option takes, drawn at random, in each place where options may stand.
import fc from 'fast-check';
import { attachRetry, type RequestRetry, type RetryOptions } from '../../../lib/index';
import axios from '../../helpers/axios';

const text = fc.string();
const anyOf = (...values: unknown[]): fc.Arbitrary<unknown> => fc.constantFrom(...values);
const below0 = fc.double({ max: -Number.MIN_VALUE, noNaN: true });
const notANumber = fc.oneof(text, fc.boolean(), fc.bigInt(), fc.object(), fc.array(fc.integer()), anyOf(null, () => 1));
const wrongNumber = fc.oneof(below0, fc.constant(NaN), notANumber);
const notAFunction = fc.oneof(text, fc.boolean(), fc.double(), fc.object(), fc.array(fc.anything()), anyOf(null));
const notAFlag = fc.oneof(text, fc.double(), fc.object(), anyOf(null, 0, 1, 'true'));
const noHeaderName = fc.oneof(fc.double(), fc.object(), anyOf(null, true, '', 'two words', 'a:b', 'ä'));

const wrong: Record<keyof Required<RetryOptions>, fc.Arbitrary<unknown>> = {
  retries: fc.oneof(wrongNumber, fc.double({ min: 0.1, max: 0.9 })),
  baseDelay: wrongNumber,
  factor: fc.oneof(wrongNumber, fc.double({ min: 0, max: 1, maxExcluded: true })),
  maxDelay: wrongNumber,
  retryAfter: fc.oneof(fc.double(), fc.object(), text, anyOf(null, true)),
  maxRetryAfter: wrongNumber,
  retryAfterSpread: wrongNumber,
  totalTimeout: fc.oneof(wrongNumber, fc.constant(0)),
  jitter: fc.oneof(fc.double(), fc.boolean(), anyOf(null, 'Full', 'half', {}, { plusMinus: -1 }, { plusMinus: '5' })),
  methods: fc.oneof(text, fc.array(fc.double(), { minLength: 1 }), anyOf(null, ['GET POST'], { GET: true })),
  statuses: fc.oneof(text, fc.double(), fc.array(fc.integer({ max: 99 }), { minLength: 1 }), anyOf(null, [[599, 500]])),
  shareRetryAfter: notAFlag,
  retryAfterChannel: fc.oneof(text, fc.double(), fc.boolean(), anyOf(null, {}, { postMessage: () => undefined })),
  dryRun: notAFlag,
  requestInterceptors: fc.oneof(fc.double(), fc.object(), anyOf(null, true, 'outer', '')),
  idempotencyKey: fc.oneof(fc.double(), fc.object(), anyOf(null, '', ' ')),
  idempotencyHeader: noHeaderName,
  attemptHeader: noHeaderName,
  budget: fc.oneof(text, fc.double(), anyOf(null, true, () => 1)),
  circuitBreaker: fc.oneof(text, fc.double(), fc.object(), anyOf(null, true)),
  observers: fc.oneof(text, fc.array(fc.double(), { minLength: 1 }), anyOf(null, {}, [{ onRetry: 'log' }])),
  delay: notAFunction,
  shouldRetry: notAFunction,
  shouldRetryResponse: notAFunction,
  body: notAFunction,
  origin: notAFunction,
  beforeRetry: notAFunction,
  onRetry: notAFunction,
  onGiveUp: notAFunction,
  onRecover: notAFunction,
  onObserverError: notAFunction,
  random: notAFunction,
  sleep: notAFunction,
  now: notAFunction,
};
/** Options beside the wrong one. */
const right: fc.Arbitrary<RetryOptions> = fc.record(
  { retries: fc.nat(), jitter: fc.constantFrom('full' as const, 'none' as const), dryRun: fc.boolean() },
  { requiredKeys: [] },
);
const oneWrong = fc.oneof(...Object.entries(wrong).map(([name, value]) => fc.tuple(fc.constant(name), value)));

const refused = (name: string): unknown =>
  expect.objectContaining({ message: expect.stringMatching(new RegExp(`^axios-jitter: option "${name}".* must .*; got `, 's')) as string });

it('attachRetry refuses it, and names the option', () => {
  fc.assert(
    fc.property(right, oneWrong, (others, [name, value]) => {
      let error: unknown;
      try {
        attachRetry(axios.create(), { ...others, [name]: value });
      } catch (thrown) {
        error = thrown;
      }
      expect(error).toEqual(refused(name));
      expect(error instanceof TypeError || error instanceof RangeError).toBe(true);
    }),
    { numRuns: 300 },
  );
});

it('a request is rejected before anything is sent, with the name of the option: in the request and in the defaults', async () => {
  await fc.assert(
    fc.asyncProperty(right, oneWrong, fc.boolean(), async (others, [name, value], isInDefaults) => {
      const sent: unknown[] = [];
      const api = axios.create();
      api.defaults.adapter = (config) => Promise.reject(sent.push(config));
      attachRetry(api);
      const retry = { ...others, [name]: value } as RequestRetry;
      if (isInDefaults) api.defaults.retry = retry;
      const error: unknown = await api.get('/orders', isInDefaults ? {} : { retry }).catch((reason: unknown) => reason);
      expect(error).toEqual(refused(name));
      expect(sent).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

it('attachRetry refuses what stands in the defaults by then, and leaves nothing on the instance', () => {
  fc.assert(
    fc.property(right, oneWrong, (others, [name, value]) => {
      const api = axios.create({ retry: { ...others, [name]: value } as RequestRetry });
      expect(() => attachRetry(api)).toThrow(expect.objectContaining({ message: expect.stringMatching(new RegExp(`^axios-jitter: option "${name}".* of instance.defaults .*; got `, 's')) }));
      const handlers: unknown[] = [];
      (api.interceptors.request as unknown as { forEach(visit: (handler: unknown) => void): void }).forEach((handler) => handlers.push(handler));
      expect(handlers).toEqual([]);
    }),
  );
});

it('a name that is not known is refused by its name', () => {
  const unknown = fc.string().filter((name) => !(name in wrong) && name !== '__proto__');
  fc.assert(
    fc.property(right, unknown, fc.anything(), (others, name, value) => {
      expect(() => attachRetry(axios.create(), { ...others, [name]: value })).toThrow(`unknown option "${name}"`);
    }),
  );
});
