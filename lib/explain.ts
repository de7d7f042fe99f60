/** Why was this call retried, or not? In sentences, for a person. */
import { clean, originOf, pathOf } from './axios/origin';
import { findAxiosError, findResponse } from './axios/recognize';
import { getRetryReport } from './call/report';
import { isObject, memberOf, textOf } from './checks/checks';
import { causeOf, causeOfNone } from './explain/cause';
import { eventOf, explainEvent } from './explain/event';
import { NO_REPORT, explainReport, isReport } from './explain/report';

function targetOf({ method, url, baseURL, ...more }: Record<string, unknown>): string {
  // axios takes a URL object, too.
  const config = { ...more, url: textOf(url) || textOf(memberOf(url, 'href')), baseURL: textOf(baseURL) };
  const origin = originOf(config);
  return `${clean((textOf(method) || 'get').toUpperCase())} ${clean(origin)}${pathOf(config, origin)}`;
}

function explainCarrier(given: unknown): string {
  const carrier = findAxiosError(given) ?? findResponse(given) ?? given;
  // What was logged of an error with its report beside it is as good as the error.
  const logged = memberOf(carrier, 'retry');
  const report = getRetryReport(given) ?? (isReport(logged) ? logged : undefined);
  if (!report) {
    const event = eventOf(carrier);
    return event ? explainEvent(event) : (causeOfNone(carrier) ?? NO_REPORT);
  }
  const config = memberOf(carrier, 'config');
  return explainReport(report, { target: isObject(config) ? targetOf(config) : undefined, cause: causeOf(report, carrier) });
}

/**
 * The story of a call in at most 30 lines, one sentence a line: method, origin and path; each failed attempt with its
 * status or code, how long the wait after it was and who asked for it; why it ended, and which option would change that.
 * No query, header or body. Never throws.
 *
 * @param given What the call rejected or resolved with, or the report of one; also parsed from a log, the report alone or
 * `{ config: { method, baseURL, url }, retry: report }`; or one event: a line of `logRetries`, or what `diagnostics()` published.
 */
export function explain(given: unknown): string {
  try {
    return isReport(given) ? explainReport(given, { cause: causeOf(given) }) : explainCarrier(given);
  } catch {
    return NO_REPORT;
  }
}
