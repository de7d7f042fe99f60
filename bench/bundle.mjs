// Bundle size: minified by esbuild, then gzipped, for browsers; axios is not part of it.
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

/** @param source an ES module, resolved from here */
export async function bundleSize(source) {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'none',
    external: ['axios'],
    write: false,
  });
  const { contents } = outputFiles[0];
  return { minified: contents.length, gzipped: gzipSync(contents, { level: 9 }).length };
}

export const core = "import { attachRetry } from '../dist/index.js'; export { attachRetry }";
export const everything = "export * from '../dist/index.js'";

/** The limits hold what has been reached, so that both can only shrink. In bytes, minified and gzipped. */
export const sizes = [
  { what: '`import { attachRetry }`', source: core, limit: 17_800, goal: 13_600 },
  { what: 'everything (`export *`)', source: everything, limit: 18_700, goal: 15_500 },
  // On top of the core at most 2,500.
  { what: '`axios-jitter/axios-retry`, the core in it', source: "export * from '../dist/axios-retry.js'; export { default } from '../dist/axios-retry.js'", limit: 20_000 },
  { what: '`axios-jitter/retry-axios`, the core in it', source: "export * from '../dist/retry-axios.js'", limit: 20_000 },
  { what: '`axios-jitter/redis`', source: "export * from '../dist/redis.js'", limit: 1_800 },
];
