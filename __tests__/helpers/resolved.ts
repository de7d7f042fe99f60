// The one place where unit tests get complete options from.
import type { RetryOptions } from '../../lib/options/retry-options';
import { resolveOptions, type ResolvedRetryOptions } from '../../lib/options/resolve';

/** Complete options, as `attachRetry` makes them of `options`. */
export function resolved(options: RetryOptions = {}): ResolvedRetryOptions {
  return resolveOptions(options);
}
