/** What an error or response tells beside its report: more than the reason word says. */
import { getHeader } from '../axios/headers';
import { callOf } from '../call/attempt';
import { isObject, memberOf, textOf } from '../checks/checks';
import type { FailureKind, RetryReport } from '../watch/events';
import { formatTime } from './format';

const HEALING: ReadonlySet<unknown> = new Set<FailureKind>(['unsent', 'network', 'timeout', 'status', 'response']);

type Failed = Readonly<Record<string, unknown>>;
type Limit = 'totalTimeout' | 'maxRetryAfter';

/** A limit with its figure, where that is known: of the call itself; of one that was logged, what its request says. */
function describeLimit(name: Limit, carrier: unknown): string {
  const config = memberOf(carrier, 'config');
  const limit = callOf(config)?.options[name] ?? memberOf(memberOf(config, 'retry'), name);
  return typeof limit === 'number' && limit >= 0 ? `\`${name}\` (${formatTime(limit)})` : `\`${name}\``;
}

const describeAsked = ({ retryAfter }: Failed): string | undefined =>
  typeof retryAfter === 'number' && retryAfter > 0 ? `the server asked for ${formatTime(retryAfter)} (Retry-After)` : undefined;

// axios' own classes carry nothing but this message.
const CUT = /^totalTimeout of (\d+)ms exceeded$/;

function causeOfDeadline(last: Failed, carrier: unknown): string | undefined {
  const [, cut] = CUT.exec(textOf(memberOf(carrier, 'message'))) ?? [];
  if (cut !== undefined) return `\`totalTimeout\` (${formatTime(Number(cut))}) ended the attempt that was running; a longer one allows more`;
  // Without its error an attempt that was cut cannot be told from one that timed out by itself.
  if (carrier === undefined && last['kind'] === 'timeout') return undefined;
  const asked = describeAsked(last);
  const wait = asked === undefined ? 'the next wait' : `${asked}, which`;
  return `${wait} would not have ended within ${describeLimit('totalTimeout', carrier)}; a longer one allows more`;
}

function causeOfRefusal({ kind }: Failed, carrier: unknown): string | undefined {
  const headers = memberOf(memberOf(carrier, 'response') ?? carrier, 'headers');
  const name = ['x-should-retry', 'stripe-should-retry'].find((known) => getHeader(headers, known) !== undefined);
  const isRefused = name !== undefined && getHeader(headers, name)?.trim().toLowerCase() === 'false';
  if (isRefused) return `the server said \`${name}: false\`; \`shouldRetry\` overrides it`;
  // Of a failure that heals, nobody else says so.
  return HEALING.has(kind) ? '`shouldRetry` said no to a failure that would have been retried' : undefined;
}

/** The cause behind the reason of a report, where the report, or the error or response with it, shows it. */
export function causeOf({ reason, history }: RetryReport, carrier?: unknown): string | undefined {
  const entry: unknown = history.at(-1);
  const last = isObject(entry) ? entry : {};
  if (reason === 'deadline') return causeOfDeadline(last, carrier);
  if (reason === 'not-retryable') return causeOfRefusal(last, carrier);
  const asked = reason === 'retry-after' ? describeAsked(last) : undefined;
  return asked && `${asked}, more than ${describeLimit('maxRetryAfter', carrier)} allows`;
}

// Axios' own, or what carries one, has been looked for before.
const isReplaced = (carrier: unknown): boolean =>
  memberOf(carrier, 'isAxiosError') !== true && textOf(memberOf(carrier, 'message')) !== '' && textOf(memberOf(carrier, 'stack')) !== '';

/** Why there is no report. */
export function causeOfNone(carrier: unknown): string | undefined {
  const message = textOf(memberOf(carrier, 'message'));
  // A wrong option: what the message shows of it is short and no secret.
  if (/^axios-jitter: (option|unknown option|"retry")[ -~]{0,500}$/.test(message)) return `Nothing was sent: ${message.slice('axios-jitter: '.length).replace(/[^?]$/, '$&.')}`;
  if (memberOf(memberOf(carrier, 'config'), 'retry') === false) return 'The call was not retried: `retry: false` is set in the request or in the defaults of the instance.';
  return isReplaced(carrier)
    ? 'There is no retry report here: this error is not from axios, and there is none along its `cause`. If an interceptor made it, give it `{ cause: error }`; one that runs inside the plugin otherwise also prevents retries.'
    : undefined;
}
