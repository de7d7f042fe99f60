import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** Answers one request; `index` counts the service's requests from 0. */
export type Answer = (request: Received, response: http.ServerResponse, index: number) => void;

export interface LocalService {
  /** `http://127.0.0.1:port`, which is also its origin. */
  readonly url: string;
  /** Every request that arrived whole, in order. */
  readonly received: Received[];
  /** Answers from now on. */
  answer: Answer;
}

/** A status, a status with headers, or what happens to the connection instead. */
export type Step = number | readonly [status: number, headers: Record<string, string>] | 'drop' | 'hang';

const open = new Set<http.Server>();

afterEach(async () => {
  for (const server of open) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  open.clear();
});

function play(step: Step, response: http.ServerResponse): void {
  if (step === 'hang') return;
  if (step === 'drop') {
    response.socket?.destroy();
    return;
  }
  const [status, headers] = typeof step === 'number' ? [step, {}] : step;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ status }));
}

/** `answers(503, 200)`: 503 to the first request, 200 to all that follow. */
export function answers(...steps: readonly [Step, ...Step[]]): Answer {
  let next = 0;
  return (_request, response) => {
    play(steps[Math.min(next, steps.length - 1)] as Step, response);
    next += 1;
  };
}

/** A real server on a port of its own; closed after the test. */
export async function startService(answer: Answer): Promise<LocalService> {
  const received: Received[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const whole = { method, path: url, headers, body: Buffer.concat(chunks).toString() };
      received.push(whole);
      service.answer(whole, response, received.length - 1);
    });
  });
  open.add(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const service: LocalService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer,
  };
  return service;
}

/** Does not wait, and notes how long it was asked to. */
export function recordingSleep(): { readonly delays: number[]; readonly sleep: (ms: number) => Promise<void> } {
  const delays: number[] = [];
  return {
    delays,
    sleep: (ms) => {
      delays.push(ms);
      return Promise.resolve();
    },
  };
}

/** What a promise rejected with; a resolved one fails the test. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('it resolved');
}
