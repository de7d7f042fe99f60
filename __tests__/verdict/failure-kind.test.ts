import axios, { AxiosError, CanceledError } from 'axios';
import { findAxiosError, findResponse, isCancellation } from '../../lib/axios/recognize';
import { kindOfError, kindOfResponse } from '../../lib/verdict/failure-kind';
import type { FailureKind } from '../../lib/watch/events';
import { answer, coded, CONFIG, fetched, flat, nested, rejectedAnswer, systemError, terminated } from '../helpers/failures';
import { resolved } from '../helpers/resolved';

const kindOf = (error: AxiosError): FailureKind => kindOfError(error, undefined, resolved());

describe('a code is judged alike, however axios wraps it', () => {
  it.each<[string, FailureKind, Error]>([
    ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'UND_ERR_CONNECT_TIMEOUT'].map(
      (code): [string, FailureKind, Error] => [`R120 ${code}`, 'unsent', coded(code)],
    ),
    ['ETIMEDOUT of connect', 'unsent', coded('ETIMEDOUT', { syscall: 'connect' })],
    ...['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ERR_STREAM_PREMATURE_CLOSE'].map(
      (code): [string, FailureKind, Error] => [`R120 ${code}`, 'network', coded(code)],
    ),
    ['ETIMEDOUT of read', 'network', coded('ETIMEDOUT', { syscall: 'read' })],
    ['any other code of connect', 'permanent', coded('EACCES', { syscall: 'connect' })],
    ['R120 socket hang up', 'network', systemError('socket hang up', { code: 'ECONNRESET' })],
    ['a compressed body that ends early', 'network', systemError('unexpected end of file', { code: 'Z_BUF_ERROR' })],
    ['a compressed body that is wrong', 'permanent', systemError('incorrect header check', { code: 'Z_DATA_ERROR' })],
    ...[
      'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'CERT_HAS_EXPIRED', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_INVALID_URL', 'HPE_INVALID_CONSTANT', 'ERR_INVALID_CHAR',
    ].map((code): [string, FailureKind, Error] => [code, 'permanent', coded(code)]),
  ])('%s is %s', (_name, kind, error) => {
    expect([flat, nested, fetched].map((wrap) => kindOf(wrap(error)))).toEqual([kind, kind, kind]);
  });

  it.each(['ECONNREFUSED', 'ENETDOWN', 'ECONNRESET', 'Z_BUF_ERROR', 'ERR_NETWORK', 'ETIMEDOUT'])(
    'a code of somebody else’s with %s in it is no code of ours: permanent',
    (code) => {
      const kinds = [`X_${code}`, `${code}_X`].flatMap((other) => [flat, nested, fetched].map((wrap) => kindOf(wrap(coded(other)))));
      expect(new Set(kinds)).toEqual(new Set(['permanent']));
    },
  );

  it('an answer that is no HTTP is permanent, also where its error has a name and no code (undici 7)', () => {
    const parserError = systemError('Response does not match the HTTP/1.1 protocol', { name: 'HTTPParserError' });
    expect(kindOf(fetched(parserError))).toBe('permanent');
    expect(kindOf(fetched(systemError('Response does not match the HTTP/1.1 protocol')))).toBe('network');
  });

  it.each<[string, FailureKind]>([
    ['UND_ERR_SOCKET', 'network'],
    ['UND_ERR_BODY_TIMEOUT', 'network'],
    ['ECONNRESET', 'network'],
    ['Z_BUF_ERROR', 'network'],
    ['Z_DATA_ERROR', 'permanent'],
    ['HPE_INVALID_CHUNK_SIZE', 'permanent'],
  ])('%s below the "terminated" of fetch is %s, as it is under http', (code, kind) => {
    expect([kindOf(terminated(coded(code))), kindOf(nested(coded(code)))]).toEqual([kind, kind]);
  });
});

describe('axios’ own codes', () => {
  const own = (code: string | undefined, message = 'it failed'): AxiosError => new AxiosError(message, code, CONFIG);

  it.each<[string, FailureKind, AxiosError]>([
    ['R18 its timeout as ECONNABORTED', 'timeout', own('ECONNABORTED', 'timeout of 100ms exceeded')],
    ['R18 its timeout as ETIMEDOUT', 'timeout', own('ETIMEDOUT', 'timeout of 100ms exceeded')],
    ['a timeout with a message of the caller’s', 'timeout', own('ECONNABORTED', 'too slow')],
    ['a browser’s own abort', 'cancelled', own('ECONNABORTED', 'Request aborted')],
    ['another code with the message of an abort', 'permanent', own('ERR_BAD_REQUEST', 'Request aborted')],
    ['R119 ERR_NETWORK without a cause', 'network', own('ERR_NETWORK', 'Network Error')],
    ['R119 neither code nor response', 'network', own(undefined, 'Network Error')],
    ['an answer cut off in the middle, axios 1.13', 'network', own('ERR_BAD_RESPONSE', 'stream has been aborted')],
    ['an answer cut off in the middle, axios 1.6', 'network', own('ERR_BAD_RESPONSE', 'maxContentLength size of -1 exceeded')],
    ['R58 too many redirects', 'permanent', own('ERR_FR_TOO_MANY_REDIRECTS')],
    ['R58 an answer that is too large', 'permanent', own('ERR_BAD_RESPONSE', 'maxContentLength size of 10 exceeded')],
    ['R58 a body that is too large', 'permanent', own('ERR_BAD_REQUEST', 'Request body larger than maxBodyLength limit')],
    ['R58 a body that is too large for redirects', 'permanent', own('ERR_FR_MAX_BODY_LENGTH_EXCEEDED')],
    ['R58 an invalid URL', 'permanent', own('ERR_INVALID_URL')],
    ['an option with a wrong value', 'permanent', own('ERR_BAD_OPTION_VALUE')],
    ['an unknown option', 'permanent', own('ERR_BAD_OPTION')],
    ['an adapter that is not there', 'permanent', own('ERR_NOT_SUPPORT')],
    ['ERR_BAD_REQUEST without a response', 'permanent', own('ERR_BAD_REQUEST')],
    ['an open circuit', 'permanent', own('ERR_CIRCUIT_OPEN')],
    ['a code that nobody knows', 'permanent', own('E_WHATEVER')],
  ])('%s is %s', (_name, kind, error) => {
    expect(kindOf(error)).toBe(kind);
  });

  it.each(['Failed to fetch', 'NetworkError when attempting to fetch resource.', 'Load failed', 'Network request failed', 'fetch failed'])(
    'R119 "%s", as a fetch of one platform or another says, is network',
    (message) => {
      const cause = systemError(message, { name: 'TypeError' });
      expect(kindOf(fetched(cause))).toBe('network');
      expect(kindOf(Object.assign(new AxiosError(message, undefined, CONFIG), { cause }))).toBe('network');
    },
  );

  it('R58 a redirect loop under fetch is permanent: the cause has a message and no code', () => {
    const cause = systemError('redirect count exceeded');
    expect(kindOf(fetched(cause))).toBe('permanent');
    expect(kindOf(fetched(systemError('fetch failed', { name: 'TypeError', cause })))).toBe('permanent');
  });

  it('a body that fetch lost in the middle is network, also where nothing says why', () => {
    expect(kindOf(terminated(undefined))).toBe('network');
  });

  it('HTTP/2: a refused stream never reached the application, any other stream error may have', () => {
    const refused = systemError('Stream closed with error code NGHTTP2_REFUSED_STREAM', { code: 'ERR_HTTP2_STREAM_ERROR' });
    const internal = systemError('Stream closed with error code NGHTTP2_INTERNAL_ERROR', { code: 'ERR_HTTP2_STREAM_ERROR' });
    expect([kindOf(flat(refused)), kindOf(nested(refused)), kindOf(fetched(refused))]).toEqual(['unsent', 'unsent', 'unsent']);
    expect(kindOf(nested(internal))).toBe('network');
  });

  it.each(['Nock: No match for request', 'Nock: Disallowed net connect for "example.com:80"', '[MSW] Cannot bypass a request'])('R114 "%s" is permanent', (message) => {
    const error = systemError(message, { code: 'ENETUNREACH' });
    expect([flat, nested, fetched].map((wrap) => kindOf(wrap(error)))).toEqual(['permanent', 'permanent', 'permanent']);
  });
});

describe('an answer', () => {
  it.each(['x-should-retry', 'stripe-should-retry'])('with %s is judged by it', (name) => {
    expect(['true', 'false'].map((wish) => kindOf(rejectedAnswer(409, { [name]: wish })))).toEqual(['status', 'permanent']);
    expect(['true', 'false'].map((wish) => kindOf(rejectedAnswer(503, { [name]: wish })))).toEqual(['status', 'permanent']);
  });

  it('of status 0 is none, and the code of its error says nothing', () => {
    const error = new AxiosError('it failed', 'ERR_BAD_REQUEST', CONFIG, {}, answer(0));
    expect(kindOf(error)).toBe('network');
    expect(kindOf(Object.assign(error, { cause: coded('ECONNREFUSED') }))).toBe('unsent');
  });

  it('that arrived was no request that never left', () => {
    const error = new AxiosError('it failed', 'ERR_BAD_RESPONSE', CONFIG, {}, answer(200));
    expect(kindOf(Object.assign(error, { cause: coded('ECONNREFUSED') }))).toBe('network');
  });

  it.each([408, 425, 429, 500, 502, 503, 504])('R59 %d is a status that can heal, rejected or accepted', (status) => {
    expect(kindOf(rejectedAnswer(status))).toBe('status');
    expect(kindOfResponse(answer(status), undefined, resolved())).toBe('status');
  });

  it.each([300, 304, 400, 401, 403, 404, 405, 409, 410, 413, 422, 501, 505, 507, 511, 599])('R59 %d is permanent', (status) => {
    expect(kindOf(rejectedAnswer(status))).toBe('permanent');
    expect(kindOfResponse(answer(status), undefined, resolved())).toBeUndefined();
  });

  it.each([
    ['with Retry-After', 1_000, {}, 'status'],
    ['with a Retry-After of 0', 0, {}, 'status'],
    ['without', undefined, {}, 'permanent'],
    ['with Retry-After, but where the caller chose the statuses', 1_000, { statuses: [503] }, 'permanent'],
  ])('413 %s', (_what, retryAfter, options, kind) => {
    expect(kindOfError(rejectedAnswer(413), retryAfter, resolved(options))).toBe(kind);
  });

  it.each([400, 403, 404, 412, 414, 501])('%d with Retry-After is permanent: that is for 413 alone', (status) => {
    expect(kindOfError(rejectedAnswer(status), 1_000, resolved())).toBe('permanent');
  });

  it.each([
    ['numbers', [404, 409], [404, 409]],
    ['a range with both ends', [[500, 502]] as [number, number][], [500, 501, 502]],
    ['numbers and ranges', [404, [500, 501]] as (number | [number, number])[], [404, 500, 501]],
    ['a predicate', (status: number) => status === 418, [418]],
    ['nothing', [], []],
  ])('counts by %s where the caller says so', (_what, statuses, expected) => {
    const all = [404, 409, 418, 429, 499, 500, 501, 502, 503];
    const retried = all.filter((status) => kindOfError(rejectedAnswer(status), undefined, resolved({ statuses })) === 'status');
    expect(retried).toEqual(expected);
  });

  it.each([
    [400, 'true', 'status'],
    [409, 'true', 'status'],
    [404, ' TRUE ', 'status'],
    [500, 'false', 'permanent'],
    [503, 'False', 'permanent'],
    [503, 'maybe', 'status'],
    [404, '', 'permanent'],
  ])('R50 %d with x-should-retry: %s is %s', (status, wish, kind) => {
    expect(kindOf(rejectedAnswer(status, { 'x-should-retry': wish }))).toBe(kind);
  });

  it('R50 that succeeded is not retried because of x-should-retry', () => {
    expect(kindOfResponse(answer(200, { 'x-should-retry': 'true' }), undefined, resolved())).toBeUndefined();
  });

  const broken = (status: number, cause?: Error): AxiosError =>
    Object.assign(new AxiosError('stream has been aborted', 'ERR_BAD_RESPONSE', CONFIG, {}, answer(status)), cause && { cause });

  it.each<[string, number, FailureKind]>([
    ['of a success, as axios 1.21 attaches it', 200, 'network'],
    ['of a status that can heal', 503, 'status'],
    ['of the first status that cannot', 400, 'permanent'],
    ['of another that cannot', 404, 'permanent'],
  ])('cut off in the middle %s', (_what, status, kind) => {
    expect(kindOf(broken(status))).toBe(kind);
    expect(kindOf(broken(status, coded('ECONNRESET')))).toBe(kind);
  });

  it('R58 that is no JSON is permanent', () => {
    const error = new AxiosError('Unexpected token', 'ERR_BAD_RESPONSE', CONFIG, {}, answer(200));
    expect(kindOf(Object.assign(error, { cause: new SyntaxError('Unexpected token') }))).toBe('permanent');
  });
});

describe('a cancellation', () => {
  it('is one whatever else it carries', () => {
    const cancelled = new CanceledError('canceled');
    expect(kindOf(cancelled)).toBe('cancelled');
    expect(kindOf(Object.assign(new CanceledError(), { code: 'ECONNRESET', response: answer(503) }))).toBe('cancelled');
    expect([cancelled, new Error('canceled'), undefined, 'canceled'].map(isCancellation)).toEqual([true, false, false, false]);
  });

  it('is one as a cancel token makes it', () => {
    const source = axios.CancelToken.source();
    source.cancel('enough');
    expect(isCancellation(source.token.reason)).toBe(true);
  });
});

describe('looking for the AxiosError', () => {
  const error = rejectedAnswer(503);
  const wrap = (inner: unknown, times: number): unknown => (times === 0 ? inner : new Error('wrapped', { cause: wrap(inner, times - 1) }));

  it.each([0, 1, 2, 4])('finds it under %d wrappers', (times) => {
    expect(findAxiosError(wrap(error, times))).toBe(error);
  });

  it('finds a cancellation too, and those of older classes', () => {
    const older = Object.assign(new Error('canceled'), { __CANCEL__: true });
    expect(findAxiosError(older)).toBe(older);
  });

  it.each([[undefined], [null], ['text'], [7], [new Error('plain')], [{ isAxiosError: 'yes' }], [Object.freeze({})]])(
    'finds none in %p',
    (value) => {
      expect(findAxiosError(value)).toBeUndefined();
    },
  );

  it('comes to an end in a circle, and where it is too deep', () => {
    const circle = new Error('circle');
    circle.cause = circle;
    expect(findAxiosError(circle)).toBeUndefined();
    expect(findAxiosError(wrap(error, 50))).toBeUndefined();
  });
});

describe('looking for the response', () => {
  it('knows one by status and config', () => {
    const response = answer(200);
    expect(findResponse(response)).toBe(response);
  });

  it.each([[undefined], [null], ['body'], [{ status: 'pending', config: {} }], [{ status: 200 }], [[]]])('finds none in %j', (value) => {
    expect(findResponse(value)).toBeUndefined();
  });
});
