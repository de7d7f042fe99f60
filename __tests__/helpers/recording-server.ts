import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came over the wire. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** Request line, header lines in their order and spelling, and body, byte for byte (latin1). */
  readonly dump: string;
}

/** A status; or the request is read and then `reset`: the socket is destroyed, `hang`: there is no answer. */
export type Answer = number | 'reset' | 'hang';

function dumpOf(request: IncomingMessage, body: Buffer): string {
  const lines = [`${request.method} ${request.url}`];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    lines.push(`${request.rawHeaders[index]}: ${request.rawHeaders[index + 1]}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n${body.toString('latin1')}`;
}

/** A real HTTP server that keeps what it gets, and answers by a script. */
export class RecordingServer {
  requests: RecordedRequest[] = [];
  /** Decides instead of the script where it returns an answer. */
  decide: ((request: RecordedRequest) => Answer | undefined) | undefined;
  /** Has come as far as the headers. */
  begun = 0;
  #script: Answer[] = [];
  #rest: Answer = 200;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  /** The next answers; after them 200, or what `thenAlways` says. */
  script(...answers: Answer[]): this {
    this.#script = answers;
    return this;
  }

  thenAlways(answer: Answer): this {
    this.#rest = answer;
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get dumps(): string[] {
    return this.requests.map(({ dump }) => dump);
  }

  /** The values of one header, a request each. */
  header(name: string): unknown[] {
    return this.requests.map(({ headers }) => headers[name]);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.begun += 1;
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) {
        chunks.push(chunk as Buffer);
      }
    } catch {
      return; // the client has gone in the middle of its body
    }
    const body = Buffer.concat(chunks);
    const { method = '', url = '', headers } = request;
    const recorded = { method, url, headers, body, dump: dumpOf(request, body) };
    this.requests.push(recorded);
    const answer = this.decide?.(recorded) ?? this.#script.shift() ?? this.#rest;
    if (answer === 'reset') {
      request.socket.destroy();
      return;
    }
    if (answer === 'hang') {
      return;
    }
    response.writeHead(answer, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ request: this.requests.length }));
  }

  forget(): void {
    this.requests = [];
    this.begun = 0;
    this.#script = [];
    this.#rest = 200;
    this.decide = undefined;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}

/** One server for the tests of a file; each begins with nothing recorded and a server that answers 200. */
export function useRecordingServer(): RecordingServer {
  const server = new RecordingServer();
  beforeAll(() => server.listen());
  afterEach(() => server.forget());
  afterAll(() => server.close());
  return server;
}
