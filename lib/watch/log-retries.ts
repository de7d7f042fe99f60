/** One log line per event, for the on-call engineer: what failed, where, what follows and why. No secrets. */
import { check, complaint, fallbacks, hasMethod, isFunction, number, type Rules } from '../checks/checks';
import { OriginTable } from '../policy/origin-table';
import { monotonicNow } from '../time/clock';
import { toEventData, type EventData } from './event-data';
import type { RetryEvent } from './events';
import type { EventObserver } from './observer';

type Log = (line: string) => unknown;
/** `console`, pino, winston, or anything with these methods. */
export interface RetryLogger {
  info: Log;
  warn: Log;
  error: Log;
}

export interface LogOptions {
  /**
   * Where the logger takes the event as data: `'first'` before the line, `'last'` after it, `'none'` not at all.
   * @default 'first' for pino, 'last' for winston, else 'none'
   */
  fields?: 'first' | 'last' | 'none' | undefined;
  /**
   * Lines per origin and `window`, a whole number >= 1, or `Infinity`; the next line says how many were left out. Give-ups are
   * counted apart, so that a storm of retries does not hide that calls fail. @default 10
   */
  limit?: number | undefined;
  /** In ms, > 0. @default 10_000 */
  window?: number | undefined;
  /** Monotonic clock in ms. @default performance.now */
  now?: (() => number) | undefined;
}

type Settings = { readonly [Name in keyof LogOptions]-?: NonNullable<LogOptions[Name]> };

const RULES: Rules = {
  fields: ["'first', 'last' or 'none'", (value: unknown) => ['first', 'last', 'none'].includes(value as string)],
  limit: number('a whole number >= 1, or Infinity', (value) => value >= 1 && (Number.isInteger(value) || value === Infinity), 10),
  window: number('a finite number > 0', (value) => value > 0 && value < Infinity, 10_000),
  now: ['a function', isFunction, monotonicNow],
};

function fieldsOf(logger: object): 'first' | 'last' | 'none' {
  if (hasMethod(logger, 'bindings')) return 'first';
  return 'transports' in logger && 'format' in logger ? 'last' : 'none';
}

/** Lets `limit` lines per origin and window through, and says how many it left out before; `undefined` = leave this one out. */
function limiter(limit: number, window: number): (origin: string, now: number) => number | undefined {
  const table = new OriginTable<{ lines: number[]; suppressed: number }>();
  return (origin, now) => {
    const { lines, suppressed } = table.get(origin, now) ?? { lines: [], suppressed: 0 };
    const isFull = lines.length === limit && now - (lines[0] ?? 0) < window;
    const recent = isFull || limit === Infinity ? lines : [...lines, now].slice(-limit);
    table.set(origin, { lines: recent, suppressed: isFull ? suppressed + 1 : 0 }, now);
    return isFull ? undefined : suppressed;
  };
}

function outcomeOf({ event, kind, status, code, retryAfter, delay, reason }: EventData): string {
  const result = status === undefined ? code && ` code=${code}` : ` status=${status}`;
  if (event === 'recover') return `after=${kind}${result ?? ''}`;
  const asked = retryAfter === undefined ? '' : ` retryAfter=${retryAfter}ms`;
  // What would make such a request safe to repeat.
  const stop = reason === 'method' ? 'method option=idempotencyKey' : reason;
  return `kind=${kind}${result ?? ''}${asked} ${event === 'retry' ? `delay=${delay ?? 0}ms` : `reason=${stop}`}`;
}

function lineOf(data: EventData, suppressed: number): string {
  const { event, method, origin, path, attempt, retries, elapsed } = data;
  const left = suppressed > 0 ? ` suppressed=${suppressed}` : '';
  return `axios-jitter ${event} ${method} ${origin}${path} attempt=${attempt}/${retries + 1} ${outcomeOf(data)} elapsed=${elapsed}ms${left}`;
}

/**
 * An observer that writes one line per event: `warn` for a retry, `error` for giving up, `info` for a recovery.
 * Method, origin, path, attempt, delay and reason; no query, header or body. A call that fails at its first attempt
 * with `not-retryable` (a 404) is the caller's business and is not logged.
 *
 * @throws TypeError or RangeError for a wrong setting, TypeError for something that is no logger.
 */
export function logRetries(logger: RetryLogger, options: LogOptions = {}): EventObserver {
  const levels = ['info', 'warn', 'error'] as const;
  if (!levels.every((level) => hasMethod(logger, level))) throw complaint('logRetries', 'needs a logger with info, warn and error', logger);
  const given = check(options, RULES, 'logRetries setting');
  const settings = { ...fallbacks(RULES), fields: fieldsOf(logger), ...given } as Settings;
  // Those of give-ups apart: they are what somebody is woken up for.
  const [ofGiveUps, ofOthers] = [limiter(settings.limit, settings.window), limiter(settings.limit, settings.window)];
  const write = (level: keyof RetryLogger, name: EventData['event'], event: RetryEvent): void => {
    const suppressed = (name === 'give-up' ? ofGiveUps : ofOthers)(event.origin, settings.now());
    if (suppressed === undefined) return;
    const data = toEventData(name, event);
    const line = lineOf(data, suppressed);
    const fields = suppressed > 0 ? { ...data, suppressed } : data;
    const taken = { first: [fields, line], last: [line, fields], none: [line] }[settings.fields];
    // Loggers need their `this`; what they take besides the line differs.
    Reflect.apply(logger[level], logger, taken);
  };
  return {
    onRetry: (event) => write('warn', 'retry', event),
    onGiveUp: (event) => event.reason === 'not-retryable' && event.attempt === 1 ? undefined : write('error', 'give-up', event),
    onRecover: (event) => write('info', 'recover', event),
  };
}
