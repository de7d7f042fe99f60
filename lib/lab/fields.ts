/** What the reader of a laboratory can move: policy, crowd, service, outage, and whom to compare with. */
import { PRESETS } from '../simulate';
import { formatCount, formatLimit, formatTime } from '../chart/format';

interface Common {
  /** Its name in the fragment of the address. */
  readonly name: string;
  readonly label: string;
}
/** A slider over values that make sense; other values between its ends are kept where an address gives them. */
export interface Slider extends Common {
  readonly values: readonly number[];
  readonly initial: number;
  readonly format: (value: number) => string;
}
export interface Choice extends Common {
  readonly choices: readonly string[];
  readonly initial: string;
}
export type Field = Slider | Choice;
export interface Group {
  readonly title: string;
  readonly fields: readonly Field[];
}

export const isSlider = (field: Field): field is Slider => 'values' in field;

const orZero = (word: string, format: (value: number) => string) => (value: number): string => (value === 0 ? word : format(value));
const seconds = (value: number): string => (value % 1_000 === 0 && value < 60_000 ? `${value / 1_000} s` : formatTime(value));
const percent = (value: number): string => `${Math.round(value * 1_000) / 10}%`;
const ms = (value: number): string => (value < 1_000 ? `${formatCount(value)} ms` : seconds(value));

const POLICY: readonly Field[] = [
  { name: 'retries', label: 'retries', values: [0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, Infinity], initial: 3, format: formatLimit },
  { name: 'baseDelay', label: 'baseDelay', values: [10, 50, 100, 200, 300, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000], initial: 500, format: ms },
  { name: 'factor', label: 'factor', values: [1, 1.5, 2, 2.5, 3, 4, 5], initial: 2, format: String },
  { name: 'maxDelay', label: 'maxDelay', values: [500, 1_000, 2_000, 3_000, 5_000, 10_000, 20_000, 30_000, 60_000], initial: 10_000, format: ms },
  { name: 'jitter', label: 'jitter', choices: ['full', 'equal', 'decorrelated', 'none'], initial: 'full' },
  { name: 'spread', label: 'retryAfterSpread', values: [0, 0.1, 0.25, 0.5, 0.75, 1], initial: 0.5, format: percent },
  { name: 'totalTimeout', label: 'totalTimeout', values: [0, 1_000, 2_000, 3_000, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000], initial: 0, format: orZero('off', ms) },
  { name: 'budget', label: 'budget (capacity)', values: [0, 1, 2, 5, 10, 20, 50, 100, 200, 500], initial: 100, format: orZero('off', formatCount) },
];
const CROWD: readonly Field[] = [
  { name: 'clients', label: 'clients, one call each', values: [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000], initial: 1_000, format: formatCount },
  { name: 'over', label: 'they arrive', values: [0, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000], initial: 5_000, format: orZero('all at once', (value) => `over ${ms(value)}`) },
  { name: 'perProcess', label: 'clients per process', values: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000], initial: 50, format: formatCount },
  { name: 'timeout', label: "axios' timeout", values: [200, 500, 1_000, 2_000, 5_000, 10_000, 30_000], initial: 2_000, format: ms },
];
const SERVICE: readonly Field[] = [
  { name: 'capacity', label: 'capacity', values: [1, 2, 5, 10, 20, 50, 100, 150, 200, 300, 500, 1_000, 2_000, 5_000], initial: 300, format: (value) => `${formatCount(value)} requests/s` },
  { name: 'latency', label: 'latency', values: [1, 5, 10, 20, 50, 100, 200, 500, 1_000], initial: 50, format: ms },
  { name: 'overload', label: 'over capacity', choices: ['reject', 'queue'], initial: 'reject' },
  { name: 'rejectCost', label: 'cost of a rejection', values: [0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1], initial: 0.1, format: percent },
];
const OUTAGE: readonly Field[] = [
  { name: 'start', label: 'begins at', values: [0, 1_000, 2_000, 3_000, 5_000, 10_000, 20_000], initial: 1_000, format: seconds },
  { name: 'outage', label: 'length', values: [0, 500, 1_000, 2_000, 3_000, 5_000, 10_000, 20_000, 30_000, 60_000], initial: 2_000, format: orZero('none', ms) },
  { name: 'kind', label: 'clients see', choices: ['503', '429', 'refused', 'timeout'], initial: '503' },
  { name: 'retryAfter', label: 'Retry-After of a 429', values: [0, 1_000, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000], initial: 5_000, format: orZero('none', seconds) },
];
const COMPARED: readonly Field[] = [
  { name: 'peer', label: 'policy', choices: ['axios-retry', ...Object.keys(PRESETS).filter((name) => name !== 'axios-retry')], initial: 'axios-retry' },
  { name: 'seed', label: 'random seed', values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], initial: 1, format: String },
];

export const GROUPS: readonly Group[] = [
  { title: 'Your policy', fields: POLICY },
  { title: 'Compared with', fields: COMPARED },
  { title: 'Crowd', fields: CROWD },
  { title: 'Service', fields: SERVICE },
  { title: 'Outage', fields: OUTAGE },
];
export const FIELDS: readonly Field[] = GROUPS.flatMap(({ fields }) => fields);
