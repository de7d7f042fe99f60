// Installs the packed tarball as a user would, runs it as ESM and as CommonJS, and type-checks a consumer in each
// kind of module resolution, against the newest axios and older ones. Needs dist/; needs no network.
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '..');
const consumer = mkdtempSync(path.join(tmpdir(), 'axios-jitter-consumer-'));
const axiosVersions = ['axios', 'axios-1.13', 'axios-1.6', 'axios-1.2'];

/** `files`: what is compiled, and the template in scripts/consumer/ that it is a copy of. */
const node16 = { module: ts.ModuleKind.Node16 };
const resolutions = [
  { name: 'node16', files: { 'use.mts': 'use.ts', 'use.cts': 'use.ts', 'class.mts': 'use-class.ts' }, options: node16 },
  {
    name: 'bundler',
    files: { 'use.ts': 'use.ts', 'class.ts': 'use-class.ts' },
    options: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
  },
  {
    name: 'node10',
    files: { 'use.ts': 'use.ts', 'class.ts': 'use-class.ts' },
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
];
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
  link('cockatiel', 'cockatiel');
}

function link(name, source) {
  const target = path.join(consumer, 'node_modules', name);
  rmSync(target, { force: true });
  symlinkSync(path.join(root, 'node_modules', source), target, 'junction');
}

function load(axiosVersion) {
  const esm = run(process.execPath, ['retry.mjs'], consumer).trim();
  const cjs = run(process.execPath, ['retry.cjs'], consumer).trim();
  if (esm !== cjs) {
    throw new Error(`${axiosVersion}: ESM exports ${esm}, CommonJS exports ${cjs}`);
  }
  return esm;
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

function typeCheck(axiosVersion, { name, files, options }) {
  const folder = path.join(consumer, 'types');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [file, template] of Object.entries(files)) {
    copyFileSync(path.join(consumer, template), path.join(folder, file));
  }
  const allOptions = { ...strictest, ...options };
  const host = hostOf(allOptions);
  const program = ts.createProgram(
    Object.keys(files).map((file) => path.join(folder, file)),
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
  for (const axiosVersion of axiosVersions) {
    link('axios', axiosVersion);
    const names = load(axiosVersion);
    const checks = resolutions.filter(({ onlyNewest }) => onlyNewest !== true || axiosVersion === 'axios');
    for (const resolution of checks) {
      typeCheck(axiosVersion, resolution);
    }
    console.log(`${axiosVersion}: loads as ESM and CommonJS; types under ${checks.map(({ name }) => name).join(', ')}`);
    if (axiosVersion === axiosVersions.at(-1)) {
      console.log(names);
    }
  }
} finally {
  rmSync(consumer, { recursive: true, force: true });
}
