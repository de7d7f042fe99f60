/** Options once, at the edge: from what users give to a complete, checked, readonly set. */
import { RetryBudget } from './budget';
import { check, complaint, isObject, isPlain } from './checks';
import type { CircuitBreaker, CircuitBreakerFactory, RequestRetry, RetryOptions, StatusRange } from './options';
import { REQUEST_RULES, RULES } from './rules';
import { monotonicNow } from './sleep';

type Given<K extends keyof RetryOptions> = Exclude<RetryOptions[K], undefined>;
type Compiled = 'methods' | 'statuses' | 'budget' | 'circuitBreaker';
type Hook =
  | 'delay' | 'shouldRetry' | 'shouldRetryResponse' | 'totalTimeout' | 'body' | 'origin'
  | 'beforeRetry' | 'onRetry' | 'onGiveUp' | 'onRecover' | 'sleep';

/** Complete options: past this point there is no default and no check. */
export type ResolvedRetryOptions = Readonly<
  { [K in Exclude<keyof RetryOptions, Compiled | Hook>]-?: Given<K> } & { [K in Hook]-?: Given<K> | undefined } & {
    /** In capitals. */
    methods: ReadonlySet<string>;
    statuses: (status: number) => boolean;
    /** 413 counts too when it carries a Retry-After. */
    hasDefaultStatuses: boolean;
    budget: RetryBudget | false;
    circuitBreaker: CircuitBreakerFactory | false;
  }
>;

const DEFAULT_STATUSES: readonly number[] = [408, 425, 429, 500, 502, 503, 504];

/** The built-in options; a budget is made for each `attachRetry`. */
export const DEFAULTS: ResolvedRetryOptions = {
  retries: 3,
  baseDelay: 500,
  factor: 2,
  maxDelay: 10_000,
  jitter: 'full',
  delay: undefined,
  methods: new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE', 'QUERY']),
  statuses: (status) => DEFAULT_STATUSES.includes(status),
  hasDefaultStatuses: true,
  shouldRetry: undefined,
  shouldRetryResponse: undefined,
  maxRetryAfter: 60_000,
  retryAfterSpread: 0.5,
  shareRetryAfter: false,
  totalTimeout: undefined,
  body: undefined,
  idempotencyKey: false,
  idempotencyHeader: 'Idempotency-Key',
  attemptHeader: false,
  budget: false,
  circuitBreaker: false,
  origin: undefined,
  beforeRetry: undefined,
  onRetry: undefined,
  onGiveUp: undefined,
  onRecover: undefined,
  observers: [],
  onObserverError: (error) => {
    console.error('axios-jitter: an observer failed', error);
  },
  dryRun: false,
  random: () => Math.random(),
  sleep: undefined,
  now: monotonicNow,
};

const factories = new WeakMap<CircuitBreaker, CircuitBreakerFactory>();

// The same factory each time: what is kept by it stays bounded.
function factoryOf(breaker: CircuitBreaker): CircuitBreakerFactory {
  const factory = factories.get(breaker) ?? (() => breaker);
  factories.set(breaker, factory);
  return factory;
}

function strictly(statuses: (status: number) => boolean): (status: number) => boolean {
  return (status) => {
    const answer: unknown = statuses(status);
    if (typeof answer === 'boolean') return answer;
    throw complaint('option "statuses"', 'must return true or false', answer);
  };
}

function compileStatuses(statuses: Given<'statuses'>): (status: number) => boolean {
  if (typeof statuses === 'function') return strictly(statuses);
  const ranges = statuses.map((entry: StatusRange) => (typeof entry === 'number' ? ([entry, entry] as const) : entry));
  return (status) => ranges.some(([from, to]) => status >= from && status <= to);
}

function compile(given: RetryOptions): Partial<ResolvedRetryOptions> {
  const { methods, statuses, budget, circuitBreaker, ...rest } = given;
  const compiled: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) compiled[name] = value;
  if (methods) compiled['methods'] = new Set(methods.map((method) => method.toUpperCase()));
  if (statuses) Object.assign(compiled, { statuses: compileStatuses(statuses), hasDefaultStatuses: false });
  if (budget !== undefined) compiled['budget'] = isPlain(budget) ? new RetryBudget(budget || {}) : budget;
  if (circuitBreaker !== undefined) {
    compiled['circuitBreaker'] = typeof circuitBreaker === 'object' ? factoryOf(circuitBreaker) : circuitBreaker;
  }
  return compiled;
}

function checkDelays({ baseDelay, maxDelay }: RetryOptions, where: string): void {
  if (baseDelay !== undefined && maxDelay !== undefined && maxDelay < baseDelay) {
    throw new RangeError(
      `axios-jitter: option "maxDelay"${where} must be at least baseDelay (${baseDelay}); came ${maxDelay}`,
    );
  }
}

/** The options of `attachRetry`, complete. @throws TypeError or RangeError, see `check`. */
export function resolveOptions(given: RetryOptions = {}): ResolvedRetryOptions {
  checkDelays(check(given, RULES, 'option'), '');
  return { ...DEFAULTS, budget: given.budget === undefined ? new RetryBudget() : false, ...compile(given) };
}

function normalize(retry: RequestRetry, where: string): RetryOptions {
  if (typeof retry === 'number') return check({ retries: retry }, REQUEST_RULES, 'option', where);
  if (isObject(retry) && !Array.isArray(retry)) return check(retry, REQUEST_RULES, 'option', where);
  throw complaint(`"retry"${where}`, 'must be options, a number of retries, or false', retry);
}

/**
 * The options of one request: `base` < `defaults` (`instance.defaults.retry`) < `own` (the request's, in which
 * axios may already have merged the defaults). False: the request asked not to be retried.
 */
export function resolveRequest(
  base: ResolvedRetryOptions,
  defaults: RequestRetry | undefined,
  own: RequestRetry | undefined,
  where: string,
): ResolvedRetryOptions | false {
  if (own === false || (own === undefined && defaults === false)) return false;
  const low = defaults === undefined || defaults === false ? {} : normalize(defaults, ' of instance.defaults');
  const high = own === undefined ? {} : normalize(own, where);
  checkDelays(low, ' of instance.defaults');
  // Across objects maxDelay wins; a contradiction is one only where the request itself gives both.
  if (high.baseDelay !== low.baseDelay && high.maxDelay !== low.maxDelay) checkDelays(high, where);
  return { ...base, ...compile(low), ...compile(high) };
}
