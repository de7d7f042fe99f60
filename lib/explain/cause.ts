/** What an error or response tells beside its report: more than the reason word says. */
import { getHeader } from '../axios/headers';
import { isObject, memberOf, textOf } from '../checks/checks';
import type { RetryReport } from '../watch/events';
import { formatTime } from './format';

const lastOf = ({ history }: RetryReport): Record<string, unknown> => {
  const last: unknown = history.at(-1);
  return isObject(last) ? last : {};
};

// axios' own classes carry nothing but this message.
const CUT = /^totalTimeout of (\d+)ms exceeded$/;

function causeOfDeadline(report: RetryReport, message: string): string | undefined {
  const [, total] = CUT.exec(message) ?? [];
  if (total !== undefined) return `\`totalTimeout\` of ${formatTime(Number(total))} ended the attempt that was running; \`totalTimeout\` allows more`;
  const { retryAfter } = lastOf(report);
  if (typeof retryAfter !== 'number' || !(retryAfter > 0)) return undefined;
  return `the server asked for ${formatTime(retryAfter)} (Retry-After), which would not have ended in time; \`totalTimeout\` allows more`;
}

/** The cause behind the reason of a report, where the error or response itself shows it. */
export function causeOf(report: RetryReport, carrier: unknown): string | undefined {
  if (report.reason === 'deadline') return causeOfDeadline(report, textOf(memberOf(carrier, 'message')));
  if (report.reason !== 'not-retryable') return undefined;
  const headers = memberOf(memberOf(carrier, 'response') ?? carrier, 'headers');
  const name = ['x-should-retry', 'stripe-should-retry'].find((known) => getHeader(headers, known) !== undefined);
  const isRefused = name !== undefined && getHeader(headers, name)?.trim().toLowerCase() === 'false';
  return isRefused ? `the server said \`${name}: false\`; \`shouldRetry\` overrides it` : undefined;
}

/** Why there is no report. */
export function causeOfNone(carrier: unknown): string | undefined {
  const message = textOf(memberOf(carrier, 'message'));
  // A wrong option: what the message shows of it is short and no secret.
  if (/^axios-jitter: (option|unknown option|"retry")[ -~]{0,500}$/.test(message)) return `Nothing was sent: ${message.slice('axios-jitter: '.length)}.`;
  const isOff = memberOf(memberOf(carrier, 'config'), 'retry') === false;
  return isOff ? 'The call was not retried: `retry: false` stands in the request or in the defaults of the instance.' : undefined;
}
