/** What the drop-ins share: a peer's rules, on an instance, by public options of `attachRetry`. */
import type { AxiosError, InternalAxiosRequestConfig } from 'axios';
import { attachRetry, type RetryableInstance } from '../attach';
import { handlersOf, type Instance, type Managed } from '../axios/instance';
import { findAxiosError } from '../axios/recognize';
import { hasMethod, isObject } from '../checks/checks';
import type { RetryEvent } from '../watch/events';
import { applyEdit, Edits, type Edit } from './edits';

type Config = InternalAxiosRequestConfig;

/** A peer's rules. What they throw is what the caller gets. */
export interface Rules {
  /** May this failure be retried, and after how many ms? undefined: no. `retries`: how many there were. */
  decide(error: AxiosError, retries: number): Promise<number | undefined>;
  /** After the wait: what is the peer's own on the next config. */
  prepare(next: Config, error: AxiosError): Promise<void> | void;
}

/** How a call ends, where it is not with the error that it ended with. By that error. */
const endings = new WeakMap<object, () => unknown>();

export const endWith = (error: object, end: () => unknown): void => void endings.set(error, end);

/** An error of an inner interceptor's own make that carries the request's `config`: for the peers it is the call's failure. */
interface Carrier {
  readonly isAxiosError: true;
  readonly config: unknown;
  readonly response: unknown;
  readonly carried: AxiosError;
}

function carry(error: unknown): unknown {
  const isOwn = isObject(error) && isObject(error['config']) && findAxiosError(error) !== (error as unknown);
  // Seen by the loop alone: `finish` takes it off again.
  return isOwn ? { isAxiosError: true, config: error['config'], response: error['response'], carried: error } : error;
}

const carriedBy = (error: AxiosError): AxiosError => (error as unknown as Partial<Carrier>).carried ?? error;

function finish(rejected: unknown): unknown {
  const found = findAxiosError(rejected);
  if (!found) throw rejected;
  const error = carriedBy(found);
  const end = endings.get(error);
  if (end) return end();
  throw error === found ? rejected : error;
}

/** Runs the user's hooks: what they throw ends the call in the place of its error. */
async function guarded<T>(found: AxiosError, run: (error: AxiosError) => Promise<T> | T): Promise<T> {
  const error = carriedBy(found);
  try {
    return await run(error);
  } catch (thrown) {
    endWith(error, () => {
      throw thrown;
    });
    throw thrown;
  }
}

function attachLoop(instance: RetryableInstance, rules: Rules, isOn: () => boolean, release: () => void): void {
  const failures = new WeakMap<object, { delay: number; edits: Edits }>();
  // By the mark of the attempt that they were made for: the next one starts from the request as it was called.
  const earlier = new WeakMap<object, readonly Edit[]>();
  const shouldRetry = async ({ error, attempt }: RetryEvent): Promise<boolean> => {
    if (!error?.config || !isOn()) return false;
    const edits = new Edits(error.config);
    const delay = await guarded(error, (failed) => rules.decide(failed, attempt - 1));
    if (delay !== undefined) failures.set(error, { delay, edits });
    return delay !== undefined;
  };
  const beforeRetry = async (next: Config, { error }: RetryEvent): Promise<void> => {
    if (!error?.config) return;
    await guarded(error, (failed) => rules.prepare(next, failed));
    const edit = failures.get(error)?.edits.in(error.config);
    const all = [...(earlier.get(error.config.retryState as object) ?? []), ...(edit ? [edit] : [])];
    for (const made of all) applyEdit(made, next);
    earlier.set(next.retryState as object, all);
  };
  attachRetry(instance, {
    retries: Infinity,
    budget: false,
    retryAfter: false,
    requestInterceptors: 'all',
    shouldRetry,
    beforeRetry,
    delay: ({ error }) => error && failures.get(error)?.delay,
    observers: [{ onAttach: () => release }],
  });
}

/** The two interceptors that lie around the loop's place, and whose rules are on. */
interface Place {
  readonly inner: (error: unknown) => never;
  /** Of the latest attachment; ejected, it takes the retries with it. */
  ending?: unknown;
}
const places = new WeakMap<Managed, Place>();

const has = (manager: Managed, rejected: unknown): boolean => handlersOf(manager).some((handler) => handler.rejected === rejected);

/** undefined: a mock, through which nothing is sent. */
function placeOn(response: Managed): Place | undefined {
  if (!hasMethod(response, 'forEach')) return undefined;
  const known = places.get(response);
  if (known && has(response, known.inner)) return known;
  const place: Place = {
    inner: (error) => {
      throw has(response, place.ending) ? carry(error) : error;
    },
  };
  response.use(undefined, place.inner);
  if (!has(response, place.inner)) return undefined;
  places.set(response, place);
  return place;
}

/**
 * Attaches a peer's rules to an instance. Attached again, by whom ever, the later replaces the earlier.
 * Returns the id of a response interceptor: ejected, it takes the retries with it.
 */
export function attachRules(instance: RetryableInstance, rules: Rules, release?: () => void): number {
  const { response } = (instance as unknown as Instance).interceptors;
  // One for each attachment: it is known by itself.
  const ending = (rejected: unknown): unknown => finish(rejected);
  let isReplaced = false;
  const replace = (): void => {
    isReplaced = true;
    response.eject(id);
    release?.();
  };
  const place = placeOn(response);
  if (place) attachLoop(instance, rules, () => isReplaced || has(response, ending), replace);
  const id = response.use(undefined, ending);
  if (place) place.ending = ending;
  return id;
}
