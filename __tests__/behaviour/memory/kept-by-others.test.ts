import { getEventListeners } from 'node:events';
import { Mortals } from '../../helpers/garbage';
import { Client, ENDS, survivorsOfAll } from './ends';

it('F16 what an origin keeps (circuit, pause, budget) holds nothing of a call, whatever its end', async () => {
  expect(await survivorsOfAll(({ client }) => client)).toEqual([]);
});

/** What signals that are made of this one leave on it. */
function entriesOf(signal: AbortSignal): number {
  const members = Object.getOwnPropertySymbols(signal).map((symbol) => (signal as unknown as Record<symbol, unknown>)[symbol]);
  return members.reduce<number>((sum, member) => sum + (member instanceof Set ? member.size : 0), 0);
}

describe('F09 a long-lived signal', () => {
  // An abort would end its life.
  const ends = ENDS.filter(({ name }) => !name.startsWith('aborted'));

  it.each([{}, { totalTimeout: 60_000 }])('has no listener and no entry after calls of every end, and keeps nothing of them: %j', async (options) => {
    const mortals = new Mortals();
    const { signal } = new AbortController();
    const left: Record<string, number[]> = {};
    for (const end of ends) {
      const client = new Client(end, mortals, end.options?.totalTimeout === undefined ? options : {});
      const calls = end.name === 'detached' ? 1 : 5;
      for (let call = 0; call < calls; call++) await client.run(signal).then(() => undefined);
      left[end.name] = [getEventListeners(signal, 'abort').length, entriesOf(signal)];
    }
    expect(left).toEqual(Object.fromEntries(ends.map(({ name }) => [name, [0, 0]])));
    expect(await mortals.survivors()).toEqual([]);
    expect(signal.aborted).toBe(false);
  });
});
