// A TCP proxy on loopback that breaks what passes through it. It knows as much of HTTP as it needs to find its place.
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, FaultKind } from './plan';

const EMPTY = Buffer.alloc(0);
const HEAD_END = '\r\n\r\n';
const GARBAGE = ['SSH-2.0-OpenSSH_9.6\r\n', '<html><body>It works!</body></html>', 'HTTP/1.1 20000000 ?\r\n\r\n', '\0\u0001\u0002\u0003'];

/** Whether the answer has ended. The application says how long each one is. */
function isWhole(answer: Buffer, method: string): boolean {
  const headEnd = answer.indexOf(HEAD_END);
  if (headEnd < 0) return false;
  if (method === 'HEAD') return true;
  const head = answer.toString('latin1', 0, headEnd);
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  const bodyStart = headEnd + HEAD_END.length;
  return length === undefined ? answer.subarray(-5).equals(Buffer.from('0\r\n\r\n')) : answer.length >= bodyStart + Number(length);
}

function breakOff(socket: Socket, isReset: boolean): void {
  if (socket.destroyed) return;
  // Node loses a socket that is reset while its end is on the way.
  if (isReset && !socket.writableEnded) socket.resetAndDestroy();
  else socket.destroySoon();
}

interface Exchange {
  readonly call: number;
  readonly method: string;
  readonly fault: Fault;
  answer: Buffer;
}

/** One connection of a client, and its connection to the application. */
class Link {
  #head = EMPTY;
  #exchange: Exchange | undefined;
  #served = 0;
  #upstream: Socket | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly client: Socket,
    private readonly proxy: FaultProxy,
  ) {
    client.setNoDelay(true);
    client.on('data', (bytes) => this.#onRequestBytes(bytes));
    client.on('error', () => undefined);
    client.on('close', () => this.#onClosed());
  }

  /** The call whose request is under way. */
  get call(): number | undefined {
    return this.#exchange?.call;
  }

  end(): void {
    this.client.destroy();
  }

  #onClosed(): void {
    clearTimeout(this.#idleTimer);
    this.#exchange = undefined;
    this.#upstream?.destroy();
    this.proxy.links.delete(this);
  }

  #onRequestBytes(bytes: Buffer): void {
    if (this.#exchange) {
      if (!['lost', 'stall-unseen', 'cut-request'].includes(this.#exchange.fault.kind)) this.#upstream?.write(bytes);
      return;
    }
    this.#head = Buffer.concat([this.#head, bytes]);
    if (!this.#head.includes(HEAD_END)) return;
    const request = this.#head;
    this.#head = EMPTY;
    this.#begin(request);
  }

  #begin(request: Buffer): void {
    const head = request.toString('latin1', 0, request.indexOf(HEAD_END));
    const call = Number(/^x-call: *(\d+)/im.exec(head)?.[1]);
    const fault = this.#faultFor(this.proxy.faultFor(call));
    this.proxy.faults[fault.kind] += 1;
    this.#exchange = { call, method: head.slice(0, head.indexOf(' ')), fault, answer: EMPTY };
    const { kind, at, isReset } = fault;
    if (kind === 'lost' || kind === 'reset-reused') return breakOff(this.client, isReset);
    if (kind === 'stall-unseen') return;
    this.#upstream ??= this.#connect();
    if (kind !== 'cut-request') {
      this.#upstream.write(request);
      return;
    }
    this.#upstream.write(request.subarray(0, Math.floor(at * request.length)), () => breakOff(this.client, isReset));
  }

  // Only a connection that has served before can be closed just as it is used again.
  #faultFor(fault: Fault): Fault {
    return fault.kind === 'reset-reused' && this.#served === 0 ? { ...fault, kind: 'none' } : fault;
  }

  #connect(): Socket {
    const upstream = net.connect(this.proxy.applicationPort, '127.0.0.1');
    upstream.setNoDelay(true);
    upstream.on('data', (bytes) => this.#onAnswerBytes(bytes));
    upstream.on('error', () => undefined);
    upstream.on('close', () => breakOff(this.client, false));
    return upstream;
  }

  #onAnswerBytes(bytes: Buffer): void {
    const exchange = this.#exchange;
    if (!exchange) return;
    exchange.answer = Buffer.concat([exchange.answer, bytes]);
    const isPassing = exchange.fault.kind === 'none' || exchange.fault.kind === 'close-idle';
    if (isPassing) this.client.write(bytes);
    if (!isWhole(exchange.answer, exchange.method)) return;
    if (isPassing) this.#finish(exchange.fault);
    else this.#deliver(exchange);
  }

  #finish({ kind, at, isReset }: Fault): void {
    this.#exchange = undefined;
    this.#served += 1;
    if (kind === 'close-idle') this.#idleTimer = setTimeout(() => breakOff(this.client, isReset), at * 3);
  }

  #deliver({ method, answer, fault }: Exchange): void {
    const { kind, at, isReset } = fault;
    // No body to cut: the client has the whole answer, and may use the connection again at once.
    if (method === 'HEAD' && (kind === 'reset-body' || kind === 'stall-body')) {
      this.#finish(fault);
      this.client.write(answer);
      return;
    }
    const bodyStart = answer.indexOf(HEAD_END) + HEAD_END.length;
    const inBody = answer.subarray(0, bodyStart + Math.floor(at * (answer.length - bodyStart)));
    const stop = (): void => breakOff(this.client, isReset);
    if (kind === 'reset-before') stop();
    else if (kind === 'reset-head') this.client.write(answer.subarray(0, 1 + Math.floor(at * (bodyStart - 1))), stop);
    else if (kind === 'reset-body') this.client.write(inBody, stop);
    else if (kind === 'stall-body') this.client.write(inBody);
    else if (kind === 'garbage') this.client.end(GARBAGE[Math.floor(at * GARBAGE.length)] as string);
    else if (kind === 'drip') this.#drip(answer, fault, 0);
  }

  // Byte by byte at first, then in larger drops.
  #drip(answer: Buffer, fault: Fault, from: number): void {
    if (this.client.destroyed) return;
    const to = from + (from < 40 ? 1 : from < 400 ? 7 : 1_000);
    this.client.write(answer.subarray(from, to));
    if (to < answer.length) setImmediate(() => this.#drip(answer, fault, to));
    else this.#finish(fault);
  }
}

/**
 * An address that no other process listens on: while the listener is closed, a server of another test could be given its
 * port and take the requests. Linux has all of 127.0.0.0/8 on the loopback interface.
 */
const ownAddress = (): string =>
  process.platform === 'linux' ? `127.${64 + ((process.pid >> 16) & 63)}.${(process.pid >> 8) & 255}.${process.pid & 255}` : '127.0.0.1';

export class FaultProxy {
  readonly host = ownAddress();
  readonly links = new Set<Link>();
  readonly faults: Record<FaultKind, number> = {
    none: 0, lost: 0, 'cut-request': 0, 'reset-before': 0, 'reset-head': 0, 'reset-body': 0, stall: 0, 'stall-unseen': 0,
    'stall-body': 0, drip: 0, garbage: 0, 'reset-reused': 0, 'close-idle': 0,
  };
  /** Connections taken. */
  accepted = 0;
  /** How many times the listener was closed for a while. */
  outages = 0;
  port = 0;
  #server: Server | undefined;
  #reopened: Promise<void> = Promise.resolve();

  constructor(
    readonly applicationPort: number,
    /** Asked once for each request whose headers have come. */
    readonly faultFor: (call: number) => Fault,
  ) {}

  /** The calls whose requests are under way. */
  get open(): number[] {
    return [...this.links].flatMap(({ call }) => call ?? []);
  }

  async listen(): Promise<void> {
    const server = net.createServer((socket) => {
      this.accepted += 1;
      this.links.add(new Link(socket, this));
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port: this.port, host: this.host, backlog: 1_024 }, resolve);
    });
    this.port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Nobody listens for `ms`; the connections that are open stay. */
  refuseFor(ms: number): void {
    if (!this.#server) return;
    this.#server.close();
    this.#server = undefined;
    this.outages += 1;
    this.#reopened = sleep(ms).then(() => this.#reopen());
  }

  // Where the address is not its own, an outgoing connection may have been given the port in the meantime.
  async #reopen(): Promise<void> {
    for (;;) {
      try {
        return await this.listen();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
        await sleep(1);
      }
    }
  }

  async close(): Promise<void> {
    await this.#reopened;
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    for (const link of this.links) link.end();
    await closed;
  }
}
