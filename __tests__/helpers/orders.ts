/** When the plugin was attached, seen from a neighbour on the same instance. */
export type Order = 'before' | 'after';
export const ORDERS: Order[] = ['before', 'after'];

/** Does both, in the order: `before`, the plugin comes first and is inside of what the neighbour registers. */
export function inOrder<Attached, Joined>(order: Order, attach: () => Attached, join: () => Joined): [Attached, Joined] {
  if (order === 'before') {
    const attached = attach();
    return [attached, join()];
  }
  const joined = join();
  return [attach(), joined];
}

/** For neighbours that take axios' types for CommonJS, which TypeScript keeps apart from those for ES modules. */
export const foreign = <Type>(value: object): Type => value as Type;
