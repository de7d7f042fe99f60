/** The calls of the demo. */
import type { AxiosInstance } from 'axios';

import { findClosedPort, startUnreliableServer } from './unreliable-server';

export interface Scenario {
  /** What the server does. */
  readonly title: string;
  readonly request: string;
  /** Whether the plugin can, and may, make the call succeed. */
  readonly shouldRecover: boolean;
  send(api: AxiosInstance): Promise<unknown>;
}

const payment = { amount: 42 };

function get(title: string, path: string): Scenario {
  return { title, request: `GET ${path}`, shouldRecover: true, send: (api) => api.get(path) };
}

/** A service that starts 300 ms after the call. Whatever the delays, 140 to 260 ms and 340 to 460 ms: the third attempt finds it. */
async function callTooEarly(api: AxiosInstance): Promise<unknown> {
  const port = await findClosedPort();
  const starting = new Promise((resolve) => setTimeout(resolve, 300)).then(() => startUnreliableServer(port));
  try {
    return await api.post(`http://127.0.0.1:${port}/jobs`, {}, { retry: { jitter: { plusMinus: 60 }, baseDelay: 200 } });
  } finally {
    await (await starting).close();
  }
}

export const scenarios: readonly Scenario[] = [
  get('answers 503, twice', '/busy'),
  get('answers 429 with "Retry-After: 1", one second', '/limited'),
  get('resets the connection', '/reset'),
  get('does not answer before the timeout of 400 ms', '/slow'),
  get('cuts its answer off in the middle', '/cut'),
  {
    title: 'does not listen yet; the request is never sent, so even a POST may be repeated',
    request: 'POST /jobs',
    shouldRecover: true,
    send: callTooEarly,
  },
  {
    title: 'takes a payment that has an idempotency key, then resets the connection',
    request: 'POST /payments',
    shouldRecover: true,
    send: (api) => api.post('/payments', payment, { retry: { idempotencyKey: true } }),
  },
  {
    title: 'does the same to a payment without a key: a retry could charge twice',
    request: 'POST /payments-no-key',
    shouldRecover: false,
    send: (api) => api.post('/payments-no-key', payment),
  },
];
