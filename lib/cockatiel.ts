/** A circuit breaker per origin, on cockatiel. What counts as a failure, and how it is counted, is decided here. */
import {
  BrokenCircuitError,
  CircuitState,
  circuitBreaker as cockatielBreaker,
  handleType,
  type CircuitBreakerPolicy,
  type IBackoff,
  type IHalfOpenAfterBackoffContext,
} from 'cockatiel';
import { computeBackoff } from './backoff';
import { check, isFunction, number, type Rules } from './checks';
import { Counted, Passed, settleSend, standingOf, type Settled } from './circuit-outcome';
import type { CircuitBreaker, CircuitBreakerFactory } from './options';
import { OriginTable } from './origins';
import { monotonicNow } from './sleep';
import { SlidingWindow } from './sliding-window';

export type CircuitBreakerState = 'closed' | 'open' | 'half-open';

export interface CircuitBreakerOptions {
  /** Share of failures that opens the circuit, > 0 and <= 1. @default 0.5 */
  threshold?: number | undefined;
  /** Time over which attempts are counted, in ms, > 0. @default 10_000 */
  window?: number | undefined;
  /** Attempts in the window below which it stays closed, a whole number >= 1. @default 20 */
  minimumAttempts?: number | undefined;
  /** Upper bound of the first break, in ms, > 0; it doubles with each break in a row. @default 5_000 */
  breakDelay?: number | undefined;
  /** Upper bound of every break, in ms, >= breakDelay. @default 60_000 */
  maxBreakDelay?: number | undefined;
  /** Told of each change; `half-open` when the probe is sent. */
  onStateChange?: ((origin: string, state: CircuitBreakerState) => void) | undefined;
  /** Source of chance in [0, 1). A break lasts between half its bound and the bound. @default Math.random */
  random?: (() => number) | undefined;
}

export interface CircuitBreakers extends CircuitBreakerFactory {
  /** The state of an origin's circuit, by the clock: `half-open` as soon as a probe may be sent. */
  state(origin: string): CircuitBreakerState;
}

const positive = number('a finite number > 0', (value) => value > 0 && value < Infinity);
const RULES: Rules = {
  threshold: number('a number > 0 and <= 1', (value) => value > 0 && value <= 1),
  window: positive,
  minimumAttempts: number('a whole number >= 1', (value) => Number.isInteger(value) && value >= 1),
  breakDelay: positive,
  maxBreakDelay: positive,
  onStateChange: ['a function', isFunction],
  random: ['a function', isFunction],
};

type Settings = { [K in Exclude<keyof CircuitBreakerOptions, 'onStateChange'>]-?: NonNullable<CircuitBreakerOptions[K]> } &
  Pick<CircuitBreakerOptions, 'onStateChange'>;

const DEFAULTS: Settings = {
  threshold: 0.5,
  window: 10_000,
  minimumAttempts: 20,
  breakDelay: 5_000,
  maxBreakDelay: 60_000,
  onStateChange: undefined,
  random: () => Math.random(),
};

function resolve(options: CircuitBreakerOptions): Settings {
  const given = Object.entries(check(options, RULES, 'circuitBreaker option')).filter(([, value]) => value !== undefined);
  const settings = { ...DEFAULTS, ...(Object.fromEntries(given) as Partial<Settings>) };
  if (settings.maxBreakDelay < settings.breakDelay) {
    throw new RangeError(
      `axios-jitter: circuitBreaker option "maxBreakDelay" must be at least breakDelay (${settings.breakDelay}); came ${settings.maxBreakDelay}`,
    );
  }
  return settings;
}

/** One origin's circuit. */
class Circuit implements CircuitBreaker {
  readonly #policy: CircuitBreakerPolicy;
  /** Changes with every change of state: what began in another one says nothing about this one. */
  #era = 0;
  #opensUntil = 0;

  constructor(
    origin: string,
    settings: Settings,
    readonly onUse: (circuit: Circuit) => void,
  ) {
    this.#policy = cockatielBreaker(handleType(Counted), {
      breaker: new SlidingWindow(settings),
      halfOpenAfter: { next: (context) => this.#makeBreak(1, settings, context) },
    });
    this.#policy.onStateChange((state) => {
      this.#era += 1;
      tell(settings, origin, nameOf(state));
    });
  }

  get state(): CircuitBreakerState {
    const state = nameOf(this.#policy.state);
    return state === 'open' && this.#timeLeft === 0 ? 'half-open' : state;
  }

  get #timeLeft(): number {
    return Math.max(0, this.#opensUntil - Date.now());
  }

  async execute<T>(send: () => Promise<T>): Promise<T> {
    this.onUse(this);
    // cockatiel lets the others wait for the probe and then go together; here they fail fast.
    if (this.#policy.state === CircuitState.HalfOpen) throw this.#refusal();
    try {
      return unwrap<T>(await this.#policy.execute(() => this.#run(send)));
    } catch (error) {
      if (error instanceof Counted || error instanceof Passed) return unwrap<T>(error.settled as Settled<T>);
      throw error instanceof BrokenCircuitError ? this.#refusal() : error;
    }
  }

  // How cockatiel is told: what it returns is a success, Counted a failure, Passed neither.
  async #run<T>(send: () => Promise<T>): Promise<Settled<T>> {
    const isProbe = this.#policy.state !== CircuitState.Closed;
    const era = this.#era + (isProbe ? 1 : 0);
    const settled = await settleSend(send);
    const standing = standingOf(settled);
    // A probe that is neither opens the circuit again, for no time at all: its place is free.
    if (isProbe && standing !== 'success') throw new Counted(settled, standing === 'neither');
    if (standing === 'neither' || era !== this.#era) throw new Passed(settled);
    if (standing === 'failure') throw new Counted(settled, false);
    return settled;
  }

  #makeBreak(count: number, settings: Settings, context: IHalfOpenAfterBackoffContext): IBackoff<IHalfOpenAfterBackoffContext> {
    const { result } = context;
    const isFree = 'error' in result && result.error instanceof Counted && result.error.isNeither;
    const { breakDelay: baseDelay, maxBreakDelay: maxDelay, random } = settings;
    const duration = isFree ? 0 : computeBackoff(count, undefined, { baseDelay, maxDelay, factor: 2, jitter: 'equal', random });
    this.#opensUntil = Date.now() + duration;
    return { duration, next: (next) => this.#makeBreak(isFree ? count : count + 1, settings, next) };
  }

  #refusal(): Error {
    return Object.assign(new BrokenCircuitError('the circuit is open'), { timeLeft: this.#timeLeft });
  }
}

// An observer cannot change what happens to a call.
function tell({ onStateChange }: Settings, origin: string, state: CircuitBreakerState): void {
  try {
    onStateChange?.(origin, state);
  } catch (error) {
    console.error('axios-jitter: onStateChange failed', error);
  }
}

function nameOf(state: CircuitState): CircuitBreakerState {
  if (state === CircuitState.Closed) return 'closed';
  return state === CircuitState.HalfOpen ? 'half-open' : 'open';
}

function unwrap<T>(settled: Settled<T>): T {
  if ('error' in settled) throw settled.error;
  return settled.value;
}

/**
 * A factory for the `circuitBreaker` option: one circuit per origin. Failures are `unsent`, `network`, `timeout`
 * and statuses from 500; any other answer is a success; a cancelled attempt is neither. One probe at a time.
 *
 * @throws TypeError or RangeError for a wrong option.
 */
export function circuitBreaker(options: CircuitBreakerOptions = {}): CircuitBreakers {
  const settings = resolve(options);
  const circuits = new OriginTable<Circuit>();
  const factory = (origin: string): Circuit => {
    const keep = (circuit: Circuit): void => circuits.set(origin, circuit, monotonicNow());
    const circuit = circuits.get(origin, monotonicNow()) ?? new Circuit(origin, settings, keep);
    keep(circuit);
    return circuit;
  };
  const state = (origin: string): CircuitBreakerState => circuits.get(origin, monotonicNow())?.state ?? 'closed';
  return Object.assign(factory, { state });
}
