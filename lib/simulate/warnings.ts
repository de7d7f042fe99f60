/** What looks wrong in a policy. */
import type { DelayRow } from './delays';
import type { ResolvedRetryOptions } from './library';

const COMMON_RETRY_AFTER = 60_000;

/** A sentence for each mistake that is known. `timeout`: axios' own, of an attempt, in ms. */
export function warn(options: ResolvedRetryOptions, delays: readonly DelayRow[], timeout: number): string[] {
  const { baseDelay, maxDelay, jitter, retries, totalTimeout, maxRetryAfter, retryAfterSpread, budget } = options;
  const first = delays[0];
  const ownDelay = options.delay !== undefined;
  const checks: readonly (readonly [applies: boolean, warning: string])[] = [
    [!ownDelay && retries > 1 && maxDelay <= baseDelay, `the cap is reached at once: maxDelay (${maxDelay}) is not above baseDelay (${baseDelay}), so delays never grow`],
    [totalTimeout !== undefined && first !== undefined && totalTimeout <= first.max, `totalTimeout (${totalTimeout ?? 0}) is not longer than the first delay can be (${first?.max ?? 0}): some calls end before their first retry`],
    [!ownDelay && jitter === 'none', 'the delays have no jitter (jitter: none): clients that failed together come back together'],
    [ownDelay && first?.min === first?.max, 'the delays have no jitter: clients that failed together come back together'],
    [jitter !== 'none' && retryAfterSpread === 0, 'the wait for Retry-After is not spread at random: clients that got the same Retry-After come back in the same instant'],
    [maxRetryAfter < COMMON_RETRY_AFTER, `maxRetryAfter (${maxRetryAfter}) is below common values of Retry-After (30 to 60 s): calls that get one fail at once`],
    [budget === false && retries > 0, `no retry budget: in a full outage the service gets ${retries === Infinity ? 'retries without end' : `${retries + 1} times its load`}`],
    [retries === Infinity && totalTimeout === undefined, 'retries is Infinity without totalTimeout: a call may never end'],
    [timeout === Infinity && totalTimeout === undefined, 'neither timeout nor totalTimeout is set: a request that gets no response keeps its call waiting for ever'],
  ];
  return checks.filter(([applies]) => applies).map(([, warning]) => warning);
}
