import { BREAK, client } from '../../helpers/circuit';
import { answers, rejection, startService } from '../../helpers/local-service';
import { fakeClocks, until } from '../../helpers/virtual-time';

describe('what never opens it', () => {
  it.each([404, 401, 408, 425, 429])('R103: 40 answers of %d', async (status) => {
    const service = await startService(answers(status));
    const { api, breakers, changes } = client({ minimumAttempts: 1, threshold: 0.01 });
    for (let i = 0; i < 40; i++) await rejection(api.get(service.url, { retry: 0 }));
    expect(service.received).toHaveLength(40);
    expect(breakers.state(service.url)).toBe('closed');
    expect(changes).toEqual([]);
  });

  it('calls that their callers cancel', async () => {
    const service = await startService(answers('hang'));
    const { api, breakers } = client({ minimumAttempts: 1, threshold: 0.01 });
    for (let i = 1; i <= 5; i++) {
      const gone = new AbortController();
      const call = rejection(api.get(service.url, { signal: gone.signal }));
      await until(() => service.received.length === i);
      gone.abort();
      await call;
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(breakers.state(service.url)).toBe('closed');
  });
});

describe('what opens it', () => {
  it('statuses from 500 that the caller accepts', async () => {
    const service = await startService(answers(501));
    const { api, breakers } = client();
    for (let i = 0; i < 3; i++) await api.get(service.url, { validateStatus: () => true });
    expect(breakers.state(service.url)).toBe('open');
  });

  it('timeouts', async () => {
    const service = await startService(answers('hang'));
    const { api, breakers, handle } = client();
    await rejection(api.get(service.url, { timeout: 20 }));
    // Counted when they leave: a busy machine may not have read them by then.
    expect(handle.stats().attempts).toBe(3);
    expect(breakers.state(service.url)).toBe('open');
  });

  it('attempts that the deadline of their call cuts off', async () => {
    const service = await startService(answers('hang'));
    const { api, breakers, handle } = client();
    for (let i = 0; i < 3; i++) {
      const error = await rejection(api.get(service.url, { retry: { totalTimeout: 20 } }));
      expect(error).toMatchObject({ code: 'ECONNABORTED', message: 'totalTimeout of 20ms exceeded', config: { url: service.url } });
    }
    expect(handle.stats().attempts).toBe(3);
    expect(breakers.state(service.url)).toBe('open');
  });

  it('connections that nobody accepts', async () => {
    const { api, breakers } = client();
    await rejection(api.get('http://127.0.0.1:1/'));
    expect(breakers.state('http://127.0.0.1:1')).toBe('open');
  });
});

describe('onStateChange', () => {
  it('is told of the origin and of each change, in order', async () => {
    const clock = fakeClocks();
    const service = await startService(answers(500, 500, 500, 503, 200));
    const onStateChange = jest.fn();
    const { api } = client({ onStateChange });
    await rejection(api.get(service.url));
    clock.advance(BREAK);
    await rejection(api.get(service.url));
    clock.advance(2 * BREAK);
    await api.get(service.url);
    const states = ['open', 'half-open', 'open', 'half-open', 'closed'];
    expect(onStateChange.mock.calls).toEqual(states.map((state) => [service.url, state]));
  });

  it('changes no outcome by throwing, which is reported', async () => {
    const clock = fakeClocks();
    const report = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const service = await startService(answers(500, 500, 500, 200));
    const broken = new Error('logger broke');
    const { api, breakers } = client({
      onStateChange: () => {
        throw broken;
      },
    });
    const error = await rejection(api.get(service.url));
    expect(error).toMatchObject({ response: { status: 500 } });
    clock.advance(BREAK);
    expect((await api.get(service.url)).status).toBe(200);
    expect(breakers.state(service.url)).toBe('closed');
    expect(report.mock.calls.map((args) => args.includes(broken))).toEqual([true, true, true]);
  });
});
