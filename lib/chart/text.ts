/** Text of users for a terminal or a page: what could steer either is shown, not sent; and it fits. */

export const COLUMNS = 80;

// Controls, formats (they turn or hide text), lone surrogates, line and paragraph separators, and what XML forbids.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu;
const PICTURES = 0x2400;
const DELETE = 0x7f;

function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(PICTURES + code);
  return code === DELETE ? '\u2421' : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** One line in which every control character is a picture of itself: ␛ for an escape. */
export function visible(text: string): string {
  return text.replace(UNSAFE, picture);
}

/** The same for many lines. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

const WIDE = /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;
const MARK = /\p{M}/u;

function cellsOf(character: string): number {
  if (MARK.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** How many columns of a terminal the text takes. */
export function widthOf(text: string): number {
  return Array.from(text).reduce((total, character) => total + cellsOf(character), 0);
}

/** At most `width` columns of it, controls made visible; what was cut off is an ellipsis. */
export function clip(text: string, width: number): string {
  const line = visible(text);
  if (widthOf(line) <= width) return line;
  let used = 0;
  const kept = Array.from(line).filter((character) => (used += cellsOf(character)) < width);
  return `${kept.join('')}…`;
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - widthOf(text))) + text;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** Lines of at most `width` columns, broken at blanks; all but the first are indented. */
export function wrap(text: string, indent = '', width = COLUMNS): string {
  const lines = [''];
  for (const word of visible(text).split(' ')) {
    const line = lines.at(-1) ?? '';
    const isFull = line.trim() !== '' && widthOf(line) + 1 + widthOf(word) > width;
    if (isFull) lines.push(`${indent}${word}`);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}
