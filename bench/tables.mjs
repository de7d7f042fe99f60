// Results as tables that can be read in a terminal and pasted into Markdown.

/** @param rows [{ column: value }] */
export function printTable(title, rows) {
  const columns = Object.keys(rows[0]);
  const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))];
  const widths = columns.map((_, i) => Math.max(...cells.map((line) => line[i].length)));
  const pad = (text, i) => (i === 0 ? text.padEnd(widths[i]) : text.padStart(widths[i]));
  const [head, ...body] = cells.map((line) => `| ${line.map(pad).join(' | ')} |`);
  const rule = `| ${widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  console.log(`\n${title}\n\n${[head, rule, ...body].join('\n')}`);
}

const spread = ({ low, high }, format) => `${format(low)} to ${format(high)}`;
const times = (ratio) => `${ratio.toFixed(3)}x`;

/** One row per subject: value and ratio, median and quartiles. */
export const comparisonRows = (comparison, format) =>
  comparison.map(({ name, value, ratio }) => ({
    subject: name,
    median: format(value.median),
    quartiles: spread(value, format),
    ratio: times(ratio.median),
    'quartiles of the ratio': spread(ratio, times),
  }));

export const us = (value) => `${value.toFixed(2)} µs`;
export const bytes = (value) => Math.round(value).toLocaleString('en');
const ms = (value) => `${bytes(value)} ms`;
// A plugin may know nothing of signals while it waits.
const aborted = ({ abort, cpu, lag: { max } = {} }) => (abort === undefined ? 'waits on' : `${ms(abort)} (CPU ${ms(cpu)}, lag ${ms(max)})`);
const lag = ({ p50, p99, max }) => [p50, p99, max].map((value) => bytes(value)).join(' / ');

/** One row per subject, for the calls that wait. */
export const waitingRows = (results) =>
  results.map(({ name, settled, own, one }) => ({
    subject: name,
    'bytes a call': bytes(settled.bytes),
    'with a signal each': bytes(own.bytes),
    'lag while they begin, p50 / p99 / max ms': lag(settled.lagBegin),
    'while they settle': lag(settled.lagSettle),
    'settle all': ms(settled.settle),
    'abort by a signal each': aborted(own),
    'abort by one signal': aborted(one),
  }));

/** One row for an extra at a number of calls at a time. */
export const extraRow = ({ what, concurrency, ratio }) => ({
  extra: what,
  'at a time': String(concurrency),
  ratio: times(ratio.median),
  'quartiles of the ratio': spread(ratio, times),
});
