import axios from '../../helpers/axios';
import { BREAK, client, openCircuit } from '../../helpers/circuit';
import { answers, rejection, startService, type Answer } from '../../helpers/local-service';
import { fakeClocks, until } from '../../helpers/virtual-time';
import type { CircuitBreakerOptions } from '../../../lib/cockatiel';
import { attachRetry, getRetryReport } from '../../../lib/index';

it('R100: counts attempts, ends the call that opens it with its last HTTP error, and refuses the next at once', async () => {
  fakeClocks();
  const service = await startService(answers(500));
  const { api, breakers, delays } = client({}, { retries: 5 });
  const error = await rejection(api.get(service.url));
  expect(error).toMatchObject({ code: 'ERR_BAD_RESPONSE', response: { status: 500 } });
  expect(getRetryReport(error)).toMatchObject({ reason: 'circuit-open', attempts: 3 });
  expect(service.received).toHaveLength(3);
  expect(breakers.state(service.url)).toBe('open');
  const waits = delays.length;
  const refused = await rejection(api.get(service.url, { retry: { shouldRetry: () => true } }));
  expect(refused).toMatchObject({ code: 'ERR_CIRCUIT_OPEN' });
  expect(getRetryReport(refused)).toMatchObject({ reason: 'circuit-open', attempts: 0 });
  expect(service.received).toHaveLength(3);
  expect(delays).toHaveLength(waits);
});

describe('while it is open', () => {
  it('fails fast with origin and time left', async () => {
    const clock = fakeClocks();
    const service = await startService(answers(500));
    const one = client();
    await openCircuit(one, service);
    clock.advance(500);
    const error = await rejection(one.api.get(service.url));
    expect(error).toMatchObject({
      code: 'ERR_CIRCUIT_OPEN',
      message: `the circuit breaker of ${service.url} is open, 1500 ms left`,
      cause: { timeLeft: 1_500 },
    });
    expect((error as Error).cause).toBeInstanceOf(Error);
    expect(service.received).toHaveLength(0);
  });

  it('leaves other origins alone', async () => {
    fakeClocks();
    const [a, b] = [await startService(answers(500)), await startService(answers(200))];
    const one = client();
    await openCircuit(one, a);
    expect((await one.api.get(b.url)).status).toBe(200);
    expect([one.breakers.state(a.url), one.breakers.state(b.url)]).toEqual(['open', 'closed']);
  });

  it('R103: blocks the neighbours at its origin, unless the key is finer', async () => {
    fakeClocks();
    const service = await startService(({ path }, response) => void response.writeHead(path === '/a' ? 500 : 200).end());
    const byOrigin = client();
    await rejection(byOrigin.api.get(`${service.url}/a`));
    expect(await rejection(byOrigin.api.get(`${service.url}/b`))).toMatchObject({ code: 'ERR_CIRCUIT_OPEN' });
    const byPath = client({}, { origin: ({ url = '' }) => url });
    await rejection(byPath.api.get(`${service.url}/a`));
    expect(await rejection(byPath.api.get(`${service.url}/a`))).toMatchObject({ code: 'ERR_CIRCUIT_OPEN' });
    expect((await byPath.api.get(`${service.url}/b`)).status).toBe(200);
  });

  it('R102: reads half-open by the clock, without a call', async () => {
    const clock = fakeClocks();
    const service = await startService(answers(500));
    const one = client();
    await openCircuit(one, service);
    clock.advance(BREAK - 1);
    expect(one.breakers.state(service.url)).toBe('open');
    clock.advance(1);
    expect(one.breakers.state(service.url)).toBe('half-open');
    // Nothing has happened yet.
    expect(one.changes).toEqual(['open']);
  });
});

describe('after the break', () => {
  async function broken(settings: CircuitBreakerOptions = {}) {
    const clock = fakeClocks();
    const service = await startService(answers(500));
    const one = client(settings);
    await openCircuit(one, service);
    clock.advance(BREAK);
    return { ...one, clock, service, origin: service.url };
  }

  it('R98: sends exactly one of ten calls that come together, and refuses nine at once', async () => {
    const { api, service } = await broken();
    const held: (() => void)[] = [];
    service.answer = (_request, response) => void held.push(() => response.end('{}'));
    const settled: string[] = [];
    const calls = Array.from({ length: 10 }, () =>
      api.get(service.url).then(
        () => settled.push('sent'),
        (error: { code?: string }) => settled.push(String(error.code)),
      ),
    );
    await until(() => settled.length === 9 && held.length > 0);
    expect(settled).toEqual(Array<string>(9).fill('ERR_CIRCUIT_OPEN'));
    held[0]?.();
    await Promise.all(calls);
    expect(settled.at(-1)).toBe('sent');
    expect(service.received).toHaveLength(1);
  });

  it('R101: closes with one good probe: no number of probes can lock it open', async () => {
    const { api, breakers, changes, service, origin } = await broken();
    service.answer = answers(200);
    expect((await api.get(service.url)).status).toBe(200);
    expect(breakers.state(origin)).toBe('closed');
    expect(changes).toEqual(['open', 'half-open', 'closed']);
  });

  it('counts anew once it has closed', async () => {
    const { api, breakers, service, origin } = await broken();
    service.answer = answers(200, 500);
    await api.get(service.url);
    for (let i = 0; i < 2; i++) await rejection(api.get(service.url, { retry: 0 }));
    expect(breakers.state(origin)).toBe('closed');
  });

  it.each([404, 429, 401])('closes when the probe is answered with %d: the origin is there', async (status) => {
    const { api, breakers, service, origin } = await broken();
    service.answer = answers(status);
    expect(await rejection(api.get(service.url, { retry: 0 }))).toMatchObject({ response: { status } });
    expect(breakers.state(origin)).toBe('closed');
  });

  it.each(['drop', 503] as const)('opens again, for twice as long, when the probe fails with %s', async (step) => {
    const { api, breakers, changes, clock, service, origin } = await broken();
    service.answer = answers(step);
    const error = await rejection(api.get(service.url));
    expect(error).toMatchObject(step === 'drop' ? { code: 'ECONNRESET' } : { response: { status: 503 } });
    expect(getRetryReport(error)).toMatchObject({ reason: 'circuit-open', attempts: 1 });
    expect(service.received).toHaveLength(1);
    clock.advance(2 * BREAK - 1);
    expect(breakers.state(origin)).toBe('open');
    clock.advance(1);
    expect(breakers.state(origin)).toBe('half-open');
    expect(changes).toEqual(['open', 'half-open', 'open']);
  });

  it('frees the place of a probe that is cancelled, and keeps the length of the break', async () => {
    const { api, breakers, clock, service, origin } = await broken();
    service.answer = answers('hang');
    const gone = new AbortController();
    const probe = rejection(api.get(service.url, { signal: gone.signal }));
    await until(() => service.received.length === 1);
    expect(await rejection(api.get(service.url))).toMatchObject({ code: 'ERR_CIRCUIT_OPEN' });
    gone.abort();
    expect(axios.isCancel(await probe)).toBe(true);
    await until(() => breakers.state(origin) === 'half-open');
    service.answer = answers(500);
    await rejection(api.get(service.url));
    expect(service.received).toHaveLength(2);
    clock.advance(2 * BREAK - 1);
    expect(breakers.state(origin)).toBe('open');
    clock.advance(1);
    expect(breakers.state(origin)).toBe('half-open');
  });

  it('frees the place of a probe that is cancelled under an adapter that knows no signals', async () => {
    const { api, service } = await broken();
    const gone = new AbortController();
    const adapter = jest.fn(() => new Promise<never>(() => undefined));
    const probe = rejection(api.get(service.url, { signal: gone.signal, adapter }));
    await until(() => adapter.mock.calls.length === 1);
    gone.abort();
    await probe;
    service.answer = answers(200);
    await new Promise((resolve) => setImmediate(resolve));
    expect((await api.get(service.url)).status).toBe(200);
  });

  it('frees the place of a probe that never was a request', async () => {
    const { api, breakers, service, origin } = await broken();
    const adapter = (): Promise<never> => Promise.reject(new Error('broken adapter'));
    expect(await rejection(api.get(service.url, { adapter }))).toMatchObject({ message: 'broken adapter' });
    expect(breakers.state(origin)).toBe('half-open');
    service.answer = answers(200);
    expect((await api.get(service.url)).status).toBe(200);
  });

  it.each([
    ['a failure', 500, 'half-open'],
    ['a success', 200, 'half-open'],
  ])('does not count %s of a request that was sent before the break', async (_name, status, state) => {
    const clock = fakeClocks();
    const service = await startService(answers('hang'));
    const one = client();
    let answerLate = (_status: number): void => undefined;
    service.answer = (_request, response) => void (answerLate = (late) => response.writeHead(late).end('{}'));
    const early = one.api.get(service.url, { retry: 0, validateStatus: () => true });
    await until(() => service.received.length === 1);
    const answer = answerLate;
    await openCircuit(one, service);
    clock.advance(BREAK);
    const changes = [...one.changes];
    answer(status);
    expect((await early).status).toBe(status);
    expect(one.breakers.state(service.url)).toBe(state);
    expect(one.changes).toEqual(changes);
  });

  it('does not let a late failure end the probe of another', async () => {
    const clock = fakeClocks();
    const service = await startService(answers('hang'));
    const one = client();
    const held: ((status: number) => void)[] = [];
    const hold: Answer = (_request, response) => void held.push((status) => response.writeHead(status).end('{}'));
    service.answer = hold;
    const early = rejection(one.api.get(service.url, { retry: 0 }));
    await until(() => held.length === 1);
    await openCircuit(one, service);
    clock.advance(BREAK);
    service.answer = hold;
    const probe = one.api.get(service.url);
    await until(() => held.length === 2);
    held[0]?.(500);
    await early;
    expect(one.changes).toEqual(['open', 'half-open']);
    held[1]?.(200);
    expect((await probe).status).toBe(200);
    expect(one.breakers.state(service.url)).toBe('closed');
  });

  it('does not count a failure of a request that was sent before the break once it has closed', async () => {
    const clock = fakeClocks();
    const service = await startService(answers('hang'));
    const one = client({ minimumAttempts: 2, threshold: 0.5 });
    const late: (() => void)[] = [];
    service.answer = (_request, response) => void late.push(() => response.writeHead(500).end('{}'));
    const early = [1, 2, 3].map(() => rejection(one.api.get(service.url, { retry: 0 })));
    await until(() => late.length === 3);
    await openCircuit(one, service);
    clock.advance(BREAK);
    service.answer = answers(404);
    await rejection(one.api.get(service.url));
    expect(one.breakers.state(service.url)).toBe('closed');
    for (const answer of late) answer();
    await Promise.all(early);
    expect(one.breakers.state(service.url)).toBe('closed');
  });
});

it('is one circuit for all instances that share it', async () => {
  fakeClocks();
  const service = await startService(answers(500));
  const one = client();
  const other = axios.create();
  attachRetry(other, { circuitBreaker: one.breakers });
  await rejection(one.api.get(service.url));
  expect(await rejection(other.get(service.url))).toMatchObject({ code: 'ERR_CIRCUIT_OPEN' });
});
