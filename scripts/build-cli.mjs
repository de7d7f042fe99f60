// The command line as one file with all it needs, so that the package stays without dependencies.
// `node scripts/build-cli.mjs <file>` writes it there.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

/** The text of a package's licence; a bundled package without one must not be shipped. */
function licenceOf(name) {
  const folder = path.join('node_modules', name);
  const file = ['LICENSE', 'LICENSE.md', 'LICENCE'].map((candidate) => path.join(folder, candidate)).find(existsSync);
  const { version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  return `${name} ${version} (${license})\n\n${readFileSync(file, 'utf8').trim()}\n`;
}

function noticesOf(inputs) {
  const names = inputs.map((file) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]);
  const bundled = [...new Set(names)].filter((name) => name !== undefined).sort();
  const notices = bundled.map(licenceOf).join(`\n${'-'.repeat(80)}\n\n`);
  return `dist/cli.js contains code of these packages.\n\n${notices}`;
}

const inBrowser = { bundle: true, minify: true, write: false, format: 'iife', target: 'es2022', legalComments: 'none' };

async function bundle(entryPoint, define) {
  const { outputFiles } = await build({ ...inBrowser, entryPoints: [entryPoint], define });
  return outputFiles[0].text;
}

/** The script of the page that the command line writes; it holds the script of its worker. */
export async function buildPage() {
  const worker = await bundle('lib/page/worker.ts', {});
  return bundle('lib/page.ts', { WORKER: JSON.stringify(worker) });
}

/** @param outfile the command line @param notices where the licences of what it contains go */
export async function buildCommandLine(outfile, notices) {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const page = await buildPage();
  const { metafile } = await build({
    entryPoints: ['lib/cli.ts'],
    outfile,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    legalComments: 'none',
    metafile: true,
    define: { VERSION: JSON.stringify(version), PAGE: JSON.stringify(page) },
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
  if (notices !== undefined) writeFileSync(notices, noticesOf(Object.keys(metafile.inputs)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildCommandLine(process.argv[2]);
