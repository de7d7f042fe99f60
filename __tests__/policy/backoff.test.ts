import fc from 'fast-check';
import { computeBackoff, spreadRetryAfter, type BackoffOptions, type Jitter } from '../../lib/policy/backoff';
import { resolved } from '../helpers/resolved';

const LOWEST = () => 0;
const MIDDLE = () => 0.5;
/** The largest number below 1. */
const HIGHEST = () => 1 - Number.EPSILON / 2;

const BASE: BackoffOptions = { baseDelay: 100, factor: 2, maxDelay: 1_000, jitter: 'full', random: MIDDLE };

/** A seeded source of chance (mulberry32), so that samples are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function sample(count: number, draw: () => number): number[] {
  return Array.from({ length: count }, draw);
}

const delay = fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.double({ min: 0, max: 1e9, noNaN: true }));
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const anyJitter: fc.Arbitrary<Jitter> = fc.oneof(
  fc.constantFrom<Jitter>('full', 'equal', 'decorrelated', 'none'),
  delay.map((plusMinus) => ({ plusMinus })),
);
const anyOptions: fc.Arbitrary<BackoffOptions> = fc
  .record({ baseDelay: delay, factor: fc.double({ min: 1, max: 1e6, noNaN: true }), maxDelay: delay, jitter: anyJitter, chance })
  .map(({ chance: drawn, ...rest }) => ({ ...rest, random: () => drawn }));
const anyRetry = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }));

describe('the bound', () => {
  it.each([
    [1, 100],
    [2, 200],
    [3, 400],
    [4, 800],
    [5, 1_000],
    [6, 1_000],
    [1_075, 1_000],
    [Number.MAX_SAFE_INTEGER, 1_000],
  ])('of retry %d is %d ms', (retry, bound) => {
    expect(computeBackoff(retry, undefined, { ...BASE, jitter: 'none' })).toBe(bound);
  });

  it('stays 0 for a base of 0, also where the growth overflows', () => {
    expect(computeBackoff(5_000, undefined, { ...BASE, baseDelay: 0, jitter: 'none' })).toBe(0);
  });

  it('does not grow with a factor of 1', () => {
    expect(computeBackoff(9, undefined, { ...BASE, factor: 1, jitter: 'none' })).toBe(100);
  });

  it('is maxDelay where that is below the base', () => {
    expect(computeBackoff(1, undefined, { ...BASE, maxDelay: 30, jitter: 'none' })).toBe(30);
  });
});

describe('each jitter', () => {
  it.each<[string, Jitter, number, number | undefined, number, number, number]>([
    ['full, first retry', 'full', 1, undefined, 0, 50, 100],
    ['full, third retry', 'full', 3, undefined, 0, 200, 400],
    ['full, at the cap', 'full', 9, undefined, 0, 500, 1_000],
    ['equal, first retry', 'equal', 1, undefined, 50, 75, 100],
    ['equal, at the cap', 'equal', 9, undefined, 500, 750, 1_000],
    ['decorrelated, first retry', 'decorrelated', 1, undefined, 100, 200, 300],
    ['decorrelated, after 200', 'decorrelated', 2, 200, 100, 350, 600],
    ['decorrelated, at the cap', 'decorrelated', 3, 900, 100, 550, 1_000],
    ['decorrelated, after 0', 'decorrelated', 3, 0, 0, 0, 0],
    ['plus or minus 40', { plusMinus: 40 }, 1, undefined, 60, 100, 140],
    ['plus or minus 40, at the cap', { plusMinus: 40 }, 9, undefined, 920, 960, 1_000],
    ['plus or minus more than the bound', { plusMinus: 300 }, 1, undefined, 0, 200, 400],
    ['plus or minus more than the cap', { plusMinus: 5_000 }, 1, undefined, 0, 500, 1_000],
    ['plus or minus 0', { plusMinus: 0 }, 2, undefined, 200, 200, 200],
  ])('%s: lowest, middle and highest draw', (_name, jitter, retry, previous, lowest, middle, highest) => {
    const draw = (random: () => number) => computeBackoff(retry, previous, { ...BASE, jitter, random });
    expect(draw(LOWEST)).toBe(lowest);
    expect(draw(MIDDLE)).toBe(middle);
    expect(draw(HIGHEST)).toBeCloseTo(highest, 9);
  });

  it.each<Jitter>(['full', 'equal', 'decorrelated', { plusMinus: 10 }])('%j draws once', (jitter) => {
    const random = jest.fn(MIDDLE);
    computeBackoff(2, 150, { ...BASE, jitter, random });
    expect(random).toHaveBeenCalledTimes(1);
  });

  it('none asks chance for nothing', () => {
    const random = jest.fn(MIDDLE);
    computeBackoff(2, undefined, { ...BASE, jitter: 'none', random });
    expect(random).not.toHaveBeenCalled();
  });

  it('decorrelated keeps its cap inside the draw, whatever came before', () => {
    const random = seeded(7);
    let previous: number | undefined;
    const delays = sample(2_000, () => (previous = computeBackoff(1, previous, { ...BASE, jitter: 'decorrelated', random })));
    expect(Math.max(...delays)).toBeLessThan(1_000);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(100);
    expect(new Set(delays).size).toBeGreaterThan(1_990);
  });
});

describe('whatever the options', () => {
  it('is never NaN, negative or above maxDelay', () => {
    fc.assert(
      fc.property(anyRetry, fc.option(delay, { nil: undefined }), anyOptions, (retry, previous, options) => {
        const result = computeBackoff(retry, previous, options);
        return result >= 0 && result <= options.maxDelay;
      }),
      { numRuns: 1_000 },
    );
  });

  it('does not fall when the draw rises', () => {
    fc.assert(
      fc.property(anyRetry, anyOptions, chance, chance, (retry, options, one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)];
        const draw = (drawn: number) => computeBackoff(retry, undefined, { ...options, random: () => drawn });
        return draw(low) <= draw(high);
      }),
    );
  });

  it('caps before the draw: a higher draw is a longer delay, also at the cap', () => {
    const wide = fc.integer({ min: 1, max: 1_000_000 });
    const drawing = fc.oneof(fc.constantFrom<Jitter>('full', 'equal', 'decorrelated'), wide.map((plusMinus) => ({ plusMinus })));
    const options = fc.record({ baseDelay: wide, factor: fc.integer({ min: 1, max: 100 }), maxDelay: wide, jitter: drawing });
    fc.assert(
      fc.property(anyRetry, fc.option(wide, { nil: undefined }), options, (retry, previous, given) => {
        const [low, middle, high] = [LOWEST, MIDDLE, HIGHEST].map((random) => computeBackoff(retry, previous, { ...given, random }));
        expect(middle).toBeGreaterThan(low as number);
        expect(high).toBeGreaterThan(middle as number);
        expect(high).toBeLessThanOrEqual(given.maxDelay);
      }),
    );
  });

  it('decorrelated goes from the base to three times the delay before it, along any chain of draws', () => {
    const sizes = fc.record({ baseDelay: fc.integer({ min: 1, max: 1_000 }), maxDelay: fc.integer({ min: 2_000, max: 100_000 }) });
    fc.assert(
      fc.property(sizes, fc.array(chance, { minLength: 1, maxLength: 20 }), ({ baseDelay, maxDelay }, draws) => {
        let previous: number | undefined;
        for (const [index, drawn] of draws.entries()) {
          const options: BackoffOptions = { ...BASE, baseDelay, maxDelay, jitter: 'decorrelated', random: () => drawn };
          const ms = computeBackoff(index + 1, previous, options);
          expect(ms).toBeGreaterThanOrEqual(baseDelay);
          expect(ms).toBeLessThanOrEqual(Math.min(maxDelay, 3 * (previous ?? baseDelay)));
          previous = ms;
        }
      }),
    );
  });

  it('full jitter never exceeds the delay without jitter', () => {
    fc.assert(
      fc.property(anyRetry, anyOptions, (retry, options) => {
        const full = computeBackoff(retry, undefined, { ...options, jitter: 'full' });
        return full <= computeBackoff(retry, undefined, { ...options, jitter: 'none' });
      }),
    );
  });
});

describe('a crowd', () => {
  const CROWD = 10_000;

  it('R97 fills the whole range under full jitter: no more than a fair share in any tenth of it', () => {
    const random = seeded(42);
    const delays = sample(1_000, () => computeBackoff(3, undefined, { ...BASE, random }));
    expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(0.9 * 400);
    const tenths = Array.from({ length: 10 }, (_, tenth) => delays.filter((ms) => Math.floor(ms / 40) === tenth).length);
    expect(Math.min(...tenths)).toBeGreaterThan(60);
    expect(Math.max(...tenths)).toBeLessThan(140);
  });

  it.each<Jitter>(['full', 'equal', 'decorrelated', { plusMinus: 40 }, { plusMinus: 300 }, { plusMinus: 5_000 }])(
    '%j piles nobody up on one value, neither on the cap nor on 0',
    (jitter) => {
      const random = seeded(1);
      const delays = sample(CROWD, () => computeBackoff(9, 900, { ...BASE, jitter, random }));
      const heaps = new Map<number, number>();
      for (const ms of delays) heaps.set(ms, (heaps.get(ms) ?? 0) + 1);
      expect(Math.max(...heaps.values())).toBeLessThanOrEqual(2);
    },
  );

  it.each([1_000, 30])('decorrelated still spreads where maxDelay (%d ms) leaves no room above a baseDelay of 1000 ms', (maxDelay) => {
    const random = seeded(5);
    const delays = sample(100, () => computeBackoff(2, maxDelay, { ...BASE, baseDelay: 1_000, maxDelay, jitter: 'decorrelated', random }));
    expect(new Set(delays).size).toBeGreaterThan(90);
    expect(Math.max(...delays)).toBeLessThanOrEqual(maxDelay);
  });

  it.each<[Jitter, number]>([
    ['full', 1_000],
    ['equal', 500],
    ['decorrelated', 900],
    [{ plusMinus: 40 }, 80],
    [{ plusMinus: 300 }, 600],
    [{ plusMinus: 5_000 }, 1_000],
  ])('%j spreads over %d ms at the cap', (jitter, width) => {
    const at = (random: () => number) => computeBackoff(9, 900, { ...BASE, jitter, random });
    expect(at(HIGHEST) - at(LOWEST)).toBeCloseTo(width, 9);
  });
});

describe('R96 the defaults', () => {
  const highest = (retry: number) => computeBackoff(retry, undefined, { ...resolved(), random: HIGHEST });

  it('have a real first delay', () => {
    expect(highest(1)).toBeCloseTo(500, 9);
  });

  it('double it for each retry up to 10 seconds', () => {
    expect([2, 3, 4, 5, 6, 60].map((retry) => Math.round(highest(retry)))).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  });

  it.each([
    ['baseDelay', { baseDelay: 400 }, 800],
    ['factor', { factor: 3 }, 1_500],
    ['maxDelay', { maxDelay: 700 }, 700],
    ['jitter', { jitter: 'none' as const }, 1_000],
  ])('are moved by %s', (_name, options, expected) => {
    expect(computeBackoff(2, undefined, { ...resolved(options), random: HIGHEST })).toBeCloseTo(expected, 9);
  });
});

describe('the spread over Retry-After', () => {
  const OPTIONS = { ...BASE, retryAfterSpread: 0.5, maxDelay: 10_000 };

  it.each([
    ['half of it', 10_000, {}, 10_000, 12_500, 15_000],
    ['baseDelay at least', 20, {}, 20, 70, 120],
    ['maxDelay at most', 60_000, {}, 60_000, 65_000, 70_000],
    ['maxDelay also where it is below baseDelay', 1_000, { maxDelay: 40 }, 1_000, 1_020, 1_040],
    ['the share that was asked for', 4_000, { retryAfterSpread: 2 }, 4_000, 8_000, 12_000],
    ['nothing for a share of 0', 4_000, { retryAfterSpread: 0 }, 4_000, 4_000, 4_000],
    ['nothing without jitter', 4_000, { jitter: 'none' as const }, 4_000, 4_000, 4_000],
  ])('is %s', (_name, retryAfter, change, lowest, middle, highest) => {
    const draw = (random: () => number) => spreadRetryAfter(retryAfter, { ...OPTIONS, ...change, random });
    expect(draw(LOWEST)).toBe(lowest);
    expect(draw(MIDDLE)).toBe(middle);
    expect(draw(HIGHEST)).toBeCloseTo(highest, 6);
  });

  it('is never earlier than asked, never NaN, and at most maxDelay later', () => {
    const share = fc.double({ min: 0, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), share, anyOptions, (retryAfter, retryAfterSpread, options) => {
        const wait = spreadRetryAfter(retryAfter, { ...options, retryAfterSpread });
        return wait >= retryAfter && wait <= retryAfter + options.maxDelay;
      }),
      { numRuns: 1_000 },
    );
  });

  it('brings a crowd that was told the same back at different times', () => {
    const random = seeded(3);
    const waits = sample(10_000, () => spreadRetryAfter(10_000, { ...OPTIONS, random }));
    expect(new Set(waits).size).toBeGreaterThan(9_990);
    const busiest = Math.max(...Array.from({ length: 50 }, (_, slot) => waits.filter((ms) => Math.floor((ms - 10_000) / 100) === slot).length));
    expect(busiest).toBeLessThan(300);
  });
});
