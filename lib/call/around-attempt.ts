/** Around each attempt's adapter call: the circuit breaker, and the wait that a shared Retry-After asks for. */
import type { AxiosResponse } from 'axios';
import { axiosError, cancellation, deadlineError, sendBare } from '../axios/errors';
import type { Call, Config } from './call';
import { isObject } from '../checks/checks';
import type { CircuitBreaker } from '../options/retry-options';
import type { ResolvedRetryOptions } from '../options/resolve';
import { OriginTable } from '../policy/origin-table';
import { waitForFirst } from './shared-retry-after';
import { INTERRUPTED, unlessInterrupted } from '../time/interrupt';
import type { Attempt } from './attempt';

type Send = () => Promise<AxiosResponse>;

function breakerOf({ attachment, options }: Call, origin: string): CircuitBreaker | undefined {
  const { circuitBreaker, now } = options;
  if (!circuitBreaker) return undefined;
  const table = attachment.breakers.get(circuitBreaker) ?? new OriginTable<CircuitBreaker>();
  attachment.breakers.set(circuitBreaker, table);
  const breaker = table.get(origin, now()) ?? circuitBreaker(origin);
  table.set(origin, breaker, now());
  return breaker;
}

// The result belongs to the attempt's config, not to the copy that the bare instance sent. What is frozen stays.
function claim<T>(result: T, config: Config): T {
  if (isObject(result) && 'config' in result) Reflect.set(result, 'config', config);
  return result;
}

// Names of adapters are resolved by axios itself.
function dispatch(call: Call, config: Config): Send {
  const { adapter } = config;
  if (typeof adapter === 'function') return () => adapter(config) as Promise<AxiosResponse>;
  return async () => {
    try {
      const sent = sendBare(call.attachment.place, { ...config, transformRequest: [], transformResponse: [] });
      return claim((await sent) as AxiosResponse, config);
    } catch (error) {
      claim((error as { response?: unknown } | undefined)?.response, config);
      throw claim(error, config);
    }
  };
}

async function refuse(call: Call, attempt: Attempt, config: Config, reason: unknown): Promise<never> {
  attempt.phase = 'refused';
  const { timeLeft } = (isObject(reason) ? reason : {}) as { timeLeft?: unknown };
  const left = typeof timeLeft === 'number' ? `, ${Math.ceil(timeLeft)} ms left` : '';
  const message = `the circuit breaker of ${call.originOf(config)} is open${left}`;
  throw await axiosError(call.attachment.place, config, { message, code: 'ERR_CIRCUIT_OPEN', cause: reason });
}

/** Settles as `work` does, or rejects at the interrupt: a request that is under way at the deadline has timed out. */
async function unlessCut<T>(call: Call, attempt: Attempt, config: Config, work: PromiseLike<T>): Promise<T> {
  const result = await unlessInterrupted(work, call.watch());
  if (result !== INTERRUPTED) return result;
  const { totalTimeout } = call.options;
  const { place } = call.attachment;
  const isTimeout = attempt.phase === 'sent' && totalTimeout !== undefined && call.watch().cause === 'deadline';
  throw await (isTimeout ? deadlineError(place, config, totalTimeout, call.lastError) : cancellation(place, config));
}

async function cancel(call: Call, config: Config): Promise<never> {
  throw await cancellation(call.attachment.place, config);
}

interface Sending {
  readonly config: Config;
  readonly breaker: CircuitBreaker | undefined;
}

/** Sends through the breaker. */
async function execute(call: Call, attempt: Attempt, sending: Sending): Promise<AxiosResponse> {
  const send = dispatch(call, sending.config);
  let sent: Promise<AxiosResponse> | undefined;
  // Once at most, and not after the caller has gone or the breaker has refused. It settles also under an adapter that knows no signals.
  const sendOnce = (): Promise<AxiosResponse> => {
    if (sent) return sent;
    if (attempt.phase === 'inside' && call.watch().cause === undefined) attempt.leave();
    sent = attempt.phase === 'sent' ? unlessCut(call, attempt, sending.config, send()) : cancel(call, sending.config);
    return sent;
  };
  return sending.breaker ? sending.breaker.execute(sendOnce) : sendOnce();
}

/** Everything before the breaker: a wait that a shared Retry-After asks for, and the breaker itself. */
async function prepare(call: Call, attempt: Attempt, config: Config): Promise<Sending> {
  const isFree = await waitForFirst(call, attempt, config);
  if (!isFree) await cancel(call, config);
  return { config, breaker: breakerOf(call, call.originOf(config)) };
}

/** Whether anything lies around the adapter. Without it the adapter stays the user's own. */
export const isGuarded = ({ circuitBreaker, shareRetryAfter }: ResolvedRetryOptions): boolean =>
  circuitBreaker !== false || shareRetryAfter === 'all';

/** An adapter that lets an attempt through the breaker, or refuses it. It takes itself off the config. */
export function guard(call: Call, attempt: Attempt, adapter: Config['adapter']): (config: Config) => Promise<AxiosResponse> {
  return async (config) => {
    config.adapter = adapter as NonNullable<Config['adapter']>;
    let sending: Sending | undefined;
    try {
      sending = await prepare(call, attempt, config);
      return await unlessCut(call, attempt, config, execute(call, attempt, sending));
    } catch (error) {
      if (attempt.phase === 'sent' || !sending || call.watch().cause) throw error;
      return refuse(call, attempt, config, error);
    }
  };
}
