/** A progress bar on standard error, for people only: where that is no terminal, nothing is written. */
import type { Progress } from '../simulate';
import { formatCount } from '../chart/format';
import { clip } from '../chart/text';

const WIDTH = 16;
// So that the line fits 80 columns also with ten million clients.
const NAME = 12;
const EVERY = 100;
const CLEAR = '\r\u001B[K';

export class ProgressBar {
  #shownAt = 0;
  #isShown = false;

  constructor(
    private readonly stream: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>,
    private readonly isWanted: boolean,
  ) {}

  show({ policy, done, policies, settled, clients, requests }: Progress, now: number): void {
    if (!this.isWanted || !this.stream.isTTY || now - this.#shownAt < EVERY) return;
    const share = (done + settled / clients) / policies;
    const full = Math.round(share * WIDTH);
    const bar = `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}`;
    const percent = String(Math.floor(share * 100)).padStart(3);
    this.stream.write(`${CLEAR}${bar} ${percent} %  ${clip(policy, NAME)}: ${formatCount(settled)} of ${formatCount(clients)}, ${formatCount(requests)} sent`);
    this.#shownAt = now;
    this.#isShown = true;
  }

  clear(): void {
    if (this.#isShown) this.stream.write(CLEAR);
    this.#isShown = false;
  }
}
