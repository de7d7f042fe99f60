/** The request as it was where the plugin sits: taken before inner layers touch it, restored for each replay. */
import type { InternalAxiosRequestConfig } from 'axios';
import { copyValue } from './body';
import { isObject } from '../checks/checks';
import { copyHeaders } from './headers';
import type { Registration } from './instance';
import { isReversed } from './order';

type Config = InternalAxiosRequestConfig;
type Members = Record<string, unknown>;

/** Whether interceptors lie inside, on either side: they may edit what they get. */
export const hasInnerLayers = (registration: Registration, config: Config): boolean =>
  registration.hasInner || isReversed(registration, config);

const axiosTransforms = new WeakMap<object, boolean>();

// axios' own transforms never edit a body in place. They are known by their text: minifiers leave the names of properties.
// Where the text is not to be had (Hermes), they count as the user's.
function isAxiosTransform(transform: unknown): boolean {
  if (typeof transform !== 'function') return false;
  let known = axiosTransforms.get(transform);
  if (known === undefined) {
    known = /formSerializer.*setContentType|silentJSONParsing/s.test(Function.prototype.toString.call(transform));
    axiosTransforms.set(transform, known);
  }
  return known;
}

/** Whether there are transforms of the user's: they may edit the body in place, or throw. */
export const hasOwnTransform = (transforms: unknown): boolean => transforms !== undefined && !(Array.isArray(transforms) ? transforms.every(isAxiosTransform) : isAxiosTransform(transforms));

// Members that axios fills itself, and the body, which it has made a text by then. Of the others those are meant that are copied.
const FILLED = new Set(['headers', 'retryState', 'transitional', 'transformRequest', 'transformResponse', 'env', 'data', 'signal', 'retry']);
function holdsObjects(config: Config): boolean {
  // Each call that succeeds comes by here: without a list of the keys.
  for (const key in config) {
    const value: unknown = config[key as keyof Config];
    if (isObject(value) && !FILLED.has(key) && copyValue(value) !== value) return true;
  }
  return false;
}

/** Whether functions of the user's, on the config itself, may edit its values in place: transforms, a serializer, an adapter. */
export const canEditValues = (config: Config): boolean =>
  config.paramsSerializer !== undefined || hasOwnTransform(config.transformRequest) || (typeof config.adapter === 'function' && holdsObjects(config));

// Headers are always edited on the way down, other values where something may edit them in place.
function separate(config: Config, isEditable: boolean): Config {
  if (isEditable) {
    const seen = new Map<unknown, unknown>();
    const members = config as unknown as Members;
    for (const key of Object.keys(config)) members[key] = key === 'retry' ? members[key] : copyValue(members[key], seen);
  }
  config.headers = copyHeaders(config.headers);
  return config;
}

/** A copy that inner layers may change. */
export const copyConfig = (config: Config, isEditable: boolean): Config => restoreConfig({} as Config, config, isEditable);

/**
 * The config as it is now, to be had later. Where no interceptor lies inside, on either side, only a few members of a config change
 * on the way down: these are kept aside, and the rest is copied when the first attempt has failed, not before.
 */
export function takeSnapshot(config: Config, hasInner: boolean, isEditable: boolean): () => Config {
  if (hasInner || isEditable) {
    const taken = copyConfig(config, isEditable);
    return () => taken;
  }
  let whole: Config | undefined;
  const { url, baseURL, method, data, params, signal, adapter } = config as Record<keyof Config, unknown>;
  const kept = { url, baseURL, method, data, params, signal, adapter, headers: copyHeaders(config.headers) };
  return () => (whole ??= withMembers(replaceMembers({} as Config, config), kept));
}

// Assigns what differs, so that a member which was absent stays absent.
function withMembers(config: Config, kept: Members): Config {
  const members = config as unknown as Members;
  for (const name of Object.keys(kept)) if (members[name] !== kept[name]) members[name] = kept[name];
  return config;
}

/**
 * Makes `target`, the config that axios has just merged, a copy of `source`. Reusing axios' object keeps
 * its shape (axios 1.21: a null prototype), and drops the defaults that were merged in again.
 */
export function restoreConfig(target: Config, source: Config, isEditable: boolean): Config {
  return separate(replaceMembers(target, source), isEditable);
}

/** Makes the members of `target` those of `source`, and returns it. */
export function replaceMembers(target: Config, source: Config): Config {
  for (const key of Object.keys(target)) {
    if (!Object.hasOwn(source, key)) Reflect.deleteProperty(target, key);
  }
  // Key by key: a spread of axios 1.21's configs, which have no prototype, takes several times as long.
  for (const key of Object.keys(source)) (target as unknown as Members)[key] = source[key as keyof Config];
  return target;
}
