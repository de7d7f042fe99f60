import fc from 'fast-check';
import { RetryBudget, type RetryBudgetOptions } from '../../lib/policy/retry-budget';

const MINUTE = 60_000;
const A = 'https://a.example';
const B = 'https://b.example';

function drain(budget: RetryBudget, origin: string, now = 0): number {
  let taken = 0;
  while (taken < 1_000 && budget.tryTake(origin, now)) taken += 1;
  return taken;
}

it('begins full, with 100 tokens, a deposit of 0.1 and a cost of 1', () => {
  const budget = new RetryBudget();
  expect({ ...budget }).toEqual({ capacity: 100, deposit: 0.1, cost: 1 });
  expect(budget.tokens(A, 0)).toBe(100);
  expect(drain(budget, A)).toBe(100);
});

it('takes an explicit undefined for "not given"', () => {
  const budget = new RetryBudget({ capacity: undefined, deposit: undefined, cost: undefined });
  expect({ ...budget }).toEqual({ capacity: 100, deposit: 0.1, cost: 1 });
});

it('refuses when less than the cost is left, and then takes nothing', () => {
  const budget = new RetryBudget({ capacity: 5, cost: 2 });
  expect(drain(budget, A)).toBe(2);
  expect(budget.tokens(A, 0)).toBe(1);
});

it('makes exactly one token of ten deposits of 0.1', () => {
  const budget = new RetryBudget({ capacity: 3 });
  drain(budget, A);
  for (let i = 0; i < 9; i++) budget.reward(A, 0);
  expect(budget.tryTake(A, 0)).toBe(false);
  budget.reward(A, 0);
  expect(budget.tokens(A, 0)).toBe(1);
  expect(budget.tryTake(A, 0)).toBe(true);
  expect(budget.tokens(A, 0)).toBe(0);
});

it.each([
  { deposit: 0.1, cost: 0.3, deposits: 3 },
  { deposit: 0.2, cost: 0.6, deposits: 3 },
  { deposit: 0.01, cost: 1, deposits: 100 },
  { deposit: 0.7, cost: 2.1, deposits: 3 },
])('loses no crumb: $deposits deposits of $deposit pay a cost of $cost', ({ deposit, cost, deposits }) => {
  const budget = new RetryBudget({ capacity: cost, deposit, cost });
  drain(budget, A);
  for (let i = 1; i < deposits; i++) budget.reward(A, 0);
  expect(budget.tryTake(A, 0)).toBe(false);
  budget.reward(A, 0);
  expect(budget.tryTake(A, 0)).toBe(true);
});

it('gives the whole cost back with a refund', () => {
  const budget = new RetryBudget({ capacity: 10, cost: 4 });
  budget.tryTake(A, 0);
  expect(budget.tokens(A, 0)).toBe(6);
  budget.refund(A, 0);
  expect(budget.tokens(A, 0)).toBe(10);
});

it('never holds more than its capacity', () => {
  const budget = new RetryBudget({ capacity: 2, deposit: 0.7 });
  budget.tryTake(A, 0);
  for (let i = 0; i < 5; i++) budget.reward(A, 0);
  budget.refund(A, 0);
  expect(budget.tokens(A, 0)).toBe(2);
  expect(drain(budget, A)).toBe(2);
});

it('keeps a bucket for each origin', () => {
  const budget = new RetryBudget({ capacity: 2 });
  drain(budget, A);
  expect(budget.tokens(B, 0)).toBe(2);
  budget.reward(B, 0);
  expect(budget.tokens(A, 0)).toBe(0);
});

it('lists the origins below capacity, and drops one that is full again', () => {
  const budget = new RetryBudget({ capacity: 2 });
  expect(budget.isFull).toBe(true);
  budget.tryTake(A, 0);
  budget.tryTake(B, 0);
  budget.tryTake(B, 0);
  expect(budget.isFull).toBe(false);
  expect(budget.list(0)).toEqual([
    { origin: A, tokens: 1, capacity: 2 },
    { origin: B, tokens: 0, capacity: 2 },
  ]);
  budget.refund(A, 0);
  expect(budget.list(0)).toEqual([{ origin: B, tokens: 0, capacity: 2 }]);
});

it('keeps nothing for origins that only succeed', () => {
  const budget = new RetryBudget();
  for (let i = 0; i < 100; i++) budget.reward(`https://${i}.example`, 0);
  expect(budget.isFull).toBe(true);
});

it('counts an origin that nobody used for 10 minutes as full again', () => {
  const budget = new RetryBudget({ capacity: 2 });
  drain(budget, A, 0);
  expect(budget.list(10 * MINUTE - 1)).toHaveLength(1);
  expect(budget.list(10 * MINUTE)).toEqual([]);
  expect(budget.tokens(A, 10 * MINUTE)).toBe(2);
});

it('counts a refused retry as use, so that an outage longer than 10 minutes refills nothing', () => {
  const budget = new RetryBudget({ capacity: 1 });
  drain(budget, A, 0);
  for (let minute = 1; minute <= 30; minute++) expect(budget.tryTake(A, minute * MINUTE)).toBe(false);
});

it('keeps at most 1,000 origins and forgets the one used longest ago', () => {
  const budget = new RetryBudget({ capacity: 1 });
  for (let i = 0; i <= 1_000; i++) budget.tryTake(`https://${i}.example`, 0);
  expect(budget.list(0)).toHaveLength(1_000);
  expect(budget.tokens('https://0.example', 0)).toBe(1);
  expect(budget.tokens('https://1000.example', 0)).toBe(0);
});

it('never hands out more than the capacity, the deposits and the refunds together, whatever the order', () => {
  const step = fc.constantFrom('take', 'reward', 'refund');
  const sizes = fc.record({ capacity: fc.integer({ min: 3, max: 20 }), deposit: fc.constantFrom(0, 0.1, 0.3, 1), cost: fc.constantFrom(0.1, 0.3, 1, 3) });
  fc.assert(
    fc.property(sizes, fc.array(step, { maxLength: 200 }), ({ capacity, deposit, cost }, steps) => {
      const budget = new RetryBudget({ capacity, deposit, cost });
      let [taken, given] = [0, capacity];
      for (const name of steps) {
        if (name === 'take' && budget.tryTake(A, 0)) taken += cost;
        if (name === 'reward') given += deposit;
        if (name === 'refund') given += cost;
        if (name !== 'take') budget[name](A, 0);
        const tokens = budget.tokens(A, 0);
        expect(tokens).toBeGreaterThanOrEqual(0);
        expect(tokens).toBeLessThanOrEqual(capacity);
      }
      expect(taken).toBeLessThanOrEqual(given + 1e-6);
    }),
    { seed: 8, numRuns: 200 },
  );
});

describe('settings out of range', () => {
  it.each<[RetryBudgetOptions, string]>([
    [{ capacity: -1 }, 'RetryBudget option "capacity" must be a finite number >= 0; got -1'],
    [{ capacity: NaN }, 'RetryBudget option "capacity" must be a finite number >= 0; got NaN'],
    [{ capacity: Infinity }, 'RetryBudget option "capacity" must be a finite number >= 0; got Infinity'],
    [{ deposit: -0.1 }, 'RetryBudget option "deposit" must be a finite number >= 0; got -0.1'],
    [{ deposit: NaN }, 'RetryBudget option "deposit" must be a finite number >= 0; got NaN'],
    [{ deposit: Infinity }, 'RetryBudget option "deposit" must be a finite number >= 0; got Infinity'],
    [{ cost: 0 }, 'RetryBudget option "cost" must be a finite number > 0; got 0'],
    [{ capacity: 2, cost: 3 }, 'RetryBudget option "cost" must be at most capacity (2); got 3'],
  ])('%j is a RangeError that says what is allowed and what came', (options, message) => {
    expect(() => new RetryBudget(options)).toThrow(new RangeError(`axios-jitter: ${message}`));
  });

  it.each([
    [{ capacity: '100' }, `RetryBudget option "capacity" must be a finite number >= 0; got '100'`],
    [{ capasity: 100 }, 'unknown RetryBudget option "capasity"; did you mean "capacity"?'],
    [5, 'RetryBudget options must be an object; got 5'],
    [null, 'RetryBudget options must be an object; got null'],
  ])('%j is a TypeError', (options, message) => {
    expect(() => new RetryBudget(options as RetryBudgetOptions)).toThrow(new TypeError(`axios-jitter: ${message}`));
  });

  it('accepts a deposit of 0: then only recovered retries give back', () => {
    const budget = new RetryBudget({ capacity: 1, deposit: 0 });
    drain(budget, A);
    for (let i = 0; i < 100; i++) budget.reward(A, 0);
    expect(budget.tryTake(A, 0)).toBe(false);
  });
});

describe('F35 capacity 0', () => {
  it.each([{ capacity: 0 }, { capacity: 0, cost: 5 }, { capacity: 0, deposit: 1 }])('pays for no retry, whatever succeeds: %j', (options) => {
    const budget = new RetryBudget(options);
    expect(budget.tryTake(A, 0)).toBe(false);
    budget.reward(A, 0);
    budget.refund(A, 0);
    expect(budget.tryTake(A, 0)).toBe(false);
    expect([budget.tokens(A, 0), budget.list(0), budget.isFull]).toEqual([0, [], true]);
  });
});

it('F33 a drained bucket is not pushed out by 5,000 other origins that fail', () => {
  const budget = new RetryBudget({ capacity: 3 });
  drain(budget, A);
  for (let i = 0; i < 5_000; i++) budget.tryTake(`https://${i}.example`, 0);
  expect(budget.tryTake(A, 0)).toBe(false);
  expect(budget.list(0)).toHaveLength(1_000);
});
