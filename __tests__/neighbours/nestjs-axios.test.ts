// @nestjs/axios: HttpService makes Observables of an instance's promises. It adds no interceptor, so the order makes no difference.
import 'reflect-metadata';
import { HttpModule, HttpService } from '@nestjs/axios';
import type { FactoryProvider, ValueProvider } from '@nestjs/common';
import type { AxiosInstance, AxiosRequestConfig, AxiosResponse } from 'axios';
import { firstValueFrom, map, retry as retryOperator, Subject, takeUntil, type Observable } from 'rxjs';
import { attachRetry, getRetryReport, type RetryOptions, type StopReason } from '../../lib/index';
import axios from '../helpers/axios';
import { holdSleep, instant, rejectionOf } from '../helpers/instant';
import { answers, startService, type Step } from '../helpers/local-service';
import { foreign, ORDERS, type Order } from '../helpers/orders';

/** HttpService with the types of this file's axios. */
interface Http {
  readonly axiosRef: AxiosInstance;
  get(url: string, config?: AxiosRequestConfig): Observable<AxiosResponse>;
  post(url: string, data?: unknown, config?: AxiosRequestConfig): Observable<AxiosResponse>;
}

async function setUp(order: Order, steps: readonly [Step, ...Step[]], options: RetryOptions = {}) {
  const service = await startService(answers(...steps));
  const api = axios.create({ baseURL: service.url });
  const attach = (instance: AxiosInstance) => attachRetry(instance, { ...instant, retries: 2, ...options });
  const before = order === 'before' ? attach(api) : undefined;
  const http = foreign<Http>(new HttpService(foreign(api)));
  return { service, http, retry: before ?? attach(http.axiosRef) };
}

/** What an Observable tells, in order. */
function listen(source: Observable<AxiosResponse>) {
  const told: unknown[] = [];
  let finish = (): void => undefined;
  const done = new Promise<void>((resolve) => (finish = resolve));
  const subscription = source.subscribe({
    next: ({ status }) => void told.push(`next ${status}`),
    error: (error) => { told.push(error); finish(); },
    complete: () => { told.push('complete'); finish(); },
  });
  return { told, done, subscription };
}

describe.each(ORDERS)('attached %s HttpService is made', (order) => {
  it('emits the final answer, once, and completes', async () => {
    const { service, http } = await setUp(order, [503, 503, 200]);
    const { told, done } = listen(http.get('/orders'));
    await done;
    expect(told).toEqual(['next 200', 'complete']);
    expect(service.received.map(({ method, path }) => `${method} ${path}`)).toEqual(Array.from({ length: 3 }, () => 'GET /orders'));
  });

  it('gives the very error of the last attempt, with its report', async () => {
    const { http } = await setUp(order, [503]);
    const { told, done } = listen(http.get('/'));
    await done;
    const [error] = told;
    expect(told).toHaveLength(1);
    expect(error).toMatchObject({ isAxiosError: true, response: { status: 503 } });
    expect(getRetryReport(error)).toMatchObject({ attempts: 3, reason: 'exhausted' });
    expect((error as { retry?: unknown }).retry).toBe(getRetryReport(error));
  });

  it('gives the report of a call that recovered', async () => {
    const { http } = await setUp(order, [503, 200]);
    expect(getRetryReport(await firstValueFrom(http.get('/')))).toMatchObject({ attempts: 2, history: [{ status: 503 }] });
  });

  it('sends nothing before there is a subscriber, and a call per subscriber', async () => {
    const { service, http, retry } = await setUp(order, [503, 200]);
    const orders = http.get('/').pipe(map(({ data }) => data as unknown));
    expect(retry.stats().calls).toBe(0);
    expect([await firstValueFrom(orders), await firstValueFrom(orders)]).toEqual([{ status: 200 }, { status: 200 }]);
    expect(service.received).toHaveLength(3);
    expect(retry.stats()).toMatchObject({ calls: 2, attempts: 3 });
  });

  it('takes the options of a request', async () => {
    const { service, http } = await setUp(order, [503]);
    await rejectionOf(firstValueFrom(http.get('/', { retry: false })));
    await rejectionOf(firstValueFrom(http.post('/', {}, { retry: { retries: 1, idempotencyKey: 'k' } })));
    expect(service.received.map(({ method, headers }) => [method, headers['idempotency-key']])).toEqual([['GET', undefined], ['POST', 'k'], ['POST', 'k']]);
  });

  it('is multiplied by the retry operator of rxjs: each round is a call of its own', async () => {
    const { service, http, retry } = await setUp(order, [503]);
    await rejectionOf(firstValueFrom(http.get('/').pipe(retryOperator(1))));
    expect(service.received).toHaveLength(6);
    expect(retry.stats()).toMatchObject({ calls: 2, gaveUp: { exhausted: 2 } });
  });

  it.each(['unsubscribe', 'takeUntil'] as const)('ends the wait at %s: no further request', async (way) => {
    const held = holdSleep();
    const gaveUp = withReason();
    const { service, http, retry } = await setUp(order, [503], { sleep: held.sleep, onGiveUp: gaveUp.observe });
    const stop = new Subject<void>();
    const { told, subscription } = listen(http.get('/').pipe(takeUntil(stop)));
    await held.begun;
    if (way === 'unsubscribe') subscription.unsubscribe();
    else stop.next();
    expect(await gaveUp.reason).toBe('aborted');
    held.release();
    expect(told).toEqual(way === 'unsubscribe' ? [] : ['complete']);
    expect(service.received).toHaveLength(1);
    expect(retry.stats()).toMatchObject({ waiting: 0, retries: 0 });
  });

  it('does not end the wait of a stream request: HttpService cancels none of those', async () => {
    const held = holdSleep();
    let recover = (): void => undefined;
    const recovered = new Promise<void>((resolve) => (recover = resolve));
    const { service, http } = await setUp(order, [503, 200], { sleep: held.sleep, onRecover: () => recover() });
    const { subscription } = listen(http.get('/', { responseType: 'stream' }));
    await held.begun;
    subscription.unsubscribe();
    held.release();
    await recovered;
    expect(service.received).toHaveLength(2);
  });

  it('ends the wait of a stream request by a signal', async () => {
    const held = holdSleep();
    const { service, http } = await setUp(order, [503, 200], { sleep: held.sleep });
    const caller = new AbortController();
    const { told, done } = listen(http.get('/', { responseType: 'stream', signal: caller.signal }));
    await held.begun;
    caller.abort();
    await done;
    expect(told).toMatchObject([{ code: 'ERR_CANCELED' }]);
    expect(service.received).toHaveLength(1);
  });
});

function withReason() {
  let tell = (_: StopReason | undefined): void => undefined;
  const reason = new Promise<StopReason | undefined>((resolve) => (tell = resolve));
  return { reason, observe: (event: { reason?: StopReason | undefined }) => tell(event.reason) };
}

describe('HttpModule', () => {
  it('register passes `retry` on to the instance it makes', async () => {
    const service = await startService(answers(503));
    const config: AxiosRequestConfig = { baseURL: service.url, retry: 1 };
    const { providers = [] } = HttpModule.register(foreign(config));
    const http = foreign<Http>(new HttpService((providers[0] as ValueProvider).useValue));
    attachRetry(http.axiosRef, instant);
    expect(getRetryReport(await rejectionOf(firstValueFrom(http.get('/'))))).toMatchObject({ attempts: 2, reason: 'exhausted' });
    expect(service.received).toHaveLength(2);
  });

  it('registerAsync does, too', async () => {
    const service = await startService(answers(503, 200));
    const { providers = [] } = HttpModule.registerAsync({ useFactory: () => ({ baseURL: service.url }) });
    const [options, instance] = providers as [FactoryProvider, FactoryProvider];
    const api: unknown = await instance.useFactory(await options.useFactory());
    const http = foreign<Http>(new HttpService(api as never));
    attachRetry(http.axiosRef, instant);
    await expect(firstValueFrom(http.get('/'))).resolves.toMatchObject({ status: 200 });
    expect(service.received).toHaveLength(2);
  });

  it('without register hands out the global axios: detach takes the plugin off it', async () => {
    const service = await startService(answers(503));
    const http = foreign<Http>(new HttpService());
    expect(http.axiosRef).toBe(axios);
    const retry = attachRetry(http.axiosRef, { ...instant, retries: 1 });
    await rejectionOf(axios.get(service.url));
    retry.detach();
    await rejectionOf(axios.get(service.url));
    expect(service.received).toHaveLength(3);
  });
});
