/** One origin's circuit, on cockatiel. What counts as a failure is decided here, not there. */
import {
  BrokenCircuitError,
  CircuitState,
  circuitBreaker as cockatielBreaker,
  handleType,
  type CircuitBreakerPolicy,
  type IBackoff,
  type IHalfOpenAfterBackoffContext,
} from 'cockatiel';
import { computeBackoff } from '../policy/backoff';
import { Counted, Passed, settleSend, standingOf, type Settled } from './circuit-outcome';
import type { CircuitBreakerState, Settings } from './circuit-options';
import type { CircuitBreaker } from '../options/retry-options';
import { SlidingWindow } from './sliding-window';

/** One origin's circuit. */
export class Circuit implements CircuitBreaker {
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
