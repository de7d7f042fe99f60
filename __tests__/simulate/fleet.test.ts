// Processes, a quota, the rules of a shared Retry-After, and a channel that takes its time.
import { simulate, type PolicyOptions, type PolicyResult, type Scenario } from 'axios-jitter/simulate';

/** 20 processes with 50 calls each in 60 s, 16.7 requests/s against a quota of 13.3. */
const fleet: Scenario = {
  processes: 20,
  clientsPerProcess: 50,
  arrival: { rate: 1_000 / 60 },
  service: { capacity: 1_000, quota: { requests: 200, window: 15_000 } },
  network: { delay: 10, jitter: 2 },
};
const all = { shareRetryAfter: 'all', retries: 10, budget: false } as const;

function run(policy: PolicyOptions, scenario: Partial<Scenario> = {}): PolicyResult {
  const { policies } = simulate({ ...fleet, policies: { mine: policy }, ...scenario });
  return policies[0] as PolicyResult;
}

describe('processes', () => {
  it.each<[Partial<Scenario>, number]>([
    [{ processes: 20, clientsPerProcess: 50 }, 1_000],
    [{ processes: 20, clientsPerProcess: undefined, clients: 1_000 }, 1_000],
    [{ processes: undefined, clientsPerProcess: 50, clients: 1_000 }, 1_000],
    [{ processes: 20, clientsPerProcess: 50, clients: 1_000 }, 1_000],
  ])('are counted from %p', (counts, clients) => {
    const result = simulate({ ...fleet, ...counts, policies: { mine: all } });
    expect(result.clients).toBe(clients);
    expect(result.policies[0]?.rejected).toBe(run(all).rejected);
  });

  it.each<[Partial<Scenario>, string]>([
    [{ processes: 3, clientsPerProcess: 50, clients: 1_000 }, 'scenario field "processes" must share 1000 clients in equal parts of 50; got 3'],
    [{ processes: 3, clientsPerProcess: undefined, clients: 1_000 }, 'scenario field "processes" must share 1000 clients in equal parts; got 3'],
    [{ processes: 0.5 }, 'scenario field "processes" must be a whole number >= 1; got 0.5'],
    [{ clientsPerProcess: undefined }, 'scenario field "clients" must be a whole number from 1 to 10000000; got undefined'],
    [{ processes: 10_000, clientsPerProcess: 10_000 }, 'scenario field "clients" must be a whole number from 1 to 10000000; got 100000000'],
    [{ service: { capacity: 1, quota: { requests: 1 } as never } }, 'quota field "window" must be a finite number > 0; got undefined'],
    [{ service: { capacity: 1, quota: { requests: 0, window: 1 } } }, 'quota field "requests" must be a whole number >= 1; got 0'],
  ])('are refused where they make no sense: %p', (counts, message) => {
    expect(() => simulate({ ...fleet, ...counts })).toThrow(`axios-jitter: ${message}`);
  });
});

describe('a quota', () => {
  it('serves so many in each window, and tells the others to come back when it ends', () => {
    const service = { capacity: 1_000, quota: { requests: 10, window: 2_500 } };
    const result = run({ jitter: 'none' }, { processes: 1, clientsPerProcess: 25, arrival: 'at-once', network: { delay: 0, jitter: 0 }, service });
    // 2.5 s are 3 in whole seconds; 3 s after that, when the second window is over.
    expect(result.served.map((count, index) => [index * 100, count]).filter(([, count]) => count !== 0)).toEqual([[0, 10], [3_000, 10], [5_000, 5]]);
    expect(result.rejected).toBe(15 + 5);
  });
});

describe('a shared Retry-After', () => {
  it("with 'all' keeps a process from asking again while it is on", () => {
    const alone = run(all, { processes: 1, clientsPerProcess: 1_000 });
    const without = run({ retries: 10, budget: false }, { processes: 1, clientsPerProcess: 1_000 });
    expect([alone.successes, without.successes]).toEqual([1_000, 1_000]);
    // One process has one refusal a window, and what was under way; without, all that come in its last seconds are refused.
    expect(alone.rejected).toBeLessThan(20);
    expect(without.rejected).toBeGreaterThan(300);
  });

  it('knows no other process without a channel', () => {
    const { rejected } = run(all);
    // Four windows run out: once for each process.
    expect(rejected).toBeGreaterThan(60);
    expect(rejected).toBeLessThanOrEqual(4 * 20);
  });

  it('reaches all processes over a channel', () => {
    const result = run({ ...all, retryAfterChannel: { transit: 5 } });
    expect(result.successes).toBe(1_000);
    expect(result.rejected).toBeLessThan(12);
  });

  it('is worth the less the longer its note is under way', () => {
    const refused = [0, 200, 1_000, 20_000].map((transit) => run({ ...all, retryAfterChannel: { transit } }).rejected);
    expect(refused).toEqual([...refused].sort((a, b) => a - b));
    // What arrives after the pause is over does not help, and makes the next one no shorter.
    expect(refused[3]).toBeGreaterThan(5 * (refused[0] as number));
  });

  it('with true makes those wait that have failed themselves', () => {
    const outage = { length: 5_000, kind: '429', retryAfter: 5_000 } as const;
    const scenario = { processes: 1, clientsPerProcess: 100, arrival: { rate: 20 }, service: { capacity: 10_000, overload: 'queue' }, outage } as const;
    const requests = ([false, true, 'all'] as const).map((shareRetryAfter) => run({ jitter: 'none', shareRetryAfter }, scenario).totalRequests);
    // Every first attempt within the outage is refused, and repeated once; with 'all' the first alone, and what was under way.
    expect(requests[0]).toBeGreaterThan(180);
    expect(requests[1]).toBe(requests[0]);
    expect(requests[2]).toBeLessThan(106);
  });

  it("with 'all' waits for maxRetryAfter and one spread at most, then sends", () => {
    const scenario = { processes: 1, clientsPerProcess: 2, arrival: 'at-once', service: { capacity: 1_000 }, network: { delay: 1, jitter: 0 } } as const;
    const outage = { length: 1e6, kind: '429', retryAfter: 10_000 } as const;
    const result = run({ shareRetryAfter: 'all', retries: 2, maxRetryAfter: 10_000 }, { ...scenario, outage });
    expect(result.gaveUp).toEqual({ exhausted: 2 });
    expect(result.totalRequests).toBe(6);
    expect(result.endedAt).toBeLessThanOrEqual(2 * (10_000 + 5_000) + 6);
  });

  it("with 'all' ends a call whose totalTimeout would pass in the wait", () => {
    const outage = { length: 4_000, kind: '429', retryAfter: 30_000 } as const;
    const scenario = { processes: 1, clientsPerProcess: 10, arrival: { rate: 1 }, service: { capacity: 1_000 }, outage };
    const result = run({ shareRetryAfter: 'all', totalTimeout: 10_000 }, scenario);
    // The first sends and is refused; nobody else sends anything until some 30 s later.
    expect(result.gaveUp).toEqual({ deadline: 10 });
    expect(result.totalRequests).toBe(1);
  });

  it('gives the same result with the same seed', () => {
    const policies = { mine: { ...all, retryAfterChannel: { transit: 5 } } };
    expect(simulate({ ...fleet, policies, seed: 7 })).toEqual(simulate({ ...fleet, policies, seed: 7 }));
  });

  it.each<[PolicyOptions, string]>([
    [{ retryAfterChannel: { transit: 5 } }, `option "shareRetryAfter" must be true or 'all' beside retryAfterChannel; got false`],
    [{ ...all, retryAfterChannel: { transit: -1 } }, 'channel field "transit" must be a finite number of ms >= 0; got -1'],
    [{ ...all, retryAfterChannel: {} as never }, 'option "retryAfterChannel" must be { transit: ms } in a simulation; got {  }'],
    [{ ...all, retryAfterChannel: 5 as never }, 'option "retryAfterChannel" must be { transit: ms } in a simulation; got 5'],
  ])('refuses %p', (policy, message) => {
    expect(() => run(policy)).toThrow(`axios-jitter: policy "mine": ${message}`);
  });
});
