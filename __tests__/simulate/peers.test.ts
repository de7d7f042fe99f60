// The presets of peers do what the peers do: the same requests for the same answers, by the real packages.
import axios, { AxiosError, AxiosHeaders, type AxiosInstance, type InternalAxiosRequestConfig } from 'axios';
import axiosRetry from 'axios-retry';
import { simulate, type OutageKind, type PresetName } from 'axios-jitter/simulate';
import * as retryAxios from 'retry-axios';

import { attachRetry } from '../../lib/index';

const timeout = 2_000;
const presets: Readonly<Partial<Record<PresetName, (api: AxiosInstance) => void>>> = {
  default: (api) => void attachRetry(api),
  'axios-retry': (api) => void axiosRetry(api),
  'axios-retry-exponential': (api) => void axiosRetry(api, { retryDelay: axiosRetry.exponentialDelay }),
  'retry-axios': (api) => {
    Object.assign(api.defaults, { raxConfig: {} });
    retryAxios.attach(api);
  },
};

/** What an outage does to an attempt, and how long that takes. */
const outages: Readonly<Record<OutageKind, readonly [after: number, code: string, status?: number]>> = {
  refused: [20, 'ECONNREFUSED'],
  '503': [20, 'ERR_BAD_RESPONSE', 503],
  '429': [20, 'ERR_BAD_REQUEST', 429],
  timeout: [timeout, 'ECONNABORTED'],
};

function failure(config: InternalAxiosRequestConfig, kind: OutageKind, retryAfter: number): AxiosError {
  const [, code, status] = outages[kind];
  if (status === undefined) return new AxiosError(code === 'ECONNABORTED' ? 'timeout of 2000ms exceeded' : code, code, config, {});
  const headers = new AxiosHeaders(kind === '429' ? { 'retry-after': String(retryAfter / 1_000) } : {});
  return new AxiosError(code, code, config, {}, { status, statusText: '', data: '', headers, config });
}

/** Requests of one call by the real package. */
async function countRequests(attach: (api: AxiosInstance) => void, kind: OutageKind, retryAfter: number): Promise<number> {
  let requests = 0;
  const adapter = (config: InternalAxiosRequestConfig): Promise<never> =>
    new Promise((_, reject) => {
      requests += 1;
      setTimeout(() => reject(failure(config, kind, retryAfter)), Math.min(outages[kind][0], config.timeout || Infinity));
    });
  const api = axios.create({ adapter, timeout });
  attach(api);
  let isSettled = false;
  const call = api.get('https://api.example.com/').catch(() => (isSettled = true));
  while (!isSettled) await jest.advanceTimersToNextTimerAsync();
  await call;
  return requests;
}

function simulated(preset: PresetName, kind: OutageKind, retryAfter: number): number {
  const outage = { length: 3_600_000, kind, retryAfter };
  return simulate({ clients: 1, service: { capacity: 1 }, outage, network: { delay: 10, jitter: 0 }, timeout, policies: [preset] }).policies[0]?.totalRequests ?? 0;
}

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

const cases = (Object.keys(presets) as PresetName[]).flatMap((preset) =>
  ([['refused', 0], ['503', 0], ['429', 1_000], ['429', 30_000], ['429', 120_000], ['429', 600_000], ['timeout', 0]] as const).map(
    ([kind, retryAfter]) => [preset, kind, retryAfter] as const,
  ),
);

it.each(cases)('%s, outage of kind %s, Retry-After of %d ms: as many requests as the package sends', async (preset, kind, retryAfter) => {
  const real = await countRequests(presets[preset]!, kind, retryAfter);
  expect(simulated(preset, kind, retryAfter)).toBe(real);
});
