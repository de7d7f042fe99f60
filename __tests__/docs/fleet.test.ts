// docs/fleet.md: its figures, what its code does, and the cluster recipe with real workers. That it compiles is tested with the README.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BroadcastChannel } from 'node:worker_threads';

import axios from 'axios';

import * as simulateSubpath from '../../lib/simulate';
import * as core from '../../lib/index';
import { bundleProgram } from '../helpers/program';
import { blocksOf, root, tableOf, type Block } from '../helpers/readme';
import { runBlock } from '../helpers/run-block';

const blocks = blocksOf('docs/fleet.md');
const blockOf = (name: string): Block => {
  const block = blocks.find((one) => one.name === name);
  if (!block) throw new Error(`docs/fleet.md has no block ${name}`);
  return block;
};

describe('what a fleet gains', () => {
  const { rows } = tableOf('What a fleet gains', 'seed');
  it('is shown for three seeds', () => expect(rows.map(([seed]) => seed)).toEqual(['1', '2', '3']));

  it.each(rows)('is what the simulation says with seed %s: %s, %s, %s', (seed, ...shown) => {
    const block = blockOf('What a fleet gains 1');
    const [, text = ''] = /simulate\((\{.*\})\);/s.exec(block.code) ?? [];
    const scenario = new Function(`return ${text}`) as () => simulateSubpath.Scenario;
    const { policies, clients } = simulateSubpath.simulate({ ...scenario(), seed: Number(seed) });
    expect(policies.map(({ rejected }) => rejected.toLocaleString('en-US'))).toEqual(shown);
    expect(policies.map(({ successes }) => successes)).toEqual([clients, clients, clients]);
  });

  it('is printed by the code', async () => {
    const log = jest.spyOn(console, 'log').mockImplementation();
    await runBlock(blockOf('What a fleet gains 1'), { 'axios-jitter/simulate': simulateSubpath }, {});
    expect(log.mock.calls).toEqual([[['not shared: 4859 refused', 'all: 784 refused', 'channel: 14 refused']]]);
  });
});

describe.each(['Tabs and threads 1', 'Tabs and threads 2', 'Before you switch it on 1'])('%s', (name) => {
  it('attaches a channel that is heard', async () => {
    const channels: BroadcastChannel[] = [];
    class Tracked extends BroadcastChannel {
      constructor(channel: string) {
        super(channel);
        channels.push(this);
      }
    }
    const handles: core.RetryHandle[] = [];
    const attachRetry: typeof core.attachRetry = (...given) => {
      const handle = core.attachRetry(...given);
      handles.push(handle);
      return handle;
    };
    const teller = new BroadcastChannel('payments');
    try {
      await runBlock(blockOf(name), { axios: { default: axios, __esModule: true }, 'axios-jitter': { attachRetry }, 'node:worker_threads': { BroadcastChannel: Tracked } }, { BroadcastChannel: Tracked });
      teller.postMessage({ 'axios-jitter': 1, origin: 'https://api.example.com', retryAfter: 30_000 });
      for (let turn = 0; turn < 200 && handles[0]?.stats().pauses.length === 0; turn++) await new Promise((resolve) => setTimeout(resolve, 10));
      expect(handles[0]?.stats().pauses).toEqual([{ origin: 'https://api.example.com', timeLeft: expect.any(Number) }]);
    } finally {
      [teller, ...channels].forEach((channel) => channel.close());
      handles.forEach((handle) => handle.detach());
    }
  });
});

describe('the recipe for Node cluster', () => {
  it('is the file that is run here', () => {
    expect(blockOf('Node cluster 1').code).toBe(readFileSync(path.join(root, 'examples/fleet/cluster.ts'), 'utf8'));
  });

  it('brings what one worker was told to the others', async () => {
    const { FORCE_COLOR: _, ...env } = process.env;
    const child = fork(bundleProgram('__tests__/docs/support/cluster.ts'), { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'], timeout: 100_000 });
    const exit = once(child, 'exit') as Promise<[number]>;
    const [told] = (await Promise.race([once(child, 'message'), exit])) as [unknown];
    const [code] = await exit;
    expect(told).toEqual({ requests: 1, pauses: [['http://api.test'], ['http://api.test'], ['http://api.test']] });
    expect(code).toBe(0);
  }, 120_000);
});
