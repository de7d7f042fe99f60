import { AxiosError } from 'axios';
import { MAX_DEPTH } from '../../lib/axios/recognize';
import { kindOfError } from '../../lib/verdict/failure-kind';
import type { FailureKind } from '../../lib/watch/events';
import { answer, coded, CONFIG, fetched, flat, nested, systemError } from '../helpers/failures';
import { resolved } from '../helpers/resolved';

const kindOf = (error: AxiosError): FailureKind => kindOfError(error, undefined, resolved());

describe('below other errors', () => {
  const under = (causes: number, error: Error): Error => (causes === 0 ? error : systemError('it failed', { cause: under(causes - 1, error) }));

  it.each([0, 1, 2, 3])('a code is found under %d of them', (causes) => {
    expect(kindOf(fetched(under(causes, coded('ECONNREFUSED'))))).toBe('unsent');
    expect(kindOf(fetched(under(causes, coded('CERT_HAS_EXPIRED'))))).toBe('permanent');
  });

  it('a code says more than the message of an error above it', () => {
    expect(kindOf(fetched(systemError('terminated', { cause: coded('HPE_INVALID_CONSTANT') })))).toBe('permanent');
  });

  it('the message of an answer that was cut off is found too', () => {
    const error = new AxiosError('it failed', 'ERR_BAD_RESPONSE', CONFIG, {}, answer(200));
    expect(kindOf(Object.assign(error, { cause: systemError('aborted') }))).toBe('network');
  });
});

describe('an error that repeats the code of its cause', () => {
  it('leaves it to the cause to say what was being done', () => {
    expect(kindOf(nested(coded('ECONNRESET', { syscall: 'connect' })))).toBe('unsent');
    expect(kindOf(nested(coded('ECONNRESET', { syscall: 'read' })))).toBe('network');
  });

  it('is the last word where it has no cause, or its cause another code', () => {
    expect(kindOf(nested(coded('ECONNREFUSED', { cause: coded('ECONNRESET', { syscall: 'read' }) })))).toBe('unsent');
    expect(kindOf(nested(coded('ECONNRESET', { syscall: 'read', cause: coded('ECONNREFUSED') })))).toBe('network');
  });

  it('of HTTP/2 says that no stream came about, its cause why', () => {
    expect(kindOf(nested(coded('ERR_HTTP2_STREAM_CANCEL')))).toBe('unsent');
    expect(kindOf(nested(coded('ERR_HTTP2_STREAM_CANCEL', { cause: coded('ECONNREFUSED', { syscall: 'connect' }) })))).toBe('unsent');
    expect(kindOf(nested(coded('ERR_HTTP2_STREAM_CANCEL', { cause: coded('ECONNRESET', { syscall: 'read' }) })))).toBe('network');
  });

  it('keeps its message where neither has a code', () => {
    const error = new AxiosError('it failed', 'ERR_BAD_RESPONSE', CONFIG, {}, answer(200));
    expect(kindOf(Object.assign(error, { cause: systemError('terminated', { cause: systemError('other side closed') }) }))).toBe('network');
  });
});

describe('a connection of fetch that was refused, where a redirect may have been followed', () => {
  const refused = (address: string): Error => Object.assign(coded('ECONNREFUSED', { syscall: 'connect' }), { address, port: 8080 });
  const kindAt = (url: string, cause: Error): FailureKind => kindOf(Object.assign(fetched(cause), { request: { redirect: 'follow', url } }));

  it.each<[string, string, Error, FailureKind]>([
    ['at the address that was asked', 'http://127.0.0.1:8080/', refused('127.0.0.1'), 'unsent'],
    ['at another one', 'http://127.0.0.1:8080/', refused('127.0.0.2'), 'network'],
    ['at 127.0.0.1 for localhost', 'http://localhost:8080/', refused('127.0.0.1'), 'unsent'],
    ['at ::1 alone for localhost', 'http://localhost:8080/', refused('::1'), 'network'],
    ['at both for localhost', 'http://localhost:8080/', systemError('', { errors: [refused('::1'), refused('127.0.0.1')] }), 'unsent'],
    ['at an address of a name', 'http://api.example.com:8080/', refused('203.0.113.7'), 'network'],
  ])('%s', (_, url, cause, kind) => {
    expect(kindAt(url, cause)).toBe(kind);
  });
});

it.each([
  [true, 'unsent'],
  [false, 'network'],
])('a connection that is closed while TLS does not stand yet (%s): %s', (secureConnecting, kind) => {
  const error = nested(coded('ECONNRESET', { syscall: 'read' }));
  expect(kindOf(Object.assign(error, { request: { socket: { secureConnecting } } }))).toBe(kind);
});

describe('a message counts as a whole', () => {
  it.each(['they say: Nock: no match', 'they say: [MSW] no handler', 'the redirect count exceeded', 'redirect count exceeded by far'])('"%s" leaves the verdict to the code', (message) => {
    expect(kindOf(nested(systemError(message, { code: 'ECONNRESET' })))).toBe('network');
  });

  it.each(['the upload was terminated', 'terminated by the gateway'])('"%s" is no answer that was cut off', (message) => {
    expect(kindOf(new AxiosError(message, 'ERR_BAD_RESPONSE', CONFIG))).toBe('permanent');
  });
});

describe('several errors in one', () => {
  const several = (code: string | undefined, errors: unknown[]): Error => systemError('', { ...(code && { code }), errors });

  it.each<[string, FailureKind, Error]>([
    ['all of them unsent', 'unsent', several('ECONNREFUSED', [coded('ECONNREFUSED'), coded('ENETUNREACH')])],
    ['all of them unsent under a vague code', 'unsent', several('ETIMEDOUT', [coded('ETIMEDOUT', { syscall: 'connect' }), coded('EHOSTUNREACH')])],
    ['all of them unsent without a code outside', 'unsent', several(undefined, [coded('ECONNREFUSED'), coded('ECONNREFUSED')])],
    ['one of them was sent, whatever the code outside', 'network', several('ECONNREFUSED', [coded('ECONNREFUSED'), coded('ECONNRESET')])],
    ['one of them is not known', 'network', several('ECONNREFUSED', [coded('ECONNREFUSED'), systemError('what?')])],
    ['all of them are certificates', 'permanent', several('ECONNREFUSED', [coded('CERT_HAS_EXPIRED'), coded('CERT_HAS_EXPIRED')])],
    ['one of them is a certificate', 'network', several('ECONNREFUSED', [coded('ECONNREFUSED'), coded('CERT_HAS_EXPIRED')])],
    ['several in one of several', 'unsent', several(undefined, [several(undefined, [coded('ECONNREFUSED')]), coded('ENETDOWN')])],
    ['several without being instances of Error, as from another realm', 'unsent', several('ECONNRESET', [{ message: 'refused', code: 'ECONNREFUSED' }])],
    ['none at all: the code counts', 'network', several('ECONNRESET', [])],
    ['not all of them errors', 'network', several('ECONNREFUSED', [coded('ECONNREFUSED'), 'and so on'])],
    ['plain objects with codes: all of them unsent', 'unsent', several('ECONNREFUSED', [{ code: 'ECONNREFUSED' }, { code: 'ENETDOWN' }])],
    ['plain objects with codes: one of them was sent', 'network', several('ECONNREFUSED', [{ code: 'ECONNREFUSED' }, { code: 'ECONNRESET' }])],
    ['objects without code and message: the code counts', 'unsent', several('ECONNREFUSED', [{ path: 'id' }])],
  ])('%s: %s', (_name, kind, error) => {
    expect([flat, nested, fetched].map((wrap) => kindOf(wrap(error)))).toEqual([kind, kind, kind]);
  });

  it('a list of messages, as validators make it, says nothing about the network', () => {
    const invalid = systemError('2 errors occurred', { name: 'ValidationError', errors: ['id is required', 'name is required'] });
    const error = new AxiosError('unexpected answer', 'ERR_BAD_RESPONSE', CONFIG, {}, answer(200));
    expect(kindOf(Object.assign(error, { cause: invalid }))).toBe('permanent');
  });

  it('what lies too deep says nothing', () => {
    const deep = (levels: number): Error => (levels === 0 ? coded('ECONNREFUSED') : several(undefined, [deep(levels - 1)]));
    expect(kindOf(fetched(deep(MAX_DEPTH)))).toBe('unsent');
    expect(kindOf(fetched(deep(MAX_DEPTH + 1)))).toBe('network');
  });

  it('a circle of causes comes to an end', () => {
    const one = systemError('one');
    const other = systemError('other', { cause: one });
    Object.assign(one, { cause: other, errors: [other] });
    expect(['network', 'permanent']).toContain(kindOf(fetched(one)));
  });
});
