// The size of the core: dist/index.js alone, bundled, minified and gzipped. The goal is 6,500 bytes, which it is far
// from; the limit holds what has been reached, so that it can only shrink.
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';

const goal = 6_500;
const limit = 13_500;

const result = await build({
  entryPoints: ['dist/index.js'],
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  legalComments: 'none',
  external: ['axios'],
  write: false,
});
const [bundle] = result.outputFiles;
const bytes = gzipSync(bundle.contents, { level: 9 }).length;

console.log(`dist/index.js: ${bundle.contents.length} bytes minified, ${bytes} bytes gzipped (limit ${limit}, goal ${goal})`);
if (bytes > limit) {
  console.error(`Too big by ${bytes - limit} bytes`);
  process.exitCode = 1;
}
