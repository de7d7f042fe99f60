// Writes what follows from the list of entry points into package.json and tsconfig.lib.json; `--check` only compares.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { entryPoints, isNode, names } from './layout.mjs';

const root = path.resolve(import.meta.dirname, '..');
const isCheck = process.argv.includes('--check');

const exportOf = (name) => ({
  import: { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
  require: { types: `./dist/${name}.d.cts`, default: `./dist/${name}.cjs` },
});
const subpathOf = (name) => (name === 'index' ? '.' : `./${name}`);

function packageJson(text) {
  const json = JSON.parse(text);
  const exported = entryPoints.map(({ name }) => [subpathOf(name), exportOf(name)]);
  json.exports = Object.fromEntries([...exported, ['./package.json', './package.json']]);
  // For `moduleResolution: node10`, which knows no exports.
  const subpaths = entryPoints.map(({ name }) => name).filter((name) => name !== 'index');
  json.typesVersions = { '*': Object.fromEntries(subpaths.map((name) => [name, [`./dist/${name}.d.ts`]])) };
  return `${JSON.stringify(json, undefined, 2)}\n`;
}

/** The core has no types of Node: what runs on Node alone is left to tsconfig.json. */
function tsconfigLib(text) {
  const paths = names.filter(isNode).flatMap((name) => [`lib/${name}.ts`, `lib/${name}`]);
  const present = paths.filter((file) => existsSync(path.join(root, file)));
  return text.replace(/"exclude": \[[^\]]*\]/, `"exclude": [${present.map((file) => JSON.stringify(file)).join(', ')}]`);
}

const problems = entryPoints.filter(({ name }) => !existsSync(path.join(root, `lib/${name}.ts`))).map(({ name }) => `there is no lib/${name}.ts`);
for (const [name, edit] of [['package.json', packageJson], ['tsconfig.lib.json', tsconfigLib]]) {
  const file = path.join(root, name);
  const is = readFileSync(file, 'utf8');
  const right = edit(is);
  if (is === right) continue;
  if (isCheck) problems.push(`${name} does not follow scripts/layout.mjs: npm run entry-points`);
  else writeFileSync(file, right);
}
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
} else {
  console.log(`entry points: ${entryPoints.length}`);
}
