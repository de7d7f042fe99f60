import type { RetryEvent, RetryObserver, RetryOptions } from '../../lib/index';
import { isWatched, tell } from '../../lib/watch/observers';
import { resolveOptions, type ResolvedRetryOptions } from '../../lib/options/resolve';

const event = { attempt: 1, willRetry: true } as RetryEvent;
const noop = (): void => undefined;
/** Until all promises that are settled have told so. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Reported {
  errors: unknown[];
  options: ResolvedRetryOptions;
}

function watchedBy(given: RetryOptions): Reported {
  const errors: unknown[] = [];
  return { errors, options: resolveOptions({ onObserverError: (error) => errors.push(error), ...given }) };
}

describe('whether somebody listens', () => {
  it.each<[string, RetryOptions, boolean]>([
    ['nobody', {}, false],
    ['the option itself', { onRetry: noop }, true],
    ['another option', { onGiveUp: noop }, false],
    ['an observer of the list', { observers: [{ onRetry: noop }] }, true],
  ])('is seen: %s', (_who, given, watched) => {
    expect(isWatched(resolveOptions(given), 'onRetry')).toBe(watched);
  });
});

describe('telling', () => {
  it('tells the option first, then the observers in their order, all the same event', () => {
    const told: [string, RetryEvent][] = [];
    const by = (name: string) => (seen: RetryEvent) => void told.push([name, seen]);
    const observers: RetryObserver[] = [{ onRetry: by('first') }, { onGiveUp: by('other') }, { onRetry: by('second') }];
    tell(resolveOptions({ onRetry: by('option'), observers }), 'onRetry', event);
    expect(told).toEqual([['option', event], ['first', event], ['second', event]]);
    expect(told[0]?.[1]).toBe(event);
  });

  it.each(['onRetry', 'onGiveUp', 'onRecover'] as const)('calls %s and nothing else', (name) => {
    const observer = { onRetry: jest.fn(), onGiveUp: jest.fn(), onRecover: jest.fn() };
    tell(resolveOptions({ observers: [observer] }), name, event);
    expect(observer[name]).toHaveBeenCalledTimes(1);
    expect(observer.onRetry.mock.calls.length + observer.onGiveUp.mock.calls.length + observer.onRecover.mock.calls.length).toBe(1);
  });

  it('passes over members that are undefined', () => {
    const { errors, options } = watchedBy({ observers: [{ onRetry: undefined }, {}] });
    tell(options, 'onRetry', event);
    expect(errors).toEqual([]);
  });

  it('keeps `this` of an observer that is a class instance', () => {
    class Counter implements RetryObserver {
      count = 0;
      onRetry(): void {
        this.count += 1;
      }
    }
    const counter = new Counter();
    tell(resolveOptions({ observers: [counter] }), 'onRetry', event);
    expect(counter.count).toBe(1);
  });

  it('returns before an asynchronous observer has done its work', () => {
    let isDone = false;
    const onRetry = async (): Promise<void> => {
      await settled();
      isDone = true;
    };
    tell(resolveOptions({ onRetry }), 'onRetry', event);
    expect(isDone).toBe(false);
  });
});

describe('an observer that fails', () => {
  const broken = new Error('logger broke');
  const throwing = (): never => {
    throw broken;
  };
  // Nothing that catches it: the observer's promise itself.
  const rejecting = (): Promise<never> => Promise.reject(broken);
  const thenable = (): PromiseLike<never> => ({ then: (_resolve, reject) => rejecting().then(undefined, reject) });

  it.each([
    ['throws', throwing],
    ['rejects', rejecting],
    ['returns a thenable that rejects', thenable],
  ])('is reported once, with its event, when it %s', async (_how, onRetry) => {
    const onObserverError = jest.fn();
    tell(resolveOptions({ onRetry, onObserverError }), 'onRetry', event);
    await settled();
    expect(onObserverError.mock.calls).toEqual([[broken, event]]);
  });

  it('does not keep the others from being told', async () => {
    const onRetry = jest.fn();
    const { errors, options } = watchedBy({ onRetry: throwing, observers: [{ onRetry: rejecting }, { onRetry }] });
    tell(options, 'onRetry', event);
    await settled();
    expect(onRetry).toHaveBeenCalledTimes(1);
    expect(errors).toEqual([broken, broken]);
  });

  it.each([undefined, null, 0, 'a string'])('is reported when what it throws is %p', (value) => {
    const { errors, options } = watchedBy({
      onRetry: () => {
        throw value;
      },
    });
    tell(options, 'onRetry', event);
    expect(errors).toEqual([value]);
  });

  it('is reported on the console where there is no onObserverError', () => {
    const log = jest.spyOn(console, 'error').mockImplementation(noop);
    tell(resolveOptions({ onRetry: throwing }), 'onRetry', event);
    expect(log.mock.calls).toEqual([['axios-jitter: an observer failed', broken]]);
  });

  it('is reported once even when the report fails', () => {
    const onObserverError = jest.fn(throwing);
    tell(resolveOptions({ onRetry: throwing, onObserverError }), 'onRetry', event);
    expect(onObserverError).toHaveBeenCalledTimes(1);
  });

  it('leaves no rejection behind when the report is asynchronous and fails', async () => {
    // An unhandled rejection fails the test by itself.
    const onObserverError = jest.fn(rejecting);
    tell(resolveOptions({ onRetry: throwing, onObserverError }), 'onRetry', event);
    await settled();
    expect(onObserverError).toHaveBeenCalledTimes(1);
  });
});
