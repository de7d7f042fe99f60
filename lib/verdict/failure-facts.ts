/** What is known of system errors, as data: the first pattern that fits says what the failure was. */
import type { FailureKind } from '../watch/events';

/** Codes that axios gives when it knows nothing better: the cause may. */
export const VAGUE = /^(err_(network|bad_response)|econnaborted|etimedout)$/i;

/**
 * Tried on `code;syscall;message`, with the error's name where it has no code. In any letter case, for Node's ECONNRESET is
 * ConnectionReset to Bun and Deno; written in lower case, which is a seventh smaller in a compressed bundle. What is known of each
 * runtime, a fact a row with its source, is the table in __tests__/verdict/known-failures.ts.
 */
export const FACTS: readonly (readonly [says: RegExp, kind: FailureKind])[] = [
  // Mocks without an answer, whose code is ENETUNREACH, and what fetch refuses to do, without a code.
  [/;(nock: |\[msw\] )|^\w*error;;(redirect count|unexpected redirect|bad port|(url|unknown) scheme|integrity mismatch|cors failure|cross origin)/i, 'permanent'],
  // The fetch of Node 24 (undici 7) has lost the code of an answer that is no HTTP, HPE_….
  [/^(eacces|eperm|httpparsererror|\w*;bind);/i, 'permanent'],
  // What TLS complains about is a matter of settings, but for a record that was damaged on the way.
  [/^(eproto;|err_ssl_)(?!.*(bad.record|decrypt|length|unexpected.eof))|invalid peer cert/is, 'permanent'],
  // What was being done says more than the code.
  [/^(?!eproto;)\w*;(connect|getaddrinfo|query)|^econnreset;;client network|: client error \(connect\)|^err_http2_\w+;.*refused_stream/i, 'unsent'],
  [
    /^((e|econn|connection)refused|e(notfound|ai_\w+|timeout|servfail|nodata|nobufs|[mn]file)|e?((host|net(work)?)(down|unreach)|addrnotavail)(able)?|und_err_connect_timeout|err_(tls_handshake_timeout|socket_(connection_timeout|closed_before_connection)|http2_((goaway|invalid)_session|out_of_streams|stream_cancel))|connect(ion)?timeout(error)?|failedtoopensocket|dns\w+failed);;/i,
    'unsent',
  ],
  [
    /^(\w*;(read|write|shutdown|send|recv)|eproto;|err_ssl_|((econn|connection)(reset|closed)|connectionaborted|notconnected|brokenpipe|unexpectedeof|epipe|(esocket)?timed?out|z_buf_error|und_err_(socket|\w+_timeout)|err_(stream_premature_close|socket_closed|http2_(invalid_stream|\w*error)));)/i,
    'network',
  ],
];

// An answer cut off in the middle has a message and no code; axios 1.2 and 1.6 report it as a limit that is off.
export const CUT_OFF = /^((stream has been )?aborted|max.* -1 exceeded|socket hang up|terminated)$/i;
