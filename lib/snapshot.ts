/** The request as it was where the plugin sits: taken before inner layers touch it, restored for each replay. */
import type { InternalAxiosRequestConfig } from 'axios';
import { copyValue } from './body';
import { copyHeaders } from './headers';

type Config = InternalAxiosRequestConfig;

const axiosTransforms = new WeakMap<object, boolean>();

// axios' own transform never edits a body in place. It is known by its text: minifiers leave the names of properties.
// Where the text is not to be had (Hermes), the body is copied.
function isAxiosTransform(transform: unknown): boolean {
  if (typeof transform !== 'function') return false;
  let known = axiosTransforms.get(transform);
  if (known === undefined) {
    const text = Function.prototype.toString.call(transform);
    known = text.includes('formSerializer') && text.includes('setContentType');
    axiosTransforms.set(transform, known);
  }
  return known;
}

/** Whether a `transformRequest` of the user's may edit the body in place. */
export function hasOwnTransform({ transformRequest }: Config): boolean {
  if (transformRequest === undefined) return false;
  const transforms = Array.isArray(transformRequest) ? transformRequest : [transformRequest];
  return !transforms.every(isAxiosTransform);
}

/** A copy that inner layers may change. `isEditable`: also body and params, where something may edit them in place. */
export function copyConfig(config: Config, isEditable: boolean): Config {
  const copy = { ...config, headers: copyHeaders(config.headers) };
  if (isEditable) {
    copy.data = copyValue<unknown>(config.data);
    copy.params = copyValue<unknown>(config.params);
  }
  return copy;
}

/**
 * The config as it is now, to be had later. Where no interceptor lies inside, only a few members of a config change
 * on the way down: these are kept aside, and the rest is copied when the first attempt has failed, not before.
 */
export function takeSnapshot(config: Config, hasInner: boolean, isEditable: boolean): () => Config {
  let whole = hasInner || isEditable ? copyConfig(config, isEditable) : undefined;
  if (whole) {
    const taken = whole;
    return () => taken;
  }
  const { url, data, params, signal, adapter } = config;
  const kept = { url, data, params, signal, adapter, headers: copyHeaders(config.headers) };
  return () => (whole ??= withMembers({ ...config }, kept));
}

// Assigns what differs, so that a member which was absent stays absent.
function withMembers(config: Config, kept: object): Config {
  for (const [name, value] of Object.entries(kept)) {
    if (config[name as keyof Config] !== value) config[name as 'data'] = value;
  }
  return config;
}

/**
 * Makes `target`, the config that axios has just merged, what `source` is. Reusing axios' object keeps
 * its shape (axios 1.21: a null prototype), and drops the defaults that were merged in again.
 */
export function restoreConfig(target: Config, source: Config): Config {
  for (const key of Object.keys(target)) {
    if (!Object.hasOwn(source, key)) delete target[key as keyof Config];
  }
  return Object.assign(target, source);
}
