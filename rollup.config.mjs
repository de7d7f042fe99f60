// Builds dist/: ES modules and CommonJS with types for both. Code that several entries share goes into a chunk, so
// that there is one copy of each class.
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

import { transform } from 'esbuild';
import { dts } from 'rollup-plugin-dts';

import { buildCommandLine } from './scripts/build-cli.mjs';
import { entryPoints, hasDefault } from './scripts/layout.mjs';

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
  renderChunk(code) {
    const augmentation = /interface AxiosError \{(.*?)\n\s*\}/s;
    const [, members] = code.includes("declare module 'axios'") ? (augmentation.exec(code) ?? []) : [];
    if (members === undefined) {
      return null;
    }
    return code.replace(
      augmentation,
      `interface AxiosStatic {
        isAxiosError<T = any, D = any>(payload: any): payload is AxiosError<T, D> & {${members}
        };
    }`,
    );
  },
};

/** `require` of a module with a default export gives that, with all exports on it: the peers' users write it with and without `.default`. */
const commonjsDefault = {
  name: 'commonjs-default',
  renderChunk(code, chunk) {
    if (!chunk.isEntry || !hasDefault(chunk.name)) return null;
    return `${code}module.exports = Object.defineProperty(Object.assign(exports.default, exports), '__esModule', { value: true });\n`;
  },
};

/** The command line is one file with all it needs: the package stays without dependencies. */
const commandLine = {
  name: 'command-line',
  async writeBundle() {
    await buildCommandLine('dist/cli.js', 'dist/THIRD-PARTY-NOTICES.txt');
  },
};

function output(extension, more) {
  // Without bare imports of what a chunk imports anyway: bundlers warn of them.
  return { dir: 'dist', hoistTransitiveImports: false, entryFileNames: `[name].${extension}`, chunkFileNames: `[name]-[hash].${extension}`, ...more };
}

const scripts = {
  input,
  external,
  plugins: [typescript],
  treeshake: { moduleSideEffects: false },
  output: [output('js', { format: 'es', plugins: [commandLine] }), output('cjs', { format: 'cjs', exports: 'named', plugins: [commonjsDefault] })],
};

const types = {
  input,
  external,
  plugins: [dts({ tsconfig: 'tsconfig.lib.json', compilerOptions: { types: ['node'] } })],
  output: [
    output('d.ts', { format: 'es' }),
    output('d.cts', { format: 'es', plugins: [commonjsAugmentation] }),
  ],
};

/** `rollup -c --configScriptsOnly` leaves out the types, which take most of the time. */
export default ({ configScriptsOnly = false }) => (configScriptsOnly ? [scripts] : [scripts, types]);
