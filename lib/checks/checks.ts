/** Checking what users give: one rule per name, and errors that say which, what is allowed and what was given. */
import { nearest } from './nearest';

/** What is allowed in words, whether a value is, what holds when nothing is given, and of a list: what an item may be, in words. */
export type Rule = readonly [allowed: string, accepts: (value: unknown) => boolean, fallback?: unknown, item?: string];
export type Rules = Readonly<Record<string, Rule>>;

/** A rule for numbers. NaN fails every comparison, so it is never accepted. */
export const number = (allowed: string, accepts: (value: number) => boolean, fallback?: number): Rule => [
  allowed,
  (value) => typeof value === 'number' && accepts(value),
  fallback,
];
export const from0 = (fallback?: number): Rule => number('a finite number >= 0', (value) => value >= 0 && value < Infinity, fallback);
/** A string with more than blanks in it. */
export const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
/** What arrives the same everywhere as the value of a header. */
export const KEY = '1 to 255 printable ASCII characters without a blank at either end';
export const isKey = (value: unknown): value is string => typeof value === 'string' && /^[!-~]([ -~]{0,253}[!-~])?$/.test(value);
export const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
export const isFunction = (value: unknown): boolean => typeof value === 'function';
export const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
/** A member of anything. One that throws when it is read (a getter, a revoked proxy) is not there, nor what a polluted `Object.prototype` adds. */
export function memberOf(value: unknown, name: string | symbol): unknown {
  try {
    const member = (value as Record<string | symbol, unknown> | null | undefined)?.[name];
    return member === (Object.prototype as unknown as Record<string | symbol, unknown>)[name] ? undefined : member;
  } catch {
    return undefined;
  }
}
/** Defines a member, whatever somebody has put on `Object.prototype`. False where that cannot be: frozen, a revoked proxy. */
export function define(target: object, name: PropertyKey, descriptor: PropertyDescriptor): boolean {
  const { prototype } = Object;
  const isPolluted = 'get' in prototype || 'set' in prototype || 'value' in prototype || 'writable' in prototype;
  try {
    return Reflect.defineProperty(target, name, isPolluted ? Object.assign(Object.create(null) as object, descriptor) : descriptor);
  } catch {
    return false;
  }
}
/** Whether the member is a function: also of a function, for axios instances are functions. */
export const hasMethod = (value: unknown, name: string | symbol): boolean => isFunction(memberOf(value, name));
/** A promise of any make. */
export const isThenable = (value: unknown): value is PromiseLike<unknown> => hasMethod(value, 'then');
/** Whether it is of a class that some platforms lack. */
export function isA(name: 'URLSearchParams' | 'FormData' | 'Headers', value: object): boolean {
  // The tag first: Node makes these classes when they are first asked for.
  const Class = (value as Record<symbol, unknown>)[Symbol.toStringTag] === name && (globalThis as Partial<typeof globalThis>)[name];
  return typeof Class === 'function' && value instanceof Class;
}
/** An object literal: axios clones those when it merges configs, everything else it passes on. */
export const isPlain = (value: unknown): boolean => {
  if (!isObject(value) || Symbol.toStringTag in value) return false;
  const prototype = Object.getPrototypeOf(value) as object | null;
  // Also that of another realm (a jest sandbox, an iframe): it has no prototype of its own.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
};

const member = ([name, value]: [string, unknown]): string => (typeof value === 'number' || isFlag(value) ? `${name}: ${value}` : name);

/** What was given, in a few characters and without what might be secret. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? 'a long string' : `'${value}'`;
  if (isFunction(value)) return 'a function';
  if (!isObject(value)) return String(value);
  try {
    if (Array.isArray(value)) return `an array of ${value.length}`;
    if (isPlain(value)) return `{ ${Object.entries(value).map(member).join(', ').slice(0, 80)} }`;
    return `an object (${String(memberOf(value.constructor, 'name'))})`;
  } catch {
    return 'an object that cannot be read'; // a revoked proxy
  }
}

type ErrorClass = new (message: string) => Error;

/** A promise that came where a value was wanted must not become an unhandled rejection as well. */
function silence(value: unknown): void {
  if (isThenable(value)) Promise.resolve(value).catch(() => undefined);
}

/** The error for a wrong value: what it is for, what is allowed, what was given. */
export function complaint(subject: string, allowed: string, got: unknown, Class: ErrorClass = TypeError): Error {
  silence(got);
  // A key of the user's may be worth something to others.
  const shown = typeof got === 'string' && allowed.endsWith(KEY) ? 'another string' : describe(got);
  return new Class(`axios-jitter: ${subject} ${allowed}; got ${shown}`);
}

/** What must be a time that can be waited for. @throws RangeError otherwise. */
export function checkMs(source: string, ms: unknown): number {
  if (typeof ms === 'number' && ms >= 0 && ms < Infinity) return ms;
  throw complaint(source, 'must give a finite number of ms >= 0', ms, RangeError);
}

/** What a hook returned, once it is what it must be. @throws TypeError otherwise. */
export function answered<T>(hook: string, allowed: string, accepts: (answer: unknown) => answer is T, answer: unknown): T {
  if (accepts(answer)) return answer;
  throw complaint(`option "${hook}"`, `must return ${allowed}`, answer);
}

/** What holds when nothing is given. */
export const fallbacks = (rules: Rules): object => Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, rule[2]]));

function fits(accepts: Rule[1], value: unknown): boolean {
  try {
    return accepts(value);
  } catch {
    return false; // a revoked proxy
  }
}

function refusal(what: string, where: string, [allowed, accepts, , item]: Rule, value: unknown): Error {
  const index = item && fits(Array.isArray, value) ? (value as unknown[]).findIndex((one) => !fits(accepts, [one])) : -1;
  if (index >= 0) return complaint(`${what}[${index}]${where}`, `must be ${item}`, (value as unknown[])[index]);
  return complaint(what + where, `must be ${allowed}`, value, typeof value === 'number' && allowed.includes('number') ? RangeError : TypeError);
}

/**
 * What is really given (`undefined` is not), once each has passed its rule.
 *
 * @throws TypeError for an unknown name or a wrong type; RangeError for a number out of range.
 */
export function check<T extends object>(options: T, rules: Rules, what: string, where = ''): T {
  if (!isObject(options) || Array.isArray(options)) throw complaint(`${what}s${where}`, 'must be an object', options);
  // Without a prototype: what somebody added to Object.prototype is not given.
  const given = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!rule) throw new TypeError(`axios-jitter: unknown ${what} "${name.slice(0, 40)}"${where}${nearest(name.slice(0, 40), Object.keys(rules))}`);
    if (value === undefined) continue;
    if (!fits(rule[1], value)) throw refusal(`${what} "${name}"`, where, rule, value);
    given[name] = value;
  }
  return given as T;
}
