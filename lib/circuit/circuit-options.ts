/** The settings of `axios-jitter/cockatiel`, their defaults and checks. */
import { check, isFunction, number, type Rules } from '../checks/checks';

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

export type Settings = { [K in Exclude<keyof CircuitBreakerOptions, 'onStateChange'>]-?: NonNullable<CircuitBreakerOptions[K]> } &
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

/** Checked and complete. */
export function resolveSettings(options: CircuitBreakerOptions): Settings {
  const given = Object.entries(check(options, RULES, 'circuitBreaker option')).filter(([, value]) => value !== undefined);
  const settings = { ...DEFAULTS, ...(Object.fromEntries(given) as Partial<Settings>) };
  if (settings.maxBreakDelay < settings.breakDelay) {
    throw new RangeError(
      `axios-jitter: circuitBreaker option "maxBreakDelay" must be at least breakDelay (${settings.breakDelay}); got ${settings.maxBreakDelay}`,
    );
  }
  return settings;
}
