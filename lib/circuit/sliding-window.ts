/** Counting attempts over the last while: when does a circuit open. */
import { CircuitState, type IBreaker } from 'cockatiel';
import { monotonicNow } from '../time/clock';

/** In how many slices the window moves on. */
const SLICES = 10;

interface Slice {
  /** Number of the slice since the clock began; tells a stale one. */
  index: number;
  attempts: number;
  failures: number;
}

export interface WindowSettings {
  /** Share of failures that opens the circuit. */
  readonly threshold: number;
  /** ms. */
  readonly window: number;
  readonly minimumAttempts: number;
}

/** Opens when at least `threshold` of at least `minimumAttempts` attempts in the last `window` ms failed. */
export class SlidingWindow implements IBreaker {
  /** For cockatiel's own serialization, which is not used. */
  state: unknown;
  #slices: Slice[] = [];

  constructor(readonly settings: WindowSettings) {}

  success(state: CircuitState): void {
    // The probe succeeded: what came before is history.
    if (state === CircuitState.HalfOpen) this.#slices = [];
    this.#count(0);
  }

  failure(state: CircuitState): boolean {
    this.#count(1);
    if (state !== CircuitState.Closed) return true;
    const { threshold, minimumAttempts } = this.settings;
    let [attempts, failures] = [0, 0];
    for (const slice of this.#slices) {
      attempts += slice.attempts;
      failures += slice.failures;
    }
    return attempts >= minimumAttempts && failures / attempts >= threshold;
  }

  #count(failures: 0 | 1): void {
    const index = Math.floor((monotonicNow() / this.settings.window) * SLICES);
    this.#slices = this.#slices.filter((slice) => slice.index > index - SLICES);
    let current = this.#slices.at(-1);
    if (current?.index !== index) this.#slices.push((current = { index, attempts: 0, failures: 0 }));
    current.attempts += 1;
    current.failures += failures;
  }
}
