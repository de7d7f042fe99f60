/** One case, told once and run against each package. */
import axios, { isAxiosError, isCancel, type AxiosInstance, type CreateAxiosDefaults } from 'axios';
import { Service } from './service';
import type { Policy, Subject, SubjectName } from './subjects';
import { realSetTimeout, Waits } from './waits';

/** What a scenario acts in: made anew for each package. */
export interface World {
  readonly subject: Subject;
  readonly service: Service;
  readonly waits: Waits;
  /** Rejections that nobody handled. */
  readonly unhandled: unknown[];
  /** A new instance for the service, with the package attached. */
  attached(policy?: Policy, config?: CreateAxiosDefaults): AxiosInstance;
  /** A new instance for the service, without. */
  bare(config?: CreateAxiosDefaults): AxiosInstance;
}

export interface Scenario {
  /** An id of the public reports (R…), of a fault (S…, F…), or `own`. */
  readonly id: string;
  /** The situation, as a user would tell it. */
  readonly title: string;
  /** What is right; a package that comes to the same words is right. */
  readonly right: string;
  /** Packages that have no way to say what the case asks for. */
  readonly noWay?: readonly SubjectName[];
  readonly run: (world: World) => Promise<string>;
}

export interface Cell {
  readonly verdict: 'right' | 'wrong' | 'no way';
  /** What happened. */
  readonly what: string;
}

const HANGS_AFTER = 4_000;

/** How a call ended, in a word. */
export async function ended(call: Promise<unknown>): Promise<string> {
  try {
    const value = await call;
    const status = (value as { status?: unknown } | undefined)?.status;
    return typeof status === 'number' ? String(status) : `resolves ${JSON.stringify(value)}`;
  } catch (error) {
    return rejectedWith(error);
  }
}

function rejectedWith(error: unknown): string {
  if (isCancel(error)) return 'cancelled';
  if (isAxiosError(error)) return error.response ? `fails ${error.response.status}` : `fails ${error.code ?? 'without code'}`;
  return `fails "${error instanceof Error ? error.message : String(error)}"`;
}

export const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
export const requests = (count: number): string => plural(count, 'request');
/** `ran once`, `ran 3 times`. */
export const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** `3 requests, 200`: how often the service was asked, and how the call ended. */
export async function counted({ service }: World, call: Promise<unknown>): Promise<string> {
  const end = await ended(call);
  return `${requests(service.count)}, ${end}`;
}

async function unlessHung(work: Promise<string>, service: Service): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<string>((resolve) => {
    timer = realSetTimeout(() => resolve(`${requests(service.count)}, hangs`), HANGS_AFTER);
  });
  const result = await Promise.race([work, hung]);
  clearTimeout(timer);
  return result;
}

/** Runs a case against a package. */
export async function play(scenario: Scenario, subject: Subject): Promise<Cell> {
  if (scenario.noWay?.includes(subject.name)) return { verdict: 'no way', what: '' };
  const service = await Service.start();
  const waits = new Waits();
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);
  const detachers: (() => void)[] = [];
  const bare = (config: CreateAxiosDefaults = {}): AxiosInstance => axios.create({ baseURL: service.url, proxy: false, ...config });
  // What is left attached would go on in the next case.
  const attach = (api: AxiosInstance, policy: Policy): (() => void) => {
    const detach = subject.attach(api, policy);
    detachers.push(detach);
    return detach;
  };
  const attached = (policy: Policy = {}, config: CreateAxiosDefaults = {}): AxiosInstance => {
    const api = bare(config);
    attach(api, policy);
    return api;
  };
  process.on('unhandledRejection', note);
  waits.install();
  try {
    const run = scenario.run({ subject: { ...subject, attach }, service, waits, unhandled, attached, bare }).catch((error: unknown) => `the case itself failed: ${String(error)}`);
    const what = await unlessHung(run, service);
    return { verdict: what === scenario.right ? 'right' : 'wrong', what };
  } finally {
    for (const detach of detachers) detach();
    Waits.uninstall();
    process.off('unhandledRejection', note);
    await service.stop();
  }
}
