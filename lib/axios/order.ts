/** The order in which axios runs request interceptors: the last one registered first, or from 1.13 on what `transitional` says. */
import type { InternalAxiosRequestConfig } from 'axios';
import { define } from '../checks/checks';
import type { Registration } from './instance';

/** Whether they run in the order of their registration: then what was registered after is inside. */
export function isReversed({ asksForOrder }: Registration, { transitional }: InternalAxiosRequestConfig): boolean {
  const order = transitional as { legacyInterceptorReqResOrdering?: boolean } | undefined;
  return Boolean(order && !(order.legacyInterceptorReqResOrdering ?? !asksForOrder));
}

/**
 * Notes whether this axios asks `transitional` at all: it does so between the `runWhen` of an interceptor and its
 * other members. Returns what ends that.
 */
export function watchOrder(registration: Registration, config: InternalAxiosRequestConfig): () => void {
  const { transitional } = config;
  registration.asksForOrder = false;
  const get = (): typeof transitional => {
    registration.asksForOrder = true;
    return transitional;
  };
  define(config, 'transitional', { get, enumerable: true, configurable: true });
  return () => void define(config, 'transitional', { value: transitional, writable: true });
}
