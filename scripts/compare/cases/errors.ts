/** What the caller and the hooks see. */
import { Agent } from 'node:http';
import axios from 'axios';
import { ended, requests, times, type Scenario, type World } from '../scenario';
import { rest } from '../waits';

async function failure(world: World, policy = {}, config = {}): Promise<unknown> {
  return world
    .attached({ delay: 0, ...policy }, config)
    .get('/')
    .catch((error: unknown) => error);
}

async function realError(world: World): Promise<string> {
  world.service.answers(500, 502, { status: 503, body: '{"why":"busy"}' });
  const error = await failure(world, { retries: 2 });
  if (!(error instanceof axios.AxiosError)) return `not an AxiosError: ${String(error)}`;
  return `${error.response?.status} ${JSON.stringify(error.response?.data)}`;
}

/** What earlier attempts failed with, wherever the package keeps it. */
async function earlier(world: World): Promise<string> {
  world.service.answers(500, 502, 'reset', 503);
  const error = (await failure(world, { retries: 3 })) as {
    retry?: { history: { status?: number; code?: string }[] };
    config?: { raxConfig?: { errors?: { code?: string; response?: { status: number } }[] } };
  };
  const known = error.retry?.history ?? error.config?.raxConfig?.errors?.map(({ code, response }) => ({ status: response?.status, code }));
  return known?.map(({ status, code }) => status ?? code).join(', ') ?? 'not known';
}

async function serialised(world: World): Promise<string> {
  world.service.answers(500);
  const agent = new Agent({ keepAlive: true });
  const error = await failure(world, { retries: 3 }, { httpAgent: agent });
  agent.destroy();
  try {
    return JSON.stringify(error).length < 6_000 ? 'small' : `${JSON.stringify(error).length} characters`;
  } catch (reason) {
    return `throws ${(reason as Error).message.slice(0, 40)}`;
  }
}

async function hookThrows(world: World): Promise<string> {
  const { service, attached, unhandled } = world;
  service.answers(500, 200);
  const broken = (): never => {
    throw new Error('logger broke');
  };
  const end = await ended(attached({ delay: 0, onRetry: broken }).get('/'));
  await rest(20);
  return `${end}, ${unhandled.length} unhandled`;
}

async function conditionThrows({ service, attached }: World): Promise<string> {
  service.answers(500, 200);
  const shouldRetry = (): never => {
    throw new Error('broken');
  };
  return ended(attached({ delay: 0, shouldRetry }).get('/'));
}

async function gaveUp({ service, attached }: World, steps: readonly [number, ...number[]]): Promise<string> {
  service.answers(...steps);
  let told = 0;
  await ended(attached({ delay: 0, retries: 2, onGiveUp: () => void told++ }).get('/'));
  return `called ${times(told)}`;
}

async function numbers({ service, attached }: World): Promise<string> {
  service.answers(500);
  const seen: number[] = [];
  await ended(attached({ delay: 0, onRetry: (retry) => void seen.push(retry) }).get('/'));
  return seen.join(', ');
}

/** How many retries a success took, wherever the package tells. */
async function knownOnSuccess({ service, attached }: World): Promise<string> {
  service.answers(500, 500, 200);
  const response = (await attached({ delay: 0 }).get('/')) as unknown as {
    retry?: { attempts: number };
    config: { 'axios-retry'?: { retryCount?: number }; raxConfig?: { currentRetryAttempt?: number }; __retryAttempt?: number };
  };
  const { config } = response;
  const retries =
    (response.retry && response.retry.attempts - 1) ?? config['axios-retry']?.retryCount ?? config.raxConfig?.currentRetryAttempt ?? config.__retryAttempt;
  return `${retries ?? 'unknown number of'} retries`;
}

async function nothingHandled({ service, attached, unhandled }: World): Promise<string> {
  service.answers(500);
  const end = await ended(attached({ delay: 0, retries: 2 }).get('/'));
  await rest(20);
  return `${requests(service.count)}, ${end}, ${unhandled.length} unhandled`;
}

const noGiveUp = ['retry-axios'] as const;
export const errors: readonly Scenario[] = [
  { id: 'own', title: 'the caller gets the original error of the last attempt', right: '503 {"why":"busy"}', run: realError },
  { id: 'R65', title: 'what the earlier attempts failed with can be read', right: '500, 502, ECONNRESET, 503', run: earlier },
  { id: 'R67', title: '`JSON.stringify(error)` with a keep-alive agent', right: 'small', run: serialised },
  { id: 'R63', title: 'a retry hook throws; 500, then 200', right: '200, 0 unhandled', run: hookThrows },
  { id: 'R63', title: 'a condition that throws: the caller gets the real error', right: 'fails 500', run: conditionThrows },
  { id: 'R61', title: 'the hook for "no retry left" is called once', right: 'called once', noWay: noGiveUp, run: (world) => gaveUp(world, [500]) },
  { id: 'R61', title: 'the same for a failure that is not retried (404)', right: 'called once', noWay: noGiveUp, run: (world) => gaveUp(world, [404]) },
  { id: 'R61', title: 'not called when a retry succeeds', right: 'called 0 times', noWay: noGiveUp, run: (world) => gaveUp(world, [500, 200]) },
  { id: 'R82', title: 'hooks count the retries', right: '1, 2, 3', run: numbers },
  { id: 'R88', title: 'a success tells how many retries it took', right: '2 retries', run: knownOnSuccess },
  { id: 'R64', title: 'a failing call rejects once, and nothing else is unhandled', right: '3 requests, fails 500, 0 unhandled', run: nothingHandled },
];
