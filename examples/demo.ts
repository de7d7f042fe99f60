/** `npm run demo`: calls to an unreliable server, without a plugin, with this one, and with axios-retry. */
import axios, { type AxiosInstance, type AxiosResponse } from 'axios';
import axiosRetry from 'axios-retry';

import { attachRetry, getRetryReport, type RetryHandle } from '../lib/index';
import { scenarios, type Scenario } from './scenarios';
import { describeSummary, type Ending } from './summary';
import { beginCall, bold, endCall, MS_PER_DASH, showRetry, timeline } from './timeline';
import { startUnreliableServer } from './unreliable-server';

// Nothing below takes so long; a demo must not hang.
setTimeout(() => {
  console.error('\nThe demo did not end within 30 s.');
  process.exit(1);
}, 30_000).unref();

/** In words: what became of a call. */
function describeEnd(errorOrResponse: unknown): string {
  const report = getRetryReport(errorOrResponse);
  if (!report) return '';
  if (report.reason) return `not repeated, reason "${report.reason}"`;
  return `recovered in ${Math.round(report.elapsed)} ms`;
}

/** Whether the call succeeded. */
async function run(api: AxiosInstance, { title, request, send }: Scenario): Promise<boolean> {
  beginCall(request, title);
  try {
    const response = (await send(api)) as AxiosResponse;
    endCall(response, describeEnd(response));
    return true;
  } catch (error) {
    endCall({ error }, describeEnd(error));
    return false;
  }
}

/** The scenarios one after the other, each time against a new server. */
async function runAll(heading: string, attach: (api: AxiosInstance) => void): Promise<Ending[]> {
  console.log(bold(`\n${heading}`));
  const server = await startUnreliableServer();
  const api = axios.create({ baseURL: server.url, timeout: 400, proxy: false });
  let sent = 0;
  // Registered first, so that it runs on every attempt, of whichever plugin.
  api.interceptors.request.use((config) => {
    sent += 1;
    return config;
  });
  attach(api);
  const endings: Ending[] = [];
  for (const scenario of scenarios) {
    sent = 0;
    const isServed = await run(api, scenario);
    const [, path = ''] = scenario.request.split(' ');
    endings.push({ scenario, isServed, sent, charges: server.countOf(path).charges });
  }
  await server.close();
  return endings;
}

function describeStats({ calls, attempts, retries, recovered, gaveUp, budgets }: ReturnType<RetryHandle['stats']>): string {
  const reasons = Object.entries(gaveUp).filter(([, count]) => count > 0);
  const tokens = budgets.map((budget) => `${budget.tokens} of ${budget.capacity} tokens left for ${budget.origin}`);
  return [
    `${calls} calls, ${attempts} attempts, ${retries} of them retries, ${recovered} calls recovered`,
    ...reasons.map(([reason, count]) => `${count} given up, reason "${reason}"`),
    ...tokens.map((line) => `retry budget: ${line}`),
  ].join('\n  ');
}

const without = await runAll('WITHOUT A PLUGIN', () => undefined);

let handle: RetryHandle | undefined;
const ours = await runAll(`WITH attachRetry(api, { baseDelay: 150 })   (a dash is ${MS_PER_DASH} ms of waiting)`, (api) => {
  handle = attachRetry(api, { baseDelay: 150, observers: [timeline] });
});
if (handle) console.log(`${bold('\nSTATS')}\n  ${describeStats(handle.stats())}`);

// As well as it can be set: with its backoff, and the whole timeout for each attempt.
const peers = await runAll('WITH axiosRetry(api, { retryDelay: exponentialDelay, shouldResetTimeout: true })', (api) => {
  axiosRetry(api, { retryDelay: axiosRetry.exponentialDelay, shouldResetTimeout: true, onRetry: (_count, error) => showRetry(error) });
});

console.log(`\n${describeSummary(without, ours, peers)}`);
const isAsItShouldBe = ours.every(({ scenario, isServed, charges }) => isServed === scenario.shouldRecover && charges <= 1);
process.exitCode = isAsItShouldBe ? 0 : 1;
