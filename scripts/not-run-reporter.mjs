// Says in the last line of jest's output which tests did not run for want of a program.
export default class NotRunReporter {
  #advice;
  #counts = new Map();

  /** @param options `advice`: project → what is missing and how to get it */
  constructor(_globalConfig, { advice }) {
    this.#advice = advice;
  }

  onTestResult({ context }, { numPendingTests }) {
    const project = context.config.displayName?.name;
    if (project in this.#advice) this.#counts.set(project, (this.#counts.get(project) ?? 0) + numPendingTests);
  }

  // jest writes its own summary after all reporters were told.
  onRunComplete() {
    if (this.#counts.size === 0) return;
    const parts = [...this.#counts].map(([project, count]) => `${count} tests in __tests__/${project}/, because ${this.#advice[project]}`);
    process.on('exit', () => process.stderr.write(`NOT RUN: ${parts.join('; ')}.\n`));
  }
}
