import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/**
 * Collects what nobody can reach any more, until it is enough: a collection takes long where the heap is large. What was
 * looked at in this turn of the event loop is kept till its end.
 */
export async function collectGarbage(isEnough: () => boolean = () => false): Promise<void> {
  for (let round = 0; round < 6 && !isEnough(); round++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
}

/** Things that should not outlive something else, by name. */
export class Mortals {
  readonly #refs: { name: string; ref: WeakRef<object> }[] = [];

  note<T extends object>(name: string, value: T): T {
    this.#refs.push({ name, ref: new WeakRef(value) });
    return value;
  }

  /** The names of those that are still there. */
  async survivors(): Promise<string[]> {
    await collectGarbage(() => this.alive().length === 0);
    return this.alive();
  }

  /** Of those, without collecting anything first. */
  alive(): string[] {
    return this.#refs.filter(({ ref }) => ref.deref() !== undefined).map(({ name }) => name);
  }
}
