// The order of test files where one that fails is enough: unit tests before those that go through axios, and short files first.
const { statSync } = require('node:fs');
const { default: Sequencer } = require('@jest/test-sequencer');

const costOf = ({ path }) => statSync(path).size * (path.includes('behaviour') ? 10 : 1);

module.exports = class extends Sequencer {
  sort(tests) {
    return [...tests].sort((one, other) => costOf(one) - costOf(other));
  }
};
