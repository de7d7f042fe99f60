// jest's environment for Node, less what a test file leaves in its worker: each AsyncLocalStorage that was ever used (jest
// itself uses a new one for each file) makes every later promise of the process dearer.
const { AsyncLocalStorage } = require('node:async_hooks');
const { TestEnvironment } = require('jest-environment-node');

const { prototype } = AsyncLocalStorage;
const { run, enterWith } = prototype;

module.exports = class extends TestEnvironment {
  async setup() {
    await super.setup();
    const used = new Set();
    this.storages = used;
    prototype.run = function (...args) {
      used.add(this);
      return run.apply(this, args);
    };
    prototype.enterWith = function (...args) {
      used.add(this);
      return enterWith.apply(this, args);
    };
  }

  async teardown() {
    Object.assign(prototype, { run, enterWith });
    for (const storage of this.storages) storage.disable();
    await super.teardown();
  }
};
