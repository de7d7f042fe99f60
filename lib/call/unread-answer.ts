/** An answer that cannot be read (strict JSON, an own `transformResponse` that throws) is an answer all the same: noted on the way. */
import type { AxiosResponse } from 'axios';
import { memberOf } from '../checks/checks';
import { noteAnswers } from '../axios/fetch-answers';
import { hasOwnTransform } from '../axios/snapshot';
import type { Config } from './call';
import { RetryState } from './attempt';

function note(config: Config, answer?: AxiosResponse): void {
  const attempt = RetryState.attemptOf(memberOf(config, 'retryState'));
  if (attempt) attempt.unread = answer;
}

// axios calls these with the config as `this`.
function begin(this: Config, data: unknown, headers: unknown, status: unknown): unknown {
  note(this, { status, headers, data, config: this } as AxiosResponse);
  return data;
}
function end(this: Config, data: unknown): unknown {
  note(this);
  return data;
}

/** Where reading the answer may fail, its status and headers are noted before, and forgotten after. */
export function watchReading(config: Config): void {
  const { transformResponse = [], responseType, adapter } = config;
  if (responseType === 'json' || hasOwnTransform(transformResponse)) {
    const own = [transformResponse].flat().filter((transform) => transform !== begin && transform !== end);
    config.transformResponse = [begin, ...own, end];
  }
  if (adapter === 'fetch') noteAnswers(config);
}
