// The order of test files: the longest first, so that no worker is left with one of them while the others have ended. jest
// itself knows how long a file takes only where it ran before, and goes by its size elsewhere.
const { default: Sequencer } = require('@jest/test-sequencer');

// What collects garbage goes before all: in the heap of a worker that has run a hundred files that takes minutes.
const LONGEST = ['/behaviour/memory/', '/chaos/', '/cli/', '/docs/readme.test', '/browser/', '/redis/'];
const rankOf = ({ path }) => {
  const rank = LONGEST.findIndex((part) => path.replaceAll('\\', '/').includes(`/__tests__${part}`));
  return rank === -1 ? LONGEST.length : rank;
};

module.exports = class extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => rankOf(one) - rankOf(other));
  }
};
