// A budget against a model of it that counts in whole tenths of a token.
import fc from 'fast-check';
import { RetryBudget } from '../../lib/index';

const MINUTE = 60_000;
const IDLE = 10 * MINUTE;
const ORIGINS = ['https://a.example', 'https://b.example', 'https://c.example'];

interface Settings {
  capacity: number;
  deposit: number;
  cost: number;
}

/** Everything in tenths of a token. An origin that is not listed is full. */
class Model {
  now = 0;
  readonly below = new Map<string, { tenths: number; usedAt: number }>();
  constructor(readonly settings: Settings) {}

  /** What is left; to ask is to use. */
  left(origin: string): number {
    this.forget();
    const entry = this.below.get(origin);
    if (entry) entry.usedAt = this.now;
    return entry?.tenths ?? this.settings.capacity;
  }

  put(origin: string, tenths: number): void {
    if (tenths >= this.settings.capacity) this.below.delete(origin);
    else this.below.set(origin, { tenths, usedAt: this.now });
  }

  list(): { origin: string; tokens: number }[] {
    this.forget();
    return [...this.below].map(([origin, { tenths }]) => ({ origin, tokens: tenths / 10 }));
  }

  private forget(): void {
    for (const [origin, { usedAt }] of this.below) if (this.now - usedAt >= IDLE) this.below.delete(origin);
  }
}

type Step = (model: Model, budget: RetryBudget) => void;

class Command implements fc.Command<Model, RetryBudget> {
  constructor(
    private readonly name: string,
    private readonly step: Step,
  ) {}

  check(): boolean {
    return true;
  }

  run(model: Model, budget: RetryBudget): void {
    this.step(model, budget);
    // Not `tokens`: that would count as use.
    const listed = budget.list(model.now);
    const byOrigin = (a: { origin: string }, b: { origin: string }): number => a.origin.localeCompare(b.origin);
    expect(listed.map(({ origin, tokens }) => ({ origin, tokens })).sort(byOrigin)).toEqual(model.list().sort(byOrigin));
    for (const { tokens, capacity } of listed) {
      expect(tokens).toBeGreaterThanOrEqual(0);
      expect(tokens).toBeLessThan(capacity);
    }
    expect(budget.isFull).toBe(model.below.size === 0);
  }

  toString(): string {
    return this.name;
  }
}

const origin = fc.constantFrom(...ORIGINS);
const letter = (name: string): string => name.charAt('https://'.length);
const anyCommand = [
  origin.map(
    (name) =>
      new Command(`take ${letter(name)}`, (model, budget) => {
        const left = model.left(name) - model.settings.cost;
        expect(budget.tryTake(name, model.now)).toBe(left >= 0);
        if (left >= 0) model.put(name, left);
      }),
  ),
  origin.map(
    (name) =>
      new Command(`reward ${letter(name)}`, (model, budget) => {
        budget.reward(name, model.now);
        model.put(name, model.left(name) + model.settings.deposit);
      }),
  ),
  origin.map(
    (name) =>
      new Command(`refund ${letter(name)}`, (model, budget) => {
        budget.refund(name, model.now);
        model.put(name, model.left(name) + model.settings.cost);
      }),
  ),
  origin.map((name) => new Command(`look at ${letter(name)}`, (model, budget) => expect(budget.tokens(name, model.now)).toBe(model.left(name) / 10))),
  fc.constantFrom(1, MINUTE, IDLE - 1, IDLE).map((ms) => new Command(`wait ${ms}`, (model) => void (model.now += ms))),
];
const settings: fc.Arbitrary<Settings> = fc
  .record({ capacity: fc.integer({ min: 1, max: 40 }), deposit: fc.integer({ min: 0, max: 12 }), cost: fc.integer({ min: 1, max: 20 }) })
  .filter(({ capacity, cost }) => cost <= capacity);

it('does what the model does, whatever is taken and put back, and whenever', () => {
  fc.assert(
    fc.property(settings, fc.commands(anyCommand, { maxCommands: 40, size: 'max' }), (tenths, commands) => {
      const { capacity, deposit, cost } = tenths;
      fc.modelRun(
        () => ({
          model: new Model(tenths),
          real: new RetryBudget({ capacity: capacity / 10, deposit: deposit / 10, cost: cost / 10 }),
        }),
        commands,
      );
    }),
  );
});

it('makes exactly one token of as many deposits as a token has parts, whatever falls between them', () => {
  const parts = fc.constantFrom(2, 4, 5, 8, 10, 16, 20, 25, 50, 64, 100);
  const between = fc.array(fc.constantFrom('take and put back', 'another origin', 'nothing'), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(parts, between, fc.integer({ min: 2, max: 9 }), (count, pauses, capacity) => {
      const [here, there] = ['https://a.example', 'https://b.example'];
      const budget = new RetryBudget({ capacity, deposit: 1 / count });
      for (let taken = 0; taken < capacity; taken++) budget.tryTake(here, 0);
      for (let deposit = 1; deposit <= count; deposit++) {
        expect(budget.tryTake(here, 0)).toBe(false);
        budget.reward(here, 0);
        const pause = pauses[deposit % pauses.length];
        if (pause === 'another origin') budget.tryTake(there, 0);
        if (pause === 'take and put back' && budget.tryTake(here, 0)) budget.refund(here, 0);
      }
      expect(budget.tokens(here, 0)).toBe(1);
    }),
  );
});
