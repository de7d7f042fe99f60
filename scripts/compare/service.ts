/** A real HTTP service that answers as it is told, and remembers what it was asked. */
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: string;
}
/** A status, a reply, or what happens to the connection: `reset` after the request was read, `cut` in the middle of a 200, `hang` for ever. */
export type Step = number | Reply | 'reset' | 'cut' | 'hang' | ((request: Received) => number | Reply);

export class Service {
  readonly received: Received[] = [];
  readonly #server = http.createServer((request, response) => this.#receive(request, response));
  readonly #sockets = new Set<Socket>();
  #steps: readonly Step[] = [200];

  static async start(): Promise<Service> {
    const service = new Service();
    service.#server.on('connection', (socket: Socket) => {
      service.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => service.#sockets.delete(socket));
    });
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get count(): number {
    return this.received.length;
  }

  /** The n-th request gets the n-th step; all that follow get the last one. */
  answers(...steps: readonly [Step, ...Step[]]): void {
    this.#steps = steps;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #receive(request: http.IncomingMessage, response: http.ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const received = { method, path: url, headers, body: Buffer.concat(chunks).toString('latin1') };
      const step = this.#steps[Math.min(this.received.length, this.#steps.length - 1)] as Step;
      this.received.push(received);
      play(typeof step === 'function' ? step(received) : step, response);
    });
  }
}

function play(step: number | Reply | 'reset' | 'cut' | 'hang', response: http.ServerResponse): void {
  if (step === 'hang') return;
  if (step === 'reset') {
    response.socket?.destroy();
    return;
  }
  if (step === 'cut') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
    response.write('{"half":', () => response.socket?.destroy());
    return;
  }
  const { status, headers = {}, body = `{"answer":${typeof step === 'number' ? step : step.status}}` } = typeof step === 'number' ? { status: step } : step;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}
