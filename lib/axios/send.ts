/** The plugin's own way to the wire: past all interceptors but those it is told to pass. */
import { hasMethod, isFunction } from '../checks/checks';
import type { Handler, Instance, Managed } from './instance';

export type Visit = (handler: Handler) => void;

/** What one request passes, as axios reads it: handlers on the way down, handlers on the way up. */
export interface Layers {
  request(visit: Visit): void;
  response(visit: Visit): void;
}

type Interceptors = Record<'request' | 'response', Pick<Managed, 'forEach'>>;
type Request = (config: object) => Promise<unknown>;

/**
 * For a subclass of `Axios`: axios' own `request`, below what the subclass makes of it, on an
 * heir of the instance, which shares everything with it but interceptors and defaults.
 */
function requestOfHeir(instance: Instance, interceptors: Interceptors): Request {
  const heir = Object.create(instance, { defaults: { value: {} }, interceptors: { value: interceptors } }) as Instance;
  let base: object = instance;
  for (let link: object | null = instance; link; link = Object.getPrototypeOf(link) as object | null) {
    if (Object.hasOwn(link, 'request')) base = link;
  }
  // What only passes on to an instance may look for private fields of its own: it is called as it is.
  const self = Object.hasOwn(base, 'getUri') ? heir : instance;
  return (config) => (base as Instance).request.call(self, config);
}

/** The `request` of an instance of the same axios that has no defaults and these interceptors. */
function makeRequest(instance: Instance, interceptors: Interceptors): Request {
  // axios' own instances are functions. A method `create` of anything else may do anything.
  const bare = isFunction(instance) && instance.create?.(instance.defaults);
  if (!bare || bare.interceptors === instance.interceptors) return requestOfHeir(instance, interceptors);
  for (const key of Object.keys(bare.defaults)) Reflect.deleteProperty(bare.defaults, key);
  // Replaced, not edited: a `create` of somebody's may share the managers among instances.
  Object.assign(bare.interceptors, interceptors);
  return (config) => bare.request(config);
}

export class Lane {
  readonly #request: Request;
  #layers: Layers | undefined;
  #isInOrder: boolean | undefined;

  constructor(instance: Instance) {
    // To find out by trying is for axios' own `request` alone: anything else would pass what is tried through all its layers.
    if (!hasMethod(instance, 'getUri')) this.#isInOrder = false;
    this.#request = makeRequest(instance, {
      request: { forEach: (visit) => this.#layers?.request(visit) },
      response: { forEach: (visit) => this.#layers?.response(visit) },
    });
  }

  /** Sends; axios reads the layers before this returns. */
  send(layers: Layers, config: object): Promise<unknown> {
    const before = this.#layers;
    this.#layers = layers;
    try {
      return this.#request(config);
    } finally {
      this.#layers = before;
    }
  }

  /**
   * Whether this axios runs request interceptors in the order of their registration where `transitional` does not say.
   * From 1.13 on it does: what is missing there is no `legacyInterceptorReqResOrdering`. Found by trying.
   */
  get isInOrder(): boolean {
    if (this.#isInOrder === undefined) {
      const ran: number[] = [];
      const noting = (name: number): Handler => ({ synchronous: true, fulfilled: (config: object) => (ran.push(name), config) });
      const layers: Layers = { request: (visit) => [1, 2].forEach((name) => visit(noting(name))), response: () => undefined };
      this.send(layers, { url: '', transitional: {}, adapter: () => Promise.reject(new Error('not sent')) }).catch(() => undefined);
      this.#isInOrder = ran[0] === 1;
    }
    return this.#isInOrder;
  }
}
