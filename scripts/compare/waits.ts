/** Virtual time: what is asked of `setTimeout` is noted, and long waits are over at once. */

/** The real one, for whoever has to wait in earnest. */
export const realSetTimeout = globalThis.setTimeout;

// What axios times requests with stays as it is.
const isByAxios = (): boolean => /node_modules.(axios.(lib|dist)|follow-redirects)/.test(new Error().stack?.split('\n')[3] ?? '');

const SHORT = 20;
const COMPRESSED = 5;

export class Waits {
  /** What was asked for, in ms, in order. */
  readonly asked: number[] = [];
  /** Called at each wait that is asked for. */
  onWait: ((ms: number) => void) | undefined;
  /** Waits last as long as they were asked to. */
  isReal = false;

  /** The longest wait, 0 without one. */
  get longest(): number {
    return Math.max(0, ...this.asked);
  }

  install(): void {
    const compressed = (callback: (...rest: unknown[]) => void, ms?: number, ...rest: unknown[]): NodeJS.Timeout => {
      if (isByAxios()) return realSetTimeout(callback, ms, ...rest);
      const asked = Number(ms ?? 0);
      this.asked.push(asked);
      this.onWait?.(asked);
      return realSetTimeout(callback, this.isReal || !(asked >= SHORT) ? asked : COMPRESSED, ...rest);
    };
    globalThis.setTimeout = compressed as typeof globalThis.setTimeout;
  }

  static uninstall(): void {
    globalThis.setTimeout = realSetTimeout;
  }
}

export const rest = (ms: number): Promise<void> => new Promise((resolve) => realSetTimeout(resolve, ms));
