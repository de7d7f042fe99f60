/** Sending through the very instance, past interceptors that a request must not pass again. */
import { isFunction } from '../checks/checks';
import type { Handler, Instance, Managed } from './instance';

export type Side = 'request' | 'response';
/** The interceptors that a request passes. Asked while axios builds its chain: first for the one side, then for the other. */
export type Passing = (side: Side) => Handler[];

// The callable itself: a wrapper that somebody has put in the place of `request` waits for no replay. Of what is no
// function the last `request` along its prototypes, for the same reason.
function callableOf(instance: Instance): (config: object) => Promise<unknown> {
  if (isFunction(instance)) return instance as unknown as Instance['request'];
  let base: object = instance;
  for (let link: object | null = instance; link; link = Object.getPrototypeOf(link) as object | null) {
    if (Object.hasOwn(link, 'request')) base = link;
  }
  return (config) => (base as Instance).request.call(instance, config);
}

const ignore = (): void => undefined;
// One for each manager: they are made once, not for each retry, and keep nothing of it.
const views = new WeakMap<Managed, Managed>();

/** A view of the manager, with another `forEach`, takes its place. Returns what takes it back; nothing where they are frozen. */
function lend(interceptors: Instance['interceptors'], side: Side, forEach: Managed['forEach']): () => void {
  const manager = interceptors[side];
  const view = views.get(manager) ?? (Object.create(manager) as Managed);
  views.set(manager, view);
  view.forEach = forEach;
  Reflect.set(interceptors, side, view);
  return () => {
    view.forEach = ignore;
    if (interceptors[side] === view) interceptors[side] = manager;
  };
}

/**
 * Sends through the instance, where it passes `passing` alone. axios reads both managers before the instance returns,
 * and in between calls no one but the `runWhen` of interceptors, which find the real ones. Where they are not read
 * in time (a `request` that somebody made asynchronous, `interceptors` that are frozen or not axios' own), it passes all.
 */
export function sendPast(instance: Instance, config: object, passing: Passing): Promise<unknown> {
  const { interceptors } = instance;
  let takeBack = lend(interceptors, 'request', (visit) => {
    takeBack();
    passing('request').forEach(visit);
    takeBack = lend(interceptors, 'response', (visitResponse) => {
      takeBack();
      passing('response').forEach(visitResponse);
    });
  });
  try {
    return callableOf(instance)(config);
  } finally {
    takeBack();
  }
}
