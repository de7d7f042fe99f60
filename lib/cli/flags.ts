/** The flags of the commands, and how they are read: errors name the flag. */
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
const seed = count('--seed <n>', 'seed of the random numbers: the same seed gives the same result');

export const POLICY_FLAGS: readonly Option[] = [
  count('--retries <n>', 'retries after the first attempt, or Infinity'),
  time('--base-delay <time>', 'upper bound of the first delay'),
  count('--factor <n>', 'growth of the bound per retry'),
  time('--max-delay <time>', 'cap on the delay'),
  new Option('--jitter <kind>', 'how the delays are randomized').choices(['full', 'equal', 'decorrelated', 'none']),
  time('--total-timeout <time>', 'limit for the whole call'),
  time('--max-retry-after <time>', 'longest Retry-After that is waited for'),
  count('--retry-after-spread <share>', 'share of Retry-After by which the wait is spread at random'),
  count('--budget <capacity>', 'tokens of the retry budget'),
  new Option('--no-budget', 'no retry budget'),
];

export const SCENARIO_FLAGS: readonly Option[] = [
  count('--clients <n>', 'clients, each with one call (default: 10000)'),
  count('--rate <n>', 'clients that arrive per second (default: all at once)'),
  count('--capacity <n>', 'requests per second that the service can serve (default: a 20th of the clients)'),
  time('--latency <time>', 'how long a request takes'),
  count('--concurrency <n>', 'requests that the service works on at once'),
  new Option('--overload <kind>', 'over capacity: a 503 at once, or a place in the queue').choices(['reject', 'queue']),
  count('--queue-limit <n>', 'places in the queue'),
  count('--reject-cost <share>', 'work that a rejected request costs, as a share of a served one'),
  time('--outage <time>', 'length of the outage (default: 10s)'),
  time('--outage-start <time>', 'when the outage begins'),
  new Option('--outage-kind <kind>', 'what clients get in the outage').choices(['refused', '503', '429', 'timeout']),
  time('--retry-after <time>', 'Retry-After of a 429 in the outage'),
  time('--network <time>', 'network delay, one way'),
  time('--network-jitter <time>', 'standard deviation of the network delay'),
  time('--timeout <time>', "axios' timeout of an attempt"),
  count('--quota <n>', 'requests per window; beyond them a 429 with Retry-After'),
  time('--quota-window <time>', 'length of a window'),
  count('--processes <n>', 'processes, each with an equal share of the clients'),
  count('--clients-per-process <n>', 'clients that share a budget and a Retry-After'),
  seed,
  time('--bucket <time>', 'width of the time buckets, a multiple of 100 ms'),
  time('--horizon <time>', 'when the simulation ends at the latest'),
  count('--max-requests <n>', 'requests per policy after which the simulation ends'),
];

export const PLAN_FLAGS: readonly Option[] = [
  time('--timeout <time>', "axios' timeout of an attempt, 0 = none (default: 2s)"),
  count('--calls <n>', 'calls of one process that fail at once (default: 10000)'),
  seed,
  new Option('--json', 'the plan as JSON'),
];

export const LAB_FLAGS: readonly Option[] = [
  new Option('--html <file>', 'where to write it (default: a temporary folder)'),
  new Option('--no-open', 'do not open it in the browser'),
];

export const OUTPUT_FLAGS: readonly Option[] = [
  new Option('--json', 'the result as JSON'),
  new Option('--svg <file>', 'write a picture'),
  new Option('--html <file>', 'a report and a laboratory, in one self-contained file'),
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
