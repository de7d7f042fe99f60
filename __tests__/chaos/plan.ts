// What happens to a call, drawn from the seed and its id alone: the same whatever else runs at the time.
import type { Dice } from './dice';

/** What the network does to one request. */
export type FaultKind =
  | 'none'
  | 'lost' // reset before a byte of it reached the application
  | 'cut-request' // reset in the middle of the request
  | 'reset-before' // the application has acted; reset before the answer's headers
  | 'reset-head' // in the middle of the answer's headers
  | 'reset-body' // in the middle of the answer's body
  | 'stall' // the application has acted; its answer never comes
  | 'stall-unseen' // the application never sees it
  | 'stall-body' // half an answer, then nothing
  | 'drip' // the whole answer, byte by byte
  | 'garbage' // something that is not HTTP
  | 'reset-reused' // an idle connection is closed just as it is used again
  | 'close-idle'; // a whole answer; soon after, the connection is closed, whatever it does by then

export interface Fault {
  readonly kind: FaultKind;
  /** Where in the bytes, or when: in [0, 1). */
  readonly at: number;
  /** With a TCP reset; otherwise an orderly end. */
  readonly isReset: boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly padding: number;
  readonly isChunked: boolean;
  /** In ms. */
  readonly after: number;
}

export type BodyKind =
  | 'none' | 'json' | 'string' | 'buffer' | 'params' | 'form' | 'node-stream' | 'web-stream' | 'form-data' | 'fresh-stream' | 'fresh-json';

export interface AbortPlan {
  readonly way: number;
  readonly when: 'before' | 'now' | 'ms' | 'in-wait' | 'in-flight';
  readonly ms: number;
}

export interface CallPlan {
  readonly id: number;
  readonly client: number;
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE' | 'POST' | 'PATCH';
  readonly isKeyed: boolean;
  readonly body: BodyKind;
  readonly bodySize: number;
  /** Of the first, second, … request; the last one goes on for ever. */
  readonly answers: readonly Answer[];
  readonly faults: readonly Fault[];
  readonly abort: AbortPlan | undefined;
  /** Listens to the signal that the client's calls share and that is never aborted. */
  readonly hasSharedSignal: boolean;
  readonly timeout: number | undefined;
  readonly totalTimeout: number | undefined;
  readonly responseType: 'json' | 'text' | 'arraybuffer' | 'stream';
  readonly retries: number | undefined;
}

export interface Abilities {
  readonly clients: number;
  readonly webForms: boolean;
  /** Which clients use fetch. */
  isFetch(client: number): boolean;
}

const REQUESTS = 6;

const FAULTS: Record<FaultKind, number> = {
  none: 58, lost: 4, 'cut-request': 4, 'reset-before': 5, 'reset-head': 4, 'reset-body': 5, stall: 2, 'stall-unseen': 1,
  'stall-body': 1, drip: 3, garbage: 3, 'reset-reused': 5, 'close-idle': 5,
};

function drawFault(dice: Dice): Fault {
  return { kind: dice.weighted(FAULTS), at: dice.random(), isReset: dice.chance(0.5) };
}

function drawRetryAfter(dice: Dice, isLong: boolean): Record<string, string> {
  if (isLong) return { 'retry-after': '50' };
  const kind = dice.weighted({ none: 10, ms: 3, fraction: 3, past: 1, words: 1, 'too-long': 1 });
  if (kind === 'ms') return { 'retry-after-ms': String(dice.int(1, 8)) };
  if (kind === 'fraction') return { 'retry-after': `0.00${dice.int(1, 9)}` };
  if (kind === 'past') return { 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' };
  if (kind === 'words') return { 'retry-after': 'in a while' };
  return kind === 'too-long' ? { 'retry-after': '3600' } : {};
}

function drawAnswer(dice: Dice, isLong: boolean): Answer {
  const status = Number(dice.weighted({ '200': 60, '503': 25, '429': 10, '404': 3 }));
  const isRefusal = status === 503 || status === 429;
  return {
    status,
    headers: isRefusal ? drawRetryAfter(dice, isLong) : {},
    padding: dice.chance(0.05) ? dice.int(10_000, 40_000) : dice.int(0, 500),
    isChunked: dice.chance(0.3),
    after: dice.chance(0.1) ? dice.int(1, 5) : 0,
  };
}

const METHODS = { GET: 28, HEAD: 6, PUT: 16, DELETE: 8, POST: 18, PATCH: 7, 'POST+key': 12, 'PATCH+key': 5 };

function drawBody(dice: Dice, method: CallPlan['method'], isFetch: boolean, webForms: boolean): BodyKind {
  if (method === 'GET' || method === 'HEAD') return 'none';
  if (method === 'DELETE') return dice.weighted({ none: 6, json: 2 });
  return dice.weighted({
    none: 1, json: 5, string: 2, buffer: 2, params: 2, form: webForms ? 2 : 0,
    'node-stream': 2, 'web-stream': isFetch ? 1 : 0, 'form-data': isFetch ? 0 : 1, 'fresh-stream': 2, 'fresh-json': 1,
  });
}

function drawAbort(dice: Dice): AbortPlan | undefined {
  if (!dice.chance(0.15)) return undefined;
  const when = dice.weighted({ before: 1, now: 1, ms: 6, 'in-wait': 4, 'in-flight': 3 });
  return { way: dice.int(0, 3), when, ms: dice.int(0, 25) };
}

/** What only an abort or the deadline can end must have one of them; what only a timeout can end must have that. */
function endable(faults: readonly Fault[], isCallLimited: boolean): Fault[] {
  return faults.map((fault) => (fault.kind === 'stall-body' && !isCallLimited ? { ...fault, kind: 'reset-body' } : fault));
}

export function drawPlan(dice: Dice, id: number, { clients, webForms, isFetch }: Abilities): CallPlan {
  // The first one has a single socket.
  const client = dice.chance(0.03) ? 0 : dice.int(1, clients - 1);
  const [method, key] = dice.weighted(METHODS).split('+') as [CallPlan['method'], string?];
  const abort = drawAbort(dice);
  // A wait of nearly a minute for those who will not stay.
  const isLong = abort?.when === 'in-wait' && dice.chance(0.3);
  // Of a HEAD there is nothing to stream, and under fetch axios leaves a listener behind.
  const responseType = dice.weighted({ json: 82, text: 5, arraybuffer: 5, stream: method === 'HEAD' ? 0 : 8 });
  // The long one never comes: its timer must be gone with the call.
  const totalTimeout = dice.chance(0.15) ? (dice.chance(0.2) ? 90_000 : dice.int(5, 120)) : undefined;
  const isCallLimited = responseType !== 'stream' && ((totalTimeout ?? 90_000) < 90_000 || abort?.when === 'ms');
  const faults = endable(Array.from({ length: REQUESTS }, () => drawFault(dice)), isCallLimited);
  const mayStall = faults.some(({ kind }) => kind.startsWith('stall'));
  return {
    id,
    client,
    method,
    isKeyed: key !== undefined,
    body: drawBody(dice, method, isFetch(client), webForms),
    bodySize: dice.chance(0.01) ? dice.int(50_000, 300_000) : dice.int(1, 400),
    answers: Array.from({ length: REQUESTS }, () => drawAnswer(dice, isLong)),
    faults,
    abort,
    hasSharedSignal: abort === undefined && dice.chance(0.3),
    timeout: mayStall || dice.chance(0.1) ? dice.int(15, 60) : undefined,
    totalTimeout,
    responseType,
    retries: dice.chance(0.3) ? dice.int(0, 5) : undefined,
  };
}
