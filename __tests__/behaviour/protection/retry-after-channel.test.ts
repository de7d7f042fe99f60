// A Retry-After that others hear: what is told, what is heard. Real channels; `hand-made` where one misbehaves.
import { BroadcastChannel, MessageChannel } from 'node:worker_threads';
import axios from '../../helpers/axios';
import { answers, rejection, startService, type Step } from '../../helpers/local-service';
import { client, ticks } from '../../helpers/shared-wait';
import { until } from '../../helpers/virtual-time';
import { attachRetry, getRetryReport, type RetryAfterChannel, type RetryAfterNote, type RequestRetryOptions, type RetryOptions } from '../../../lib/index';

const refuse = (ms: number): Step => [429, { 'retry-after-ms': String(ms) }];

const open = new Set<{ close(): void }>();
afterEach(() => {
  for (const channel of open) channel.close();
  open.clear();
});
let names = 0;
function channelPair(): [BroadcastChannel, BroadcastChannel] {
  const name = `axios-jitter-${process.pid}-${names++}`;
  const pair: [BroadcastChannel, BroadcastChannel] = [new BroadcastChannel(name), new BroadcastChannel(name)];
  pair.forEach((channel) => open.add(channel));
  return pair;
}

interface HandMade extends RetryAfterChannel {
  readonly notes: RetryAfterNote[];
  readonly listeners: Set<(event: unknown) => void>;
  send(data: unknown): void;
}
function handMade(postMessage?: () => unknown): HandMade {
  const notes: RetryAfterNote[] = [];
  const listeners = new Set<(event: unknown) => void>();
  return {
    notes,
    listeners,
    postMessage: (note) => (notes.push(note), postMessage?.()),
    addEventListener: (_type, listener) => void listeners.add(listener),
    removeEventListener: (_type, listener) => void listeners.delete(listener),
    send: (data) => listeners.forEach((listener) => listener({ data })),
  };
}

function clientOf(retryAfterChannel: RetryAfterChannel, options: RetryOptions = {}) {
  return client({ shareRetryAfter: 'all', retries: 0, retryAfterChannel, ...options });
}

const pausesOf = ({ handle }: ReturnType<typeof client>) => handle.stats().pauses;

describe('another instance', () => {
  it.each(['BroadcastChannel', 'MessagePort'])('hears it through a %s as it is, and waits', async (kind) => {
    const ports = new MessageChannel();
    const [here, there] = kind === 'MessagePort' ? ([ports.port1, ports.port2] as const) : channelPair();
    open.add(here).add(there);
    const service = await startService(answers(refuse(2_000), 200));
    const [teller, hearer] = [clientOf(here), clientOf(there)];
    await rejection(teller.api.get(service.url));
    await until(() => pausesOf(hearer).length === 1);
    expect(pausesOf(hearer)).toEqual([{ origin: service.url, timeLeft: 2_000 }]);
    const call = hearer.api.get(service.url);
    await until(() => hearer.time.begun.length === 1);
    // And half of a spread of 1,000.
    expect(hearer.time.begun).toEqual([2_500]);
    hearer.time.advance(2_500);
    expect((await call).status).toBe(200);
  });

  it('that was attached to another channel does not', async () => {
    const [here] = channelPair();
    const [, elsewhere] = channelPair();
    const service = await startService(answers(refuse(2_000)));
    const [teller, hearer] = [clientOf(here), clientOf(elsewhere)];
    await rejection(teller.api.get(service.url));
    await ticks();
    expect(pausesOf(hearer)).toEqual([]);
  });

  it('with shareRetryAfter: true waits before it retries', async () => {
    const channel = handMade();
    const one = clientOf(channel, { shareRetryAfter: true, retries: 1 });
    const service = await startService(answers(500, 200));
    channel.send({ 'axios-jitter': 1, origin: service.url, retryAfter: 4_000, left: 1_000 });
    const call = one.api.get(service.url);
    await until(() => one.time.begun.length === 1);
    // 1,000 left; half of a spread of 2,000.
    expect(one.time.begun).toEqual([2_000]);
    one.time.advance(2_000);
    expect((await call).status).toBe(200);
  });
});

describe('told is', () => {
  it('plain data: the origin and what the server asked for', async () => {
    const channel = handMade();
    const service = await startService(answers(refuse(2_000)));
    await rejection(clientOf(channel).api.get(`${service.url}/orders?secret=1`));
    expect(channel.notes).toEqual([{ 'axios-jitter': 1, origin: service.url, retryAfter: 2_000 }]);
    expect(structuredClone(channel.notes)).toEqual(channel.notes);
  });

  it('what was asked, also where it is longer than the own maxRetryAfter', async () => {
    const channel = handMade();
    const service = await startService(answers(refuse(9_000)));
    const one = clientOf(channel, { maxRetryAfter: 3_000 });
    await rejection(one.api.get(service.url));
    expect(channel.notes).toMatchObject([{ retryAfter: 9_000 }]);
    expect(pausesOf(one)).toMatchObject([{ timeLeft: 3_000 }]);
  });

  it('one note for the refusals of a crowd', async () => {
    const channel = handMade();
    const service = await startService(answers('hang'));
    const waiting: (() => void)[] = [];
    service.answer = (_request, response) => void waiting.push(() => response.writeHead(429, { 'retry-after': '10' }).end());
    const one = clientOf(channel);
    const calls = Array.from({ length: 50 }, () => rejection(one.api.get(service.url)));
    await until(() => waiting.length === 50);
    for (const answer of waiting) answer();
    await Promise.all(calls);
    expect(channel.notes).toHaveLength(1);
  });

  it.each([
    [1_000, 1],
    [1_001, 2],
  ])('a renewal that makes the pause longer by %d ms of 10,000: notes in all %d', async (later, notes) => {
    const channel = handMade();
    const service = await startService(answers(refuse(10_000)));
    const one = clientOf(channel, { shareRetryAfter: true });
    await rejection(one.api.get(service.url));
    one.time.advance(later);
    await rejection(one.api.get(service.url));
    expect(channel.notes).toHaveLength(notes);
  });

  it.each<[string, Step, RequestRetryOptions]>([
    ['an answer without Retry-After', 503, {}],
    ['a Retry-After of 0', [503, { 'retry-after': '0' }], {}],
    ['a call that does not share', [429, { 'retry-after': '1' }], { shareRetryAfter: false }],
    ['a success', 200, {}],
  ])('nothing of %s', async (_what, step, retry) => {
    const channel = handMade();
    const service = await startService(answers(step));
    await clientOf(channel).api.get(service.url, { retry }).catch(() => undefined);
    expect(channel.notes).toEqual([]);
  });

  it('nothing of what was heard', async () => {
    const channel = handMade();
    const service = await startService(answers(refuse(2_000)));
    const one = clientOf(channel, { shareRetryAfter: true });
    channel.send({ 'axios-jitter': 1, origin: service.url, retryAfter: 2_000 });
    expect(channel.notes).toEqual([]);
    // Everybody knows that already.
    await rejection(one.api.get(service.url));
    expect(channel.notes).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    ['throws', () => { throw new Error('closed'); }],
    ['rejects', () => Promise.reject(new Error('no connection'))],
    ['never settles', () => new Promise(() => undefined)],
  ])('nobody, and nothing changes, where postMessage %s', async (_how, postMessage) => {
    const log = jest.spyOn(console, 'error');
    const channel = handMade(postMessage);
    const service = await startService(answers(refuse(2_000), 200));
    const one = clientOf(channel, { retries: 1 });
    const call = one.api.get(service.url);
    await until(() => one.time.begun.length === 1);
    expect(one.time.begun).toEqual([2_500]);
    one.time.advance(2_500);
    expect((await call).status).toBe(200);
    expect(channel.notes).toHaveLength(1);
    expect(log).not.toHaveBeenCalled();
  });
});

describe('heard is', () => {
  const note = { 'axios-jitter': 1, origin: 'http://a.example', retryAfter: 4_000 };

  it.each<[string, object, number]>([
    ['what was asked', {}, 4_000],
    ['what is left of it', { left: 1_500 }, 1_500],
    ['no more than the own maxRetryAfter', { retryAfter: 900_000 }, 60_000],
    ['no more than the own maxRetryAfter of what is left', { retryAfter: 900_000, left: 800_000 }, 60_000],
    ['a note with fields of a later version', { priority: 7, left: undefined }, 4_000],
    ['an origin of 1,024 characters', { origin: 'x'.repeat(1_024) }, 4_000],
  ])('%s', (_what, fields, timeLeft) => {
    const channel = handMade();
    const one = clientOf(channel);
    channel.send({ ...note, ...fields });
    expect(pausesOf(one)).toEqual([{ origin: { ...note, ...fields }.origin, timeLeft }]);
  });

  it('never what makes a pause shorter', () => {
    const channel = handMade();
    const one = clientOf(channel);
    channel.send(note);
    channel.send({ ...note, retryAfter: 1_000 });
    channel.send({ ...note, left: 1 });
    expect(pausesOf(one)).toEqual([{ origin: note.origin, timeLeft: 4_000 }]);
    channel.send({ ...note, retryAfter: 5_000 });
    expect(pausesOf(one)).toEqual([{ origin: note.origin, timeLeft: 5_000 }]);
  });

  const throwing = new Proxy({}, { get: () => { throw new Error('trap'); } });
  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a string', 'retry-after: 30'],
    ['an array', [note]],
    ['another version', { ...note, 'axios-jitter': 2 }],
    ['the version as text', { ...note, 'axios-jitter': '1' }],
    ['no version', { origin: note.origin, retryAfter: 1 }],
    ['no origin', { ...note, origin: undefined }],
    ['an origin that is no string', { ...note, origin: 7 }],
    ['an origin of 1,025 characters', { ...note, origin: 'x'.repeat(1_025) }],
    ['no time', { ...note, retryAfter: undefined }],
    ['0', { ...note, retryAfter: 0 }],
    ['a negative time', { ...note, retryAfter: -1 }],
    ['NaN', { ...note, retryAfter: NaN }],
    ['Infinity', { ...note, retryAfter: Infinity }],
    ['a time as text', { ...note, retryAfter: '1000' }],
    ['nothing left', { ...note, left: 0 }],
    ['null left', { ...note, left: null }],
    ['NaN left', { ...note, left: NaN }],
    ['what throws when it is read', throwing],
    ['a getter that throws', { ...note, get origin() { throw new Error('trap'); } }],
  ])('nothing of %s, and no listener throws', (_what, data) => {
    const channel = handMade();
    const one = clientOf(channel);
    expect(() => channel.send(data)).not.toThrow();
    for (const listener of channel.listeners) {
      expect(() => listener(data)).not.toThrow();
      expect(() => listener(undefined)).not.toThrow();
    }
    expect(pausesOf(one)).toEqual([]);
  });

  it('no more than 1,000 origins', () => {
    const channel = handMade();
    const one = clientOf(channel);
    for (let i = 0; i < 3_000; i++) channel.send({ ...note, origin: `http://${i}.example` });
    expect(pausesOf(one)).toHaveLength(1_000);
  });
});

describe('the listener', () => {
  it('is one, and goes with detach', () => {
    const channel = handMade();
    const { handle } = clientOf(channel);
    expect(channel.listeners.size).toBe(1);
    handle.detach();
    expect(channel.listeners.size).toBe(0);
  });

  it('goes when a later attachRetry replaces it, also by one on the same channel', () => {
    const [first, second] = [handMade(), handMade()];
    const one = clientOf(first);
    attachRetry(one.api, { shareRetryAfter: true, retryAfterChannel: second });
    expect([first.listeners.size, second.listeners.size]).toEqual([0, 1]);
    attachRetry(one.api, { shareRetryAfter: true, retryAfterChannel: second });
    expect(second.listeners.size).toBe(1);
  });

  it.each<[string, object]>([
    ['a wrong option', { retries: -1 }],
    ['an unknown option', { retrys: 1 }],
    ['no shareRetryAfter', { shareRetryAfter: undefined }],
    ['shareRetryAfter: false', { shareRetryAfter: false }],
  ])('is not left behind by %s', (_what, wrong) => {
    const channel = handMade();
    expect(() => attachRetry(axios.create(), { shareRetryAfter: 'all', retryAfterChannel: channel, ...wrong })).toThrow();
    expect(channel.listeners.size).toBe(0);
  });

  it('is taken away from a channel that fails then: detach does its work all the same', () => {
    const channel = { ...handMade(), removeEventListener: () => { throw new Error('closed'); } };
    const { api, handle } = clientOf(channel);
    handle.detach();
    const handlers: unknown[] = [];
    (api.interceptors.response as unknown as { forEach(visit: (handler: unknown) => void): void }).forEach((handler) => handlers.push(handler));
    expect(handlers).toEqual([]);
  });
});

describe('refused is', () => {
  const message = (came: string): TypeError =>
    new TypeError(`axios-jitter: option "retryAfterChannel" must be a channel with postMessage, addEventListener and removeEventListener; got ${came}`);

  it.each<[string, unknown, string]>([
    ['a name', 'payments', "'payments'"],
    ['null', null, 'null'],
    ['true', true, 'true'],
    ['half a channel', { postMessage: () => undefined }, '{ postMessage }'],
  ])('what is no channel: %s', (_what, retryAfterChannel, came) => {
    expect(() => attachRetry(axios.create(), { shareRetryAfter: 'all', retryAfterChannel: retryAfterChannel as never })).toThrow(message(came));
  });

  it.each([undefined, false])('a channel beside shareRetryAfter: %s', (shareRetryAfter) => {
    expect(() => attachRetry(axios.create(), { retryAfterChannel: handMade(), shareRetryAfter })).toThrow(
      new TypeError(`axios-jitter: option "retryAfterChannel" needs shareRetryAfter: true or 'all' beside it; got ${shareRetryAfter}`),
    );
  });

  it('one in a request, before anything is sent', async () => {
    const service = await startService(answers(200));
    const { api } = client({ shareRetryAfter: 'all' });
    const error = await rejection(api.get(service.url, { retry: { retryAfterChannel: handMade() } as object }));
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toContain('option "retryAfterChannel" (GET');
    expect((error as Error).message).toContain('can only be passed to attachRetry');
    expect(service.received).toEqual([]);
  });

  it('one in instance.defaults', async () => {
    const service = await startService(answers(200));
    const { api } = client({ shareRetryAfter: 'all' });
    Object.assign(api.defaults, { retry: { retryAfterChannel: handMade() } });
    expect(await rejection(api.get(service.url))).toBeInstanceOf(TypeError);
    expect(service.received).toEqual([]);
  });

  it('nothing where it is undefined', () => {
    expect(() => attachRetry(axios.create(), { retryAfterChannel: undefined })).not.toThrow();
  });
});

it('an answer that asks for more than maxRetryAfter is told, though its own call ends', async () => {
  const channel = handMade();
  const service = await startService(answers(refuse(90_000)));
  const one = clientOf(channel, { retries: 3 });
  expect(getRetryReport(await rejection(one.api.get(service.url)))?.reason).toBe('retry-after');
  expect(channel.notes).toHaveLength(1);
});
