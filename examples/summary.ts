/** What the three parts of the demo came to: a table that fits a screen of 80 columns and 24 lines. */
import type { Scenario } from './scenarios';
import { bold, green, red } from './timeline';

/** What became of a call. */
export interface Ending {
  readonly scenario: Scenario;
  readonly isServed: boolean;
  /** Requests of the call. */
  readonly sent: number;
  /** Payments that the server took for it. */
  readonly charges: number;
}

const REQUEST = 23;
const CELL = 19;
const times = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** `3 sent ✓`, and what it cost. Twice is wrong even where the caller is served. */
function cellOf({ isServed, sent, charges }: Ending): string {
  const text = `${sent} sent ${isServed ? '✓' : '✗'}${charges > 0 ? `, ${times(charges, 'charge')}` : ''}`.padEnd(CELL);
  return isServed && charges < 2 ? green(text) : red(text);
}

const sum = (endings: readonly Ending[], of: (ending: Ending) => number): number => endings.reduce((total, ending) => total + of(ending), 0);

function totalOf(endings: readonly Ending[]): string {
  const served = endings.filter(({ scenario, isServed }) => scenario.shouldRecover && isServed).length;
  return `${served} saved, ${sum(endings, ({ sent }) => sent)} sent`.padEnd(CELL);
}

export function describeSummary(without: readonly Ending[], ours: readonly Ending[], peers: readonly Ending[]): string {
  const parts = [without, ours, peers];
  const head = `${'call'.padEnd(REQUEST)}${['no plugin', 'axios-jitter', 'axios-retry'].map((name) => name.padEnd(CELL)).join('')}`;
  const rows = ours.map(({ scenario }, index) => {
    const cells = parts.map((endings) => endings[index]).map((ending) => (ending ? cellOf(ending) : ''));
    return `${scenario.request.padEnd(REQUEST)}${cells.join('')}`;
  });
  const savable = ours.filter(({ scenario }) => scenario.shouldRecover).length;
  const charged = (endings: readonly Ending[]): number => sum(endings, ({ charges }) => charges);
  return [
    bold('SUMMARY'),
    head.trimEnd(),
    '─'.repeat(REQUEST + 3 * CELL),
    ...rows.map((row) => row.trimEnd()),
    '─'.repeat(REQUEST + 3 * CELL),
    `${`of ${savable} that can be saved`.padEnd(REQUEST)}${parts.map(totalOf).join('')}`.trimEnd(),
    '',
    `For 2 payments axios-jitter made ${times(charged(ours), 'charge')}, axios-retry ${charged(peers)}: it repeats a POST`,
    'whose connection broke, though the server may have taken it.',
  ].join('\n');
}
