/** Which flag gives which field of a scenario, of a policy or of a plan. */
import { pick, type Flags } from './flags';

type Names = Readonly<Record<string, string>>;
const same = (...names: readonly string[]): Names => Object.fromEntries(names.map((name) => [name, name]));

/** By the words in which the library's errors name the field. */
export const FIELDS = {
  'scenario field': same('clients', 'timeout', 'clientsPerProcess', 'seed', 'bucket', 'horizon', 'maxRequests', 'retries'),
  'arrival field': same('rate'),
  'service field': same('capacity', 'latency', 'concurrency', 'overload', 'queueLimit', 'rejectCost'),
  'outage field': { outage: 'length', outageStart: 'start', outageKind: 'kind', retryAfter: 'retryAfter' },
  'network field': { network: 'delay', networkJitter: 'jitter' },
  option: same('retries', 'baseDelay', 'factor', 'maxDelay', 'jitter', 'totalTimeout', 'maxRetryAfter', 'retryAfterSpread'),
  'RetryBudget option': { budget: 'capacity' },
  'plan option': same('timeout', 'calls', 'seed'),
} satisfies Readonly<Record<string, Names>>;

/** The fields that the flags give. */
export function fieldsOf(subject: keyof typeof FIELDS, flags: Flags): Record<string, unknown> {
  return pick(flags, FIELDS[subject]);
}

const toFlag = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The flag that gave the field which an error of the library names. */
function flagOf(message: string, flags: Flags): string | undefined {
  const [, subject = '', field] = /([A-Za-z]+(?: field| option)|option) "(\w+)"/.exec(message) ?? [];
  const names: Names = (FIELDS as Readonly<Record<string, Names>>)[subject] ?? {};
  return Object.keys(names).find((flag) => names[flag] === field && flags[flag] !== undefined && flags[flag] !== true);
}

/** An error of the library for the person who gave the flags: which of them it is about, or else which file. */
export function explain(message: string, flags: Flags, file: string | undefined): string {
  const plain = message.replace(/^axios-jitter: /, '');
  const flag = flagOf(plain, flags);
  const source = flag === undefined ? file : toFlag(flag);
  return source === undefined ? plain : `${source}: ${plain}`;
}
