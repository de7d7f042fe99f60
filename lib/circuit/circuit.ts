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
import { INTERRUPTED, Interrupt, unlessInterrupted } from '../time/interrupt';
import { monotonicNow } from '../time/clock';
import { settleSend, standingOf, type Settled } from './circuit-outcome';
import type { CircuitBreakerState, Settings } from './circuit-options';
import type { CircuitBreaker } from '../options/retry-options';
import { SlidingWindow } from './sliding-window';

/** What cockatiel is told of an attempt that does not count as a success. It keeps the last one: so no answer is in it. */
class Told extends Error {}
const FAILURE = new Told('failure');
/** A probe that proved nothing. */
const NO_PROOF = new Told('no proof');
/** An outcome that says nothing about the circuit. */
const NEITHER = new Error('neither');

/** One origin's circuit. */
export class Circuit implements CircuitBreaker {
  readonly #policy: CircuitBreakerPolicy;
  /** Changes with every change of state: what began in another one says nothing about this one. */
  #era = 0;
  #opensUntil = 0;
  /** The last probe: it ends when its answer comes, or when its place is taken. */
  #probe: { readonly interrupt: Interrupt; readonly until: number; ended?: Promise<void> } | undefined;

  constructor(
    origin: string,
    readonly settings: Settings,
    readonly onUse: (circuit: Circuit) => void,
  ) {
    this.#policy = cockatielBreaker(handleType(Told), {
      breaker: new SlidingWindow(settings),
      halfOpenAfter: { next: (context) => this.#makeBreak(1, context) },
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

  #isHalfOpen(): boolean {
    return this.#policy.state === CircuitState.HalfOpen;
  }

  get #timeLeft(): number {
    // Whole ms, without the crumbs of sums in binary fractions.
    return Math.max(0, Math.ceil(this.#opensUntil - monotonicNow() - 0.001));
  }

  async execute<T>(send: () => Promise<T>): Promise<T> {
    this.onUse(this);
    while (this.#isHalfOpen()) await this.#takePlaceOfProbe();
    const attempt: { sending?: Promise<Settled<T>> } = {};
    const counted = this.#policy.execute(() => this.#count((attempt.sending = settleSend(send))));
    if (this.#isHalfOpen() && this.#probe) this.#probe.ended = counted.catch(() => undefined);
    try {
      await counted;
    } catch (error) {
      if (!attempt.sending) throw error instanceof BrokenCircuitError ? this.#refusal() : error;
    }
    if (!attempt.sending) throw this.#refusal();
    return unwrap(await attempt.sending);
  }

  // cockatiel lets the others wait for the probe and then go together; here they fail fast. A probe without an end is
  // waited for as long as a break may last.
  async #takePlaceOfProbe(): Promise<void> {
    if (!this.#probe || monotonicNow() < this.#probe.until - 0.001) throw this.#refusal();
    this.#probe.interrupt.interrupt('deadline');
    await this.#probe.ended;
  }

  // How cockatiel is told: what resolves is a success, Told a failure, anything else neither.
  async #count(sending: Promise<Settled<unknown>>): Promise<void> {
    if (this.#policy.state !== CircuitState.Closed) return this.#countProbe(sending);
    const era = this.#era;
    const standing = standingOf(await sending);
    if (standing === 'neither' || era !== this.#era) throw NEITHER;
    if (standing === 'failure') throw FAILURE;
  }

  async #countProbe(sending: Promise<Settled<unknown>>): Promise<void> {
    const interrupt = new Interrupt();
    this.#probe = { interrupt, until: monotonicNow() + this.settings.maxBreakDelay };
    const settled = await unlessInterrupted(sending, interrupt);
    const standing = settled === INTERRUPTED ? 'neither' : standingOf(settled);
    // What proves nothing opens the circuit again, for no time at all: the place of the probe is free.
    if (standing !== 'success') throw standing === 'failure' ? FAILURE : NO_PROOF;
  }

  #makeBreak(count: number, { result }: IHalfOpenAfterBackoffContext): IBackoff<IHalfOpenAfterBackoffContext> {
    const isFree = 'error' in result && result.error === NO_PROOF;
    const { breakDelay: baseDelay, maxBreakDelay: maxDelay, random } = this.settings;
    const ms = isFree ? 0 : computeBackoff(count, undefined, { baseDelay, maxDelay, factor: 2, jitter: 'equal', random });
    this.#opensUntil = monotonicNow() + ms;
    const isOver = (): boolean => this.#timeLeft === 0;
    return {
      // cockatiel compares it with the system clock, which may be set back: so it is all or nothing.
      get duration() {
        return isOver() ? -Infinity : Infinity;
      },
      next: (context) => this.#makeBreak(isFree ? count : count + 1, context),
    };
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
