/** Options once, at the edge: from what users give to a complete, checked, readonly set. */
import { RetryBudget, type RetryBudgetOptions } from '../policy/retry-budget';
import { answered, check, complaint, fallbacks, isFlag, isObject, isPlain } from '../checks/checks';
import type { CircuitBreaker, CircuitBreakerFactory, RequestRetry, RetryOptions, StatusRange } from './retry-options';
import { DEFAULT_STATUSES, REQUEST_RULES, RULES } from './rules';

type Given<K extends keyof RetryOptions> = Exclude<RetryOptions[K], undefined>;
type Compiled = 'methods' | 'statuses' | 'budget' | 'circuitBreaker';
type Hook =
  | 'delay' | 'shouldRetry' | 'retryAfter' | 'shouldRetryResponse' | 'totalTimeout' | 'body' | 'origin'
  | 'retryAfterChannel' | 'beforeRetry' | 'onRetry' | 'onGiveUp' | 'onRecover' | 'sleep';

/** Complete options: past this point there is no default and no check. */
export type ResolvedRetryOptions = Readonly<
  { [K in Exclude<keyof RetryOptions, Compiled | Hook>]-?: Given<K> } & { [K in Hook]-?: Given<K> | undefined } & {
    /** In capitals. */
    methods: ReadonlySet<string>;
    statuses: (status: number) => boolean;
    /** All default statuses are among them: then 413 counts too when its Retry-After can be understood. */
    hasDefaultStatuses: boolean;
    budget: RetryBudget | false;
    circuitBreaker: CircuitBreakerFactory | false;
  }
>;

const factories = new WeakMap<CircuitBreaker, CircuitBreakerFactory>();

// The same factory each time: what is kept by it stays bounded.
function factoryOf(breaker: CircuitBreaker): CircuitBreakerFactory {
  const factory = factories.get(breaker) ?? (() => breaker);
  factories.set(breaker, factory);
  return factory;
}

function compileStatuses(statuses: Given<'statuses'>): (status: number) => boolean {
  if (typeof statuses === 'function') return (status) => answered('statuses', 'true or false', isFlag, statuses(status));
  const ranges = statuses.map((entry: StatusRange) => (typeof entry === 'number' ? ([entry, entry] as const) : entry));
  return (status) => ranges.some(([from, to]) => status >= from && status <= to);
}

function compile(given: RetryOptions): Partial<ResolvedRetryOptions> {
  const { methods, statuses, budget, circuitBreaker } = given;
  const isStatus = statuses && compileStatuses(statuses);
  return {
    ...(given as object),
    ...(methods && { methods: new Set(methods.map((method) => method.toUpperCase())) }),
    ...(isStatus && { statuses: isStatus, hasDefaultStatuses: Array.isArray(statuses) && DEFAULT_STATUSES.every(isStatus) }),
    ...(isPlain(budget) && { budget: new RetryBudget(budget as RetryBudgetOptions) }),
    ...(isObject(circuitBreaker) && { circuitBreaker: factoryOf(circuitBreaker as unknown as CircuitBreaker) }),
  };
}

/** The built-in options, but for the budget: one is made for each `attachRetry`. */
export const DEFAULTS = compile(fallbacks(RULES)) as ResolvedRetryOptions;

function checkDelays({ baseDelay, maxDelay }: RetryOptions, where: string): void {
  if (baseDelay !== undefined && maxDelay !== undefined && maxDelay < baseDelay) {
    throw complaint(`option "maxDelay"${where}`, `must be at least baseDelay (${baseDelay})`, maxDelay, RangeError);
  }
}

/** The options of `attachRetry`, complete. @throws TypeError or RangeError, see `check`. */
export function resolveOptions(options: RetryOptions = {}): ResolvedRetryOptions {
  const given = check(options, RULES, 'option');
  checkDelays(given, '');
  const { retryAfterChannel, shareRetryAfter } = given;
  if (retryAfterChannel && !shareRetryAfter) throw complaint('option "retryAfterChannel"', "needs shareRetryAfter: true or 'all' beside it", shareRetryAfter);
  given.budget ??= {};
  return { ...DEFAULTS, ...compile(given) };
}

function checkRequest(retry: RequestRetry | undefined, where: string): RetryOptions {
  const given = typeof retry === 'number' ? { retries: retry } : retry === undefined || retry === false ? {} : retry;
  if (isObject(given) && !Array.isArray(given)) return check<RetryOptions>(given, REQUEST_RULES, 'option', where);
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
  if ((own ?? defaults) === false) return false;
  const low = checkRequest(defaults, ' of instance.defaults');
  const high = checkRequest(own, where);
  checkDelays(low, ' of instance.defaults');
  // Across objects maxDelay wins; a contradiction is one only where the request itself gives both.
  if (high.baseDelay !== low.baseDelay && high.maxDelay !== low.maxDelay) checkDelays(high, where);
  return { ...base, ...compile(low), ...compile(high) };
}
