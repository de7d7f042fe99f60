/** What each option may be: one row per option. */
import { isFunction, isObject, isPlain, number, type Rule } from './checks';
import type { RetryOptions } from './options';

const isFlag = (value: unknown): boolean => typeof value === 'boolean';
// RFC 9110, section 5.6.2: names of headers and methods are tokens.
const isToken = (value: unknown): boolean => typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(value);
const isListOf = (value: unknown, accepts: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every((item) => accepts(item));
const isStatus = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 100 && (value as number) <= 999;
const isPair = (value: unknown): value is [number, number] => Array.isArray(value) && value.length === 2;
const isStatusRange = (value: unknown): boolean =>
  isStatus(value) || (isPair(value) && isListOf(value, isStatus) && value[0] <= value[1]);
const isJitter = (value: unknown): boolean =>
  isObject(value)
    ? Object.keys(value).join() === 'plusMinus' && isFiniteFrom0(value['plusMinus'])
    : ['full', 'equal', 'decorrelated', 'none'].includes(value as string);
const isObserver = (value: unknown): boolean =>
  isObject(value) &&
  ['onRetry', 'onGiveUp', 'onRecover'].every((name) => value[name] === undefined || isFunction(value[name]));
const isBudget = (value: unknown): boolean => value === false || (isObject(value) && isFunction(value['tryTake']));
const isBreaker = (value: unknown): boolean =>
  value === false || isFunction(value) || (isObject(value) && isFunction(value['execute']));

const finiteFrom0 = number('a finite number >= 0', (value) => value >= 0 && value < Infinity);
const isFiniteFrom0 = finiteFrom0[1];
const hook: Rule = ['a function', isFunction];
const flag: Rule = ['true or false', isFlag];

/** For `attachRetry`. */
export const RULES: Readonly<Record<keyof RetryOptions, Rule>> = {
  retries: number('a whole number >= 0, or Infinity', (value) => value >= 0 && (Number.isInteger(value) || value === Infinity)),
  baseDelay: finiteFrom0,
  factor: number('a finite number >= 1', (value) => value >= 1 && value < Infinity),
  maxDelay: finiteFrom0,
  jitter: ["'full', 'equal', 'decorrelated', 'none' or { plusMinus: ms }", isJitter],
  delay: hook,
  methods: ['an array of method names', (value) => isListOf(value, isToken)],
  statuses: [
    'a function, or an array of statuses and [from, to] ranges',
    (value) => isFunction(value) || isListOf(value, isStatusRange),
  ],
  shouldRetry: hook,
  shouldRetryResponse: hook,
  maxRetryAfter: number('a number >= 0, or Infinity', (value) => value >= 0),
  retryAfterSpread: finiteFrom0,
  shareRetryAfter: ["true, false or 'all'", (value) => isFlag(value) || value === 'all'],
  totalTimeout: number('a number > 0, or Infinity', (value) => value > 0),
  body: hook,
  idempotencyKey: [
    'true, false, a string that is not empty, or a function',
    (value) => isFlag(value) || isFunction(value) || (typeof value === 'string' && value.trim() !== ''),
  ],
  idempotencyHeader: ['the name of a header', isToken],
  attemptHeader: ['the name of a header, or false', (value) => value === false || isToken(value)],
  budget: ['false, { capacity, deposit, cost } or a RetryBudget', (value) => isBudget(value) || isPlain(value)],
  circuitBreaker: ['false, an object with execute, or a factory', isBreaker],
  origin: hook,
  beforeRetry: hook,
  onRetry: hook,
  onGiveUp: hook,
  onRecover: hook,
  observers: ['an array of observers', (value) => isListOf(value, isObserver)],
  onObserverError: hook,
  dryRun: flag,
  random: hook,
  sleep: hook,
  now: hook,
};

// axios clones object literals when it merges configs: each request would get a bucket of its own.
const literal = '(not an object literal: axios would clone it for each request)';

/** For a request's `retry` and for `instance.defaults.retry`. */
export const REQUEST_RULES: Readonly<Record<keyof RetryOptions, Rule>> = {
  ...RULES,
  budget: [`false or a RetryBudget ${literal}`, isBudget],
  circuitBreaker: [
    `false, an object with execute, or a factory ${literal}`,
    (value) => isBreaker(value) && !isPlain(value),
  ],
};
