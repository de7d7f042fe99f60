import { getEventListeners } from 'node:events';
import type { RetryOptions } from '../../../lib/index';
import { collectGarbage, Mortals } from '../../helpers/garbage';
import { Client, ENDS, type End } from './ends';

interface Ran {
  readonly client: Client;
  readonly kept: unknown;
  readonly survivors: () => Promise<string[]>;
}

/** One call to its end. */
async function run(end: End, mortals: Mortals, options?: RetryOptions): Promise<Ran> {
  const controller = new AbortController();
  const client = new Client(end, mortals, options);
  const kept = await client.run(controller.signal, () => controller.abort());
  return { client, kept, survivors: () => mortals.survivors() };
}

/** One call to each end, each with its own notes. The names of what has survived, with the end where it was. */
async function survivorsOfAll(keep: (ran: Ran) => unknown, options?: RetryOptions): Promise<string[]> {
  const rans: { name: string; kept: unknown; mortals: Mortals }[] = [];
  for (const end of ENDS) {
    const mortals = new Mortals();
    rans.push({ name: end.name, mortals, kept: await run(end, mortals, options).then(keep) });
  }
  await collectGarbage();
  const found = rans.flatMap(({ name, mortals }) => mortals.alive().map((survivor) => `${name}: ${survivor}`));
  expect(rans.map(({ kept }) => typeof kept)).toEqual(ENDS.map(() => 'object'));
  return found;
}

describe('F16 what the caller keeps', () => {
  it.each(ENDS)('of a call that ended with $name holds no earlier attempt and no body', async (end) => {
    const { kept, survivors } = await run(end, new Mortals());
    const last = end.answers.length;
    const allowed = [`attempt ${last}`, ...(end.hasCause ? [`attempt ${last - 1}`] : [])];
    expect((await survivors()).filter((name) => !allowed.includes(name))).toEqual([]);
    expect(kept).toBeInstanceOf(Object);
  });

  it('holds nothing that the option `body` made, whatever the end', async () => {
    // A name of its own: what the caller posted is told apart.
    const made: { name: string; ref: WeakRef<object> }[] = [];
    const body = (): object => {
      const fresh = { id: 8 };
      made.push({ name: `body ${made.length + 1}`, ref: new WeakRef(fresh) });
      return fresh;
    };
    await survivorsOfAll(({ kept }) => kept, { body });
    expect(made.length).toBeGreaterThan(ENDS.length);
    expect(made.filter(({ ref }) => ref.deref()).map(({ name }) => name)).toEqual([]);
  });
});

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
