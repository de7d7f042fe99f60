// Builds dist/: ES modules and CommonJS with types for both. Code that several entries share goes into a chunk, so
// that there is one copy of each class.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { build, transform } from 'esbuild';
import { dts } from 'rollup-plugin-dts';

import { entryPoints } from './scripts/layout.mjs';

const input = Object.fromEntries(entryPoints.map(({ name }) => [name, `lib/${name}.ts`]));
const { peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const external = [...Object.keys(peerDependencies), /^node:/];

/** Strips the types and leaves the code as it is (ES2022). */
const typescript = {
  name: 'typescript',
  buildStart() {
    rmSync('dist', { recursive: true, force: true });
  },
  resolveId(source, importer) {
    const isSource = importer !== undefined && source.startsWith('.');
    return isSource ? path.resolve(path.dirname(importer), `${source}.ts`) : null;
  },
  async transform(code, id) {
    const result = await transform(code, { loader: 'ts', target: 'es2022', sourcefile: id });
    return { code: result.code, map: null };
  },
};

/**
 * For CommonJS under node16 TypeScript reads axios' index.d.cts, where the class AxiosError is out of reach for an
 * augmentation (the namespace has a type alias of that name: TS2300). There the guard `isAxiosError` tells of `retry`.
 */
const commonjsAugmentation = {
  name: 'commonjs-augmentation',
  renderChunk(code, chunk) {
    if (!code.includes("declare module 'axios'")) {
      return null;
    }
    const augmentation = /interface AxiosError \{(.*?)\n\s*\}/s;
    const [, members] = augmentation.exec(code) ?? this.error(`${chunk.fileName}: no interface AxiosError found`);
    return code.replace(
      augmentation,
      `interface AxiosStatic {
        isAxiosError<T = any, D = any>(payload: any): payload is AxiosError<T, D> & {${members}
        };
    }`,
    );
  },
};

/** The text of a package's licence; a bundled package without one must not be shipped. */
function licenceOf(name) {
  const folder = path.join('node_modules', name);
  const file = ['LICENSE', 'LICENSE.md', 'LICENCE'].map((candidate) => path.join(folder, candidate)).find(existsSync);
  const { version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  return `${name} ${version} (${license})\n\n${readFileSync(file, 'utf8').trim()}\n`;
}

/** The command line is one file with all it needs: the package stays without dependencies. */
const commandLine = {
  name: 'command-line',
  async writeBundle() {
    const { metafile } = await build({
      entryPoints: ['lib/cli.ts'],
      outfile: 'dist/cli.js',
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      legalComments: 'none',
      metafile: true,
      // commander is CommonJS inside: what it requires of Node must be found.
      banner: {
        js: [
          '#!/usr/bin/env node',
          '// Bundles the packages of THIRD-PARTY-NOTICES.txt.',
          "import { createRequire } from 'node:module';",
          'const require = createRequire(import.meta.url);',
        ].join('\n'),
      },
    });
    const names = Object.keys(metafile.inputs).map((file) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]);
    const bundled = [...new Set(names)].filter((name) => name !== undefined).sort();
    const notices = bundled.map(licenceOf).join(`\n${'-'.repeat(80)}\n\n`);
    writeFileSync('dist/THIRD-PARTY-NOTICES.txt', `dist/cli.js contains code of these packages.\n\n${notices}`);
  },
};

function output(extension, more) {
  return { dir: 'dist', entryFileNames: `[name].${extension}`, chunkFileNames: `[name]-[hash].${extension}`, ...more };
}

export default [
  {
    input,
    external,
    plugins: [typescript],
    treeshake: { moduleSideEffects: false },
    output: [output('js', { format: 'es', plugins: [commandLine] }), output('cjs', { format: 'cjs', exports: 'named' })],
  },
  {
    input,
    external,
    plugins: [dts({ tsconfig: 'tsconfig.lib.json', compilerOptions: { types: ['node'] } })],
    output: [
      output('d.ts', { format: 'es' }),
      output('d.cts', { format: 'es', plugins: [commonjsAugmentation] }),
    ],
  },
];
