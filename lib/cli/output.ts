/** The only way to the terminal: whatever is said goes through here. */
import { visibleLines } from '../chart/text';

/** What commander has to say. */
export const commanderOutput = {
  writeOut: (text: string): boolean => process.stdout.write(visibleLines(text)),
  writeErr: (text: string): boolean => process.stderr.write(visibleLines(text)),
};

/** To standard output, with a line break at its end. */
export function say(text: string): void {
  process.stdout.write(`${visibleLines(text)}\n`);
}

/** To standard error. */
export function complain(text: string): void {
  process.stderr.write(`${visibleLines(text)}\n`);
}
