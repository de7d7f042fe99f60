/** The promises that a run watches, by name. */
export const INVARIANTS = {
  settles: 'every call settles',
  attempts: 'the attempts that are counted are those that left the client, at most retries + 1',
  stats: 'stats() is the sum of the calls',
  body: 'each request that reaches the application in full has exactly the body of its call',
  key: 'a keyed write has one key on all attempts, no other call has it, and nobody else has one',
  write: 'a write without a key, or with a body that can be read once, never reaches the application twice',
  cancel: 'no attempt begins once the caller has given up',
  outcome: "the caller gets an answer to this call, axios' own error or axios' cancellation, with the reason",
  layers: 'outer layers run once per call',
  delay: 'no attempt before its delay is over, no delay shorter than Retry-After or longer than maxDelay',
  budget: 'no more retries fail than the budget has tokens for',
  sockets: 'no request stays open on the wire after its call',
  listeners: 'no listener stays on a signal or cancel token',
  streams: 'no stream of the body option stays open',
  resources: 'no timer, socket or server stays after the run',
  crash: 'no unhandled rejection, no uncaught exception',
  heap: 'the heap does not grow with the calls',
} as const;

export type Invariant = keyof typeof INVARIANTS;

const EXAMPLES = 5;

/** What was violated how often, with a few examples. */
export class Violations {
  readonly counts = new Map<Invariant, number>();
  readonly examples: string[] = [];

  constructor(private readonly seed: number) {}

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  add(invariant: Invariant, detail: string, call?: number): void {
    const count = (this.counts.get(invariant) ?? 0) + 1;
    this.counts.set(invariant, count);
    if (count > EXAMPLES) return;
    const where = call === undefined ? '' : ` call ${call}`;
    this.examples.push(`[${invariant}] ${INVARIANTS[invariant]}: seed ${this.seed}${where}: ${detail}`);
  }
}
