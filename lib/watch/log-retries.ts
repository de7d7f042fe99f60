/** One log line per event, for the on-call engineer: what failed, where, what follows and why. No secrets. */
import type { RetryEvent } from './events';
import type { RetryObserver } from './observer';

type Log = (line: string) => unknown;
/** `console`, pino, winston, or anything with these methods. */
export interface RetryLogger {
  info: Log;
  warn: Log;
  error: Log;
}

const ORIGIN = /^([a-z][a-z\d+.-]*:)?\/\/[^/?#]*/i;
// axios takes an URL object for an address, too.
const pathOf = (url: unknown = ''): string => String(url).replace(ORIGIN, '').replace(/[?#].*$/s, '');

// What a server or a caller chose must not be able to start a line of its own.
const clean = (text: string): string => text.replace(/[\s\p{Cc}]/gu, (char) => encodeURIComponent(char));

function describeTarget({ config, origin }: RetryEvent): string {
  const { method = 'get', url = '', baseURL } = config;
  const isAbsolute = ORIGIN.test(url) && config.allowAbsoluteUrls !== false;
  const base = isAbsolute ? '' : pathOf(baseURL).replace(/\/$/, '');
  const path = pathOf(url).replace(/^(?!\/)/, '/');
  return `${clean(method.toUpperCase())} ${clean(origin)}${clean(base + path)}`;
}

const ms = (value: number): string => `${Math.round(value)}ms`;

function describeFailure({ kind, response, error, retryAfter }: RetryEvent): string {
  const code = typeof error?.code === 'string' ? ` code=${clean(error.code)}` : '';
  const status = response ? ` status=${response.status}` : code;
  return `kind=${kind}${status}${retryAfter === undefined ? '' : ` retryAfter=${ms(retryAfter)}`}`;
}

const line = (event: RetryEvent, what: string, rest: string): string =>
  `axios-jitter ${what} ${describeTarget(event)} attempt=${event.attempt}/${event.retries + 1} ${rest} elapsed=${ms(event.elapsed)}`;

/**
 * An observer that writes one line per event: `warn` for a retry, `error` for giving up, `info` for a recovery.
 * Method, origin, path, attempt, delay and reason; no query, header or body. A call that fails at its first attempt
 * with `not-retryable` (a 404) is the caller's business and is not logged.
 */
export function logRetries(logger: RetryLogger): RetryObserver {
  return {
    onRetry(event) {
      logger.warn(line(event, 'retry', `${describeFailure(event)} delay=${ms(event.delay ?? 0)}`));
    },
    onGiveUp(event) {
      if (event.reason === 'not-retryable' && event.attempt === 1) return;
      logger.error(line(event, 'give-up', `${describeFailure(event)} reason=${event.reason}`));
    },
    onRecover(event) {
      logger.info(line(event, 'recover', `after=${event.kind}${event.response ? ` status=${event.response.status}` : ''}`));
    },
  };
}
