/** The only way to the terminal: whatever is said goes through here. */
import { visibleLines } from './text';

/** To standard output, with a line break at its end. */
export function say(text: string): void {
  process.stdout.write(`${visibleLines(text)}\n`);
}

/** To standard error. */
export function complain(text: string): void {
  process.stderr.write(`${visibleLines(text)}\n`);
}
