// Runs a program written for a peer on the real peer and on the drop-in, and tells apart what both did.
import axios, { type AxiosInstance, type CreateAxiosDefaults } from 'axios';
import { Service, type Received } from '../../../scripts/compare/service';
import { Waits } from '../../../scripts/compare/waits';

export interface Setting {
  readonly service: Service;
  readonly waits: Waits;
  readonly notes: unknown[];
  /** Notes what the program wants compared. */
  note(...values: unknown[]): void;
  create(config?: CreateAxiosDefaults): AxiosInstance;
}
export type Program<Peer> = (peer: Peer, setting: Setting) => Promise<unknown>;

/** What can be seen from outside. */
export interface Seen {
  readonly requests: readonly Pick<Received, 'method' | 'path' | 'headers' | 'body'>[];
  /** In ms, to the nearest 10: a hook takes time. */
  readonly waits: readonly number[];
  readonly notes: readonly unknown[];
  readonly result: unknown;
}

// The same in both runs but for the port and for what a boundary is drawn from.
function plain({ method, path, headers, body }: Received): Seen['requests'][number] {
  const { host: _host, ...rest } = headers;
  const boundary = /boundary=(.*)/.exec(rest['content-type'] ?? '')?.[1];
  const replace = (text: string): string => (boundary === undefined ? text : text.replaceAll(boundary, 'boundary'));
  return { method, path, headers: JSON.parse(replace(JSON.stringify(rest))) as Received['headers'], body: replace(body) };
}

/** What a call came to, as data. */
export async function outcome(call: Promise<unknown>): Promise<unknown> {
  try {
    const value = (await call) as { status?: unknown; data?: unknown } | undefined;
    return value?.status === undefined ? { resolved: value } : { status: value.status, data: value.data };
  } catch (reason) {
    const error = reason as { name?: unknown; message?: string; code?: unknown; response?: { status: number; data: unknown } };
    const { name, message, code, response } = error ?? {};
    return { rejected: { name, message: message?.replace(/:\d+/, ''), code, status: response?.status, data: response?.data } };
  }
}

export async function run<Peer>(peer: Peer, program: Program<Peer>): Promise<Seen> {
  const service = await Service.start();
  const waits = new Waits();
  const notes: unknown[] = [];
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
  // No time passes: whoever looks whether a timer came too early believes that it did not.
  jest.spyOn(performance, 'now').mockReturnValue(1_000);
  jest.spyOn(Date, 'now').mockReturnValue(Date.now());
  waits.install();
  try {
    const setting: Setting = {
      service,
      waits,
      notes,
      note: (...values) => void notes.push(...values),
      create: (config) => axios.create({ baseURL: service.url, proxy: false, ...config }),
    };
    const result = await program(peer, setting);
    return { requests: service.received.map(plain), waits: waits.asked.filter((ms) => ms > 1).map((ms) => Math.round(ms / 10) * 10), notes, result };
  } finally {
    Waits.uninstall();
    await service.stop();
  }
}

/** Both runs; the programs of a table are compared by `expect(dropIn).toEqual(peer)`. */
export async function sideBySide<Peer>(peers: { real: Peer; dropIn: Peer }, program: Program<Peer>): Promise<{ real: Seen; dropIn: Seen }> {
  const real = await run(peers.real, program);
  return { real, dropIn: await run(peers.dropIn, program) };
}
