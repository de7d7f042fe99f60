// jest's environment for Node, less what a test file leaves in its worker: each AsyncLocalStorage that was ever used (jest
// itself uses a new one for each file) makes every later promise of the process dearer. And what one test file loaded is not
// parsed again for the next: jest compiles all modules anew for each, its own and axios' among them.
const { AsyncLocalStorage } = require('node:async_hooks');
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

const { prototype } = AsyncLocalStorage;
const { run, enterWith } = prototype;

/** What V8 made of each module, by file. It must come from the very same text: V8 itself compares lengths only. */
const parsed = new Map();
const { compileFunction } = vm;

vm.compileFunction = (code, parameters = [], options = {}) => {
  const names = parameters.join();
  const known = parsed.get(options.filename);
  if (known?.code === code && known.names === names) return compileFunction(code, parameters, { ...options, cachedData: known.cachedData });
  const compiled = compileFunction(code, parameters, { ...options, produceCachedData: true });
  if (options.filename !== undefined) parsed.set(options.filename, { code, names, cachedData: compiled.cachedData });
  return compiled;
};

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
