// ts-jest, once for each file: jest keeps what it compiled for each project of its own, and most files belong to several.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const path = require('node:path');
const { default: tsJest } = require('ts-jest');
const tsJestVersion = require('ts-jest/package.json').version;
const typescriptVersion = require('typescript/package.json').version;

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // Not there, or not readable: compiled again.
  }
}

/** In one step: another worker may read it at any time. */
function write(file, result) {
  const own = `${file}.${process.pid}`;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(own, JSON.stringify(result));
  renameSync(own, file);
}

module.exports = {
  createTransformer(options) {
    const transformer = tsJest.createTransformer(options);
    const same = JSON.stringify([tsJestVersion, typescriptVersion, options]);
    return {
      getCacheKey: (...args) => transformer.getCacheKey(...args),
      process(source, filename, transformOptions) {
        const { cacheDirectory } = transformOptions.config;
        const key = createHash('sha256').update([same, filename, source].join('\0')).digest('hex');
        const file = path.join(cacheDirectory, 'ts-jest-once', key);
        const known = read(file);
        if (known !== undefined) return known;
        const result = transformer.process(source, filename, transformOptions);
        write(file, result);
        return result;
      },
    };
  },
};
