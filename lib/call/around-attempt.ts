/** Around an attempt's adapter, from outside to inside: the wait for a shared Retry-After, the circuit breaker, the observers. */
import type { AxiosResponse } from 'axios';
import { findOneShot } from '../axios/body';
import { axiosError, cancellation, deadlineError, sendBare } from '../axios/errors';
import type { Call, Config } from './call';
import { answered, hasMethod, isObject } from '../checks/checks';
import type { CircuitBreaker, CircuitBreakerFactory } from '../options/retry-options';
import { OriginTable } from '../policy/origin-table';
import { interrupted, toStop } from './hooks';
import { waitForPause } from './shared-retry-after';
import { stateOf } from './stats';
import { INTERRUPTED, unlessInterrupted } from '../time/interrupt';
import { Stop } from '../verdict/decide';
import { lacksKey } from '../verdict/idempotency-key';
import { hasOnAttempt, runAttempt } from '../watch/observers';
import type { Attempt } from './attempt';

const toBreaker = (value: unknown): CircuitBreaker =>
  answered('circuitBreaker', 'an object with execute', (given): given is CircuitBreaker => hasMethod(given, 'execute'), value);

function breakerOf({ attachment, options }: Call, factory: CircuitBreakerFactory, origin: string): CircuitBreaker {
  const now = options.now();
  const table = attachment.breakers.get(factory) ?? new OriginTable<CircuitBreaker>((breaker) => stateOf(breaker) !== undefined);
  attachment.breakers.set(factory, table);
  const breaker = table.get(origin, now) ?? toBreaker(factory(origin));
  table.set(origin, breaker, now);
  return breaker;
}

// The result belongs to the attempt's config, not to the copy that the bare instance sent. What is frozen stays.
function claim<T>(result: T, config: Config): T {
  if (isObject(result) && 'config' in result) Reflect.set(result, 'config', config);
  return result;
}

// Names of adapters are resolved by axios itself.
async function dispatch(call: Call, config: Config): Promise<AxiosResponse> {
  const { adapter } = config;
  if (typeof adapter === 'function') return adapter(config) as Promise<AxiosResponse>;
  try {
    const sent = sendBare(call.instance, { ...config, transformRequest: [], transformResponse: [] });
    return claim((await sent) as AxiosResponse, config);
  } catch (error) {
    claim((error as { response?: unknown } | undefined)?.response, config);
    throw claim(error, config);
  }
}

/** An attempt at its adapter. */
interface Departure {
  readonly call: Call;
  readonly attempt: Attempt;
  readonly config: Config;
}

async function cancel({ call, config }: Departure): Promise<never> {
  throw await cancellation(call.instance, config);
}

/** It does not leave. Rejects with what its adapter is to reject with. */
async function refuse(departure: Departure, stop: Stop, cause?: unknown): Promise<never> {
  const { call, attempt, config } = departure;
  attempt.refuse(stop);
  if (stop.reason === 'hook-failed') throw stop.hookError;
  if (stop.reason !== 'circuit-open') return cancel(departure);
  const timeLeft = isObject(cause) ? cause['timeLeft'] : undefined;
  const left = typeof timeLeft === 'number' ? `, ${Math.ceil(timeLeft)} ms left` : '';
  const message = `the circuit breaker of ${call.originOf(config)} is open${left}`;
  throw await axiosError(call.instance, config, { message, code: 'ERR_CIRCUIT_OPEN', cause });
}

/** Settles as `work` does, or rejects at the interrupt: a request that is under way at the deadline has timed out. */
async function unlessCut(departure: Departure, work: Promise<AxiosResponse>): Promise<AxiosResponse> {
  const { call, attempt, config } = departure;
  const result = await unlessInterrupted(work, call.watch());
  if (result !== INTERRUPTED) return result;
  const { totalTimeout } = call.options;
  const isTimeout = attempt.phase === 'sent' && totalTimeout !== undefined && call.watch().cause === 'deadline';
  if (!isTimeout) return cancel(departure);
  throw await deadlineError(call.instance, config, totalTimeout, call.lastError);
}

/** Sends, inside of what the observers have entered. */
function send(departure: Departure): Promise<AxiosResponse> {
  const { call, attempt, config } = departure;
  let sent!: Promise<AxiosResponse>;
  attempt.leave();
  runAttempt(call.options, call.observers, attempt.number, () => void (sent = dispatch(call, config)));
  return sent;
}

async function sendThrough(departure: Departure, breaker: CircuitBreaker): Promise<AxiosResponse> {
  const { call, attempt } = departure;
  let sent: Promise<AxiosResponse> | undefined;
  let isOver = false;
  // Once at most, and not after the caller has gone or the breaker has answered. It settles also under an adapter that knows no signals.
  const sendOnce = (): Promise<AxiosResponse> => {
    sent ??= isOver || call.interrupt?.cause ? cancel(departure) : unlessCut(departure, send(departure));
    return sent;
  };
  const execute = async (): Promise<AxiosResponse> => breaker.execute(sendOnce);
  try {
    return await unlessCut(departure, execute());
  } catch (error) {
    if (attempt.phase === 'sent') throw error;
    return await refuse(departure, call.interrupt?.cause ? interrupted(call) : new Stop('circuit-open'), error);
  } finally {
    isOver = true;
  }
}

async function depart(departure: Departure): Promise<AxiosResponse> {
  const { call, attempt, config } = departure;
  const { circuitBreaker, shareRetryAfter } = call.options;
  attempt.phase = 'held';
  if (lacksKey(config, attempt.neededKey, call.options)) return refuse(departure, new Stop('method'));
  const oneShot = call.usedBodies && findOneShot(config.data);
  if (oneShot && call.usedBodies?.has(oneShot)) return refuse(departure, new Stop('body'));
  let breaker: CircuitBreaker | undefined;
  try {
    // Options of the user's are asked in there: `origin`, `random`.
    if (shareRetryAfter === 'all') await waitForPause(call, config);
    if (circuitBreaker) breaker = breakerOf(call, circuitBreaker, call.originOf(config));
  } catch (thrown) {
    return await refuse(departure, toStop(thrown));
  }
  return breaker ? sendThrough(departure, breaker) : send(departure);
}

/** Whether anything lies around the adapters of a call. Without it they stay the user's own. */
export const needsWrapping = ({ options, observers }: Call): boolean =>
  options.circuitBreaker !== false || options.shareRetryAfter === 'all' || hasOnAttempt(options, observers);

/** Puts what lies around it in the place of the adapter. It takes itself off the config. */
export function wrapAdapter(call: Call, attempt: Attempt, config: Config): void {
  const { adapter } = config;
  config.adapter = (sent) => {
    Object.assign(sent, { adapter });
    // Else somebody sends the config of an attempt again.
    const isOurs = attempt.phase === 'inside' && !call.hasEnded;
    return isOurs ? depart({ call, attempt, config: sent }) : dispatch(call, sent);
  };
}
