/** One event, as a log line or a diagnostics channel has it, in sentences. */
import { clean } from '../axios/origin';
import { isObject, memberOf, textOf } from '../checks/checks';
import type { FailedAttempt } from '../watch/events';
import { formatTime } from './format';
import { describeEnd, describeFailure, describeWait, isNumber } from './report';

/** What is left of an `EventData`, whoever wrote it. */
type Logged = Readonly<Record<string, unknown>>;

const MAX_LINE = 10_000;
// As `logRetries` writes it; loggers put more before it.
const LINE = /axios-jitter (retry|give-up|recover) (\S+) (.*?) attempt=(\d+)\/(\d+|Infinity) (.*)/;

function readField(field: string): [string, unknown] {
  const [name = '', value = ''] = field.split('=');
  const number = /^(\d+)(?:ms)?$/.exec(value)?.[1];
  return [name, number === undefined ? value : Number(number)];
}

/** The event that a line of `logRetries` tells of, if it is one. */
function readLine(line: string): Logged | undefined {
  const [, event, method, address, attempt, attempts, rest] = LINE.exec(line) ?? [];
  if (rest === undefined) return undefined;
  const fields = Object.fromEntries(rest.split(' ').map(readField));
  return { ...fields, kind: fields['kind'] ?? fields['after'], event, method, origin: address, path: '', attempt: Number(attempt), retries: Number(attempts) - 1 };
}

const isEvent = (value: unknown): value is Logged =>
  isObject(value) && ['retry', 'give-up', 'recover'].includes(value['event'] as string) && isNumber(value['attempt']) && isNumber(value['elapsed']);

/** The event in what was logged: what `diagnostics()` publishes, a logger's object, or the text of a line. */
export function eventOf(logged: unknown): Logged | undefined {
  if (isEvent(logged)) return logged;
  const line = textOf(logged) || textOf(memberOf(logged, 'msg')) || textOf(memberOf(logged, 'message'));
  const read = readLine(line.slice(0, MAX_LINE));
  return isEvent(read) ? read : undefined;
}

/** The sentences of an event. */
export function explainEvent({ event, method, origin, path, retries, ...told }: Logged): string {
  const { attempt, elapsed, kind, reason } = told as { attempt: number; elapsed: number; kind?: unknown; reason?: unknown };
  const [address = ''] = `${textOf(origin)}${textOf(path)}`.split(/[?#]/);
  const target = `${clean(textOf(method))} ${clean(address)}`.trim() || 'The call';
  const number = `attempt ${attempt}${typeof retries === 'number' ? ` of ${retries + 1}` : ''}`;
  const time = formatTime(elapsed);
  if (event === 'recover') return `${target} succeeded at ${number} in ${time}; the attempt before failed: ${describeFailure({ kind } as FailedAttempt)}.`;
  const failed = told as Partial<FailedAttempt>;
  const outcome = event === 'retry' ? `${number} failed after ${time} and is followed by another` : `failed at ${number} in ${time}`;
  return [`${target}${event === 'retry' ? ':' : ''} ${outcome}: ${describeFailure(failed)}${describeWait(failed)}.`, ...describeEnd(reason, attempt)].join('\n');
}
