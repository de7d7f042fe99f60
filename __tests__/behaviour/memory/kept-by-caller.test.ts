import { ENDS, runToAll, survivorsOfAll, type Kept } from './ends';

describe('F16 what the caller keeps', () => {
  let all: Kept[];
  beforeAll(async () => void (all = await runToAll(({ kept }) => kept)));

  it.each(ENDS)('of a call that ended with $name holds no earlier attempt and no body', (end) => {
    const { kept, survivors } = all.find((one) => one.end === end) as Kept;
    const last = end.answers.length;
    const allowed = [`attempt ${last}`, ...(end.hasCause ? [`attempt ${last - 1}`] : [])];
    expect(survivors.filter((name) => !allowed.includes(name))).toEqual([]);
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
