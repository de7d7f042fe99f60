/** What the server asks for: pure, headers in, milliseconds out. */
import { getHeader } from '../axios/headers';

const NUMBER = /^\d+(?:\.\d+)?$/;
// RFC 9110, section 5.6.7: the preferred form, and two obsolete ones that must still be accepted.
const DATE_FORMS = [
  /^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>[\d:]{8}) GMT$/,
  /^[A-Z][a-z]{5,8}, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>[\d:]{8}) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>[\d:]{8}) (?<year>\d{4})$/,
];

// Two digits are those of the latest year that is at most 50 years ahead.
function fullYear(digits: string, now: number): number | string {
  if (digits.length > 2) return digits;
  const last = new Date(now).getUTCFullYear() + 50;
  return last - ((last - Number(digits)) % 100);
}

/** An HTTP-date in ms since the epoch, or undefined. `now` (same unit) settles two-digit years. */
export function parseHttpDate(text: string, now: number): number | undefined {
  const parts = DATE_FORMS.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (!parts) return undefined;
  const { day = '', month = '', year = '', time = '' } = parts;
  // Second 60 is a leap second.
  const clock = time.replace(/60$/, '59');
  const preferred = `${day.replace(' ', '0')} ${month} ${fullYear(year, now)} ${clock} GMT`;
  // The one form that every engine reads alike. What is not on the calendar or the clock comes back as something else.
  const date = Date.parse(`Sun, ${preferred}`);
  return new Date(date).toUTCString().endsWith(preferred) ? date + (clock === time ? 0 : 1_000) : undefined;
}

function readNumber(text: string | undefined, unit: number): number | undefined {
  const trimmed = text?.trim();
  if (trimmed === undefined || !NUMBER.test(trimmed)) return undefined;
  return Math.min(Number(trimmed) * unit, Number.MAX_SAFE_INTEGER);
}

// A server's clock may be wrong: its date is measured against its own Date header where there is one.
function readDate(headers: unknown, text: string | undefined, now: number): number | undefined {
  const date = text === undefined ? undefined : parseHttpDate(text.trim(), now);
  if (date === undefined) return undefined;
  const sent = parseHttpDate(getHeader(headers, 'date') ?? '', now);
  return Math.max(0, date - (sent ?? now));
}

/**
 * How long the server asks to stay away, in ms (0 for "now" and for dates in the past), or undefined
 * when it says nothing that can be understood. The first of `retry-after-ms`, `x-ms-retry-after-ms`
 * and `Retry-After` that can be understood counts.
 */
export function readRetryAfter(headers: unknown, now: number = Date.now()): number | undefined {
  const retryAfter = getHeader(headers, 'retry-after');
  return (
    readNumber(getHeader(headers, 'retry-after-ms'), 1) ??
    readNumber(getHeader(headers, 'x-ms-retry-after-ms'), 1) ??
    readNumber(retryAfter, 1_000) ??
    readDate(headers, retryAfter, now)
  );
}
