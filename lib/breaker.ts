/** Around each attempt's adapter call: the circuit breaker, and the wait that a shared Retry-After asks for. */
import type { AxiosResponse } from 'axios';
import { axiosError, bareInstance, cancellation } from './axios-errors';
import type { Call, Config } from './call';
import { isObject } from './checks';
import type { CircuitBreaker } from './options';
import { OriginTable } from './origins';
import { waitForFirst } from './shared-retry-after';
import { INTERRUPTED, unlessInterrupted } from './sleep';
import type { Attempt } from './state';

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

// Names of adapters are resolved by axios itself: a bare instance sends the finished request as it is.
function dispatch(call: Call, config: Config): Send {
  const { adapter } = config;
  if (typeof adapter === 'function') return () => adapter(config) as Promise<AxiosResponse>;
  return async () => {
    try {
      const sent = bareInstance(call.attachment.place).request({ ...config, transformRequest: [], transformResponse: [] });
      return claim((await sent) as AxiosResponse, config);
    } catch (error) {
      claim((error as { response?: unknown } | undefined)?.response, config);
      throw claim(error, config);
    }
  };
}

function markUnsent(call: Call, attempt: Attempt): void {
  attempt.wasRefused = true;
  call.sent -= 1;
  call.attachment.counters.attempts -= 1;
}

async function refuse(call: Call, attempt: Attempt, config: Config, reason: unknown): Promise<never> {
  markUnsent(call, attempt);
  const { timeLeft } = (isObject(reason) ? reason : {}) as { timeLeft?: unknown };
  const left = typeof timeLeft === 'number' ? `, ${Math.ceil(timeLeft)} ms left` : '';
  const message = `the circuit breaker of ${call.originOf(config)} is open${left}`;
  throw await axiosError(call.attachment.place, config, message, 'ERR_CIRCUIT_OPEN', reason);
}

async function execute(call: Call, attempt: Attempt, config: Config): Promise<AxiosResponse> {
  const send = dispatch(call, config);
  const breaker = breakerOf(call, call.originOf(config));
  let sent: Promise<AxiosResponse> | undefined;
  // Once at most, and not after the caller has gone.
  const sendOnce: Send = () => (sent ??= call.interrupt?.cause ? cancellation(call.attachment.place, config).then((error) => Promise.reject(error)) : send());
  if (!breaker) return sendOnce();
  try {
    return await breaker.execute(sendOnce);
  } catch (error) {
    if (sent) throw error;
    return refuse(call, attempt, config, error);
  }
}

/** An adapter that lets an attempt through the breaker, or refuses it. It takes itself off the config. */
export function guard(call: Call, attempt: Attempt, adapter: Config['adapter']): (config: Config) => Promise<AxiosResponse> {
  return async (config) => {
    config.adapter = adapter as NonNullable<Config['adapter']>;
    const interrupt = call.watch();
    if (!(await waitForFirst(call, attempt, config))) {
      markUnsent(call, attempt);
      throw await cancellation(call.attachment.place, config);
    }
    const result = await unlessInterrupted(execute(call, attempt, config), interrupt);
    if (result === INTERRUPTED) throw await cancellation(call.attachment.place, config);
    return result;
  };
}
