// Traces of real calls, by the real SDK and its instrumentations, in a process of its own.
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { buildSync } from 'esbuild';

const root = path.resolve(__dirname, '../..');
/** What the program requires is looked up from where it stands: another folder has the third generation of the SDK. */
const newer = process.env['OPENTELEMETRY_PACKAGES'];
const folder = newer ?? path.join(root, 'node_modules/.cache/axios-jitter');
const alias = newer === undefined ? {} : { '@opentelemetry/sdk-trace-base': '@opentelemetry/sdk-trace' };
const program = path.join(folder, `traces-${process.pid}.cjs`);

interface Span {
  name: string;
  scope: string;
  kind: string;
  id: string;
  parent?: string;
  status: { code: number };
  attributes: Record<string, unknown>;
  events: { name: string; attributes: Record<string, unknown> }[];
}

const scenarios = ['recover', 'fail', 'redirect', 'token', 'no-call-span'] as const;
type Traces = Readonly<Record<(typeof scenarios)[number], Span[]>>;

/** All in one process: the SDK takes long to load. */
async function tracesOf(adapter: string): Promise<Traces> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, adapter, ...scenarios], { cwd: root });
  return JSON.parse(stdout) as Traces;
}

beforeAll(() => {
  // What is installed stays outside: the instrumentations patch what is required.
  buildSync({ entryPoints: [path.join(__dirname, 'programs/traces.ts')], outfile: program, bundle: true, format: 'cjs', platform: 'node', packages: 'external', alias });
});
afterAll(() => rmSync(program, { force: true }));

const RESENDS = 'http.request.resend_count';

describe.each(['http', 'fetch'])('a trace, by the %s adapter', (adapter) => {
  let traces: Traces;
  beforeAll(async () => void (traces = await tracesOf(adapter)));

  it('has a span for the call, and below it a client span for each send, numbered from the second on', () => {
    const [caller, call, ...sends] = traces.recover;
    expect(call).toMatchObject({ name: 'call GET', scope: 'axios-jitter', kind: 'INTERNAL', parent: caller?.id, status: { code: 0 } });
    expect(call?.attributes).toEqual({
      'server.address': '127.0.0.1',
      'server.port': expect.any(Number),
      'axios_jitter.attempts': 3,
      'axios_jitter.outcome': 'success',
    });
    expect(sends.map(({ kind, parent }) => ({ kind, parent }))).toEqual(Array(3).fill({ kind: 'CLIENT', parent: call?.id }));
    expect(sends.map(({ attributes }) => attributes[RESENDS])).toEqual([undefined, 1, 2]);
  });

  it('has the events of the call in order', () => {
    const [, call] = traces.fail;
    const failed = { 'axios_jitter.kind': 'status', 'error.type': '503', 'http.response.status_code': 503 };
    expect(call?.events).toEqual([
      { name: 'axios_jitter.retry', attributes: { 'axios_jitter.attempt': 1, ...failed, 'axios_jitter.delay_ms': expect.any(Number) } },
      { name: 'axios_jitter.retry', attributes: { 'axios_jitter.attempt': 2, ...failed, 'axios_jitter.delay_ms': expect.any(Number) } },
      { name: 'axios_jitter.give_up', attributes: { 'axios_jitter.attempt': 3, ...failed, 'axios_jitter.reason': 'exhausted' } },
    ]);
    expect(call?.status).toEqual({ code: 2 });
    expect(call?.attributes).toMatchObject({ 'axios_jitter.outcome': 'failure', 'axios_jitter.reason': 'exhausted', 'error.type': '503' });
  });

  it('counts redirects among the resends, as the convention has it', () => {
    const spans = traces.redirect;
    const sends = spans.filter(({ kind }) => kind === 'CLIENT');
    expect(sends.map(({ attributes }) => attributes[RESENDS])).toEqual([undefined, 1, 2, 3]);
  });

  it('numbers each call on its own, also one that an inner interceptor makes', () => {
    const spans = traces.token;
    const sends = spans.filter(({ kind }) => kind === 'CLIENT');
    const isToken = ({ attributes }: Span): boolean => String(attributes['url.full'] ?? attributes['http.url']).includes('/token');
    expect(sends.filter(isToken).map(({ attributes }) => attributes[RESENDS])).toEqual([undefined, undefined]);
    expect(sends.filter((span) => !isToken(span)).map(({ attributes }) => attributes[RESENDS])).toEqual([undefined, 1]);
  });

  it('has the events on the caller’s span, and its status untouched, with `callSpan: false`', () => {
    const spans = traces['no-call-span'];
    expect(spans.map(({ name }) => name)).not.toContain('call GET');
  });

  it('shows nothing secret in a span of ours', () => {
    const spans = traces.fail;
    const ours = spans.filter(({ scope }) => scope === 'axios-jitter');
    expect(ours).toHaveLength(1);
    expect(JSON.stringify(ours)).not.toContain('s3cret');
  });
});
