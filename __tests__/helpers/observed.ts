// Calls that are watched: a service with prepared answers, a clock that only waits advance, and a list of what was told.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RetryEvent, RetryObserver } from '../../lib/index';
import nock from './nock';

export const SERVICE = 'http://service.test';

/** A request as the service got it. */
export interface Seen {
  method: string;
  host: string;
  path: string;
  headers: Record<string, unknown>;
  body: unknown;
}
/** A status, or a whole answer. */
export type Answer = number | { status: number; headers?: Record<string, string>; body?: nock.Body };

/** Answers one request after the other, for ever with the last answer; returns what it has seen so far. */
export function serve(answers: readonly Answer[], origin = SERVICE): Seen[] {
  const seen: Seen[] = [];
  const scope = nock(origin).persist();
  for (const method of ['GET', 'POST', 'PUT']) {
    scope.intercept(/.*/, method).reply(function (path, body) {
      const answer = answers[Math.min(seen.length, answers.length - 1)] ?? 200;
      const { status, headers = {}, body: content = '' } = typeof answer === 'number' ? { status: answer } : answer;
      seen.push({ method, host: String(this.req.headers['host']), path, headers: { ...this.req.headers }, body });
      return [status, content, headers];
    });
  }
  return seen;
}

/** A real server, for what nock cannot do. Stop it after use. */
export async function startServer(listener: RequestListener): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Timeless {
  /** The delays that were slept, in ms. */
  waits: number[];
  options: { sleep: (ms: number) => Promise<void>; now: () => number; random: () => number };
}

/** A policy that never really waits: `sleep` moves the clock, chance is always in the middle. */
export function timeless(): Timeless {
  const waits: number[] = [];
  let time = 1_000;
  return {
    waits,
    options: {
      sleep: (ms) => {
        waits.push(ms);
        time += ms;
        return Promise.resolve();
      },
      now: () => time,
      random: () => 0.5,
    },
  };
}

type EventName = 'onRetry' | 'onGiveUp' | 'onRecover';

export interface Told {
  name: EventName;
  event: RetryEvent;
}

/** An observer that keeps what it is told. */
export function recorder(): { told: Told[]; names: () => string[]; observer: Required<Pick<RetryObserver, EventName>> } {
  const told: Told[] = [];
  const keep = (name: Told['name']) => (event: RetryEvent) => void told.push({ name, event });
  return {
    told,
    names: () => told.map(({ name }) => name),
    observer: { onRetry: keep('onRetry'), onGiveUp: keep('onGiveUp'), onRecover: keep('onRecover') },
  };
}

/** What a promise rejects with; an error of the test's own when it resolves. */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`expected a rejection; resolved with ${String(value)}`);
}

/** What a function throws; an error of the test's own when it returns. */
export function thrownBy(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('expected a throw');
}
