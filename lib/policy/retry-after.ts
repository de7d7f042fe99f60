/** What the server asks for: pure, headers in, milliseconds out. */
import { getHeader } from '../axios/headers';

const NUMBER = /^\d+(?:\.\d+)?$/;
// RFC 9110, section 5.6.7: the preferred form, but for the weekday, and two obsolete ones that must still be accepted.
const PREFERRED = /^[A-Z][a-z]{2}, (\d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT)$/;
const RFC_850 = /^([A-Z][a-z]{2})[a-z]{3,6}, (\d\d)-([A-Z][a-z]{2})-(\d\d) /;
const ASCTIME = /^([A-Z][a-z]{2}) ([A-Z][a-z]{2}) ([ \d]\d) ([\d:]{8}) (\d{4})$/;

// Two digits are those of the latest year that is at most 50 years ahead.
function fullYear(digits: string, now: number): number {
  const last = new Date(now).getUTCFullYear() + 50;
  return last - ((last - Number(digits)) % 100);
}

/** An HTTP-date in ms since the epoch, or undefined. `now` (same unit) settles two-digit years. */
export function parseHttpDate(text: string, now: number): number | undefined {
  const preferred = text
    .replace(ASCTIME, (_, ...[weekday, month, day, time, year]: string[]) => `${weekday}, ${day?.replace(' ', '0')} ${month} ${year} ${time} GMT`)
    .replace(RFC_850, (_, ...[weekday, day, month, year = '']: string[]) => `${weekday}, ${day} ${month} ${fullYear(year, now)} `);
  // Second 60 is a leap second.
  const clock = preferred.replace(/:60 GMT$/, ':59 GMT');
  const known = PREFERRED.exec(clock)?.[1] ?? '-';
  // The one form that every engine reads alike. What is not on the calendar or the clock comes back as something else.
  const date = Date.parse(`Sun, ${known}`);
  return new Date(date).toUTCString().endsWith(known) ? date + (clock === preferred ? 0 : 1_000) : undefined;
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
