import fc from 'fast-check';
import type { AxiosError } from 'axios';
import { kindOfError } from '../../lib/verdict/failure-kind';
import type { FailureKind } from '../../lib/watch/events';
import { fetched, flat, nested, systemError } from '../helpers/failures';
import { resolved } from '../helpers/resolved';
import { describeKnown, KNOWN, type KnownFailure } from './known-failures';

const options = resolved();
const kindOf = (error: AxiosError): FailureKind => kindOfError(error, undefined, options);
const toError = ({ kind: _kind, source: _source, message = 'it failed', ...facts }: KnownFailure): Error => systemError(message, facts);

/** Every way in which axios hands an error out. */
const WRAPS = [flat, nested, fetched];
const anyFailure = fc.constantFrom(...KNOWN);
const anyWrap = fc.constantFrom(...WRAPS);

/** As the http adapter leaves it: its request, after so many redirects. */
const over = (error: AxiosError, request: object): AxiosError => Object.assign(error, { request });

describe('S02 S03 S05 S09 S11 S12 S23 what is known of a failure', () => {
  it.each(KNOWN.map((known) => [describeKnown(known), known.kind, known] as const))('%s is %s', (_name, kind, known) => {
    expect(WRAPS.map((wrap) => kindOf(wrap(toError(known))))).toEqual([kind, kind, kind]);
  });

  it('has one answer for each', () => {
    const kinds = new Map<string, Set<FailureKind>>();
    for (const known of KNOWN) kinds.set(describeKnown(known), (kinds.get(describeKnown(known)) ?? new Set()).add(known.kind));
    expect([...kinds].filter(([, answers]) => answers.size > 1)).toEqual([]);
  });
});

describe('for all that is known', () => {
  it('the same under up to three causes that say nothing', () => {
    fc.assert(
      fc.property(anyFailure, anyWrap, fc.integer({ min: 0, max: 3 }), (known, wrap, depth) => {
        let error = toError(known);
        for (let level = 0; level < depth; level++) error = systemError('it failed', { cause: error });
        expect(kindOf(wrap(error))).toBe(known.kind);
      }),
    );
  });

  it('F01 after a redirect was followed nothing is unsent, and nothing else changes', () => {
    fc.assert(
      fc.property(anyFailure, anyWrap, fc.integer({ min: 1, max: 21 }), (known, wrap, _redirectCount) => {
        const expected = known.kind === 'unsent' ? 'network' : known.kind;
        expect(kindOf(over(wrap(toError(known)), { _redirectCount }))).toBe(expected);
      }),
    );
  });

  it('S02 a list is unsent only if all are, permanent only if all are, and network otherwise', () => {
    fc.assert(
      fc.property(fc.array(anyFailure, { minLength: 1, maxLength: 5 }), anyWrap, (list, wrap) => {
        const kinds = new Set(list.map(({ kind }) => kind));
        const [first] = kinds;
        const expected = kinds.size === 1 ? first : 'network';
        expect(kindOf(wrap(systemError('', { code: 'ECONNREFUSED', errors: list.map(toError) })))).toBe(expected);
      }),
    );
  });

  it('F02 a code that also comes from read and write never proves that nothing was sent', () => {
    const code = fc.constantFrom(...KNOWN.flatMap((known) => known.code ?? []));
    fc.assert(
      fc.property(code, fc.constantFrom('read', 'write', 'writev', 'shutdown', 'recv', 'send', 'open'), anyWrap, (name, syscall, wrap) => {
        const error = systemError(`${syscall} ${name}`, { code: name, syscall });
        expect(kindOf(wrap(error))).not.toBe('unsent');
      }),
    );
  });

  it('a code that nobody knows is permanent, whatever the message says', () => {
    const known = new Set(KNOWN.map(({ code }) => code));
    const code = fc.stringMatching(/^X[A-Z_]{2,20}$/).filter((name) => !known.has(name));
    fc.assert(
      fc.property(code, fc.constantFrom(...KNOWN.flatMap((one) => one.message ?? [])).filter((text) => !/^(Nock|error sending)/.test(text)), (name, message) => {
        expect(kindOf(nested(systemError(message, { code: name })))).toBe('permanent');
      }),
    );
  });
});

describe('a code is known as a whole', () => {
  it.each(['econnrefused', 'EConnRefused', 'CONNECTIONREFUSED', 'und_err_connect_timeout'])('%s is unsent, in any letter case', (code) => {
    expect(WRAPS.map((wrap) => kindOf(wrap(systemError('it failed', { code }))))).toEqual(['unsent', 'unsent', 'unsent']);
  });

  it.each(['REFUSED', 'PAYMENTREFUSED', 'CONNREFUSED', 'CONNECT_TIMEOUT', 'CONNECTION_TIMEOUT', 'ERR_CONNECT_TIMEOUT', 'ESHUTDOWN', 'NOTFOUND', 'TIMEOUT_ERROR', 'ECONNREFUSED2'])(
    '%s is nobody’s who is known: permanent',
    (code) => {
      expect(WRAPS.map((wrap) => kindOf(wrap(systemError('it failed', { code }))))).toEqual(['permanent', 'permanent', 'permanent']);
    },
  );

  it.each([
    ['EPROTO', 'connect', 'decryption failed or bad record mac', 'network'],
    ['EPROTO', 'connect', 'wrong version number', 'permanent'],
    ['EPROTOTYPE', 'write', 'write EPROTOTYPE', 'network'],
    ['EPROTOTYPE', 'connect', 'connect EPROTOTYPE', 'unsent'],
    ['ECONNRESET', undefined, 'redirect count exceeded', 'network'],
    ['ECONNREFUSED', 'open', 'open ECONNREFUSED', 'permanent'],
  ])('%s of %s, "%s", is %s', (code, syscall, message, kind) => {
    const error = systemError(message, { code, ...(syscall !== undefined && { syscall }) });
    expect(WRAPS.map((wrap) => kindOf(wrap(error)))).toEqual([kind, kind, kind]);
  });
});
