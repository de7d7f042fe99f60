import axios from './axios';
import { answers } from './local-service';
import { until, VirtualTime } from './virtual-time';
import { attachRetry, type RetryOptions } from '../../lib/index';

/** In a clock that stands still; every draw of chance is the middle. */
export function client(options: RetryOptions = {}, time = new VirtualTime()) {
  const api = axios.create();
  const { now, sleep } = time;
  return { api, time, handle: attachRetry(api, { now, sleep, random: () => 0.5, ...options }) };
}

/** "Leave me alone for a second" to the first request, then what is given. */
export const oneSecond = [429, { 'retry-after': '1' }] as const;
export const fine = answers(200);

/** A call that was told to wait, and waits: 1,000 ms and half a spread of 500. */
export async function someoneWaits({ api, time }: ReturnType<typeof client>, url: string): Promise<void> {
  void api.get(url).catch(() => undefined);
  await until(() => time.begun.length === 1);
  expect(time.begun).toEqual([1_250]);
  time.begun.length = 0;
}

export async function ticks(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
}
