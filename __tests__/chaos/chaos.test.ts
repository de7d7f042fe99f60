// A thousand calls over a network that breaks in every way. One seed, one sequence of choices; CHAOS_SEED and CHAOS_CALLS
// ask for others: CI makes 5,000. Many more: scripts/soak.ts.
import { isAtLeast } from '../helpers/axios';
import { Chaos } from './chaos';

const seed = Number(process.env['CHAOS_SEED'] ?? 20_260);
// With fewer of them not every fault, outcome and body comes.
const calls = Number(process.env['CHAOS_CALLS'] ?? 1_000);

const inEveryRun = ['none', 'lost', 'cut-request', 'reset-before', 'reset-head', 'reset-body', 'stall', 'stall-unseen', 'drip', 'garbage', 'reset-reused', 'close-idle'] as const;
const outcomes = ['succeeded at once', 'recovered', 'exhausted', 'method', 'body', 'not-retryable', 'aborted', 'deadline', 'budget', 'retry-after', 'circuit-open'];
const replayed = ['none', 'json', 'string', 'buffer', 'params', 'fresh-stream', 'fresh-json', ...(isAtLeast('1.3') ? ['form'] : [])];

describe('on a network that breaks in every way', () => {
  let chaos: Chaos;
  beforeAll(async () => {
    chaos = await Chaos.open(seed);
    await chaos.round(calls);
    await chaos.close();
  }, 600_000);

  it(`keeps its promises (CHAOS_SEED=${seed})`, () => {
    expect(chaos.violations.examples).toEqual([]);
  });

  it('had every fault, every outcome and every body in it', () => {
    const { faults, outages } = chaos.proxy;
    expect(inEveryRun.filter((fault) => faults[fault] === 0)).toEqual([]);
    expect(outages).toBeGreaterThan(0);
    expect(outcomes.filter((outcome) => !chaos.outcomes[outcome])).toEqual([]);
    expect(replayed.filter((body) => !chaos.recoveredBodies[body])).toEqual([]);
  });
});
