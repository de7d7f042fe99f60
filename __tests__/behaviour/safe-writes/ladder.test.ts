// The ladder of refusals against a model of it: whatever comes together, the first reason that applies is the one that is given.
import { Readable } from 'node:stream';
import type { InternalAxiosRequestConfig } from 'axios';
import fc from 'fast-check';
import { attachRetry, getRetryReport, RetryBudget, type StopReason } from '../../../lib/index';
import axios from '../../helpers/axios';
import { SERVICE, timeless } from '../../helpers/observed';

const SECOND = 1_000;
const DELAY = 10 * SECOND;
const MAX_RETRY_AFTER = 60 * SECOND;
const CAPACITY = 3;

const FAILURES = {
  'a 503': { canHeal: true, isUnsent: false, status: 503 },
  'a 404': { canHeal: false, isUnsent: false, status: 404 },
  'a reset': { canHeal: true, isUnsent: false, code: 'ECONNRESET' },
  'a timeout': { canHeal: true, isUnsent: false, code: 'ECONNABORTED' },
  'a refused connection': { canHeal: true, isUnsent: true, code: 'ECONNREFUSED' },
  'a wrong certificate': { canHeal: false, isUnsent: false, code: 'CERT_HAS_EXPIRED' },
} as const;

interface Failure {
  what: keyof typeof FAILURES;
  /** In ms; only an answer can carry it. */
  retryAfter: number | undefined;
  shouldRetry: boolean | undefined;
}
interface Scene {
  method: 'put' | 'post';
  hasKey: boolean;
  body: 'text' | 'stream';
  retries: number;
  totalTimeout: number | undefined;
  dryRun: boolean;
  tokens: number;
  /** How the attempts fail, one after the other; the attempt after the last of them succeeds. */
  failures: Failure[];
}
interface Course {
  requests: number;
  reason: StopReason | undefined;
  waits: number[];
  tokens: number;
}

const seldom = <T>(value: T, usual: T): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: fc.constant(usual), weight: 4 }, { arbitrary: fc.constant(value), weight: 1 });

const failure: fc.Arbitrary<Failure> = fc.record({
  what: fc.oneof(
    { arbitrary: fc.constant('a 503' as const), weight: 5 },
    { arbitrary: fc.constantFrom(...(Object.keys(FAILURES) as (keyof typeof FAILURES)[])), weight: 3 },
  ),
  retryAfter: fc.option(fc.constantFrom(0, SECOND, 20 * SECOND, MAX_RETRY_AFTER, MAX_RETRY_AFTER + SECOND), { nil: undefined }),
  shouldRetry: fc.oneof({ arbitrary: fc.constant(undefined), weight: 6 }, { arbitrary: fc.boolean(), weight: 1 }),
});
const scene: fc.Arbitrary<Scene> = fc.record({
  method: seldom<Scene['method']>('post', 'put'),
  hasKey: fc.boolean(),
  body: seldom<Scene['body']>('stream', 'text'),
  retries: fc.integer({ min: 0, max: 4 }),
  totalTimeout: fc.option(fc.integer({ min: 1, max: 8 }).map((tens) => tens * DELAY), { nil: undefined }),
  dryRun: seldom(true, false),
  tokens: fc.integer({ min: 0, max: CAPACITY }),
  failures: fc.array(failure, { maxLength: 5 }),
});

/** What section "Eligibility" of the contract says of a scene. */
function expectedCourse({ method, hasKey, body, retries, totalTimeout, dryRun, failures, ...start }: Scene): Course {
  const waits: number[] = [];
  let [tokens, elapsed] = [start.tokens, 0];
  for (const [index, { what, shouldRetry, ...given }] of failures.entries()) {
    const facts = FAILURES[what];
    const retryAfter = 'status' in facts ? given.retryAfter : undefined;
    const delay = Math.max(DELAY, retryAfter ?? 0);
    const mayRepeat = method === 'put' || hasKey || facts.isUnsent || shouldRetry === true;
    const ladder: [StopReason, boolean][] = [
      ['not-retryable', !(shouldRetry ?? facts.canHeal)],
      ['method', !mayRepeat],
      ['body', body === 'stream'],
      ['exhausted', index + 1 > retries],
      ['retry-after', (retryAfter ?? 0) > MAX_RETRY_AFTER],
      ['deadline', elapsed + delay >= (totalTimeout ?? Infinity)],
      ['dry-run', dryRun],
      ['budget', tokens === 0],
    ];
    const refusal = ladder.find(([, applies]) => applies);
    if (refusal) return { requests: index + 1, reason: refusal[0], waits, tokens };
    tokens -= 1;
    elapsed += delay;
    waits.push(delay);
  }
  // The token of the retry that succeeded goes back.
  return { requests: failures.length + 1, reason: undefined, waits, tokens: tokens + (failures.length > 0 ? 1 : 0) };
}

function answer(config: InternalAxiosRequestConfig, status: number, retryAfter?: number) {
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter / SECOND) };
  return { config, status, statusText: '', data: '', headers };
}

function errorOf({ what, retryAfter }: Failure, config: InternalAxiosRequestConfig): Error {
  const facts = FAILURES[what];
  if (!('status' in facts)) return new axios.AxiosError(what, facts.code, config);
  return new axios.AxiosError(what, undefined, config, undefined, answer(config, facts.status, retryAfter));
}

/** What really happens. */
async function courseOf({ method, hasKey, body, retries, totalTimeout, dryRun, tokens, failures }: Scene): Promise<Course> {
  const { waits, options } = timeless();
  const budget = new RetryBudget({ capacity: CAPACITY, deposit: 0 });
  for (let full = CAPACITY; full > tokens; full--) budget.tryTake(SERVICE, options.now());
  let requests = 0;
  const adapter = async (config: InternalAxiosRequestConfig) => {
    const failed = failures[requests++];
    if (failed) throw errorOf(failed, config);
    return answer(config, 200);
  };
  const api = axios.create({ baseURL: SERVICE, adapter });
  attachRetry(api, {
    ...options,
    jitter: 'none',
    delay: () => DELAY,
    retries,
    maxRetryAfter: MAX_RETRY_AFTER,
    totalTimeout,
    dryRun,
    budget,
    idempotencyKey: hasKey && 'a-key',
    shouldRetry: ({ attempt }) => failures[attempt - 1]?.shouldRetry,
  });
  const data = body === 'stream' ? Readable.from(['order']) : 'order';
  const outcome: unknown = await api.request({ url: '/orders', method, data }).catch((error: unknown) => error);
  return { requests, reason: getRetryReport(outcome)?.reason, waits, tokens: budget.tokens(SERVICE, options.now()) };
}

it('the first reason that applies is the one that is given, and a token is taken only where a retry follows', async () => {
  await fc.assert(
    fc.asyncProperty(scene, async (drawn) => {
      expect(await courseOf(drawn)).toEqual(expectedCourse(drawn));
    }),
  );
});

it('the scenes reach every rung, and what lies behind them', () => {
  const reasons = fc.sample(scene, { numRuns: 1_000, seed: 1 }).map((drawn) => expectedCourse(drawn).reason);
  expect(new Set(reasons)).toEqual(
    new Set([undefined, 'not-retryable', 'method', 'body', 'exhausted', 'retry-after', 'deadline', 'dry-run', 'budget']),
  );
});
