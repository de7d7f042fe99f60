/** Numbers the client spans of one call, whoever makes them: a context that notices when a span is put into it. */
import { SpanKind, type Context, type Span } from '@opentelemetry/api';

const RESEND_COUNT = 'http.request.resend_count';
/** Known also to another copy of this module, so that of nested calls the innermost alone counts. */
const INNER = Symbol.for('axios-jitter.counting-context');

/** What one call has sent. */
export class Resends {
  #count = 0;
  readonly #seen = new WeakSet();

  /** The first client span is not a resend; from the second on each carries its number. */
  number(span: Span): void {
    if (this.#seen.has(span)) return;
    this.#seen.add(span);
    if (this.#count > 0) span.setAttribute(RESEND_COUNT, this.#count);
    this.#count += 1;
  }
}

// What an SDK's span has beside the API's members. A span that is not recorded has none of it, and needs no number.
interface Readable {
  readonly kind?: unknown;
  readonly attributes?: Readonly<Record<string, unknown>>;
}

function isClientSpan(value: unknown): value is Span {
  const { kind, attributes } = (value ?? {}) as Readable;
  return kind === SpanKind.CLIENT && attributes !== undefined && ('http.request.method' in attributes || 'http.method' in attributes);
}

class CountingContext implements Context {
  readonly [INNER]: Context;
  readonly #resends: Resends;

  constructor(inner: Context, resends: Resends) {
    this[INNER] = inner;
    this.#resends = resends;
  }

  getValue(key: symbol): unknown {
    return this[INNER].getValue(key);
  }

  setValue(key: symbol, value: unknown): Context {
    const next = this[INNER].setValue(key, value);
    if (!isClientSpan(value)) return new CountingContext(next, this.#resends);
    this.#resends.number(value);
    return next;
  }

  deleteValue(key: symbol): Context {
    return new CountingContext(this[INNER].deleteValue(key), this.#resends);
  }
}

/** A context like `context`, in which the client spans of `resends` are counted. */
export function countingContext(context: Context, resends: Resends): Context {
  return new CountingContext((context as { [INNER]?: Context })[INNER] ?? context, resends);
}
