/** Values of flags. */
import { UsageError } from './usage-error';

/** `500`, `500ms`, `10s`, `2m` in ms. */
export function parseTime(text: string): number {
  const [, digits, unit = 'ms'] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text) ?? [];
  if (digits === undefined) throw new UsageError(`must be a time such as 500, 500ms, 10s or 2m; got '${text}'`);
  return Number(digits) * (unit === 'm' ? 60_000 : unit === 's' ? 1_000 : 1);
}

/** A number >= 0, also `Infinity`. */
export function parseNumber(text: string): number {
  const value = /^\d+(\.\d+)?(e\d{1,2})?$/.test(text.replaceAll('_', '')) ? Number(text.replaceAll('_', '')) : NaN;
  if (Number.isNaN(value) && text !== 'Infinity') throw new UsageError(`must be a number >= 0; got '${text}'`);
  return text === 'Infinity' ? Infinity : value;
}
