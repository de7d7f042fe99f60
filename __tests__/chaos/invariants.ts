// What must hold for a call, and for a client, once everything has come to rest.
import { RETRIES, type Client } from './clients';
import type { CallRecord } from './record';
import type { Invariant, Violations } from './violations';

/** Undefined where it holds. */
type Check = (record: CallRecord, client: Client) => string | undefined | false;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

// An attempt of a call that was given up, or whose time was up, may end before it has left.
const mayBeHeldBack = ({ plan, atAbort, reason }: CallRecord): boolean =>
  atAbort !== undefined || reason === 'deadline' || reason === 'aborted' || plan.abort?.when === 'before';

function isMiscounted(record: CallRecord, { setting }: Client): string | false {
  const { inner, left, seen, keys, plan } = record;
  const attempts = record.attempts ?? 0;
  if (attempts > (plan.retries ?? RETRIES) + 1) return 'too many attempts';
  if (keys.length > seen || seen > left || left > attempts) return 'more requests than attempts';
  if (setting.hasInner && record.attempts !== undefined && inner !== attempts) return 'inner layers saw another number';
  return left < attempts && !mayBeHeldBack(record) && 'attempts that never left';
}

const isUnsafe = ({ plan, body }: CallRecord): boolean =>
  body.isOneShot || (!plan.isKeyed && (plan.method === 'POST' || plan.method === 'PATCH'));

function keyComplaint({ plan, keys }: CallRecord): string | false {
  const [key] = keys;
  if (keys.some((other) => other !== key)) return `keys ${keys.join(' ')}`;
  return keys.length > 0 && plan.isKeyed !== UUID.test(key ?? '') && `key ${String(key)}`;
}

function outcomeComplaint(record: CallRecord): string | false {
  const { end, reason, hasReport, atAbort, attempts, retryEvents, giveUpEvents, recoverEvents } = record;
  // Given up before it began: none of the plugin's business.
  if (end === 'rejected' && !hasReport) return !(record.isCancellation && record.left === 0) && 'rejected without a report';
  if (end === 'rejected' && reason === undefined) return 'rejected without a reason';
  if (end === 'resolved' && reason !== undefined) return `resolved with reason ${reason}`;
  if (atAbort?.waited === true && !(record.isCancellation && reason === 'aborted')) return 'given up in the wait, and not cancelled';
  if (giveUpEvents !== (end === 'rejected' ? 1 : 0)) return `${giveUpEvents} times onGiveUp`;
  if (recoverEvents !== (end === 'resolved' && hasReport ? 1 : 0)) return `${recoverEvents} times onRecover`;
  return retryEvents < (attempts ?? 0) - 1 && `${retryEvents} times onRetry`;
}

function cancelComplaint({ atAbort, inner, left }: CallRecord, { setting }: Client): string | false {
  if (!atAbort) return false;
  const [before, after] = setting.hasInner ? [atAbort.inner, inner] : [atAbort.left, left];
  // The first attempt may be on its way down.
  return after > Math.max(before, 1) && `attempts ${before} when given up, ${after} at the end`;
}

const checks: Partial<Record<Invariant, Check>> = {
  attempts: isMiscounted,
  write: (record) => isUnsafe(record) && record.keys.length > 1 && `reached it ${record.keys.length} times`,
  key: keyComplaint,
  outcome: outcomeComplaint,
  cancel: cancelComplaint,
  // The error of a cancel token does not say which call it is of.
  layers: ({ outer, hasReport, isCancellation }, { setting }) =>
    setting.hasInner && hasReport && outer !== 1 && !(isCancellation && outer === 0) && `${outer} times`,
  listeners: ({ abortWay }) => (abortWay?.listeners() ?? 0) > 0 && `${String(abortWay?.listeners())} left`,
  streams: ({ body }) => body.made.some((stream) => !stream.destroyed) && 'still open',
};

export function checkCall(record: CallRecord, client: Client, violations: Violations): void {
  for (const [invariant, check] of Object.entries(checks) as [Invariant, Check][]) {
    const complaint = check(record, client);
    if (complaint) violations.add(invariant, `${complaint}; ${record.describe()}`, record.plan.id);
  }
}

export interface Sums {
  calls: number;
  attempts: number;
  retries: number;
  recovered: number;
  failedRetries: number;
  successes: number;
  readonly gaveUp: Record<string, number>;
}

export const noSums = (): Sums => ({ calls: 0, attempts: 0, retries: 0, recovered: 0, failedRetries: 0, successes: 0, gaveUp: {} });

export function addTo(sums: Sums, { attempts, end, hasReport, reason }: CallRecord): void {
  if (attempts === undefined) return;
  const retries = Math.max(0, attempts - 1);
  const hasRecovered = end === 'resolved' && hasReport;
  sums.calls += 1;
  sums.attempts += attempts;
  sums.retries += retries;
  sums.recovered += hasRecovered ? 1 : 0;
  sums.failedRetries += retries - (hasRecovered ? 1 : 0);
  sums.successes += end === 'resolved' && !hasReport ? 1 : 0;
  if (reason !== undefined) sums.gaveUp[reason] = (sums.gaveUp[reason] ?? 0) + 1;
}

/** `stats()` against the sums of what the calls reported. */
export function checkClient(client: Client, sums: Sums, name: string, violations: Violations): void {
  const { calls, attempts, retries, recovered, waiting, gaveUp } = client.handle.stats();
  const counted = { calls, attempts, retries, recovered, waiting, ...Object.fromEntries(Object.entries(gaveUp).filter(([, count]) => count > 0)) };
  const summed: Record<string, number> = {
    calls: sums.calls, attempts: sums.attempts, retries: sums.retries, recovered: sums.recovered, waiting: 0, ...sums.gaveUp,
  };
  for (const key of Object.keys({ ...counted, ...summed })) {
    const [told, real] = [counted[key as keyof typeof counted] ?? 0, summed[key] ?? 0];
    if (told !== real) violations.add('stats', `${name}: ${key} ${told} instead of ${real}`);
  }
  const listeners = client.newListeners();
  if (listeners > 0) violations.add('listeners', `${name}: ${listeners} on the signal that its calls share`);
}
