// The bodies of the calls: what the caller gives, what an inner layer adds, and what must reach the application.
import { Readable } from 'node:stream';
import FormDataPackage from 'form-data';
import type { Received } from './application';
import type { Dice } from './dice';
import type { CallPlan } from './plan';

export interface PreparedBody {
  readonly data?: unknown;
  /** For the `body` option. */
  readonly fresh?: () => unknown;
  /** What the `body` option made. */
  readonly made: Readable[];
  /** The value of each field, in order; for multipart bodies, whose boundary is anybody's choice. */
  readonly fields?: readonly string[];
  readonly expected: Buffer;
  readonly isOneShot: boolean;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzäöü€ &=+%"\\\n';

function textOf(dice: Dice, length: number): string {
  if (length > 1_000) return String.fromCharCode(dice.int(97, 122)).repeat(length);
  return Array.from({ length }, () => LETTERS[dice.int(0, LETTERS.length - 1)]).join('');
}

function piecesOf(bytes: Buffer, dice: Dice): Buffer[] {
  const size = Math.max(1, Math.ceil(bytes.length / dice.int(1, 6)));
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
}

const streamOf = (pieces: Buffer[]): Readable => Readable.from(pieces, { objectMode: false });

/** Done once per attempt by the inner layer, in place: a replay that starts from an edited body shows it twice. */
export function stamp(data: unknown): void {
  if (data instanceof URLSearchParams || data instanceof FormData) data.append('stamp', '1');
  else if (typeof data === 'object' && data !== null && 'stamps' in data) (data.stamps as number[]).push(1);
}

const stamps = (isStamped: boolean): number[] => (isStamped ? [1] : []);

type Made = Partial<Omit<PreparedBody, 'expected'>> & { readonly expected: Buffer | string };
type Maker = (text: string, isStamped: boolean, dice: Dice, made: Readable[]) => Made;

const makers: Record<CallPlan['body'], Maker> = {
  none: () => ({ expected: '' }),
  json: (text, isStamped) => ({
    data: { text, nested: { list: [1, null, text.length] }, stamps: [] },
    expected: JSON.stringify({ text, nested: { list: [1, null, text.length] }, stamps: stamps(isStamped) }),
  }),
  string: (text) => ({ data: text, expected: text }),
  buffer: (text) => ({ data: Buffer.from(text), expected: text }),
  params: (text, isStamped) => ({
    data: new URLSearchParams({ text }),
    expected: new URLSearchParams({ text, ...(isStamped && { stamp: '1' }) }).toString(),
  }),
  form: (text, isStamped) => {
    const data = new FormData();
    data.append('one', 'first');
    data.append('file', new Blob([text]), 'file.txt');
    return { data, expected: '', fields: ['first', text, ...(isStamped ? ['1'] : [])] };
  },
  'form-data': (text, _isStamped, dice) => {
    const data = new FormDataPackage();
    data.append('one', 'first');
    data.append('file', streamOf(piecesOf(Buffer.from(text), dice)), { filename: 'file.txt' });
    return { data, expected: '', fields: ['first', text], isOneShot: true };
  },
  'node-stream': (text, _isStamped, dice) => ({ data: streamOf(piecesOf(Buffer.from(text), dice)), expected: text, isOneShot: true }),
  'web-stream': (text, _isStamped, dice) => {
    const pieces = piecesOf(Buffer.from(text), dice);
    const data = new ReadableStream({
      pull(controller) {
        const piece = pieces.shift();
        if (piece) controller.enqueue(new Uint8Array(piece));
        else controller.close();
      },
    });
    return { data, expected: text, isOneShot: true };
  },
  'fresh-stream': (text, _isStamped, dice, made) => ({
    fresh: () => {
      const stream = streamOf(piecesOf(Buffer.from(text), dice));
      made.push(stream);
      return stream;
    },
    expected: text,
  }),
  'fresh-json': (text, isStamped) => ({
    fresh: () => ({ text, stamps: [] }),
    expected: JSON.stringify({ text, stamps: stamps(isStamped) }),
  }),
};

export function prepareBody(plan: CallPlan, isStamped: boolean, dice: Dice): PreparedBody {
  const made: Readable[] = [];
  const text = plan.body === 'none' ? '' : `${plan.id}:${textOf(dice, plan.bodySize)}`;
  const body = makers[plan.body](text, isStamped, dice, made);
  return { made, isOneShot: false, ...body, expected: Buffer.from(body.expected) };
}

function fieldsOf(body: string, boundary: string): string[] | undefined {
  const parts = `\r\n${body}`.split(`\r\n--${boundary}`);
  if (!parts.at(-1)?.startsWith('--')) return undefined;
  return parts.slice(1, -1).map((part) => part.slice(part.indexOf('\r\n\r\n') + 4));
}

const shorten = (text: string): string => `${text.length} bytes ${JSON.stringify(text.slice(0, 80))}`;

/** What is wrong with a body that reached the application. */
export function bodyComplaint({ fields, expected }: PreparedBody, { body }: Received): string | undefined {
  if (!fields) {
    return body.equals(expected) ? undefined : `${shorten(body.toString('latin1'))} instead of ${shorten(expected.toString('latin1'))}`;
  }
  // Under fetch in Node, axios does not name the boundary in the header.
  const boundary = /^--(.+)\r\n/.exec(body.toString())?.[1] ?? 'none';
  const found = fieldsOf(body.toString(), boundary);
  return JSON.stringify(found) === JSON.stringify(fields) ? undefined : `fields ${shorten(JSON.stringify(found) ?? 'cut')} instead of ${shorten(JSON.stringify(fields))}`;
}
