/** The flags of the commands, and how they are read: a wrong value is told with the flag's name. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { UsageError } from './usage-error';
import { parseNumber, parseTime } from './parse';

/** Values as the flags gave them. */
export type Flags = Readonly<Record<string, string | number | boolean | undefined>>;

const checked = <T>(parse: (text: string) => T) => (text: string): T => {
  try {
    return parse(text);
  } catch (error) {
    throw error instanceof UsageError ? new InvalidArgumentError(error.message) : error;
  }
};
const count = (flags: string, words: string) => new Option(flags, words).argParser(checked(parseNumber));
const time = (flags: string, words: string) => new Option(flags, words).argParser(checked(parseTime));
const seed = count('--seed <n>', 'the same seed, the same result');

export const POLICY_FLAGS: readonly Option[] = [
  count('--retries <n>', 'retries after the first attempt, or Infinity'),
  time('--base-delay <time>', 'upper bound of the first delay'),
  count('--factor <n>', 'growth per retry'),
  time('--max-delay <time>', 'cap on the delay'),
  new Option('--jitter <kind>', 'how the delays are randomized').choices(['full', 'equal', 'decorrelated', 'none']),
  time('--total-timeout <time>', 'limit for the whole call'),
  time('--max-retry-after <time>', 'longest Retry-After that is waited for'),
  count('--retry-after-spread <share>', 'share of Retry-After over which the return is spread'),
  count('--budget <capacity>', 'tokens of the retry budget'),
  new Option('--no-budget', 'no retry budget'),
];

export const SCENARIO_FLAGS: readonly Option[] = [
  count('--clients <n>', 'clients, each with one call (default: 10000)'),
  count('--rate <n>', 'clients that arrive per second (default: all at once)'),
  count('--capacity <n>', 'requests per second that the service can serve (default: a 20th of the clients)'),
  time('--latency <time>', 'how long a request takes'),
  count('--concurrency <n>', 'requests in hand at once'),
  new Option('--overload <kind>', 'over capacity: a 503 at once, or wait in line').choices(['reject', 'queue']),
  count('--queue-limit <n>', 'places in line'),
  count('--reject-cost <share>', 'work of turning a request away, as a share of serving one'),
  time('--outage <time>', 'length of the outage (default: 10s)'),
  time('--outage-start <time>', 'its start'),
  new Option('--outage-kind <kind>', 'what clients see of it').choices(['refused', '503', '429', 'timeout']),
  time('--retry-after <time>', 'Retry-After of a 429 in the outage'),
  time('--network <time>', 'one way to the service'),
  time('--network-jitter <time>', 'its standard deviation'),
  time('--timeout <time>', "axios' timeout of an attempt"),
  count('--quota <n>', 'requests per window; beyond them a 429 with Retry-After'),
  time('--quota-window <time>', 'length of a window'),
  count('--processes <n>', 'processes, to which the clients belong in equal parts'),
  count('--clients-per-process <n>', 'clients that share a budget and a Retry-After'),
  seed,
  time('--bucket <time>', 'width of the time buckets, a multiple of 100 ms'),
  time('--horizon <time>', 'where the simulation ends'),
  count('--max-requests <n>', 'requests per policy after which it ends'),
];

export const PLAN_FLAGS: readonly Option[] = [
  time('--timeout <time>', "axios' timeout of an attempt, 0 = none (default: 2s)"),
  count('--calls <n>', 'calls of one process that fail at once (default: 10000)'),
  seed,
  new Option('--json', 'the plan as JSON'),
];

export const LAB_FLAGS: readonly Option[] = [
  new Option('--html <file>', 'where to write it (default: a temporary folder)'),
  new Option('--no-open', 'write it and do not open it'),
];

export const OUTPUT_FLAGS: readonly Option[] = [
  new Option('--json', 'the result as JSON'),
  new Option('--svg <file>', 'a picture'),
  new Option('--html <file>', 'a report and a laboratory, in one file that stands alone'),
  new Option('--no-progress', 'no progress bar'),
];

export function addFlags(command: Command, flags: readonly Option[]): Command {
  for (const flag of flags) command.addOption(flag);
  return command.addHelpText('after', '\nA <time> is in ms (500 or 500ms), s (10s) or min (2m).');
}

/** The given ones among `names`, under the names of the scenario or the options. */
export function pick(flags: Flags, names: Readonly<Record<string, string>>): Record<string, unknown> {
  const given = Object.entries(names).filter(([flag]) => flags[flag] !== undefined);
  return Object.fromEntries(given.map(([flag, name]) => [name, flags[flag]]));
}
