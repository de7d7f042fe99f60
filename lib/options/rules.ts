/** What each option may be, and what it is when nothing is given: one row per option. */
import { from0, hasMethod, isFlag, isFunction, isObject, isKey, isPlain, KEY, number, type Rule } from '../checks/checks';
import type { RetryOptions } from './retry-options';
import { monotonicNow } from '../time/clock';

// RFC 9110, section 5.6.2: names of headers and methods are tokens.
const isToken = (value: unknown): boolean => typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(value);
const isListOf = (value: unknown, accepts: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every((item) => accepts(item));
const isStatus = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 100 && (value as number) <= 999;
const isPair = (value: unknown): value is [number, number] => Array.isArray(value) && value.length === 2;
const isStatusRange = (value: unknown): boolean =>
  isStatus(value) || (isPair(value) && isListOf(value, isStatus) && value[0] <= value[1]);
// No server sends a 599, or a 499: a range without its brackets.
const isBareRange = (value: unknown): boolean => isPair(value) && value[0] % 100 === 0 && value[1] % 100 === 99;
const isJitter = (value: unknown): boolean =>
  isObject(value)
    ? Object.keys(value).join() === 'plusMinus' && from0()[1](value['plusMinus'])
    : ['full', 'equal', 'decorrelated', 'none'].includes(value as string);
const isObserver = (value: unknown): boolean =>
  isObject(value) &&
  ['onAttach', 'onCall', 'onRetry', 'onGiveUp', 'onRecover'].every((name) => value[name] === undefined || isFunction(value[name]));
const isBudget = (value: unknown): boolean => value === false || hasMethod(value, 'tryTake');
const isBreaker = (value: unknown): boolean =>
  value === false || isFunction(value) || hasMethod(value, 'execute');

const isChannel = (value: unknown): boolean => ['postMessage', 'addEventListener', 'removeEventListener'].every((name) => hasMethod(value, name));

const hook: Rule = ['a function', isFunction];

/**
 * The statuses that count as transient where the `statuses` option does not say: 408 425 429 500 502 503 504, a CDN's 520 to 524, and 529
 * (overloaded). A list that holds all of them keeps the rule for 413: it counts when its Retry-After can be understood.
 */
export const DEFAULT_STATUSES: readonly number[] = [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529];

/** For `attachRetry`. The budget has no fallback: one is made for each `attachRetry`. */
export const RULES: Readonly<Record<keyof RetryOptions, Rule>> = {
  retries: number('a whole number >= 0, or Infinity', (value) => value >= 0 && (Number.isInteger(value) || value === Infinity), 3),
  baseDelay: from0(500),
  factor: number('a finite number >= 1', (value) => value >= 1 && value < Infinity, 2),
  maxDelay: from0(10_000),
  jitter: ["'full', 'equal', 'decorrelated', 'none' or { plusMinus: ms }", isJitter, 'full'],
  delay: hook,
  methods: [
    'an array of method names',
    (value) => isListOf(value, isToken),
    ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'TRACE', 'QUERY'],
    'the name of a method',
  ],
  statuses: [
    'a function, or an array of statuses and [from, to] ranges: from 500 to 599 is [[500, 599]]',
    (value) => isFunction(value) || (isListOf(value, isStatusRange) && !isBareRange(value)),
    DEFAULT_STATUSES,
    'a status from 100 to 999, or [from, to]',
  ],
  shouldRetry: hook,
  shouldRetryResponse: hook,
  retryAfter: ['false or a function', (value) => value === false || isFunction(value)],
  maxRetryAfter: number('a number >= 0, or Infinity', (value) => value >= 0, 60_000),
  retryAfterSpread: from0(0.5),
  shareRetryAfter: ["true, false or 'all'", (value) => isFlag(value) || value === 'all', false],
  retryAfterChannel: ['a channel with postMessage, addEventListener and removeEventListener', isChannel],
  requestInterceptors: ["'inner' or 'all'", (value) => value === 'inner' || value === 'all', 'inner'],
  totalTimeout: number('a number > 0, or Infinity', (value) => value > 0),
  body: hook,
  idempotencyKey: [
    `true, false, a function, or ${KEY}`,
    (value) => isFlag(value) || isFunction(value) || isKey(value),
    false,
  ],
  idempotencyHeader: ['the name of a header', isToken, 'Idempotency-Key'],
  attemptHeader: ['the name of a header, or false', (value) => value === false || isToken(value), false],
  budget: ['false, { capacity, deposit, cost } or a RetryBudget', (value) => isBudget(value) || isPlain(value), false],
  circuitBreaker: ['false, an object with execute, or a factory', isBreaker, false],
  origin: hook,
  beforeRetry: hook,
  onRetry: hook,
  onGiveUp: hook,
  onRecover: hook,
  observers: ['an array of observers', (value) => isListOf(value, isObserver), [], 'an object with onRetry, onGiveUp or onRecover'],
  onObserverError: [
    'a function',
    isFunction,
    (error: unknown) => {
      console.error('axios-jitter: an observer failed', error);
    },
  ],
  dryRun: ['true or false', isFlag, false],
  random: ['a function', isFunction, () => Math.random()],
  sleep: hook,
  now: ['a function', isFunction, monotonicNow],
};

// axios clones object literals when it merges configs: each request would get a bucket of its own.
const literal = 'axios would clone an object literal for each request';

const attachOnly: Rule = ['left out here: it can only be passed to attachRetry', () => false];

/** For a request's `retry` and for `instance.defaults.retry`. */
export const REQUEST_RULES: Readonly<Record<keyof RetryOptions, Rule>> = {
  ...RULES,
  retryAfterChannel: attachOnly,
  requestInterceptors: attachOnly,
  budget: [`false or a RetryBudget, made once with new RetryBudget({ … }): ${literal}`, isBudget],
  circuitBreaker: [
    `false, an object with execute, or a factory: ${literal}`,
    (value) => isBreaker(value) && !isPlain(value),
  ],
};
