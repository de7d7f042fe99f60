import axios from 'axios';

/** The version that `axios` stands for in this jest project, e.g. `1.21.1`. */
export const axiosVersion: string = axios.VERSION;

function toNumbers(version: string): number[] {
  return version.split('.').map(Number);
}

/** Is the axios under test this version or a later one? `isAtLeast('1.7')`, `isAtLeast('1.13.2')`. */
export function isAtLeast(version: string): boolean {
  const actual = toNumbers(axiosVersion);
  for (const [index, wanted] of toNumbers(version).entries()) {
    const part = actual[index] ?? 0;
    if (part !== wanted) {
      return part > wanted;
    }
  }
  return true;
}

/**
 * `it`, or a skip where the axios under test is older: `itSince('1.7', 'has no fetch adapter')('works under fetch', …)`.
 * The skipped test's name ends with what the older versions cannot do.
 */
export function itSince(version: string, lack: string): (name: string, test: jest.ProvidesCallback) => void {
  if (isAtLeast(version)) return it;
  // eslint-disable-next-line no-restricted-syntax -- the one place that may skip
  return (name, test) => it.skip(`${name} [axios before ${version} ${lack}]`, test);
}

const expected: unknown = Reflect.get(globalThis, 'AXIOS_UNDER_TEST');
if (typeof expected === 'string' && !axiosVersion.startsWith(`${expected}.`)) {
  throw new Error(`This jest project is for axios ${expected}, but axios ${axiosVersion} was loaded`);
}

export default axios;
