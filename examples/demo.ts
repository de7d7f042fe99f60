/** `npm run demo`: calls to an unreliable server, first without the plugin and then with it. */
import axios, { type AxiosInstance, type AxiosResponse } from 'axios';

import { attachRetry, getRetryReport, type RetryHandle } from '../lib/index';
import { scenarios, type Scenario } from './scenarios';
import { beginCall, bold, endCall, MS_PER_DASH, timeline } from './timeline';
import { startUnreliableServer, type UnreliableServer } from './unreliable-server';

// Nothing below takes so long; a demo must not hang.
setTimeout(() => {
  console.error('\nThe demo did not end within 20 s.');
  process.exit(1);
}, 20_000).unref();

interface Result extends Pick<UnreliableServer, 'payments'> {
  readonly succeeded: readonly Scenario[];
}

/** In words: what became of a call. */
function describeEnd(errorOrResponse: unknown): string {
  const report = getRetryReport(errorOrResponse);
  if (!report) return 'failed';
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
async function runAll(attach: (api: AxiosInstance) => void): Promise<Result> {
  const server = await startUnreliableServer();
  const api = axios.create({ baseURL: server.url, timeout: 400, proxy: false });
  attach(api);
  const succeeded: Scenario[] = [];
  for (const scenario of scenarios) {
    if (await run(api, scenario)) succeeded.push(scenario);
  }
  await server.close();
  return { succeeded, payments: server.payments };
}

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

function describeStats({ calls, attempts, retries, recovered, gaveUp, budgets }: ReturnType<RetryHandle['stats']>): string {
  const reasons = Object.entries(gaveUp).filter(([, count]) => count > 0);
  const tokens = budgets.map((budget) => `${budget.tokens} of ${budget.capacity} tokens left for ${budget.origin}`);
  return [
    `${calls} calls, ${attempts} attempts, ${retries} of them retries, ${recovered} calls recovered`,
    ...reasons.map(([reason, count]) => `${count} given up, reason "${reason}"`),
    ...tokens.map((line) => `retry budget: ${line}`),
  ].join('\n  ');
}

console.log(bold('WITHOUT THE PLUGIN'));
const without = await runAll(() => undefined);

console.log(bold(`\nWITH attachRetry(api, { baseDelay: 150 })   (a dash is ${MS_PER_DASH} ms of waiting)`));
let handle: RetryHandle | undefined;
const withPlugin = await runAll((api) => {
  handle = attachRetry(api, { baseDelay: 150, observers: [timeline] });
});

if (handle) console.log(`${bold('\nSTATS')}\n  ${describeStats(handle.stats())}`);

const { received, taken } = withPlugin.payments;
const savable = scenarios.filter(({ shouldRecover }) => shouldRecover).length;
console.log(
  `\nOf ${savable} calls that can be saved, ${without.succeeded.length} succeeded without the plugin and ` +
    `${withPlugin.succeeded.length} with it; the payment with a key was sent ${times(received)} and charged ${times(taken)}.`,
);
const isAsItShouldBe = scenarios.every((scenario) => withPlugin.succeeded.includes(scenario) === scenario.shouldRecover);
process.exitCode = isAsItShouldBe && taken === 1 ? 0 : 1;
