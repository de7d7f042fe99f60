// Installs the packed tarball as a user would, loads every entry point as ESM and as CommonJS, and type-checks a consumer
// in each kind of module resolution, against the newest axios and older ones. Needs dist/; needs no network.
// `scripts/consumer/use-<entry>.ts` is compiled with the others where it exists.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import ts from 'typescript';

import { entryPoints } from './layout.mjs';

const root = path.resolve(import.meta.dirname, '..');
const consumer = mkdtempSync(path.join(tmpdir(), 'axios-jitter-consumer-'));
const { peerDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const peers = Object.keys(peerDependencies).filter((name) => name !== 'axios');
const idOf = (name) => (name === 'index' ? 'axios-jitter' : `axios-jitter/${name}`);
const axiosVersions = ['axios', 'axios-1.13', 'axios-1.6', 'axios-1.2'];

/** The use of all entry points at once, and of each that has a template of its own. */
const templates = ['all.ts', 'use.ts', ...entryPoints.map(({ name }) => `use-${name}.ts`)].filter(
  (name) => name === 'all.ts' || existsSync(path.join(root, 'scripts/consumer', name)),
);
/** File → the template in scripts/consumer/ that it is a copy of. */
const inEach = (...endings) =>
  Object.fromEntries(templates.flatMap((template) => endings.map((ending) => [template.replace(/ts$/, ending), template])));

const node16 = { module: ts.ModuleKind.Node16 };
const resolutions = [
  { name: 'node16', files: { ...inEach('mts', 'cts'), 'class.mts': 'use-class.ts' }, options: node16 },
  {
    name: 'bundler',
    files: { ...inEach('ts'), 'class.ts': 'use-class.ts' },
    options: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
  },
  {
    name: 'node10',
    files: { ...inEach('ts'), 'class.ts': 'use-class.ts' },
    options: {
      module: ts.ModuleKind.CommonJS,
      moduleResolution: ts.ModuleResolutionKind.Node10,
      esModuleInterop: true,
    },
  },
  {
    name: 'node16 with disposables',
    files: { 'using.mts': 'use-using.ts', 'using.cts': 'use-using.ts' },
    options: { ...node16, lib: ['lib.es2022.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts'] },
    onlyNewest: true,
  },
  { name: 'node16 beside the peers', files: inEach('mts', 'cts'), options: node16, onlyNewest: true, besidePeers: true },
  {
    name: 'bundler beside the peers',
    files: inEach('ts'),
    options: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
    onlyNewest: true,
    besidePeers: true,
  },
];
/** What the drop-ins stand in for. */
const replaced = ['axios-retry', 'retry-axios'];
const libFiles = new Map();
const strictest = {
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  skipDefaultLibCheck: true,
  target: ts.ScriptTarget.ES2020,
  lib: ['lib.es2020.d.ts', 'lib.dom.d.ts'],
  types: [],
};

function run(command, args, cwd) {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function install() {
  const packed = run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', consumer], root);
  const [{ filename }] = Object.values(JSON.parse(packed));
  writeFileSync(path.join(consumer, 'package.json'), '{ "name": "consumer", "private": true }\n');
  // The peers come from this repository's node_modules instead, so that no registry is asked.
  run('npm', ['install', '--offline', '--legacy-peer-deps', '--no-package-lock', `./${filename}`], consumer);
  cpSync(path.join(root, 'scripts/consumer'), consumer, { recursive: true });
  writeFileSync(path.join(consumer, 'all.ts'), importsOf(entryPoints));
}

/** Pages and pictures that the README and docs/ of the package lead to are in it. */
function checkLinks() {
  const installed = path.join(consumer, 'node_modules/axios-jitter');
  const pages = ['README.md', ...readdirSync(path.join(installed, 'docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];
  const linksOf = (page) => [...readFileSync(path.join(installed, page), 'utf8').matchAll(/(?:\]\(|src=")(?!https?:|#)([^)#\s"]+)/g)].map(([, to]) => path.join(path.dirname(page), to));
  const links = pages.flatMap(linksOf);
  const broken = links.filter((to) => !existsSync(path.join(installed, to)));
  if (broken.length > 0) throw new Error(`the package lacks what its pages link to: ${broken.join(', ')}`);
  console.log(`${links.length} links of ${pages.length} pages lead to files of the package`);
}

/** Code that imports everything, the default exports of drop-ins included. */
function importsOf(entries) {
  const lines = entries.map(({ name, hasDefault }, i) => `import ${hasDefault ? `default${i}, ` : ''}* as all${i} from '${idOf(name)}';`);
  const used = entries.flatMap(({ hasDefault }, i) => [`all${i}`, ...(hasDefault ? [`default${i}`] : [])]);
  return `${lines.join('\n')}\nexport const everything: unknown[] = [${used.join(', ')}];\n`;
}

function link(name, source) {
  const target = path.join(consumer, 'node_modules', name);
  mkdirSync(path.dirname(target), { recursive: true });
  rmSync(target, { force: true });
  symlinkSync(path.join(root, 'node_modules', source), target, 'junction');
}

/** What the entry points export, by name: as ES modules and as CommonJS the same. */
function load(axiosVersion, entries) {
  const list = JSON.stringify(entries.map(({ name, hasDefault = false }) => ({ id: idOf(name), hasDefault })));
  const esm = run(process.execPath, ['load.mjs', list], consumer).trim();
  const cjs = run(process.execPath, ['load.cjs', list], consumer).trim();
  if (esm !== cjs) {
    throw new Error(`${axiosVersion}: ESM exports ${esm}, CommonJS exports ${cjs}`);
  }
  return JSON.parse(esm);
}

/** A compiler host that parses TypeScript's own lib files once for all programs. */
function hostOf(options) {
  const host = ts.createCompilerHost(options);
  const parse = host.getSourceFile.bind(host);
  const libs = host.getDefaultLibLocation();
  host.getSourceFile = (file, ...rest) => {
    if (!file.startsWith(libs)) {
      return parse(file, ...rest);
    }
    libFiles.set(file, libFiles.get(file) ?? parse(file, ...rest));
    return libFiles.get(file);
  };
  return host;
}

/** The programs for the drop-ins, with the import of the real package. */
function copyForPeers(files, folder) {
  return Object.entries(files)
    .filter(([, template]) => replaced.some((peer) => template === `use-${peer}.ts`))
    .map(([file, template]) => {
      const copy = path.join(folder, `peer-${file}`);
      const text = readFileSync(path.join(consumer, template), 'utf8');
      writeFileSync(copy, text.replaceAll('axios-jitter/', ''));
      return copy;
    });
}

function typeCheck(axiosVersion, { name, files, options, besidePeers = false }) {
  const folder = path.join(consumer, 'types');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [file, template] of Object.entries(files)) {
    copyFileSync(path.join(consumer, template), path.join(folder, file));
  }
  const allOptions = { ...strictest, ...options };
  const host = hostOf(allOptions);
  const copies = besidePeers ? copyForPeers(files, folder) : [];
  const program = ts.createProgram(
    [...Object.keys(files).map((file) => path.join(folder, file)), ...copies],
    allOptions,
    host,
  );
  const diagnostics = ts.getPreEmitDiagnostics(program);
  if (diagnostics.length > 0) {
    throw new Error(`${axiosVersion}, ${name}:\n${ts.formatDiagnostics(diagnostics, host)}`);
  }
}

try {
  install();
  checkLinks();
  link('axios', 'axios');
  // The core needs no peer but axios.
  load('without optional peers', entryPoints.filter(({ name }) => name === 'index'));
  for (const name of [...peers, ...replaced]) {
    link(name, name);
  }
  for (const axiosVersion of axiosVersions) {
    link('axios', axiosVersion);
    const exported = load(axiosVersion, entryPoints);
    run(process.execPath, ['moving.cjs'], consumer);
    const checks = resolutions.filter(({ onlyNewest }) => onlyNewest !== true || axiosVersion === 'axios');
    for (const resolution of checks) {
      typeCheck(axiosVersion, resolution);
    }
    console.log(`${axiosVersion}: loads as ESM and CommonJS; types under ${checks.map(({ name }) => name).join(', ')}`);
    if (axiosVersion === axiosVersions.at(-1)) {
      for (const [id, names] of Object.entries(exported)) console.log(`${id}: ${names.join(', ')}`);
    }
  }
} finally {
  rmSync(consumer, { recursive: true, force: true });
}
