/** The answers of fetch whose body may yet prove unreadable: axios tells nothing of them then. */
import type { InternalAxiosRequestConfig } from 'axios';
import { isObject } from '../checks/checks';

type Fetch = typeof fetch;
interface Answer {
  readonly status: number;
  readonly headers: object;
}

const answers = new WeakMap<object, Answer>();

const noting =
  (send: Fetch): Fetch =>
  async (...request) => {
    const response = await send(...request);
    if (isObject(request[0])) answers.set(request[0], { status: response.status, headers: Object.fromEntries(response.headers) });
    return response;
  };

// Looked up late: mocks replace it. axios keeps an adapter for each fetch that it is given, so there is one for each.
const globalFetch = noting((input, init) => fetch(input, init));
const known = new WeakMap<Fetch, Fetch>([[globalFetch, globalFetch]]);

/** Notes what fetch answers, where axios lets its fetch be chosen (since 1.12). */
export function noteAnswers(config: InternalAxiosRequestConfig): void {
  const env = config.env as { fetch?: Fetch } | undefined;
  const given = env?.fetch ?? globalFetch;
  const noted = known.get(given) ?? noting(given);
  known.set(given, noted).set(noted, noted);
  config.env = { ...env, fetch: noted };
}

export const fetchAnswerOf = (request: unknown): Answer | undefined => (isObject(request) ? answers.get(request) : undefined);
