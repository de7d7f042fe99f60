/** Checking what users give: one rule per name, and errors that say which, what is allowed and what came. */

/** What is allowed, in words, whether a value is, and whether it is a number that could be out of range. */
export type Rule = readonly [allowed: string, accepts: (value: unknown) => boolean, isNumber?: true];
export type Rules = Readonly<Record<string, Rule>>;

/** A rule for numbers. NaN fails every comparison, so it is never accepted. */
export const number = (allowed: string, accepts: (value: number) => boolean): Rule => [
  allowed,
  (value) => typeof value === 'number' && accepts(value),
  true,
];
export const isFunction = (value: unknown): boolean => typeof value === 'function';
export const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
/** Whether the member is a function: also of a function, for axios instances are functions. */
export const hasMethod = (value: unknown, name: string | symbol): boolean =>
  (isObject(value) || isFunction(value)) && isFunction((value as Record<string | symbol, unknown>)[name]);
/** An object literal: axios clones those when it merges configs, everything else it passes on. */
export const isPlain = (value: unknown): boolean => {
  if (!isObject(value) || Symbol.toStringTag in value) return false;
  const prototype = Object.getPrototypeOf(value) as object | null;
  // Also that of another realm (a jest sandbox, an iframe): it has no prototype of its own.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
};

/** What came, in a few characters and without what might be secret. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? 'a long string' : `'${value}'`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'function') return 'a function';
  if (!isObject(value)) return String(value);
  const prototype = Object.getPrototypeOf(value) as { constructor?: { name?: string } } | null;
  return `an object (${prototype?.constructor?.name ?? 'no prototype'})`;
}

// The edit distance of two names; names are short, so the plain recursion over a row is enough.
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}

function nearest(name: string, names: string[]): string {
  const ranked = names
    .map((known) => [distance(name.toLowerCase(), known.toLowerCase()), known] as const)
    .sort((a, b) => a[0] - b[0]);
  const [best] = ranked;
  return best && best[0] <= 3 ? `; did you mean "${best[1]}"?` : `; known are ${names.join(', ')}`;
}

type ErrorClass = new (message: string) => Error;

/** A promise that came where a value was wanted must not become an unhandled rejection as well. */
function silence(value: unknown): void {
  if (isObject(value) && isFunction(value['then'])) Promise.resolve(value).catch(() => undefined);
}

/** The error for a wrong value: what it is for, what is allowed, what came. */
export function complaint(subject: string, allowed: string, came: unknown, Class: ErrorClass = TypeError): Error {
  silence(came);
  return new Class(`axios-jitter: ${subject} ${allowed}; came ${describe(came)}`);
}

/**
 * The given options, once each has passed its rule. `undefined` means "not given".
 *
 * @throws TypeError for an unknown name or a wrong type; RangeError for a number out of range.
 */
export function check<T extends object>(options: T, rules: Rules, what: string, where = ''): T {
  if (!isObject(options) || Array.isArray(options)) throw complaint(`${what}s${where}`, 'must be an object', options);
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!rule) throw new TypeError(`axios-jitter: unknown ${what} "${name}"${where}${nearest(name, Object.keys(rules))}`);
    const [allowed, accepts, isNumber] = rule;
    if (value === undefined || accepts(value)) continue;
    throw complaint(`${what} "${name}"${where}`, `must be ${allowed}`, value, isNumber && typeof value === 'number' ? RangeError : TypeError);
  }
  return options;
}
