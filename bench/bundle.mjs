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

export const core = "export * from '../dist/index.js'";
