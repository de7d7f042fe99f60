/**
 * From here to the end of the test `setTimeout` and the clocks stand still until they are told to go on; sockets
 * and streams are real. Whoever uses it waits for the wire first, and moves the clock then.
 */
export function stopClock(): void {
  jest.useFakeTimers({
    doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'setInterval', 'clearInterval', 'queueMicrotask'],
  });
}

/** Moves the clock, and everything that waits for it. */
export function advance(ms: number): Promise<void> {
  return jest.advanceTimersByTimeAsync(ms);
}

afterEach(() => {
  // In this order: a spy would put a fake timer back.
  jest.restoreAllMocks();
  jest.useRealTimers();
});
