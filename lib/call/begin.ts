/** What happens to an attempt on its way down: options, key, snapshot and mark, or the snapshot restored. */
import { needsWrapping, wrapAdapter } from './around-attempt';
import { Call, type Attachment, type Config } from './call';
import { describeRequest } from '../axios/origin';
import { answered, isObject, isThenable } from '../checks/checks';
import { addIdempotencyKey } from '../verdict/idempotency-key';
import type { RequestRetry } from '../options/retry-options';
import { resolveRequest, type ResolvedRetryOptions } from '../options/resolve';
import { hasInnerLayers, hasOwnTransform, restoreConfig, takeSnapshot } from '../axios/snapshot';
import { startOf } from './report';
import { watchCall } from '../watch/observers';
import { RetryState, type Attempt } from './attempt';

// A throw from a synchronous request interceptor is a synchronous exception of `api.get()` on axios 1.2 and a
// TypeError on 1.6 to 1.13. An adapter that rejects is a rejection everywhere.
function rejecting(config: Config, error: unknown): Config {
  const adapter = async (): Promise<never> => {
    await Promise.resolve();
    throw error;
  };
  return { ...config, transformRequest: [], adapter };
}

function optionsOf({ options, place }: Attachment, config: Config): ResolvedRetryOptions | false {
  const defaults = place.instance.defaults['retry'] as RequestRetry | undefined;
  if (config.retry === undefined && defaults === undefined) return options;
  return resolveRequest(options, defaults, config.retry, ` (${describeRequest(config)})`);
}

/** A body from the `body` option. @throws what it throws, and TypeError for a promise. */
export function freshBody({ body }: ResolvedRetryOptions): unknown {
  return answered('body', 'the body itself', (data): data is unknown => !isThenable(data), body?.());
}

function isAborted({ signal, cancelToken }: Config): boolean {
  return signal?.aborted === true || Boolean(cancelToken?.reason);
}

// Without an object there is nothing to edit in place.
function isEditable(config: Config, hasInner: boolean): boolean {
  return (isObject(config.data) || isObject(config.params)) && (hasInner || config.paramsSerializer !== undefined || hasOwnTransform(config));
}

/** What every attempt is given on top of the request itself. */
function equip(call: Call, attempt: Attempt, config: Config): void {
  const { options } = call;
  config.retryState = new RetryState(attempt);
  if (options.totalTimeout !== undefined) config.signal = call.signal;
  if (call.isWrapped) wrapAdapter(call, attempt, config);
}

// The config of an ended call, sent again: what that call put on it goes.
function shed(config: Config): void {
  const past = RetryState.attemptOf(config.retryState)?.call;
  if (!past) return;
  const { attemptHeader, totalTimeout } = past.options;
  if (attemptHeader !== false) Reflect.deleteProperty(config.headers, attemptHeader);
  if (totalTimeout === undefined || config.signal !== past.signal) return;
  if (past.request.signal) config.signal = past.request.signal;
  else delete config.signal;
}

function begin(attachment: Attachment, attempt: Attempt, config: Config, options: ResolvedRetryOptions): Config {
  if (options.idempotencyKey) addIdempotencyKey(config, options);
  const body = options.body && freshBody(options);
  if (options.body) config.data = body;
  const hasInner = hasInnerLayers(attachment.place, config);
  const mayBeEdited = isEditable(config, hasInner);
  const call = new Call(attachment, options, takeSnapshot(config, hasInner, mayBeEdited), mayBeEdited);
  call.body = body;
  attempt.call = call;
  if (options.totalTimeout !== undefined) call.watch().startDeadline(options.totalTimeout);
  attachment.counters.calls += 1;
  call.observers = watchCall(options, startOf(call, config));
  call.isWrapped = needsWrapping(call);
  equip(call, attempt, config);
  return leaveHere(call, attempt, enter(attempt, config));
}

// Nobody sees it pass the inner interceptors: without what lies around the adapter, it leaves here.
function leaveHere(call: Call, attempt: Attempt, config: Config): Config {
  if (!call.isWrapped) attempt.leave();
  return config;
}

function enter(attempt: Attempt, config: Config): Config {
  attempt.config = config;
  attempt.phase = 'inside';
  return config;
}

/** The first attempt of a call. Wrong options reject before anything is sent; an aborted call is axios' own affair. */
export function prepareFirst(attachment: Attachment, attempt: Attempt, merged: Config): Config {
  try {
    // What an outer interceptor froze is not ours to edit.
    const config = Object.isExtensible(merged) ? merged : { ...merged };
    shed(config);
    const options = !isAborted(config) && optionsOf(attachment, config);
    return options ? begin(attachment, attempt, config, options) : merged;
  } catch (error) {
    return rejecting(merged, error);
  }
}

/** A replay: `merged` has the instance's defaults in it again, so it becomes what the loop prepared. */
export function prepareReplay(call: Call, attempt: Attempt, merged: Config): Config {
  const config = restoreConfig(merged, attempt.config as Config, call.isEditable);
  equip(call, attempt, config);
  return enter(attempt, config);
}

/** A replay that passes all interceptors. */
export const prepareFullReplay = (call: Call, attempt: Attempt, merged: Config): Config =>
  leaveHere(call, attempt, prepareReplay(call, attempt, merged));
