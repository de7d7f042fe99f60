import { createRandom, type Random } from '../../lib/simulate/random';

/** Choices that repeat: one seed and stream, one sequence. */
export class Dice {
  readonly random: Random;

  constructor(seed: number, stream = 0) {
    this.random = createRandom(seed, stream);
  }

  chance(probability: number): boolean {
    return this.random() < probability;
  }

  /** A whole number, both ends included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.random() * (to - from + 1));
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.int(0, list.length - 1)] as T;
  }

  /** A key, as often as its weight says. */
  weighted<Key extends string>(weights: Readonly<Record<Key, number>>): Key {
    const entries = Object.entries(weights) as [Key, number][];
    let left = this.random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      left -= weight;
      if (left < 0) return key;
    }
    return (entries.at(-1) as [Key, number])[0];
  }
}
