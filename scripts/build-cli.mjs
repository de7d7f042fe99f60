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

/** @param outfile the command line @param notices where the licences of what it contains go */
export async function buildCommandLine(outfile, notices) {
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
