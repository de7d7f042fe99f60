/** Why was this call retried, or not? In sentences, for a person. */
import { clean, originOf, pathOf } from './axios/origin';
import { findAxiosError, findResponse } from './axios/recognize';
import { getRetryReport } from './call/report';
import { isObject } from './checks/checks';
import { NO_REPORT, explainReport, isReport } from './explain/report';

export { explainReport, isReport } from './explain/report';

function targetOf(errorOrResponse: unknown): string | undefined {
  const config = (findAxiosError(errorOrResponse) ?? findResponse(errorOrResponse))?.config;
  if (!isObject(config)) return undefined;
  const origin = originOf(config);
  return `${clean(String(config.method ?? 'get').toUpperCase())} ${clean(origin)}${pathOf(config, origin)}`;
}

/**
 * The story of a call in at most 30 lines, one sentence a line: method, origin and path; each failed attempt with its
 * status or code, how long the wait after it was and who asked for it; why it ended, and which option would change that.
 * No query, header or body. Never throws.
 *
 * @param errorOrResponse What the call rejected or resolved with, or the report of one (also parsed from a log).
 */
export function explain(errorOrResponse: unknown): string {
  try {
    if (isReport(errorOrResponse)) return explainReport(errorOrResponse);
    const report = getRetryReport(errorOrResponse);
    return report ? explainReport(report, targetOf(errorOrResponse)) : NO_REPORT;
  } catch {
    return NO_REPORT;
  }
}
