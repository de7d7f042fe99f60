/** Which flag gives which field of a scenario, of a policy or of a plan. */
import { pick, type Flags } from './flags';
import { UsageError } from './usage-error';

const PREFIX = 'axios-jitter: ';

type Names = Readonly<Record<string, string>>;
const same = (...names: readonly string[]): Names => Object.fromEntries(names.map((name) => [name, name]));

/** By the words in which the library's errors name the field. */
export const FIELDS = {
  'scenario field': same('clients', 'timeout', 'processes', 'clientsPerProcess', 'seed', 'bucket', 'horizon', 'maxRequests', 'retries'),
  'arrival field': same('rate'),
  'service field': same('capacity', 'latency', 'concurrency', 'overload', 'queueLimit', 'rejectCost'),
  'quota field': { quota: 'requests', quotaWindow: 'window' },
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
  const [, subject = '', field] = /\b([A-Za-z]+(?: field| option)|option) "(\w+)"/.exec(message) ?? [];
  const names = Object.entries((FIELDS as Readonly<Record<string, Names>>)[subject] ?? {});
  const given = names.filter(([flag]) => flags[flag] !== undefined && flags[flag] !== true);
  // Where one flag alone gives the object, it is about that one, whichever field is named.
  return (names.length === 1 ? given : given.filter(([, name]) => name === field))[0]?.[0];
}

/** The error for the person who gave the flags: which of them it is about, or else which file. What is no wrong value stays as it is. */
function toUsageError(error: unknown, flags: Flags, file: string | undefined): unknown {
  const isRefusal = (error instanceof TypeError || error instanceof RangeError) && error.message.startsWith(PREFIX);
  if (!isRefusal) return error;
  const message = error.message.slice(PREFIX.length);
  const flag = flagOf(message, flags);
  const source = flag === undefined ? file : toFlag(flag);
  return new UsageError(source === undefined ? message : `${source}: ${message}`);
}

/** @throws UsageError that names the flag, for what the library refuses. */
export async function namingFlags<T>(flags: Flags, file: string | undefined, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toUsageError(error, flags, file);
  }
}
