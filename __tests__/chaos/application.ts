// The service behind the broken network: it notes what reached it in full, and answers by the plan.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer } from './plan';

/** A request that reached the application in full. */
export interface Received {
  readonly call: number;
  readonly method: string;
  readonly url: string;
  readonly key: string | undefined;
  /** What the `attemptHeader` said. */
  readonly resend: string | undefined;
  readonly body: Buffer;
}

export class Application {
  /** Requests whose end never came. */
  cut = 0;
  received = 0;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #server = createServer((request, response) => this.#serve(request, response));

  constructor(private readonly answerTo: (request: Received) => Answer) {
    this.#server.keepAliveTimeout = 0;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('close', () => {
      if (!request.complete) this.cut += 1;
    });
    request.on('end', () => {
      this.received += 1;
      const { method = '', url = '', headers } = request;
      const received: Received = {
        call: Number(headers['x-call']),
        method,
        url,
        key: headers['idempotency-key'] as string | undefined,
        resend: headers['x-resend'] as string | undefined,
        body: Buffer.concat(chunks),
      };
      this.#answer(response, received, this.answerTo(received));
    });
  }

  #answer(response: ServerResponse, { call }: Received, answer: Answer): void {
    const body = JSON.stringify({ call, padding: 'x'.repeat(answer.padding) });
    const send = (): void => {
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        'x-call': String(call),
        ...answer.headers,
        ...(!answer.isChunked && { 'content-length': body.length }),
      });
      response.write(body.slice(0, body.length / 2));
      response.end(body.slice(body.length / 2));
    };
    if (answer.after === 0) return send();
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      send();
    }, answer.after);
    this.#timers.add(timer);
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen({ port: 0, host: '127.0.0.1', backlog: 1_024 }, resolve));
  }

  close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}
