/** An attempt at our request interceptor: what it is given on top of the request, and the request that a replay starts from. */
import { wrapAdapter } from './around-attempt';
import type { Attempt } from './attempt';
import type { Call, Config } from './call';
import { watchReading } from './unread-answer';
import { restoreConfig } from '../axios/snapshot';

/** Our request interceptor: what every attempt is given on top of the request itself. */
export function enter(call: Call, attempt: Attempt, config: Config): Config {
  config.retryState = attempt.state;
  if (call.options.totalTimeout !== undefined) config.signal = call.watch().signal;
  watchReading(config);
  if (call.isWrapped) wrapAdapter(call, attempt, config);
  attempt.config = config;
  attempt.phase = 'inside';
  return config;
}

/** For an attempt that nobody sees pass the inner interceptors: without what lies around the adapter, it leaves here. */
export function leaveFrom(call: Call, attempt: Attempt, config: Config): Config {
  if (!call.isWrapped) attempt.leave();
  return config;
}

/** A replay: `merged` has the instance's defaults in it again, so it becomes what the loop prepared. */
export function restoreReplay(call: Call, attempt: Attempt, merged: Config): Config {
  attempt.phase = 'inside';
  const config = restoreConfig(merged, attempt.config as Config, call.isEditable);
  config.retryState = attempt.state;
  return config;
}

/** A replay that comes to our request interceptor: what the loop prepared holds whatever interceptors outside have made of it. */
export function enterReplay(call: Call, attempt: Attempt, merged: Config): Config {
  const config = Object.isExtensible(merged) ? merged : { ...merged };
  const { requestInterceptors, idempotencyHeader, attemptHeader, body } = call.options;
  if (requestInterceptors === 'all') {
    const { headers, data } = attempt.config as Pick<Config, 'headers'> & { data?: unknown };
    const names = [call.key !== undefined && idempotencyHeader, attemptHeader].filter((name) => name !== false);
    for (const name of names) config.headers[name] = headers[name] as string;
    if (body) (config as { data?: unknown }).data = data;
  }
  return enter(call, attempt, config);
}

/** A replay that passes all interceptors. */
export const enterFullReplay = (call: Call, attempt: Attempt, merged: Config): Config =>
  leaveFrom(call, attempt, enterReplay(call, attempt, call.options.requestInterceptors === 'all' ? merged : restoreReplay(call, attempt, merged)));
