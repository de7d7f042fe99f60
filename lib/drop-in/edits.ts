/** What hooks edit on the config of a failed attempt: on the peers that very config is sent again. */
import type { InternalAxiosRequestConfig } from 'axios';
import { copyValue } from '../axios/body';
import { copyHeaders } from '../axios/headers';
import { isObject, isPlain, isText } from '../checks/checks';

type Config = InternalAxiosRequestConfig;
type Members = Record<string, unknown>;

const MAX_DEPTH = 20;

const isOpen = (value: unknown): value is Members => Array.isArray(value) || isPlain(value);

/** The same, as far as plain objects and arrays go; all else by identity. */
function isSame(one: unknown, other: unknown, depth = 0): boolean {
  if (Object.is(one, other) || depth > MAX_DEPTH) return true;
  if (!isOpen(one) || !isOpen(other)) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], other[name], depth + 1));
}

/** The members that differ, with their new values; `undefined`: gone. */
function changes(before: Members, after: Members): [name: string, value: unknown][] {
  return Object.keys({ ...before, ...after })
    .filter((name) => !isSame(before[name], after[name]))
    .map((name) => [name, after[name]]);
}

const membersOf = (value: unknown): Members => (isObject(value) ? value : {});

/** What was edited: members, headers, and the type of a body that was text already. */
export interface Edit {
  readonly members: readonly [name: string, value: unknown][];
  readonly headers: readonly [name: string, value: unknown][];
}

/** Begins when the hooks have not yet run. */
export class Edits {
  readonly #members: Members;
  readonly #headers: Members;

  constructor(config: Config) {
    this.#headers = membersOf(copyHeaders(config.headers));
    this.#members = Object.fromEntries(Object.entries(config).map(([name, value]) => [name, isOpen(value) ? copyValue<unknown>(value) : value]));
  }

  /** What has been done to `config` since. */
  in(config: Config): Edit {
    const headers = changes(this.#headers, membersOf(config.headers));
    const members = changes(this.#members, config as unknown as Members).filter(([name]) => name !== 'headers');
    // The failed attempt's body was text already, and its header says of what kind.
    const type: unknown = config.headers['Content-Type'];
    const isTyped = isText(type) && members.some(([name, value]) => name === 'data' && isText(value));
    return { members, headers: isTyped ? [...headers, ['Content-Type', type]] : headers };
  }
}

/** Does to `next` what was done to a config before. */
export function applyEdit({ members, headers }: Edit, next: Config): void {
  for (const [name, value] of headers) {
    if (value === undefined) next.headers.delete(name);
    else next.headers.set(name, value as string);
  }
  for (const [name, value] of members) Object.assign(next, { [name]: value });
}
