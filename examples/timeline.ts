/** Writes a call while it runs: attempts, why they failed, delays, result. */
import { isAxiosError } from 'axios';

import type { RetryEvent, RetryObserver } from '../lib/index';

/** One dash of the timeline, in ms. */
export const MS_PER_DASH = 50;

const hasColour = process.stdout.isTTY && !process.env['NO_COLOR'];
const paint = (code: number) => (text: string) => (hasColour ? `\u001B[${code}m${text}\u001B[0m` : text);
const dim = paint(2);
export const red = paint(31);
export const green = paint(32);
export const bold = paint(1);

const write = (text: string): unknown => process.stdout.write(text);

function dashes(ms: number): string {
  const half = '─'.repeat(Math.max(1, Math.round(ms / MS_PER_DASH / 2)));
  return dim(` ${half} ${Math.round(ms)} ms ${half}▶ `);
}

/** What went wrong, in one word where one will do. */
function describeFailure(error: unknown, kind?: RetryEvent['kind']): string {
  if (!isAxiosError(error)) return String(error);
  const { response, code, message } = error;
  if (response && response.status >= 400) return `${response.status}`;
  if (kind === 'timeout' || message.startsWith('timeout')) return 'timeout';
  if (response || message.includes('aborted')) return 'cut off';
  return code ?? message;
}

/** Shows the failed attempts that another one follows. */
export const timeline: RetryObserver = {
  onRetry({ error, kind, delay = 0 }) {
    write(`${red(`✗ ${describeFailure(error, kind)}`)}${dashes(delay)}`);
  },
};

/** A failed attempt that another one follows, of a plugin that does not say how long it waits. */
export function showRetry(error: unknown): void {
  write(`${red(`✗ ${describeFailure(error)}`)}${dim(' ─▶ ')}`);
}

export function beginCall(request: string, title: string): void {
  write(`\n  ${bold(request)}: the server ${title}\n    `);
}

export function endCall(result: { status: number } | { error: unknown }, comment: string): void {
  const end = 'error' in result ? `✗ ${describeFailure(result.error)}` : `✓ ${result.status}`;
  const line = ('error' in result ? red : green)(`${end}   ${comment}`.trimEnd());
  write(`${line}\n`);
}
