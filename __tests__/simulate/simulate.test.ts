import { planPolicy, simulate, simulateInSteps, type PolicyResult, type Scenario } from 'axios-jitter/simulate';

import { RetryBudget } from '../../lib/policy/retry-budget';

const outage: Scenario = { clients: 1_000, service: { capacity: 50 }, outage: { length: 10_000 } };

function run(scenario: Partial<Scenario>): PolicyResult {
  const { policies } = simulate({ ...outage, policies: ['full'], ...scenario });
  return policies[0] as PolicyResult;
}
const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

describe('counts', () => {
  it('adds up: every call ends in one way, every request is in one bucket', () => {
    const result = run({ policies: { mine: { retries: 6 } } });
    const gaveUp = sum(Object.values(result.gaveUp));
    expect(result.successes + gaveUp + result.unfinished).toBe(1_000);
    expect(sum(result.requests)).toBe(result.totalRequests);
    expect(sum(result.retries)).toBe(result.totalRequests - 1_000);
    expect(sum(result.served)).toBe(result.successes);
    expect(result.amplification).toBe(Math.round(result.totalRequests) / 1_000);
  });

  it('needs one request a call when nothing fails', () => {
    const result = run({ clients: 3, outage: { length: 0 } });
    expect(result).toMatchObject({ totalRequests: 3, amplification: 1, successes: 3, recovered: 0, rejected: 0, gaveUp: {} });
  });

  it('gives up with the reason that the ladder of the library gives', () => {
    const results = simulate({
      ...outage,
      outage: { length: 100_000, kind: '429', retryAfter: 5_000 },
      policies: {
        exhausted: { retries: 2 },
        'retry-after': { maxRetryAfter: 1_000 },
        deadline: { retries: 9, totalTimeout: 3_000 },
        'not-retryable': { statuses: [500] },
      },
    }).policies;
    expect(results.map(({ policy, gaveUp }) => [policy, gaveUp])).toEqual([
      ['exhausted', { exhausted: 1_000 }],
      ['retry-after', { 'retry-after': 1_000 }],
      ['deadline', { deadline: 1_000 }],
      ['not-retryable', { 'not-retryable': 1_000 }],
    ]);
  });

  it('sends retries + 1 requests for each call in a full outage', () => {
    expect(run({ outage: { length: 1e6 }, policies: { mine: { retries: 3 } } }).amplification).toBe(4);
  });

  it.each([
    ['options', { capacity: 20 }],
    ['a RetryBudget', new RetryBudget({ capacity: 20 })],
  ])('lets clients of one process share its budget, given as %s', (_, budget) => {
    const result = run({ outage: { length: 1e6 }, clientsPerProcess: 100, policies: { mine: { budget } } });
    expect(result.totalRequests).toBe(1_000 + 10 * 20);
    expect(result.gaveUp.budget).toBe(1_000 - sum([result.gaveUp.exhausted ?? 0]));
  });
});

describe('the service', () => {
  it('serves no more than its capacity', () => {
    const result = run({ bucket: 1_000 });
    expect(Math.max(...result.served)).toBeLessThanOrEqual(51);
  });

  it('turns requests away at once when its places are taken', () => {
    const { rejected, timeTo } = run({ outage: { length: 0 }, policies: { none: { retries: 0 } } });
    expect(rejected).toBe(997);
    expect(timeTo).toEqual({ p50: undefined, p95: undefined, p99: undefined });
  });

  it('with a queue serves all that came at once, one after the other', () => {
    const service = { capacity: 50, overload: 'queue' } as const;
    const result = run({ outage: { length: 0 }, service, timeout: 60_000, policies: { none: { retries: 0 } } });
    expect(result).toMatchObject({ successes: 1_000, rejected: 0, wasted: 0 });
    expect(result.timeTo.p99).toBeGreaterThan(19_000);
  });

  it('wastes its work on clients that no longer wait in line', () => {
    const service = { capacity: 50, overload: 'queue' } as const;
    const result = run({ outage: { length: 0 }, service, timeout: 2_000, policies: { none: { retries: 0 } } });
    expect(result.successes + result.wasted).toBe(1_000);
    expect(result.successes).toBeLessThan(110);
    expect(result.gaveUp).toEqual({ exhausted: result.wasted });
  });

  it('turns away what finds the line full', () => {
    const service = { capacity: 50, latency: 20, overload: 'queue', queueLimit: 10 } as const;
    const result = run({ outage: { length: 0 }, service, policies: { none: { retries: 0 } } });
    // One in hand, ten in line, and what the places freed while the crowd came in.
    expect(result.rejected).toBeGreaterThanOrEqual(1_000 - 13);
    expect(result.rejected).toBeLessThanOrEqual(1_000 - 11);
  });

  it('cannot serve faster than its places allow', () => {
    const service = { capacity: 1_000, concurrency: 1, latency: 100 };
    expect(run({ outage: { length: 0 }, clients: 100, service }).timeTo.p99).toBeGreaterThanOrEqual(98 * 100);
  });

  it('loses capacity to requests that it turns away', () => {
    const quick = (rejectCost: number) => run({ clients: 200, outage: { length: 0 }, service: { capacity: 20, rejectCost }, policies: { eager: { retries: Infinity, delay: () => 0, budget: false } } }).timeTo.p99 ?? Infinity;
    expect(quick(0.02)).toBeGreaterThan(2 * quick(0));
  });

  it.each([
    ['refused', 20],
    ['503', 20],
    ['429', 20],
    ['timeout', 2_000],
  ] as const)('in an outage of kind %s a client hears after about %d ms', (kind, after) => {
    const result = run({ clients: 1, network: { jitter: 0 }, outage: { length: 15, kind }, policies: { now: { delay: () => 0, retryAfterSpread: 0 } } });
    const asked = kind === '429' ? 1_000 : 0;
    expect(result.waits.p50).toBe(after + asked + 20 + 50);
  });

  it('spreads a crowd that was told the same Retry-After', () => {
    const told = { ...outage, outage: { length: 1_000, kind: '429', retryAfter: 10_000 } } as const;
    const peak = (retryAfterSpread: number) => run({ ...told, policies: { mine: { retries: 20, retryAfterSpread } } }).peak.requests;
    expect(peak(0)).toBe(1_000);
    expect(peak(1)).toBeLessThan(100);
  });
});

describe('time', () => {
  it('spreads arrivals over clients / rate seconds', () => {
    const result = run({ arrival: { rate: 40 }, service: { capacity: 500 }, outage: { length: 0 }, bucket: 5_000 });
    expect(result.requests.slice(0, 5).every((count) => count > 150 && count < 250)).toBe(true);
  });

  it('ends at the horizon and says how many calls still wait', () => {
    const result = run({ horizon: 5_000 });
    expect(result).toMatchObject({ truncated: true, unfinished: 1_000, backUnderCapacity: undefined });
    expect(result.endedAt).toBeLessThanOrEqual(5_000);
  });

  it('ends after maxRequests', () => {
    expect(run({ maxRequests: 2_000 })).toMatchObject({ truncated: true, totalRequests: 2_000 });
  });

  it('says from when on the service is back under its capacity', () => {
    const { backUnderCapacity, requests } = run({ bucket: 1_000 });
    const after = requests.slice((backUnderCapacity as number) / 1_000);
    expect(Math.max(...after)).toBeLessThanOrEqual(50);
    expect(requests[(backUnderCapacity as number) / 1_000 - 1]).toBeGreaterThan(50);
  });

  it('goes in steps, so that a page stays alive', () => {
    const steps = simulateInSteps({ ...outage, clients: 10_000, service: { capacity: 1_000 }, policies: ['full', 'equal'] });
    const seen = [];
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) seen.push(step.value);
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.at(-1)).toMatchObject({ policy: 'equal', done: 1, policies: 2, clients: 10_000 });
    expect(step.value.policies).toHaveLength(2);
  });
});

describe('presets', () => {
  const { policies } = simulate({ ...outage, clients: 200, service: { capacity: 10 } });
  const of = (name: string) => policies.find(({ policy }) => policy === name) as PolicyResult;

  it.each(['fixed', 'exponential'])('full has a lower peak than %s, which has no jitter', (name) => {
    expect(of('full').peak.requests).toBeLessThan(of(name).peak.requests / 3);
    expect(of('full').peakAfterOutage.requests).toBeLessThan(of(name).peakAfterOutage.requests);
  });

  it.each(['fixed', 'exponential'])('full serves 99 %% earlier than %s', (name) => {
    expect(of('full').timeTo.p99).toBeLessThan(of(name).timeTo.p99 ?? Infinity);
  });

  it.each(['axios-retry', 'axios-retry-exponential', 'retry-axios'])('the default has a lower peak than %s', (name) => {
    expect(of('default').peak.requests).toBeLessThan(of(name).peak.requests / 2);
  });

  it('says which of them stop, and after how many retries', () => {
    const limits = policies.map(({ policy, maxRetries }) => `${policy} ${maxRetries}`);
    expect(limits).toEqual([
      'default 3', 'axios-retry 3', 'axios-retry-exponential 3', 'retry-axios 3',
      'full Infinity', 'equal Infinity', 'decorrelated Infinity', 'exponential Infinity', 'fixed Infinity',
    ]);
  });

  it('take `retries` from the scenario, if it gives them', () => {
    const results = simulate({ ...outage, outage: { length: 1e6 }, timeout: 60_000, retries: 5 }).policies;
    expect(results.map(({ amplification }) => amplification)).toEqual(results.map(() => 6));
  });

  it('tells what of a policy is not simulated', () => {
    const { notes } = run({ clients: 1, policies: { mine: { circuitBreaker: () => ({ execute: (send) => send() }) } } });
    expect(notes).toEqual(['"circuitBreaker" is not simulated']);
  });
});

describe('plan', () => {
  it.each([
    [{ baseDelay: 1_000, maxDelay: 1_000 }, 'the cap is reached at once'],
    [{ totalTimeout: 300 }, 'totalTimeout (300) is not longer than the first delay can be (500)'],
    [{ jitter: 'none' as const }, 'the delays have no jitter (jitter: none)'],
    [{ maxRetryAfter: 10_000 }, 'maxRetryAfter (10000) is below common values of Retry-After'],
    [{ budget: false as const }, 'no retry budget: in a full outage the service gets 4 times its load'],
  ])('%j: warns', (options, warning) => {
    const { warnings } = planPolicy(options, { calls: 10 });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(warning);
  });

  it.each([[0, {}, 1], [0, { totalTimeout: 60_000 }, 0], [1, {}, 0]])('warns of a call that nothing ends: timeout %d, %j', (timeout, options, count) => {
    const { warnings } = planPolicy(options, { calls: 10, timeout });
    expect(warnings.filter((warning) => warning.includes('neither timeout nor totalTimeout is set'))).toHaveLength(count);
  });

  it('knows no end where there is none', () => {
    const { worstCase, amplification } = planPolicy('full', { calls: 10 });
    expect({ worstCase, amplification }).toEqual({ worstCase: Infinity, amplification: { withoutBudget: Infinity, withBudget: 11 } });
  });
});

describe('bad scenarios', () => {
  const simulateAny = (scenario: unknown) => () => simulate(scenario as Scenario);

  it.each([
    [{ ...outage, clients: 0 }, 'scenario field "clients" must be a whole number from 1 to 10000000; got 0'],
    [{ ...outage, clients: 2.5 }, 'scenario field "clients" must be a whole number'],
    [{ service: { capacity: 1 } }, 'scenario field "clients" must be a whole number from 1 to 10000000; got undefined'],
    [{ clients: 1 }, 'scenario field "service" must be an object; got undefined'],
    [{ ...outage, service: { capacity: 0 } }, 'service field "capacity" must be a finite number > 0; got 0'],
    [{ ...outage, service: { capacity: NaN } }, 'service field "capacity" must be a finite number > 0; got NaN'],
    [{ ...outage, service: {} }, 'service field "capacity" must be a finite number > 0; got undefined'],
    [{ ...outage, service: { capacity: 1, latency: -1 } }, 'service field "latency" must be a finite number >= 0; got -1'],
    [{ ...outage, service: { capacity: 1, overload: 'explode' } }, 'service field "overload" must be one of \'reject\', \'queue\''],
    [{ ...outage, outage: {} }, 'outage field "length" must be a finite number >= 0; got undefined'],
    [{ ...outage, outage: { length: -1 } }, 'outage field "length" must be a finite number >= 0; got -1'],
    [{ ...outage, outage: { length: 1, kind: 'flood' } }, "one of 'refused', '503', '429', 'timeout'; got 'flood'"],
    [{ ...outage, network: { delay: -5 } }, 'network field "delay" must be a finite number >= 0; got -5'],
    [{ ...outage, arrival: { rate: 0 } }, 'arrival field "rate" must be a finite number > 0; got 0'],
    [{ ...outage, arrival: {} }, 'arrival field "rate" must be a finite number > 0; got undefined'],
    [{ ...outage, policies: ['ful'] }, "unknown preset 'ful'; known are default, axios-retry,"],
    [{ ...outage, policies: [] }, 'scenario field "policies" must name at least one'],
    [{ ...outage, policies: { mine: 3 } }, 'policy "mine" must be a preset, options or a function; got 3'],
    [{ ...outage, policies: { mine: { retires: 3 } } }, 'policy "mine": unknown option "retires"; did you mean "retries"?'],
    [{ ...outage, capcity: 3 }, 'unknown scenario field "capcity"'],
    [{ ...outage, bucket: 150 }, 'scenario field "bucket" must be a multiple of 100; got 150'],
    [{ ...outage, seed: 0.5 }, 'scenario field "seed" must be a whole number; got 0.5'],
    [undefined, 'scenario fields must be an object; got undefined'],
  ])('%j: the message names the field, what is allowed and what came', (scenario, message) => {
    expect(simulateAny(scenario)).toThrow(message);
  });

  it.each([{ clients: -1 }, { policies: { full: 'full' as const, mine: { baseDelay: -1 } } }])('are refused before the first step: %j', (wrong) => {
    expect(() => simulateInSteps({ ...outage, ...wrong })).toThrow(RangeError);
  });

  it('say that a decision must be made at once', () => {
    expect(() => run({ policies: { mine: { shouldRetry: async () => true } } })).toThrow('"shouldRetry" must return true, false or undefined, at once, in a simulation');
  });

  it("throws what a policy's own delay throws", () => {
    expect(() => run({ policies: { mine: { delay: () => -1 } } })).toThrow('option "delay" must give a finite number of ms >= 0; got -1');
  });
});
