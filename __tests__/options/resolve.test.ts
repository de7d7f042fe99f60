import { RetryBudget, type CircuitBreaker, type RequestRetry, type RetryOptions } from '../../lib/index';
import { resolveOptions, resolveRequest, type ResolvedRetryOptions } from '../../lib/options/resolve';
import { thrownBy } from '../helpers/observed';

const WHERE = ' (GET /orders)';

/** What a request gets; fails the test where the request is switched off. */
function resolve(attached: RetryOptions, defaults?: RequestRetry, own?: RequestRetry): ResolvedRetryOptions {
  const resolved = resolveRequest(resolveOptions(attached), defaults, own, WHERE);
  if (resolved === false) throw new Error('switched off');
  return resolved;
}

class Breaker implements CircuitBreaker {
  execute<T>(send: () => Promise<T>): Promise<T> {
    return send();
  }
}

describe('the order of the four places', () => {
  it.each([
    ['built-in', {}, undefined, undefined, 3],
    ['attachRetry', { retries: 4 }, undefined, undefined, 4],
    ['instance defaults', { retries: 4 }, { retries: 5 }, undefined, 5],
    ['the request', { retries: 4 }, { retries: 5 }, { retries: 6 }, 6],
    ['the request, past the defaults', { retries: 4 }, undefined, { retries: 6 }, 6],
    ['zero of the request', { retries: 4 }, { retries: 5 }, { retries: 0 }, 0],
    ['a number in the defaults', { retries: 4 }, 5, undefined, 5],
    ['a number in the request', { retries: 4 }, 5, 6, 6],
    ['the number zero in the request', { retries: 4 }, 5, 0, 0],
  ])('ends with %s', (_place, attached, defaults, own, retries) => {
    expect(resolve(attached, defaults, own).retries).toBe(retries);
  });

  it('is kept field by field: each place changes only what it gives', () => {
    const merged = resolve(
      { retries: 4, baseDelay: 40, factor: 4, jitter: 'equal' },
      { baseDelay: 50, factor: 5 },
      { factor: 6 },
    );
    expect(merged).toMatchObject({ retries: 4, baseDelay: 40 + 10, factor: 6, jitter: 'equal', maxDelay: 10_000 });
  });

  it('lets a number change the retries alone', () => {
    expect(resolve({ baseDelay: 40 }, { factor: 5 }, 6)).toMatchObject({ retries: 6, baseDelay: 40, factor: 5 });
  });

  it.each([
    ['in attachRetry', { retries: undefined }, undefined, undefined, 3],
    ['in the defaults', { retries: 4 }, { retries: undefined }, undefined, 4],
    ['in the request', { retries: 4 }, { retries: 5 }, { retries: undefined }, 5],
    ['in the request, over attachRetry', { retries: 4 }, undefined, { retries: undefined }, 4],
  ])('passes over an explicit undefined %s', (_place, attached, defaults, own, retries) => {
    expect(resolve(attached, defaults, own).retries).toBe(retries);
  });

  it('lets false and 0 of a request stand against what the instance has', () => {
    const attached = { dryRun: true, attemptHeader: 'X-Attempt', idempotencyKey: true, baseDelay: 40 };
    const own = { dryRun: false, attemptHeader: false as const, idempotencyKey: false, baseDelay: 0 };
    expect(resolve(attached, undefined, own)).toMatchObject(own);
  });
});

describe('false', () => {
  it.each<[string, RequestRetry | undefined, RequestRetry | undefined, boolean]>([
    ['in the request', undefined, false, true],
    ['in the request, against options in the defaults', { retries: 5 }, false, true],
    ['in the defaults', false, undefined, true],
    ['in the defaults, against options in the request', false, { baseDelay: 40 }, false],
    ['in the defaults, against a number in the request', false, 2, false],
  ])('%s: off is %4$p', (_where, defaults, own, isOff) => {
    expect(resolveRequest(resolveOptions(), defaults, own, WHERE) === false).toBe(isOff);
  });
});

describe('maxDelay and baseDelay', () => {
  it.each<[string, RetryOptions, RequestRetry | undefined, RequestRetry | undefined, number]>([
    ['the built-in baseDelay', { maxDelay: 100 }, undefined, undefined, 100],
    ['the built-in maxDelay', { baseDelay: 20_000 }, undefined, undefined, 10_000],
    ['a baseDelay of attachRetry', { baseDelay: 400 }, undefined, { maxDelay: 100 }, 100],
    ['a baseDelay of the defaults', {}, { baseDelay: 400 }, { maxDelay: 100 }, 100],
    ['a maxDelay of the defaults', {}, { maxDelay: 100 }, { baseDelay: 400 }, 100],
    ['a maxDelay of attachRetry', { maxDelay: 100 }, { baseDelay: 400 }, undefined, 100],
  ])('never clash across objects: against %s', (_place, attached, defaults, own, maxDelay) => {
    expect(resolve(attached, defaults, own).maxDelay).toBe(maxDelay);
  });

  it('do not clash where axios has merged the defaults into the request', () => {
    const defaults = { baseDelay: 400, maxDelay: 800 };
    expect(resolve({}, defaults, { ...defaults, maxDelay: 100 }).maxDelay).toBe(100);
    expect(resolve({}, defaults, { ...defaults, baseDelay: 900 }).maxDelay).toBe(800);
  });

  it.each([0, 250])('may be equal: %d', (ms) => {
    expect(resolve({ baseDelay: ms, maxDelay: ms })).toMatchObject({ baseDelay: ms, maxDelay: ms });
  });

  it.each<[string, () => unknown, string]>([
    ['attachRetry', () => resolveOptions({ baseDelay: 400, maxDelay: 100 }), '"maxDelay" must be'],
    ['the defaults', () => resolve({}, { baseDelay: 400, maxDelay: 100 }), '"maxDelay" of instance.defaults must be'],
    ['the request', () => resolve({}, undefined, { baseDelay: 400, maxDelay: 100 }), '"maxDelay" (GET /orders) must be'],
    ['the request, over other defaults', () => resolve({}, { baseDelay: 1, maxDelay: 2 }, { baseDelay: 400, maxDelay: 100 }), 'at least'],
  ])('are a contradiction in one object: of %s', (_place, run, part) => {
    const error = thrownBy(run);
    expect(error).toBeInstanceOf(RangeError);
    expect(error.message).toContain(part);
    expect(error.message).toContain('baseDelay (400); got 100');
  });
});

describe('what is compiled', () => {
  it('has the methods in capitals', () => {
    expect([...resolve({ methods: ['get', 'Patch'] }).methods]).toEqual(['GET', 'PATCH']);
  });

  it.each([
    [[429, [500, 502]] as const, [429, 500, 501, 502]],
    [[[200, 200]] as const, [200]],
    [[], []],
    [(status: number) => status === 418, [418]],
  ])('has the statuses as a predicate: %p', (statuses, accepted) => {
    const all = Array.from({ length: 500 }, (_, index) => 100 + index);
    expect(all.filter((status) => resolve({ statuses }).statuses(status))).toEqual(accepted);
  });

  it('knows whether the statuses are the default ones', () => {
    expect(resolve({}).hasDefaultStatuses).toBe(true);
    expect(resolve({ statuses: undefined }).hasDefaultStatuses).toBe(true);
    expect(resolve({}, undefined, { statuses: [503] }).hasDefaultStatuses).toBe(false);
  });

  it('takes a list of a request instead of the list before it', () => {
    const [first, second] = [{ onRetry: () => undefined }, { onRetry: () => undefined }];
    const merged = resolve({ observers: [first], methods: ['GET'] }, undefined, { observers: [second], methods: ['POST'] });
    expect(merged.observers).toEqual([second]);
    expect([...merged.methods]).toEqual(['POST']);
  });
});

describe('the budget', () => {
  it('is made anew for each attachRetry', () => {
    const [first, second] = [resolveOptions().budget, resolveOptions().budget];
    expect(first).toBeInstanceOf(RetryBudget);
    expect(first).not.toBe(second);
  });

  it('is made once from settings, and the same for all requests', () => {
    const base = resolveOptions({ budget: { capacity: 7 } });
    expect(base.budget).toMatchObject({ capacity: 7, deposit: 0.1, cost: 1 });
    expect(resolveRequest(base, undefined, 2, WHERE)).toHaveProperty('budget', base.budget);
  });

  it('that is given as an object goes by reference', () => {
    const [ofInstance, ofRequest] = [new RetryBudget(), new RetryBudget()];
    expect(resolve({ budget: ofInstance }).budget).toBe(ofInstance);
    expect(resolve({ budget: ofInstance }, undefined, { budget: ofRequest }).budget).toBe(ofRequest);
    expect(resolve({ budget: ofInstance }, undefined, { budget: false }).budget).toBe(false);
  });

  it.each<[string, RequestRetry | undefined, RequestRetry | undefined]>([
    ['the request', undefined, { budget: { capacity: 5 } as never }],
    ['the defaults', { budget: {} as never }, undefined],
  ])('may not be an object literal in %s', (_place, defaults, own) => {
    const error = thrownBy(() => resolve({}, defaults, own));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(/"budget".* must be false or a RetryBudget, made once with new RetryBudget.*; got \{.*\}$/);
  });
});

describe('the circuit breaker', () => {
  const factory = (): CircuitBreaker => new Breaker();

  it('that is one object serves every origin', () => {
    const breaker = new Breaker();
    const { circuitBreaker } = resolve({ circuitBreaker: breaker });
    expect(circuitBreaker && [circuitBreaker('http://a'), circuitBreaker('http://b')]).toEqual([breaker, breaker]);
  });

  it('that is a factory stays one', () => {
    expect(resolve({ circuitBreaker: factory }).circuitBreaker).toBe(factory);
    expect(resolve({ circuitBreaker: factory }, undefined, { circuitBreaker: false }).circuitBreaker).toBe(false);
  });

  it('of a request is the same factory each time, so that what is kept by it stays bounded', () => {
    const breaker = new Breaker();
    const [first, second] = [1, 2].map(() => resolve({}, undefined, { circuitBreaker: breaker }).circuitBreaker);
    expect(first).toBe(second);
  });

  it.each<[string, RequestRetry | undefined, RequestRetry | undefined]>([
    ['the request', undefined, { circuitBreaker: { execute: (send) => send() } }],
    ['the defaults', { circuitBreaker: { execute: (send) => send() } }, undefined],
  ])('may not be an object literal in %s', (_place, defaults, own) => {
    const error = thrownBy(() => resolve({}, defaults, own));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(/"circuitBreaker".* must be false, an object with execute, or a factory/);
  });
});

describe('what is not a form of options', () => {
  it.each([
    [true, 'true'],
    [null, 'null'],
    ['3', "'3'"],
    [[3], 'an array of 1'],
    [() => 3, 'a function'],
  ])('is refused in a request: %p', (own, came) => {
    const error = thrownBy(() => resolve({}, undefined, own as unknown as RequestRetry));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toBe(
      `axios-jitter: "retry" (GET /orders) must be options, a number of retries, or false; got ${came}`,
    );
  });

  it.each([-1, 2.5, NaN])('is refused as a number of retries: %d', (own) => {
    const error = thrownBy(() => resolve({}, undefined, own));
    expect(error).toBeInstanceOf(RangeError);
    expect(error.message).toContain(`option "retries" (GET /orders) must be a whole number >= 0, or Infinity; got ${own}`);
  });

  it('is refused in the defaults, by their name', () => {
    expect(thrownBy(() => resolve({}, { retires: 1 } as RequestRetry)).message).toBe(
      'axios-jitter: unknown option "retires" of instance.defaults; did you mean "retries"?',
    );
  });
});

describe('what is given', () => {
  it('is not changed, and may be frozen', () => {
    const given = [{ retries: 1 }, { baseDelay: 40, methods: ['get'] }, { statuses: [503] }] as const;
    given.forEach((options) => Object.freeze(options));
    expect(resolve({ ...given[0] }, given[1], given[2])).toMatchObject({ retries: 1, baseDelay: 40 });
    expect(given).toEqual([{ retries: 1 }, { baseDelay: 40, methods: ['get'] }, { statuses: [503] }]);
  });

  it('does not change the options of the instance', () => {
    const base = resolveOptions({ retries: 4 });
    const before = { ...base };
    resolveRequest(base, { retries: 5 }, { retries: 6, methods: ['POST'] }, WHERE);
    expect(base).toEqual(before);
  });
});
