/** What is known of system errors, as data: the first pattern that fits says what the failure was. */
import type { FailureKind } from '../watch/events';

/** Codes that axios gives when it knows nothing better: the cause may. */
export const VAGUE = /^(ERR_(NETWORK|BAD_RESPONSE)|ECONNABORTED|ETIMEDOUT)$/;

/**
 * Tried on `code;syscall;message`, with the error's name where it has no code, in any letter case: Node's ECONNREFUSED is
 * ConnectionRefused to Bun and Deno. What is known of each runtime, a fact a row with its source, is the table in
 * __tests__/verdict/known-failures.ts.
 */
export const FACTS: readonly (readonly [says: RegExp, kind: FailureKind])[] = [
  // Mocks without an answer (their code is ENETUNREACH), and what fetch refuses to do. Node 24's has lost the code of an answer that is no
  // HTTP, HPE_…. What TLS complains about is a matter of settings, except for a record that was damaged on the way.
  [
    /;(Nock: |\[MSW\] |URL scheme |cross origin |(redirect count exceeded|unexpected redirect|bad port|unknown scheme|integrity mismatch|cors failure)$)|^(EACCES|EPERM|HTTPParserError|\w*;bind);|^(EPROTO;|ERR_SSL_)(?!.*(bad.record|decrypt|length|unexpected.eof))|invalid peer cert/is,
    'permanent',
  ],
  // What was being done says more than the code.
  [/^(?!EPROTO;)\w*;(connect|getaddrinfo|query)|;Client network socket disconnected before|: client error \(Connect\)|NGHTTP2_REFUSED_STREAM/i, 'unsent'],
  [
    /^(E?(CONN(ECTION)?)?REFUSED|ENOTFOUND|EAI_\w+|E(TIMEOUT|SERVFAIL|NODATA)|E?(HOST|NET(WORK)?)(DOWN|UNREACH(ABLE)?)|E?ADDRNOTAVAIL(ABLE)?|E[MN]FILE|ENOBUFS|((UND_)?ERR_(SOCKET_)?)?CONNECT(ION)?_?TIMEOUT(ERROR)?|ERR_(TLS_HANDSHAKE_TIMEOUT|SOCKET_CLOSED_BEFORE_CONNECTION|HTTP2_(GOAWAY_SESSION|INVALID_SESSION|OUT_OF_STREAMS|STREAM_CANCEL))|FailedToOpenSocket|DNS\w+Failed);(?!\w)/i,
    'unsent',
  ],
  [
    /^(\w*;(read|write|shutdown|send|recv)|EPROTO;|ERR_SSL_|((ECONN|Connection)(RESET|CLOSED)|EPIPE|(ESOCKET)?TIMEDOUT|TIMEOUT|Z_BUF_ERROR|UND_ERR_(SOCKET|(HEADERS|BODY)_TIMEOUT)|ERR_(STREAM_PREMATURE_CLOSE|SOCKET_CLOSED|HTTP2_(INVALID_STREAM|(\w+_)?ERROR)));)/i,
    'network',
  ],
];

// An answer cut off in the middle has a message and no code; axios 1.2 and 1.6 report it as a limit that is off.
export const CUT_OFF = /^((stream has been )?aborted|maxContentLength size of -1 exceeded|socket hang up|terminated)$/;
