import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { AxiosError, AxiosHeaders } from 'axios';
import ts from 'typescript';
import { logRetries, type RetryEvent, type RetryWaitEvent } from '../../lib/index';
import { describeRequest, originOf, pathOf } from '../../lib/axios/origin';
import { getHeader } from '../../lib/axios/headers';
import { complaint } from '../../lib/checks/checks';
import { DEFAULTS, resolveOptions, resolveRequest } from '../../lib/options/resolve';
import { parseHttpDate, readRetryAfter } from '../../lib/policy/retry-after';
import { kindOfError } from '../../lib/verdict/failure-kind';
import { growsLinearly, slowTexts } from '../helpers/linear';

const LIB = join(__dirname, '../../lib');

/** Every pattern that is written down in lib/. */
function patternsOf(file: string): RegExp[] {
  const patterns: RegExp[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      patterns.push(new RegExp(node.text.slice(1, end), node.text.slice(end + 1)));
    }
    // Made of texts: it would be missed here.
    if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') throw new Error(`${file}: write the pattern as a literal`);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true));
  return patterns;
}

/** Patterns that see numbers of our own alone. */
const OF_NUMBERS = [String.raw`/\B(?=(\d{3})+$)/g`];

const files = readdirSync(LIB, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const patterns = new Map(
  files.flatMap((name) => patternsOf(join(LIB, name)).map((pattern): [string, RegExp] => [`${relative('.', name)} ${pattern}`, pattern])),
);
for (const [name, pattern] of patterns) if (OF_NUMBERS.includes(String(pattern))) patterns.delete(name);

const logged = (given: Partial<RetryEvent>): void => {
  const event = { attempt: 1, retries: 3, kind: 'network', origin: '', elapsed: 1, willRetry: true, config: {}, delay: 0, ...given } as RetryWaitEvent;
  logRetries({ info: () => 0, warn: () => 0, error: () => 0 }).onRetry?.(event);
};

/** What reads texts of others: addresses, headers, messages, names, keys. */
const READERS: Record<string, (text: string) => unknown> = {
  'the origin of a URL': (url) => originOf({ url }),
  'the origin of a baseURL': (baseURL) => originOf({ url: '/x', baseURL }),
  'the path of a URL': (url) => pathOf({ url }, ''),
  'the path under a base': (text) => pathOf({ url: text, baseURL: text, allowAbsoluteUrls: false }, ''),
  'a request in a message': (text) => describeRequest({ url: text, method: text }),
  'an HTTP date': (text) => parseHttpDate(text, 0),
  'the headers of an answer': (text) => readRetryAfter({ 'retry-after': text, 'retry-after-ms': text, 'x-ms-retry-after-ms': text, date: text }),
  'a header by its name': (text) => getHeader({ [text]: text }, text),
  'a message and a code of an error': (text) => kindOfError(Object.assign(new AxiosError(text, text), { cause: new Error(text) }), undefined, DEFAULTS),
  'the name of an option': (name) => resolveOptions({ [name]: 1 } as object),
  'the values of options': (text) => resolveRequest(DEFAULTS, undefined, { idempotencyHeader: text, methods: [text] }, text),
  'a complaint': (text) => complaint(text, text, text),
  'a log line: address': (text) => logged({ origin: text, config: { method: text, url: text, baseURL: text, headers: new AxiosHeaders() } }),
  'a log line: code': (text) => logged({ error: new AxiosError(text, text) }),
};

describe('F05 time is linear in the length of every text', () => {
  it('patterns are found', () => {
    expect(patterns.size).toBeGreaterThan(15);
  });

  it.each([...patterns])('for the pattern of %s', (_name, pattern) => {
    expect(slowTexts((text) => text.replace(pattern, ''))).toEqual([]);
  });

  it.each(Object.entries(READERS))('for %s', (_name, read) => {
    expect(slowTexts(read)).toEqual([]);
  });

  it('which this test can tell: trailing blanks cut off by a pattern take their square', () => {
    // eslint-disable-next-line no-useless-escape -- as careless as it is found elsewhere
    expect(growsLinearly((text) => text.replace(/[\ ]+$/, ''), (length) => `${' '.repeat(length)}x`, 1_000)).toBe(false);
  });
});
