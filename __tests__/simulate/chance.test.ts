import { createHash } from 'node:crypto';

import fc from 'fast-check';
import { PRESETS, simulate, simulateContention, CONTENTION_POLICIES, type ContentionPolicy, type PresetName } from 'axios-jitter/simulate';

import { ClientHeap } from '../../lib/simulate/event-queue';
import { backoffOf, resolvePolicy, type RetryOptions } from '../../lib/simulate/library';
import { createRandom, normal } from '../../lib/simulate/random';

// Any change of these is a change of every result that somebody has noted down.
const SEQUENCE = [2_603_941_546, 4_187_190_437, 61_967_981, 859_103_616];
const RESULT = '29393439ea508395';

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

describe('the same everywhere', () => {
  it('gives this sequence for this seed', () => {
    const random = createRandom(1);
    expect(Array.from({ length: 4 }, () => random() * 4_294_967_296)).toEqual(SEQUENCE);
  });

  it('gives this result for this scenario', () => {
    const result = simulate({ clients: 100, service: { capacity: 25 }, outage: { length: 2_000, kind: 'refused' }, seed: 42 });
    expect(digest(result)).toBe(RESULT);
  });

  it('gives another result for another seed', () => {
    const of = (seed: number) => simulate({ clients: 50, service: { capacity: 25 }, outage: { length: 500 }, policies: ['full'], seed });
    expect(digest(of(1).policies)).not.toBe(digest(of(2).policies));
    expect(of(7)).toEqual(of(7));
  });

  it('draws arrivals that do not depend on the policy', () => {
    const { policies } = simulate({ clients: 300, arrival: { rate: 100 }, service: { capacity: 1 }, outage: { length: 1e6 }, retries: 0, policies: ['full', 'fixed'] });
    expect(policies[0]?.requests).toEqual(policies[1]?.requests);
  });
});

describe('chance', () => {
  it('is uniform: each of 100 classes gets its share of 100,000 draws', () => {
    const random = createRandom(3);
    const classes = new Array<number>(100).fill(0);
    for (let draw = 0; draw < 100_000; draw++) classes[Math.floor(random() * 100)]!++;
    const chiSquare = classes.reduce((total, count) => total + (count - 1_000) ** 2 / 1_000, 0);
    // 99 degrees of freedom: the 0.1 % bounds.
    expect(chiSquare).toBeGreaterThan(60);
    expect(chiSquare).toBeLessThan(149);
  });

  it('has the mean and the deviation that were asked for', () => {
    const random = createRandom(5);
    const values = Array.from({ length: 50_000 }, () => normal(10, 2, random));
    const mean = values.reduce((total, value) => total + value, 0) / values.length;
    const variance = values.reduce((total, value) => total + (value - mean) ** 2, 0) / values.length;
    expect(mean).toBeCloseTo(10, 1);
    expect(Math.sqrt(variance)).toBeCloseTo(2, 1);
  });

  it('gives streams of one seed that have nothing in common', () => {
    const [one, two] = [createRandom(1, 1), createRandom(1, 2)];
    const equal = Array.from({ length: 1_000 }, () => one() === two()).filter(Boolean);
    expect(equal).toHaveLength(0);
  });
});

it('the queue gives events in the order of time', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 200 }), (times) => {
      const queue = new ClientHeap(times.length);
      times.forEach((time, client) => queue.push(time, client));
      const seen: number[] = [];
      while (queue.size > 0) {
        seen.push(queue.time);
        if (seen.length % 3 === 0) queue.replaceTop(queue.time + 1);
        else queue.removeTop();
      }
      expect(seen).toEqual([...seen].sort((a, b) => a - b));
    }),
    { numRuns: 50 },
  );
});

describe('no jittered policy puts more than 1 % of the clients on one millisecond', () => {
  const clients = 12_000;
  /** The largest share of clients whose delay before that retry falls on one millisecond. */
  function heaviest(options: RetryOptions, retries: number, seed: number): number[] {
    const policy = resolvePolicy({ ...options, budget: false }, createRandom(seed));
    const previous = new Array<number | undefined>(clients).fill(undefined);
    return Array.from({ length: retries }, (_, index) => {
      const counts = new Map<number, number>();
      previous.forEach((before, client) => {
        const delay = backoffOf(index + 1, before, policy);
        previous[client] = delay;
        counts.set(Math.floor(delay), (counts.get(Math.floor(delay)) ?? 0) + 1);
      });
      return Math.max(...counts.values()) / clients;
    });
  }

  it.each(['default', 'full', 'equal', 'decorrelated'] as PresetName[])('preset %s, at any retry, at the cap too', (name) => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const shares = heaviest(PRESETS[name](createRandom(seed)), 10, seed);
        expect(Math.max(...shares)).toBeLessThanOrEqual(0.01);
      }),
      { numRuns: 3 },
    );
  });

  it('whatever base and cap are, if the first delays have the room', () => {
    const jitter = fc.oneof(fc.constantFrom('full', 'equal', 'decorrelated'), fc.record({ plusMinus: fc.integer({ min: 200, max: 2_000 }) }));
    fc.assert(
      fc.property(jitter, fc.integer({ min: 400, max: 3_000 }), fc.integer({ min: 1, max: 20 }), fc.integer(), (kind, baseDelay, times, seed) => {
        const options = { jitter: kind as NonNullable<RetryOptions['jitter']>, baseDelay, maxDelay: baseDelay * times };
        // Decorrelated jitter with a cap at the base has no room at all.
        fc.pre(kind !== 'decorrelated' || times > 1);
        expect(Math.max(...heaviest(options, 6, seed))).toBeLessThanOrEqual(0.01);
      }),
      { numRuns: 10 },
    );
  });

  it('without jitter all of them come on one', () => {
    expect(heaviest(PRESETS.exponential(createRandom(1)), 3, 1)).toEqual([1, 1, 1]);
  });
});

describe('the contention experiment: 100 clients, base 5 ms, cap 2,000 ms, network N(10, 2) ms, 100 runs', () => {
  const results = Object.fromEntries(CONTENTION_POLICIES.map((policy) => [policy, simulateContention({ clients: 100, policy })]));
  const of = (policy: ContentionPolicy) => results[policy] as { calls: number; time: number };

  it('full jitter needs less than half the calls of exponential backoff without jitter', () => {
    expect(of('full').calls).toBeLessThan(of('exponential').calls / 2);
  });

  it('and less than a tenth of its time', () => {
    expect(of('full').time).toBeLessThan(of('exponential').time / 10);
  });

  it('decorrelated jitter needs about a quarter more calls than full', () => {
    const ratio = of('decorrelated').calls / of('full').calls;
    expect(ratio).toBeGreaterThan(1.15);
    expect(ratio).toBeLessThan(1.35);
  });

  // The published simulator, run 20 times: means 2,419, 1,866, 815, 796 and 998.
  it.each([['none', 2_419], ['exponential', 1_866], ['equal', 815], ['full', 796], ['decorrelated', 998]] as const)(
    '%s: within 3 %% of the calls of the published simulator',
    (policy, calls) => {
      expect(Math.abs(of(policy).calls / calls - 1)).toBeLessThan(0.03);
    },
  );

  it.each([
    [{ clients: 0, policy: 'full' }, 'contention option "clients" must be a whole number >= 1; got 0'],
    [{ clients: 1, policy: 'fll' }, 'contention option "policy" must be one of none, exponential'],
  ])('refuses %j', (options, message) => {
    expect(() => simulateContention(options as never)).toThrow(message);
  });
});
