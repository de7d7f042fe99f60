/** A circuit breaker per origin, on cockatiel. */
import { Circuit } from './circuit/circuit';
import { resolveSettings, type CircuitBreakerOptions, type CircuitBreakerState } from './circuit/circuit-options';
import type { CircuitBreakerFactory } from './options/retry-options';
import { OriginTable } from './policy/origin-table';
import { monotonicNow } from './time/clock';

export type { CircuitBreakerOptions, CircuitBreakerState } from './circuit/circuit-options';

export interface CircuitBreakers extends CircuitBreakerFactory {
  /** The state of an origin's circuit, by the clock: `half-open` as soon as a probe may be sent. */
  state(origin: string): CircuitBreakerState;
}

/**
 * A factory for the `circuitBreaker` option: one circuit per origin. Failures are `unsent`, `network`, `timeout`
 * and statuses from 500; any other response is a success; a cancelled attempt is neither. One probe at a time.
 *
 * @throws TypeError or RangeError for a wrong option.
 */
export function circuitBreaker(options: CircuitBreakerOptions = {}): CircuitBreakers {
  const settings = resolveSettings(options);
  const circuits = new OriginTable<Circuit>(({ state }) => state !== 'closed');
  const factory = (origin: string): Circuit => {
    const keep = (circuit: Circuit): void => circuits.set(origin, circuit, monotonicNow());
    const circuit = circuits.get(origin, monotonicNow()) ?? new Circuit(origin, settings, keep);
    keep(circuit);
    return circuit;
  };
  const state = (origin: string): CircuitBreakerState => circuits.get(origin, monotonicNow())?.state ?? 'closed';
  return Object.assign(factory, { state });
}
