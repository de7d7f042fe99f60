/** Chance that repeats: 32-bit integer arithmetic only, so one seed gives one sequence on every engine. */

/** A source of uniform numbers in [0, 1). */
export type Random = () => number;

// Spreads a seed over the generator's state (the finaliser of MurmurHash3), so that neighbouring seeds have nothing in common.
function mix(seed: number): number {
  let hash = seed | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/**
 * Chris Doty-Humphrey's sfc32 (PractRand): 128 bits of state, a period of at least 2^32. `stream` gives one seed many
 * independent sequences.
 */
export function createRandom(seed: number, stream = 0): Random {
  let a = mix(seed);
  let b = mix(stream ^ 0x9e3779b9);
  let c = mix(seed ^ Math.imul(stream + 1, 0x632be5ab));
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 4_294_967_296;
  };
  for (let round = 0; round < 15; round++) next();
  return next;
}

// The standard deviation of a sum of four uniforms is 1 / sqrt(3).
const SQRT_3 = 1.7320508075688772;
const HALF = 65_536;

/**
 * A normal variate, cut off at 3.46 standard deviations: the sum of four 16-bit uniforms. `Math.log` and `Math.cos`
 * of the usual formula may differ by the last bit between engines.
 */
export function normal(mean: number, deviation: number, random: Random): number {
  if (deviation === 0) return mean;
  let sum = 0;
  for (let draw = 0; draw < 2; draw++) {
    const bits = random() * HALF;
    const high = Math.floor(bits);
    sum += high / HALF + (bits - high);
  }
  return mean + deviation * SQRT_3 * (sum - 2);
}
