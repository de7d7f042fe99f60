/** The beginning of a call, at our request interceptor: options, key and body, the snapshot. */
import { needsWrapping } from './around-attempt';
import { Call, type Attachment, type Config } from './call';
import { describeRequest, operationOf } from '../axios/origin';
import { addIdempotencyKey } from '../verdict/idempotency-key';
import type { RequestRetry } from '../options/retry-options';
import { resolveRequest, type ResolvedRetryOptions } from '../options/resolve';
import { copyConfig, canEditValues, hasInnerLayers, takeSnapshot } from '../axios/snapshot';
import { startOf } from './report';
import { watchCall, watchesCalls } from '../watch/observers';
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

/** The config of an ended call, sent again: what that call put on it goes. Its key stays, and is returned, where it is an operation that is undecided. */
function removeRetryFields(config: Config): string | undefined {
  const past = RetryState.attemptOf(config.retryState)?.call;
  if (!past) return undefined;
  const { attemptHeader, idempotencyHeader } = past.options;
  if (attemptHeader !== false) Reflect.deleteProperty(config.headers, attemptHeader);
  if (past.interrupt && config.signal === past.interrupt.signal) {
    if (past.callerSignal) config.signal = past.callerSignal;
    else delete config.signal;
  }
  if (past.key === undefined || config.headers[idempotencyHeader] !== past.key) return undefined;
  const operation = operationOf(config);
  if (operation && past.undecided?.every((part, index) => part === operation[index])) return past.key;
  Reflect.deleteProperty(config.headers, idempotencyHeader);
  return undefined;
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

function makeCall(attachment: Attachment, { asCalled, keptKey }: Attempt, config: Config, options: ResolvedRetryOptions): Call {
  // What the options make of the request, for all of its attempts.
  if (options.body) config.data = firstBody(options);
  const key = options.idempotencyKey === false ? undefined : (addIdempotencyKey(config, options) ?? keptKey);
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
  if (watchesCalls(options.observers)) call.observers = watchCall(options, startOf(call, config));
  call.isWrapped = needsWrapping(call);
  return leaveFrom(call, attempt, enter(call, attempt, config));
}

/** The first attempt of a call. Wrong options reject before anything is sent; an aborted call is axios' own affair. */
export function prepareFirst(attachment: Attachment, attempt: Attempt, merged: Config): Config {
  try {
    // What an outer interceptor froze is not ours to edit.
    const config = Object.isExtensible(merged) ? merged : { ...merged };
    attempt.keptKey = removeRetryFields(config);
    const options = !isAborted(config) && optionsOf(attachment, config);
    return options ? begin(attachment, attempt, config, options) : merged;
  } catch (error) {
    return rejecting(merged, error);
  }
}
