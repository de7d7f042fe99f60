/** The beginning of a call, at our request interceptor: options, key and body, the snapshot. */
import { needsWrapping } from './around-attempt';
import { Call, type Attachment, type Config } from './call';
import { describeRequest } from '../axios/origin';
import { addIdempotencyKey } from '../verdict/idempotency-key';
import type { RequestRetry } from '../options/retry-options';
import { resolveRequest, type ResolvedRetryOptions } from '../options/resolve';
import { getHeader } from '../axios/headers';
import { copyConfig, canEditValues, hasInnerLayers, takeSnapshot } from '../axios/snapshot';
import { startOf } from './report';
import { watchCall } from '../watch/observers';
import { RetryState, type Attempt } from './attempt';
import { enter, leaveFrom } from './enter';
import { firstBody } from './fresh-body';

// A throw from a synchronous request interceptor is a synchronous exception of `api.get()` on axios 1.2 and a
// TypeError on 1.6 to 1.13. An adapter that rejects is a rejection everywhere.
function rejecting(config: Config, error: unknown): Config {
  const adapter = async (): Promise<never> => {
    await Promise.resolve();
    throw error;
  };
  return { ...config, transformRequest: [], adapter };
}

function optionsOf({ options, registration }: Attachment, config: Config): ResolvedRetryOptions | false {
  const defaults = registration.instance.defaults['retry'] as RequestRetry | undefined;
  if (config.retry === undefined && defaults === undefined) return options;
  return resolveRequest(options, defaults, config.retry, ` (${describeRequest(config)})`);
}

function isAborted({ signal, cancelToken }: Config): boolean {
  return signal?.aborted === true || Boolean(cancelToken?.reason);
}

// The config of an ended call, sent again: what that call put on it goes. Its key stays where the operation is undecided.
function removeRetryFields(config: Config): void {
  const past = RetryState.attemptOf(config.retryState)?.call;
  if (!past) return;
  const { attemptHeader, idempotencyHeader } = past.options;
  if (attemptHeader !== false) Reflect.deleteProperty(config.headers, attemptHeader);
  if (past.key !== undefined && !past.isUndecided && config.headers[idempotencyHeader] === past.key) Reflect.deleteProperty(config.headers, idempotencyHeader);
  if (!past.interrupt || config.signal !== past.interrupt.signal) return;
  if (past.callerSignal) config.signal = past.callerSignal;
  else delete config.signal;
}

/** Notes the request before any interceptor has seen it. */
export function noteAsCalled(attempt: Attempt, config: Config): void {
  try {
    const asCalled = copyConfig(config, true);
    removeRetryFields(asCalled);
    attempt.asCalled = asCalled;
  } catch {
    // What cannot be copied is found where an error can be told.
  }
}

/** What the options make of the request, for all of its attempts. Returns the key that was made for it. */
function complete(config: Config, options: ResolvedRetryOptions): string | undefined {
  const { idempotencyHeader, idempotencyKey } = options;
  if (options.body) config.data = firstBody(options);
  if (idempotencyKey === false) return undefined;
  const given = getHeader(config.headers, idempotencyHeader);
  addIdempotencyKey(config, options);
  const key = getHeader(config.headers, idempotencyHeader);
  // Or made for the call before, which left the operation undecided.
  const before = RetryState.attemptOf(config.retryState)?.call?.key;
  return key === given && key !== before ? undefined : key;
}

function makeCall(attachment: Attachment, { asCalled }: Attempt, config: Config, options: ResolvedRetryOptions): Call {
  const key = complete(config, options);
  if (asCalled && options.body) asCalled.data = config.data as unknown;
  if (asCalled && key !== undefined) asCalled.headers[options.idempotencyHeader] = key;
  const hasInner = asCalled !== undefined || hasInnerLayers(attachment.registration, config);
  const mayBeEdited = hasInner || canEditValues(config);
  const call = new Call(attachment, options, asCalled ? () => asCalled : takeSnapshot(config, hasInner, mayBeEdited), mayBeEdited);
  call.key = key;
  if (options.body) call.body = config.data;
  return call;
}

function begin(attachment: Attachment, attempt: Attempt, config: Config, options: ResolvedRetryOptions): Config {
  const call = makeCall(attachment, attempt, config, options);
  attempt.call = call;
  if (options.totalTimeout !== undefined) call.watch().startDeadline(options.totalTimeout);
  attachment.counters.calls += 1;
  if (options.observers.length > 0) call.observers = watchCall(options, startOf(call, config));
  call.isWrapped = needsWrapping(call);
  return leaveFrom(call, attempt, enter(call, attempt, config));
}

/** The first attempt of a call. Wrong options reject before anything is sent; an aborted call is axios' own affair. */
export function prepareFirst(attachment: Attachment, attempt: Attempt, merged: Config): Config {
  try {
    // What an outer interceptor froze is not ours to edit.
    const config = Object.isExtensible(merged) ? merged : { ...merged };
    removeRetryFields(config);
    const options = !isAborted(config) && optionsOf(attachment, config);
    return options ? begin(attachment, attempt, config, options) : merged;
  } catch (error) {
    return rejecting(merged, error);
  }
}
