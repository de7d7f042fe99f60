/** What is known of system errors, as data: the first pattern that fits says what the failure was. */
import type { FailureKind } from '../watch/events';

/** Codes that axios gives when it knows nothing better: the cause may. */
export const VAGUE = /^(ERR_(NETWORK|BAD_RESPONSE)|ECONNABORTED|ETIMEDOUT)$/;

/**
 * Tried on `code;syscall;message`, with the error's name where it has no code. What is known of each runtime, a fact a row
 * with its source, is the table in __tests__/verdict/known-failures.ts.
 */
export const FACTS: readonly (readonly [says: RegExp, kind: FailureKind])[] = [
  // Mocks without an answer (their code is ENETUNREACH), and what fetch refuses to do.
  [/^\w*;\w*;(Nock: |\[MSW\] |(redirect count exceeded|unexpected redirect|bad port|unknown scheme|integrity mismatch|cors failure)$|URL scheme |cross origin )/, 'permanent'],
  // The fetch of Node 24 (undici 7) has lost the code of an answer that is no HTTP, HPE_….
  [/^(EACCES|EPERM|HTTPParserError);|^\w*;bind;/, 'permanent'],
  // A record was damaged on the way. All else that TLS complains about is a matter of settings.
  [/^(EPROTO|ERR_SSL_).*(bad.record|decrypt|length|unexpected.eof)/is, 'network'],
  [/^(EPROTO;|ERR_SSL_)|\(Connect\): invalid peer cert/, 'permanent'],
  // What was being done says more than the code.
  [/^\w*;(connect|getaddrinfo|query)|^ECONNRESET;;Client network socket disconnected before|: client error \(Connect\)/, 'unsent'],
  [/^\w*;(read|write|shutdown|send|recv)|^ERR_HTTP2_STREAM_ERROR;(?!.*REFUSED_STREAM)/, 'network'],
  [
    /^(ECONNREFUSED|ENOTFOUND|EAI_\w+|E(TIMEOUT|SERVFAIL|REFUSED|NODATA)|E(HOST|NET)(UNREACH|DOWN)|EADDRNOTAVAIL|E[MN]FILE|ENOBUFS|UND_ERR_CONNECT_TIMEOUT|ERR_(TLS_HANDSHAKE_TIMEOUT|SOCKET_(CONNECTION_TIMEOUT|CLOSED_BEFORE_CONNECTION)|HTTP2_(GOAWAY_SESSION|INVALID_SESSION|OUT_OF_STREAMS|STREAM_(ERROR|CANCEL)))|Connect(ion)?Timeout(Error)?|ConnectionRefused|FailedToOpenSocket|DNS\w+Failed|(Host|Network)(Unreachable|Down)|AddrNotAvailable);(?!\w)/,
    'unsent',
  ],
  [
    /^(ECONNRESET|EPIPE|ESOCKETTIMEDOUT|UND_ERR_(SOCKET|(HEADERS|BODY)_TIMEOUT)|ERR_(STREAM_PREMATURE_CLOSE|SOCKET_CLOSED|HTTP2_(INVALID_STREAM|(\w+_)?ERROR))|Z_BUF_ERROR|Connection(Closed|Reset|Aborted)|NotConnected|BrokenPipe|UnexpectedEof|Time(dO|o)ut);/,
    'network',
  ],
];

// An answer cut off in the middle has a message and no code; axios 1.2 and 1.6 report it as a limit that is off.
export const CUT_OFF = /^(stream has been aborted|maxContentLength size of -1 exceeded|socket hang up|terminated|aborted)$/;
