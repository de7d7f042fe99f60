// Programs that tests run as processes of their own: bundled once, so that no process compiles what it runs.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { buildSync } from 'esbuild';

const root = path.resolve(__dirname, '../..');
const folder = mkdtempSync(path.join(tmpdir(), 'axios-jitter-programs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** For `beforeAll`. Gives the path of a file that Node runs, with all that the given one imports. */
export function bundleProgram(source: string): string {
  const outfile = path.join(folder, `${path.basename(source, '.ts')}.mjs`);
  // Packages that are CommonJS inside require what Node brings.
  const banner = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
  buildSync({ entryPoints: [source], outfile, absWorkingDir: root, bundle: true, platform: 'node', format: 'esm', banner: { js: banner } });
  return outfile;
}
