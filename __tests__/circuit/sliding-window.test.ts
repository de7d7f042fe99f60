import { CircuitState } from 'cockatiel';
import { SlidingWindow, type WindowSettings } from '../../lib/circuit/sliding-window';
import { fakeClocks } from '../helpers/virtual-time';

const { Closed, HalfOpen, Open } = CircuitState;

/** Counts attempts in the closed state, and says whether the last of them opened the circuit. */
function count(window: SlidingWindow, outcomes: { failures?: number; successes?: number }): boolean {
  let opens = false;
  for (let i = 0; i < (outcomes.successes ?? 0); i++) window.success(Closed);
  for (let i = 0; i < (outcomes.failures ?? 0); i++) opens = window.failure(Closed);
  return opens;
}

function make(settings: Partial<WindowSettings> = {}): SlidingWindow {
  return new SlidingWindow({ threshold: 0.5, window: 10_000, minimumAttempts: 4, ...settings });
}

it.each([
  { settings: {}, successes: 2, failures: 2, opens: true },
  { settings: {}, successes: 3, failures: 2, opens: false },
  { settings: {}, successes: 0, failures: 4, opens: true },
  // not enough attempts
  { settings: {}, successes: 0, failures: 3, opens: false },
  { settings: { minimumAttempts: 1 }, successes: 0, failures: 1, opens: true },
  { settings: { minimumAttempts: 20 }, successes: 10, failures: 9, opens: false },
  { settings: { minimumAttempts: 20 }, successes: 10, failures: 10, opens: true },
  { settings: { threshold: 1 }, successes: 1, failures: 20, opens: false },
  { settings: { threshold: 1 }, successes: 0, failures: 20, opens: true },
  // shares that have no exact binary fraction
  { settings: { threshold: 0.1 }, successes: 27, failures: 3, opens: true },
  { settings: { threshold: 0.07 }, successes: 93, failures: 7, opens: true },
  { settings: { threshold: 0.55 }, successes: 45, failures: 55, opens: true },
  { settings: { threshold: 0.55 }, successes: 46, failures: 54, opens: false },
])('$failures failures after $successes successes, with $settings: opens $opens', ({ settings, successes, failures, opens }) => {
  fakeClocks();
  expect(count(make(settings), { successes, failures })).toBe(opens);
});

it('forgets what is older than the window', () => {
  const clock = fakeClocks();
  const window = make();
  count(window, { failures: 3 });
  clock.advance(10_000);
  expect(count(window, { failures: 3 })).toBe(false);
  expect(count(window, { failures: 1 })).toBe(true);
});

it('remembers what is nine tenths of a window old', () => {
  const clock = fakeClocks();
  const window = make();
  count(window, { failures: 3 });
  clock.advance(8_999);
  expect(count(window, { failures: 1 })).toBe(true);
});

it('moves on slice by slice, and does not start anew', () => {
  const clock = fakeClocks();
  const window = make({ minimumAttempts: 3 });
  count(window, { failures: 1 });
  clock.advance(6_000);
  count(window, { failures: 1 });
  clock.advance(6_000);
  // The first is forgotten, the second is not.
  expect(count(window, { failures: 1 })).toBe(false);
  expect(count(window, { failures: 1 })).toBe(true);
});

it('lets many successes outweigh failures within the window only', () => {
  const clock = fakeClocks();
  const window = make();
  count(window, { successes: 100 });
  clock.advance(11_000);
  expect(count(window, { failures: 4 })).toBe(true);
});

it('opens at once when the probe fails', () => {
  fakeClocks();
  expect(make({ minimumAttempts: 1_000 }).failure(HalfOpen)).toBe(true);
});

it('stays open for a late failure', () => {
  fakeClocks();
  expect(make({ minimumAttempts: 1_000 }).failure(Open)).toBe(true);
});

it('starts anew when the probe succeeds', () => {
  fakeClocks();
  const window = make();
  count(window, { failures: 20 });
  window.success(HalfOpen);
  expect(count(window, { failures: 1 })).toBe(false);
});

it('keeps a fixed number of counts, however many attempts there are', () => {
  const clock = fakeClocks();
  const window = make({ window: 100, minimumAttempts: 3 });
  for (let i = 0; i < 10_000; i++) {
    count(window, { successes: 1 });
    clock.advance(7);
  }
  // 100 ms at one success each 7 ms: at most 15 of them are left.
  expect(count(window, { failures: 16 })).toBe(true);
});
