/** The worker of the laboratory: simulates, in steps, so that a newer question ends the older one. */
import { simulateInSteps, type Scenario, type SimulationResult } from '../simulate';

export interface Question {
  readonly id: number;
  readonly scenario: Scenario;
}
export type Answer = { readonly id: number } & ({ readonly result: SimulationResult } | { readonly error: string });

// The types of a page know no worker.
const scope = globalThis as unknown as { onmessage: ((event: { data: Question }) => void) | null; postMessage(answer: Answer): void };

let newest = 0;
// A message to itself lets others in between two steps; a timer would wait for longer.
const { port1: again, port2: next } = new MessageChannel();
let work: (() => void) | undefined;
next.onmessage = () => work?.();

/** One step; the next one comes by message. */
function advance(id: number, steps: ReturnType<typeof simulateInSteps>): void {
  if (id !== newest) return;
  const step = steps.next();
  if (step.done === true) {
    scope.postMessage({ id, result: step.value });
    return;
  }
  work = () => answering(id, () => advance(id, steps));
  again.postMessage(undefined);
}

/** What goes wrong is an answer, too. */
function answering(id: number, simulate: () => void): void {
  try {
    simulate();
  } catch (error) {
    scope.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
}

scope.onmessage = ({ data: { id, scenario } }) => {
  newest = id;
  answering(id, () => advance(id, simulateInSteps(scenario)));
};
