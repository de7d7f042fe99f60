import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MAX_IDLE, MAX_ORIGINS, OriginTable } from '../../lib/policy/origin-table';

describe('the table', () => {
  const name = (index: number): string => `https://${index}.example`;

  it('is limited to 1,000 origins and 10 minutes', () => {
    expect([MAX_ORIGINS, MAX_IDLE]).toEqual([1_000, 600_000]);
  });

  it('gives what was set, and nothing for an origin it does not know', () => {
    const table = new OriginTable<number>();
    table.set(name(1), 0, 0);
    expect(table.get(name(1), 0)).toBe(0);
    expect(table.get(name(2), 0)).toBeUndefined();
    table.delete(name(1));
    expect(table.get(name(1), 0)).toBeUndefined();
    expect(table.size).toBe(0);
  });

  it('lets the origin go that was used longest ago', () => {
    const table = new OriginTable<number>();
    for (let i = 0; i < 1_000; i++) table.set(name(i), i, 0);
    // Both count as use.
    table.get(name(0), 1);
    table.set(name(1), 1, 1);
    table.set(name(1_000), 1_000, 2);
    table.set(name(1_001), 1_001, 2);
    expect(table.size).toBe(1_000);
    expect([0, 1, 2, 3, 4].filter((i) => table.get(name(i), 2) === undefined)).toEqual([2, 3]);
  });

  it('does not count a look at the list as use', () => {
    const table = new OriginTable<number>();
    table.set(name(1), 1, 0);
    table.set(name(2), 2, 0);
    expect([...table.list(300_000)]).toEqual([
      [name(1), 1],
      [name(2), 2],
    ]);
    expect([...table.list(600_000)]).toEqual([]);
  });

  it('keeps an origin for 10 minutes after its last use', () => {
    const table = new OriginTable<number>();
    table.set(name(1), 1, 0);
    expect(table.get(name(1), 599_999)).toBe(1);
    expect(table.get(name(1), 1_199_998)).toBe(1);
    expect(table.get(name(1), 1_799_998)).toBeUndefined();
  });

  it('drops idle origins whenever it is used for others', () => {
    const table = new OriginTable<number>();
    for (let i = 0; i < 500; i++) table.set(name(i), i, 0);
    table.set(name(500), 500, 300_000);
    table.set(name(501), 501, 700_000);
    expect(table.size).toBe(2);
  });

  it('holds no more memory for 5,000 origins than for 1,000', () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const heap = (): number => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const table = new OriginTable<number[]>();
    const visit = (from: number, to: number): void => {
      // About 8 kB each: 5,000 of them would be 40 MB.
      for (let i = from; i < to; i++) table.set(name(i), new Array<number>(1_000).fill(i), i);
    };
    visit(0, 1_000);
    const before = heap();
    visit(1_000, 5_000);
    expect(table.size).toBe(1_000);
    expect(heap() - before).toBeLessThan(8_000_000);
  });
});

describe('F33 what protects its origin', () => {
  const name = (index: number): string => `https://${index}.example`;
  /** Negative values protect. */
  const fill = (values: number[]): OriginTable<number> => {
    const table = new OriginTable<number>((value) => value < 0);
    values.forEach((value, index) => table.set(name(index), value, 0));
    return table;
  };
  const rest = Array.from({ length: 999 }, (_, index) => index);

  it('goes last: the one used longest ago of the others goes first', () => {
    const table = fill([-1, ...rest]);
    table.set('https://new.example', 1, 0);
    expect([table.size, table.get(name(0), 0), table.get(name(1), 0), table.get(name(2), 0)]).toEqual([1_000, -1, undefined, 1]);
  });

  it('goes where all protect, the one used longest ago, and makes room for what is new', () => {
    const table = fill(Array.from({ length: 1_000 }, () => -1));
    table.set('https://new.example', 1, 0);
    expect([table.size, table.get(name(0), 0), table.get(name(1), 0), table.get('https://new.example', 0)]).toEqual([1_000, undefined, -1, 1]);
  });

  it('goes when it is idle, as everything does', () => {
    const table = fill([-1]);
    expect(table.get(name(0), 600_000)).toBeUndefined();
  });

  it('is asked with the time: what protects no longer goes', () => {
    const table = new OriginTable<number>((value, now) => value > now);
    table.set(name(0), 5, 0);
    rest.forEach((index) => table.set(name(index + 1), 100, 0));
    table.set('https://new.example', 1, 10);
    expect([table.get(name(0), 10), table.get(name(1), 10)]).toEqual([undefined, 100]);
  });
});
