/** The laboratory at work: controls, address, worker and answers. */
import type { SimulationResult } from '../simulate';
import { renderAnswer, summarize } from '../lab/answer';
import { completeSetting, INITIAL, readFragment, toFragment, toOptions, toScenario, type Setting } from '../lab/setting';
import { readControls, writeControls } from './controls';
import type { Answer } from './worker';

/** The worker's script, put in by the build. */
declare const WORKER: string;

function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element) return element;
  throw new Error(`the page has no ${id}`);
}

class Laboratory {
  readonly #answers = byId('answer');
  readonly #status = byId('status');
  readonly #worker = new Worker(URL.createObjectURL(new Blob([WORKER], { type: 'text/javascript' })));
  /** What the page was written for. */
  readonly #base = completeSetting(JSON.parse(byId('setting').textContent) as Record<string, unknown>, INITIAL);
  #setting = this.#base;
  #question = 0;
  #askedAt = 0;
  #shown: SimulationResult | undefined;

  constructor() {
    this.#worker.onmessage = ({ data }: MessageEvent<Answer>) => this.#hear(data);
    this.#worker.onerror = () => (this.#status.textContent = 'This browser does not let the page simulate: it needs a worker.');
  }

  /** Listens to the controls, the address and the window. */
  start(): void {
    const form = byId('controls');
    form.addEventListener('input', () => this.#change(readControls()));
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('reset', (event) => {
      event.preventDefault();
      this.#set(this.#base);
      this.#keep();
    });
    addEventListener('hashchange', () => this.#set(readFragment(location.hash, this.#base)));
    addEventListener('resize', () => this.#draw());
    this.#set(readFragment(location.hash, this.#base));
  }

  /** From the address: the controls follow. */
  #set(setting: Setting): void {
    writeControls(setting);
    this.#setting = setting;
    this.#ask();
  }

  /** From the controls: the address follows. */
  #change(setting: Setting): void {
    this.#setting = setting;
    this.#keep();
    this.#ask();
  }

  // Without an entry of its own in the history for each move.
  #keep(): void {
    const fragment = toFragment(this.#setting, this.#base);
    history.replaceState(null, '', fragment === '' ? location.pathname + location.search : `#${fragment}`);
  }

  #ask(): void {
    this.#question++;
    this.#askedAt = performance.now();
    this.#answers.setAttribute('aria-busy', 'true');
    this.#status.textContent = 'Simulating …';
    this.#worker.postMessage({ id: this.#question, scenario: toScenario(this.#setting) });
  }

  #hear(answer: Answer): void {
    if (answer.id !== this.#question) return;
    this.#answers.setAttribute('aria-busy', 'false');
    if ('error' in answer) {
      this.#status.textContent = answer.error;
      return;
    }
    this.#shown = answer.result;
    this.#status.textContent = `${summarize(answer.result)} Simulated in ${Math.round(performance.now() - this.#askedAt)} ms.`;
    this.#draw();
  }

  // Two pictures side by side where there is room. What is shown belongs to the setting unless another answer is on its way.
  #draw(): void {
    if (!this.#shown || this.#answers.getAttribute('aria-busy') === 'true') return;
    const { clientWidth } = this.#answers;
    const width = Math.max(280, clientWidth >= 760 ? Math.floor((clientWidth - 24) / 2) : clientWidth);
    this.#answers.innerHTML = renderAnswer({ result: this.#shown, scenario: toScenario(this.#setting), options: toOptions(this.#setting), width });
  }
}

/** Once, when the page has been read. */
export function startLaboratory(): void {
  new Laboratory().start();
}
