import * as diagnosticsChannel from 'node:diagnostics_channel';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { format } from 'node:util';

import axios from 'axios';
import CircuitBreaker from 'opossum';
import * as promClient from 'prom-client';

import * as cockatielSubpath from '../../lib/cockatiel';
import * as diagnosticsSubpath from '../../lib/diagnostics';
import * as explainSubpath from '../../lib/explain';
import * as openTelemetrySubpath from '../../lib/opentelemetry';
import * as prometheusSubpath from '../../lib/prometheus';
import * as simulateSubpath from '../../lib/simulate';
import * as core from '../../lib/index';
import { DEFAULTS, resolveOptions } from '../../lib/options/resolve';
import { RULES } from '../../lib/options/rules';
import { MEASURES } from '../../lib/telemetry/measures';
import packageJson from '../../package.json';
import nock from '../helpers/nock';
import { blocksOf, codesIn, headingsOf, pages, readme, root, tableOf } from '../helpers/readme';
import { runBlock, typeErrors } from '../helpers/run-block';

/** The pages whose code is run here; the others have tests of their own. */
const tested = ['README.md', 'docs/recipes.md', 'docs/protecting.md', 'docs/observing.md', 'docs/browser.md', 'docs/testing.md', 'docs/planner.md'];
const blocks = tested.flatMap(blocksOf);

const { attachRetry, RetryBudget } = core;

/** What the blocks may use without declaring it: types here, values in `preludeValues`. */
const prelude = `
  declare const api: import('axios').AxiosInstance;
  declare const order: { id: number };
  declare const payment: { amount: number };
  declare const file: string;
  declare function fetchToken(): Promise<string>;
  declare module '@nestjs/axios' {
    export class HttpModule {}
    export class HttpService { readonly axiosRef: import('axios').AxiosInstance }
  }
  declare module '@nestjs/common' {
    export function Module(metadata: { imports?: unknown[]; exports?: unknown[] }): ClassDecorator;
    export interface OnModuleInit { onModuleInit(): unknown }
  }
`;

const subscribed: (() => unknown)[] = [];
/** Taken back after each block: all test files of a process share the channels. */
function subscribe(name: string, listener: diagnosticsChannel.ChannelListener): void {
  diagnosticsChannel.subscribe(name, listener);
  subscribed.push(() => diagnosticsChannel.unsubscribe(name, listener));
}

const modules = {
  axios,
  'axios-jitter': core,
  'axios-jitter/cockatiel': cockatielSubpath,
  'axios-jitter/simulate': simulateSubpath,
  'axios-jitter/diagnostics': diagnosticsSubpath,
  'axios-jitter/explain': explainSubpath,
  'axios-jitter/opentelemetry': openTelemetrySubpath,
  'axios-jitter/prometheus': prometheusSubpath,
  nock,
  opossum: CircuitBreaker,
  'prom-client': promClient,
  'node:diagnostics_channel': { subscribe },
  'node:fs': jest.requireActual<object>('node:fs'),
  '@nestjs/axios': { HttpModule: class {}, HttpService: class {} },
  '@nestjs/common': { Module: () => () => undefined },
};

type Headers = Record<string, string | undefined>;
interface Request {
  readonly headers: Headers;
  readonly body: unknown;
}
interface Run {
  readonly requests: readonly Request[];
  /** Lines of the block's console. */
  readonly printed: readonly string[];
  /** The methods of the console that wrote them. */
  readonly printedBy: readonly string[];
  readonly exported: Readonly<Record<string, unknown>>;
  /** The tests that the block declares, each with what it wants to be run before and after it. */
  readonly tests: readonly { readonly name: string; run(): Promise<void> }[];
}
/** A request that must come, in this order, and its answer: a status, or the code of an error. */
type Step = readonly [request: string, answer: number | string, data?: unknown, headers?: Record<string, string>];
interface Script {
  readonly steps: readonly Step[];
  check?(run: Run): unknown;
}

const header = (run: Run, name: string): (string | undefined)[] => run.requests.map(({ headers }) => headers[name]);
const stripTimes = (text: string): string => text.replaceAll(/elapsed=\d+ms/g, 'elapsed=…');
const sample = (name: string): string => blocks.find((block) => block.name === name)?.code.trim() ?? '';
const squeeze = (text: string): string => text.replaceAll(/\s+/g, ' ');
const recovering = (request: string): Step[] => [
  [request, 503],
  [request, 200],
];

/** One script per `ts` block. A request that is missing or too many fails the test. */
const scripts: Readonly<Record<string, Script>> = {
  'Five lines 1': { steps: recovering('GET /orders') },
  'Five lines 2': {
    steps: recovering('GET /orders'),
    check: (run) => {
      expect(header(run, 'authorization')).toEqual(['Bearer token 1', 'Bearer token 2']);
      expect(run.printed).toEqual([expect.stringMatching(/^axios-jitter retry GET/), expect.stringMatching(/^axios-jitter recover GET/)]);
    },
  },
  'Per request 1': {
    steps: [
      ...Array.from({ length: 5 }, (): Step => ['GET /report', 503]),
      ['GET /report', 200],
      ...recovering('GET /report'),
      ['POST /orders', 503],
      ['POST /orders', 201],
      ['GET /health', 200],
    ],
    check: ({ printed }) => expect(printed.join()).toContain('calls: 3, attempts: 10, retries: 7, recovered: 3'.replaceAll(', ', ',\n  ')),
  },
  'Five recipes 1': {
    steps: [
      ...recovering('GET /search'),
      ...recovering('GET /export'),
      ...recovering('POST /charges'),
      ['POST /completions', 429, { retry_after: 1.2 }],
      ['POST /completions', 200],
      ['GET /jobs/7', 200, { state: 'running' }],
      ['GET /jobs/7', 200, { state: 'done' }],
    ],
  },
  'Layers 2': {
    steps: [['GET /orders', 503], ...recovering('GET /orders')],
    check: (run) => {
      expect(header(run, 'x-request-number')).toEqual(['1', '2', '3']);
      expect(run.printed).toEqual(['{ requests: 3, results: 1 }']);
    },
  },
  'A token per attempt, and a new one after 401 1': {
    steps: [
      ['GET /orders', 401],
      ['GET /orders', 503],
      ['GET /orders', 200],
      ['GET /orders', 401],
      ['GET /orders', 503],
      ['GET /orders', 401],
    ],
    check: (run) => {
      expect(header(run, 'authorization')).toEqual([1, 2, 2, 2, 3, 3].map((number) => `Bearer token ${number}`));
      expect(run.printed).toEqual(['3']);
    },
  },
  'Poll until done 1': {
    steps: [
      ['GET /jobs/7', 200, { state: 'running' }],
      ['GET /jobs/7', 200, { state: 'running' }],
      ['GET /jobs/7', 200, { state: 'done' }],
    ],
    check: ({ printed }) => expect(printed).toEqual(['done']),
  },
  'Upload a file 1': {
    steps: recovering('PUT /files/report.csv'),
    check: ({ requests }) => expect(requests.map(({ body }) => body)).toEqual(Array(2).fill(expect.stringContaining('MIT'))),
  },
  'Fail over to another host 1': {
    steps: [
      ['GET https://eu.example.com/orders', 'ECONNREFUSED'],
      ['GET https://us.example.com/orders', 503],
      ['GET https://eu.example.com/orders', 503],
      ['GET https://us.example.com/orders', 200],
    ],
  },
  'Payments: exactly one charge 1': {
    steps: [
      ['POST /charges', 503],
      ['POST /charges', 409],
      ['POST /charges', 201],
    ],
    check: (run) => {
      expect(header(run, 'idempotency-key')).toEqual(Array(3).fill('order-7'));
      expect(run.printed).toEqual(['201']);
    },
  },
  'Decide by the response 1': { steps: recovering('POST /search') },
  'Cancel 1': { steps: [], check: ({ printed }) => expect(printed).toEqual(['true']) },
  'Tests without waiting 1': {
    steps: [['GET /orders', 503], ...recovering('GET /orders')],
    check: ({ printed }) => expect(printed).toEqual(['[ 250, 500 ]']),
  },
  'A whole test file 1': {
    steps: [],
    check: async ({ tests }) => {
      expect(tests).toHaveLength(3);
      for (const { name, run } of tests) await expect(run().then(() => name)).resolves.toBe(name);
    },
  },
  'NestJS 1': {
    steps: recovering('GET /orders'),
    check: async ({ exported }) => {
      const http = { axiosRef: axios.create({ baseURL: 'https://api.example.com' }) };
      const ApiModule = exported['ApiModule'] as new (service: object) => { onModuleInit(): void };
      new ApiModule(http).onModuleInit();
      await http.axiosRef.get('/orders');
    },
  },
  'One origin per path or tenant 1': { steps: recovering('GET /search/books') },
  'Retry budget 1': {
    steps: recovering('GET /orders/7'),
    check: ({ printed }) => expect(printed).toEqual(['[]']),
  },
  'Circuit breaker 1': {
    steps: recovering('GET /orders'),
    check: ({ printed }) => expect(printed).toEqual(['closed']),
  },
  'Circuit breaker 2': { steps: recovering('GET /orders') },
  'Idempotency keys 1': {
    steps: [
      ['POST /orders', 'ECONNRESET'],
      ['POST /orders', 201],
    ],
    check: ({ printed }) => expect(printed).toEqual([expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)]),
  },
  'Shared Retry-After 1': {
    steps: [
      ['GET /orders/1', 200],
      ['GET /orders/2', 200],
    ],
  },
  'The set-up 1': { steps: recovering('GET /orders'), check: ({ printed }) => expect(printed).toHaveLength(2) },
  'Why was this call retried, or not? 1': {
    steps: [['POST /orders', 'ECONNRESET']],
    check: ({ printed }) => expect(printed.join().replace(/in \d+ ms/, 'in 4 ms')).toBe(sample('Why was this call retried, or not? 2')),
  },
  'Why was this call retried, or not? 3': {
    steps: [['GET /orders?customer=7', 404]],
    check: ({ printed }) => {
      const logged: unknown = JSON.parse(printed.join());
      expect(explainSubpath.explain(logged)).toMatch(/^GET https:\/\/api\.example\.com\/orders failed after 1 attempt in \d+ ms\.\nAttempt 1: status 404\./);
    },
  },
  'Diagnostics channels 1': {
    steps: recovering('GET /orders'),
    check: ({ printed }) => expect(printed.join().replace(/elapsed: \d+/, 'elapsed: 12')).toBe(sample('Diagnostics channels 2')),
  },
  'Metrics 1': {
    steps: recovering('GET /orders'),
    check: ({ printed }) => expect(printed.join()).toBe(sample('Metrics 2')),
  },
  'Try a policy on live traffic first 1': { steps: [['GET /orders', 503]], check: ({ printed }) => expect(printed).toEqual(['1']) },
  'Log lines 1': {
    steps: [
      ['GET /orders?customer=7', 503],
      ['GET /orders?customer=7', 'ECONNRESET'],
      ['GET /orders?customer=7', 429, '', { 'Retry-After': '1' }],
      ['GET /orders?customer=7', 200],
      ['GET /report', 503, '', { 'Retry-After': '3600' }],
    ],
    check: ({ printed, printedBy }) => {
      expect(printed.map(stripTimes)).toEqual(stripTimes(sample('Log lines 2')).split('\n'));
      expect(printedBy).toEqual(['warn', 'warn', 'warn', 'info', 'error']);
    },
  },
  'Events 1': {
    steps: recovering('GET /orders'),
    check: ({ printed }) =>
      expect(printed).toEqual(['attempt 1 failed (status), next in 250 ms', expect.stringMatching(/^attempt 2 succeeded after/)]),
  },
  'The report 1': {
    steps: [
      ['GET /orders', 503],
      ['GET /orders', 503],
      ['GET /orders', 'ECONNRESET'],
      ['GET /orders', 503],
    ],
    check: ({ printed }) => expect(squeeze(printed.join('\n'))).toBe(squeeze(sample('The report 2'))),
  },
  'In the browser 1': {
    steps: [
      ['GET /orders', 'ECONNRESET'],
      ['GET /orders', 200],
    ],
    check: ({ printed }) => expect(printed).toEqual(['waits for online']),
  },
  'From code 1': {
    steps: [],
    check: ({ printed }) => expect(printed).toEqual([expect.stringMatching(/^mine \d/), expect.stringMatching(/^full \d/)]),
  },
};

/** Blocks whose delays are not those of the test: they bring their own `sleep`. */
const waitThemselves = ['Tests without waiting 1'];

function expectRequest([request, answer, data, headers = {}]: Step, requests: Request[]): void {
  const [method = '', url = ''] = request.split(' ');
  const { origin, pathname, search } = new URL(url, 'https://api.example.com');
  const interceptor = nock(origin).intercept(`${pathname}${search}`, method);
  if (typeof answer === 'string') {
    interceptor.replyWithError(Object.assign(new Error(answer), { code: answer }));
    return;
  }
  interceptor.reply(function (_uri, body) {
    requests.push({ headers: this.req.headers as unknown as Headers, body });
    return [answer, (data ?? {}) as nock.Body, headers];
  });
}

const noWait = (): Promise<void> => Promise.resolve();

type Body = () => unknown;
/** jest's words, for a block that is a test file: what it declares is kept, and run by its script. */
function jestInBlock() {
  const before: Body[] = [];
  const after: Body[] = [];
  const tests: { name: string; run(): Promise<void> }[] = [];
  const run = async (body: Body): Promise<void> => {
    for (const step of before.splice(0)) await step();
    try {
      await body();
    } finally {
      for (const step of after) await step();
    }
  };
  const words = {
    beforeAll: (step: Body) => before.push(step),
    afterEach: (step: Body) => after.push(step),
    test: (name: string, body: Body) => tests.push({ name, run: () => run(body) }),
    expect,
  };
  return { tests, words };
}

describe('R118 the code of the README and the docs', () => {
  const tsBlocks = blocks.filter(({ language }) => language === 'ts');

  afterEach(() => {
    for (const takeBack of subscribed.splice(0)) takeBack();
    delete axios.defaults.retry;
  });

  it('compiles', () => {
    // Of all pages: a second program would take as long again.
    const elsewhere = ['docs/migrating.md', 'docs/beside.md', 'docs/fleet.md'].flatMap(blocksOf).filter(({ language }) => language === 'ts');
    expect(typeErrors([...tsBlocks, ...elsewhere], prelude)).toEqual([]);
  }, 120_000);

  it('has a script for every block', () => {
    expect(Object.keys(scripts).sort()).toEqual(tsBlocks.map(({ name }) => name).sort());
  });

  it.each(tsBlocks)('runs: $name', async (block) => {
    const { steps, check } = scripts[block.name] ?? { steps: [] };
    nock.disableNetConnect();
    const requests: Request[] = [];
    for (const step of steps) expectRequest(step, requests);
    // All instances that are made from here on: chance is fixed, and nothing waits.
    if (!waitThemselves.includes(block.name)) axios.defaults.retry = { random: () => 0.5, sleep: noWait };
    const api = axios.create({ baseURL: 'https://api.example.com' });
    attachRetry(api);
    const printed: string[] = [];
    const print = (...values: unknown[]): void => void printed.push(format(...values));
    const printedBy: string[] = [];
    const printer = (name: string) => (...values: unknown[]): void => {
      printedBy.push(name);
      print(...values);
    };
    const { tests, words } = jestInBlock();
    let tokens = 0;
    const preludeValues = {
      api,
      order: { id: 7 },
      payment: { amount: 42 },
      file: path.join(root, 'LICENSE'),
      fetchToken: () => Promise.resolve(`token ${++tokens}`),
      console: { log: printer('log'), info: printer('info'), warn: printer('warn'), error: printer('error') },
      navigator: { onLine: false },
      addEventListener: (name: string, listener: () => void) => {
        print(`waits for ${name}`);
        listener();
      },
      ...words,
    };

    const exported = await runBlock(block, modules, preludeValues);

    await check?.({ requests, printed, printedBy, exported: exported as Record<string, unknown>, tests });
    expect(nock.pendingMocks()).toEqual([]);
  });
});

describe('the tables of the README', () => {
  const { rows } = tableOf('Options', 'option');
  const plain = (cell: string): string => codesIn(cell)[0] ?? cell;

  const isInWords: Readonly<Record<string, (value: unknown) => boolean>> = {
    '—': (value) => value === undefined || value === false,
    off: (value) => value === undefined || value === false,
    headers: (value) => value === undefined,
    on: (value) => value instanceof RetryBudget,
    timer: (value) => value === undefined,
    'scheme + host + port': (value) => value === undefined,
    '[]': (value) => Array.isArray(value) && value.length === 0,
    'monotonic clock': (value) => {
      const [before, is, after] = [performance.now(), (value as () => number)(), performance.now()];
      return before <= is && is <= after;
    },
    'Math.random': (value) => {
      jest.spyOn(Math, 'random').mockReturnValue(0.25);
      return (value as () => number)() === 0.25;
    },
    'console.error': (value) => {
      const spy = jest.spyOn(console, 'error').mockReturnValue();
      (value as (error: unknown) => void)('x');
      return spy.mock.calls.length === 1;
    },
  };

  /** The value as it would stand in the table. */
  function show(value: unknown): string {
    if (value instanceof Set) return [...value].join(' ');
    if (typeof value === 'string') return `'${value}'`;
    if (typeof value === 'function') {
      const statuses = Array.from({ length: 500 }, (_, index) => index + 100);
      return statuses.filter((status) => (value as (status: number) => boolean)(status)).join(' ');
    }
    return String(value);
  }

  it('have one row for each option', () => {
    expect(rows.map(([name = '']) => plain(name)).sort()).toEqual(Object.keys(RULES).sort());
  });

  it.each(rows.map(([name = '', value = '']) => [plain(name), plain(value)] as const))('say that %s is %s', (name, cell) => {
    const actual = { ...DEFAULTS, budget: resolveOptions({}).budget }[name as keyof typeof DEFAULTS];
    const check = isInWords[cell];

    if (check) expect(check(actual)).toBe(true);
    else expect(show(actual)).toBe(cell.replaceAll('_', ''));
  });

  it('give the settings of the budget', () => {
    const budget = new RetryBudget();

    expect(tableOf('Retry budget', 'setting').rows.map(([name = '', value = '']) => [plain(name), Number(plain(value))])).toEqual([
      ['capacity', budget.capacity],
      ['deposit', budget.deposit],
      ['cost', budget.cost],
    ]);
  });

  it('give the settings of the circuit breaker', () => {
    const source = readFileSync(path.join(root, 'lib/circuit/circuit-options.ts'), 'utf8');
    const documented = [...source.matchAll(/@default ([\d._]+) \*\/\s+(\w+)\?/g)].map(([, value, name]) => [name, value]);
    const settings = tableOf('Circuit breaker', 'setting').rows.map(([name = '', value = '']) => [plain(name), plain(value)]);

    expect(settings).toEqual([...documented, ['onStateChange', '—']]);
  });

  it('name the settings of the log', () => {
    expect(tableOf('Log lines', 'setting').rows.map(([name = '']) => plain(name))).toEqual(['fields', 'limit', 'window', 'now']);
  });

  it('name each metric, under both names', () => {
    const rows = tableOf('Metrics', 'OpenTelemetry').rows.map((row) => row.slice(0, 3).map(plain));

    expect(rows).toEqual(Object.values(MEASURES).map((measure) => [measure.name, prometheusSubpath.prometheusName(measure), measure.kind]));
  });

  it('say what to do about each reason', () => {
    const reasons = tableOf('At 3 a.m.: what each reason means, and what to do', 'reason in the line').rows.map(([name = '']) => plain(name));

    expect(reasons.sort()).toEqual(Object.keys(attachRetry(axios.create()).stats().gaveUp).sort());
  });

  it('name each reason', () => {
    const reasons = Object.keys(attachRetry(axios.create()).stats().gaveUp);

    expect(tableOf('What is retried', 'reason').rows.map(([name = '']) => plain(name)).sort()).toEqual(reasons.sort());
  });

  it('say the default rule', () => {
    expect(readme).toContain(`up to ${DEFAULTS.retries} times`);
    expect(readme).toContain('at most 0.5 s, 1 s and 2 s');
    expect([0, 1, 2].map((retry) => DEFAULTS.baseDelay * DEFAULTS.factor ** retry)).toEqual([500, 1_000, 2_000]);
  });
});

describe('the kinds of failure in the README', () => {
  /** Attempts for a call that always fails with this code. */
  async function countAttempts(method: string, code: string): Promise<number> {
    let attempts = 0;
    const api = axios.create({
      adapter: (config) => {
        attempts += 1;
        const syscall = code === 'ETIMEDOUT' ? { syscall: 'read' } : {};
        return Promise.reject(new axios.AxiosError(code, code, config, {})).catch((error: Error) => {
          throw Object.assign(error, syscall);
        });
      },
    });
    attachRetry(api, { retries: 1, sleep: noWait });
    await api.request({ method, url: 'https://api.example.com/' }).catch(() => undefined);
    return attempts;
  }

  const codesOf = (kind: string): string[] => {
    const row = tableOf('What is retried', 'kind').rows.find(([name]) => name === `\`${kind}\``);
    return codesIn(row?.[1] ?? '').filter((code) => /^E[A-Z_]|^UND_/.test(code));
  };

  it.each(codesOf('unsent'))('repeats any method after %s', async (code) => {
    expect([await countAttempts('GET', code), await countAttempts('POST', code)]).toEqual([2, 2]);
  });

  it.each([...codesOf('network'), ...codesOf('timeout')])('repeats only idempotent methods after %s', async (code) => {
    expect([await countAttempts('GET', code), await countAttempts('POST', code)]).toEqual([2, 1]);
  });
});

describe('the text of the README and the docs', () => {
  const anchorOf = (heading: string): string => heading.toLowerCase().replaceAll(/[^\w -]/g, '').replaceAll(' ', '-');
  const withoutCode = (text: string): string => text.replaceAll(/^```.*?^```$/gms, '');

  describe.each(Object.entries(pages))('%s', (page, text) => {
    const links = [...withoutCode(text).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)]+))?\)/g)].map(([, file = '', anchor]) => ({ file, anchor }));

    it('links to files and headings that exist', () => {
      const broken = links.filter(({ file, anchor }) => {
        const target = file === '' ? page : path.join(path.dirname(page), file);
        const isThere = existsSync(path.join(root, target));
        return !isThere || (anchor !== undefined && !headingsOf(target).map(anchorOf).includes(anchor));
      });

      expect(broken).toEqual([]);
    });

    it('names scripts that exist', () => {
      const names = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name);

      expect(Object.keys(packageJson.scripts)).toEqual(expect.arrayContaining(names));
    });

    it('writes percentages without a blank', () => {
      expect(withoutCode(text)).not.toMatch(/\d %/);
    });
  });

  it('fits: the README has at most 320 lines', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(320);
  });

  it('names the peer ranges of axios', () => {
    expect(readme).toContain(`\`${packageJson.peerDependencies.axios}\``);
  });
});
