// What is known of failures: one row a fact, with the runtime that gives it and where that is written.
import type { FailureKind } from '../../lib/index';

export interface KnownFailure {
  readonly code?: string;
  readonly name?: string;
  readonly syscall?: string;
  readonly message?: string;
  readonly kind: FailureKind;
  readonly source: string;
}

const NODE_ERRORS = 'Node: doc/api/errors.md, common system errors';
const NODE_CODES = 'Node: doc/api/errors.md, Node.js error codes';
const NODE_DNS = 'Node: doc/api/dns.md, error codes; c-ares ares.h';
const LIBUV = 'libuv: include/uv/errno.h, docs/src/errors.rst';
const UNDICI = 'undici: docs/docs/api/Errors.md';
const UNDICI_FETCH = 'undici: lib/web/fetch/index.js, makeNetworkError';
const HTTP2 = 'Node: lib/internal/http2/core.js; RFC 9113, sections 6.8 and 8.7';
const OPENSSL = 'OpenSSL: include/openssl/sslerr.h; Node: doc/api/errors.md, OpenSSL error codes';
const BUN = 'Bun: src/http.zig and fetch/FetchTasklet.zig, error names as codes';
const DENO = 'Deno: runtime/js/01_errors.js';
const DENO_FETCH = 'Deno: ext/fetch; hyper-util client/legacy/client.rs, ErrorKind';

const of = (kind: FailureKind, source: string, syscall: string | undefined, codes: string): KnownFailure[] =>
  codes.split(' ').map((code) => ({ code, kind, source, ...(syscall !== undefined && { syscall, message: `${syscall} ${code}` }) }));
const named = (kind: FailureKind, source: string, names: string): KnownFailure[] => names.split(' ').map((name) => ({ name, kind, source }));
const said = (kind: FailureKind, source: string, code: string | undefined, ...messages: string[]): KnownFailure[] =>
  messages.map((message) => ({ message, kind, source, ...(code !== undefined && { code }) }));

export const KNOWN: readonly KnownFailure[] = [
  // What was being done decides, whatever the code is.
  ...of('unsent', NODE_ERRORS, 'connect', 'ECONNREFUSED ETIMEDOUT EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN ECONNRESET ECONNABORTED ENOENT'),
  ...of('unsent', LIBUV, 'connect', 'EADDRNOTAVAIL EMFILE ENFILE ENOBUFS ENOMEM EAGAIN EINVAL EAFNOSUPPORT ENOTCONN'),
  ...of('unsent', NODE_DNS, 'getaddrinfo', 'ENOTFOUND EAI_AGAIN EAI_FAIL EAI_MEMORY EAI_NODATA ESERVFAIL'),
  ...['queryA', 'queryAaaa', 'querySrv'].flatMap((query) =>
    of('unsent', NODE_DNS, query, 'ENOTFOUND ETIMEOUT ESERVFAIL EREFUSED ENODATA ECONNREFUSED EBADRESP ECANCELLED'),
  ),
  ...['read', 'write', 'shutdown'].flatMap((syscall) =>
    of('network', NODE_ERRORS, syscall, 'ECONNRESET EPIPE ETIMEDOUT ECONNABORTED EHOSTUNREACH ENETUNREACH ENETDOWN ECONNREFUSED ENOTCONN ECANCELED'),
  ),
  ...of('permanent', NODE_ERRORS, 'bind', 'EADDRINUSE EADDRNOTAVAIL EACCES EINVAL'),
  ...['connect', 'read', 'write'].flatMap((syscall) => of('permanent', NODE_ERRORS, syscall, 'EACCES EPERM')),
  // Without a syscall, by the code.
  ...of('unsent', NODE_ERRORS, undefined, 'ECONNREFUSED ENOTFOUND EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN EADDRNOTAVAIL EMFILE ENFILE ENOBUFS'),
  ...of('unsent', NODE_DNS, undefined, 'EAI_AGAIN EAI_FAIL ETIMEOUT ESERVFAIL EREFUSED ENODATA'),
  ...of('unsent', NODE_CODES, undefined, 'ERR_SOCKET_CONNECTION_TIMEOUT ERR_SOCKET_CLOSED_BEFORE_CONNECTION ERR_TLS_HANDSHAKE_TIMEOUT'),
  ...of('network', NODE_ERRORS, undefined, 'ECONNRESET EPIPE'),
  ...of('network', NODE_CODES, undefined, 'ERR_STREAM_PREMATURE_CLOSE ERR_SOCKET_CLOSED Z_BUF_ERROR'),
  ...of('network', 'agentkeepalive: lib/agent.js', undefined, 'ESOCKETTIMEDOUT'),
  ...of('permanent', NODE_CODES, undefined, 'Z_DATA_ERROR ERR_INVALID_URL ERR_INVALID_CHAR ERR_STREAM_WRITE_AFTER_END HPE_INVALID_CONSTANT HPE_HEADER_OVERFLOW'),
  ...of('permanent', NODE_ERRORS, 'open', 'ENOENT EMFILE'),
  // undici, the fetch of Node.
  ...of('unsent', UNDICI, undefined, 'UND_ERR_CONNECT_TIMEOUT'),
  ...named('unsent', UNDICI, 'ConnectTimeoutError'),
  ...of('network', UNDICI, undefined, 'UND_ERR_SOCKET UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT'),
  ...of('permanent', UNDICI, undefined, 'UND_ERR_INVALID_ARG UND_ERR_REQ_CONTENT_LENGTH_MISMATCH UND_ERR_NOT_SUPPORTED'),
  ...named('permanent', UNDICI, 'HTTPParserError'),
  ...said('permanent', UNDICI_FETCH, undefined, 'bad port', 'unknown scheme', 'redirect count exceeded', 'unexpected redirect', 'integrity mismatch', 'cors failure'),
  ...said('permanent', UNDICI_FETCH, undefined, 'URL scheme must be a HTTP(S) scheme', 'cross origin not allowed for request mode "cors"'),
  // TLS.
  ...said('unsent', 'Node: lib/_tls_wrap.js', 'ECONNRESET', 'Client network socket disconnected before secure TLS connection was established'),
  ...of('network', OPENSSL, undefined, 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC ERR_SSL_SSL/TLS_ALERT_BAD_RECORD_MAC'),
  ...of('network', OPENSSL, undefined, 'ERR_SSL_BAD_RECORD_TYPE ERR_SSL_PACKET_LENGTH_TOO_LONG ERR_SSL_LENGTH_MISMATCH ERR_SSL_UNEXPECTED_EOF_WHILE_READING'),
  ...said('network', OPENSSL, 'EPROTO', 'write EPROTO 80BC:error:0A000119:SSL routines:ssl3_get_record:decryption failed or bad record mac:ssl3_record.c:622:'),
  ...said('permanent', OPENSSL, 'EPROTO', 'write EPROTO 80BC:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:ssl3_record.c:354:'),
  ...said('permanent', OPENSSL, 'EPROTO', 'write EPROTO 80BC:error:0A000410:SSL routines:ssl3_read_bytes:sslv3 alert handshake failure:rec_layer_s3.c:1593:'),
  ...of('permanent', OPENSSL, undefined, 'ERR_SSL_WRONG_VERSION_NUMBER ERR_SSL_TLSV1_ALERT_UNKNOWN_CA ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED ERR_SSL_NO_PROTOCOLS_AVAILABLE'),
  ...of('permanent', 'OpenSSL: X509_verify_cert_error_string', undefined, 'CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
  ...of('permanent', NODE_CODES, undefined, 'ERR_TLS_CERT_ALTNAME_INVALID'),
  // HTTP/2.
  ...of('unsent', HTTP2, undefined, 'ERR_HTTP2_GOAWAY_SESSION ERR_HTTP2_INVALID_SESSION ERR_HTTP2_OUT_OF_STREAMS'),
  ...said('unsent', HTTP2, 'ERR_HTTP2_STREAM_ERROR', 'Stream closed with error code NGHTTP2_REFUSED_STREAM'),
  ...said('unsent', HTTP2, 'ERR_HTTP2_STREAM_CANCEL', 'The pending stream has been canceled'),
  ...said('network', HTTP2, 'ERR_HTTP2_STREAM_ERROR', 'Stream closed with error code NGHTTP2_INTERNAL_ERROR', 'Stream closed with error code NGHTTP2_ENHANCE_YOUR_CALM'),
  ...said('network', HTTP2, 'ERR_HTTP2_SESSION_ERROR', 'Session closed with error code 2', 'Session closed with error code NGHTTP2_INTERNAL_ERROR'),
  ...said('network', HTTP2, 'ERR_HTTP2_ERROR', 'Protocol error'),
  ...of('network', HTTP2, undefined, 'ERR_HTTP2_INVALID_STREAM ERR_HTTP2_FRAME_ERROR'),
  ...of('permanent', HTTP2, undefined, 'ERR_HTTP2_INVALID_HEADER_VALUE ERR_HTTP2_INVALID_CONNECTION_HEADERS ERR_HTTP2_UNSUPPORTED_PROTOCOL'),
  // Bun, as codes, and Deno, as names.
  ...of('unsent', BUN, undefined, 'ConnectionRefused FailedToOpenSocket DNSResolveFailed DNSLookupFailed'),
  ...of('network', BUN, undefined, 'ConnectionClosed ConnectionReset Timeout'),
  ...of('permanent', BUN, undefined, 'TooManyRedirects RedirectURLInvalid CERT_UNTRUSTED'),
  ...named('unsent', DENO, 'ConnectionRefused AddrNotAvailable NetworkUnreachable HostUnreachable'),
  ...named('network', DENO, 'ConnectionReset ConnectionAborted NotConnected BrokenPipe UnexpectedEof TimedOut'),
  ...said('unsent', DENO_FETCH, undefined, 'error sending request for url (http://127.0.0.1:1/): client error (Connect): tcp connect error: Connection refused (os error 111)'),
  ...said('permanent', DENO_FETCH, undefined, 'error sending request for url (https://127.0.0.1/): client error (Connect): invalid peer certificate: UnknownIssuer'),
  ...said('network', DENO_FETCH, undefined, 'error sending request for url (http://127.0.0.1:1/): client error (SendRequest): connection closed before message completed'),
  // Browsers and React Native say what happened to nobody.
  ...said('network', 'Fetch standard, section 5.6: a network error is a TypeError', undefined, 'Failed to fetch', 'NetworkError when attempting to fetch resource.', 'Load failed'),
  ...said('network', 'React Native: Libraries/Network/fetch', undefined, 'Network request failed'),
  ...said('permanent', 'nock: lib/intercepted_request_router.js', 'ENETUNREACH', 'Nock: Disallowed net connect for "example.com:80"'),
];

export const describeKnown = ({ code, name, syscall, message }: KnownFailure): string => [code ?? name, syscall, message].filter(Boolean).join(' | ');
