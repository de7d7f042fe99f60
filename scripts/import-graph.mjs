// Prints which folder of lib/ imports which; fails on an arrow up and on a circle, between folders or between files.
import path from 'node:path';

import ts from 'typescript';

import { doors, isPrivate, names, order, shared } from './layout.mjs';
import { readSources, walk } from './sources.mjs';

/** What a module asks for, types included: a reader follows them too. */
function specifiersOf(source) {
  const found = [];
  walk(source, (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) found.push(node.moduleSpecifier);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) found.push(node.arguments[0]);
    if (ts.isImportTypeNode(node)) found.push(node.argument.literal);
  });
  return found.filter((specifier) => specifier !== undefined && ts.isStringLiteral(specifier)).map(({ text }) => text);
}

const sources = readSources();
/** File → files of lib/ that it imports. */
const files = new Map(
  [...sources].map(([name, source]) => {
    const paths = specifiersOf(source).filter((text) => text.startsWith('.'));
    return [name, new Set(paths.map((text) => path.posix.join(path.posix.dirname(name), text)))];
  }),
);

/** The file or folder directly under lib/. An entry point and the folder of its name are two: `simulate`, `simulate/`. */
function placeOf(file) {
  const [name, inside] = file.split('/');
  return inside !== undefined && isPrivate(name) ? `${name}/` : name;
}

/** Place → place → `file → file`, of each import between the two. */
const places = new Map();
for (const [from, targets] of files) {
  for (const to of targets) {
    const [one, other] = [placeOf(from), placeOf(to)];
    if (!places.has(one)) places.set(one, new Map());
    if (one !== other) places.get(one).set(other, [...(places.get(one).get(other) ?? []), `${from} → ${to}`]);
  }
}

const ranked = names.flatMap((name) => (isPrivate(name) ? [name, `${name}/`] : [name]));
// The entry points stand above all folders; what stands apart (`cli/`, `page/`, `lab`) may stand on some of them.
const stands = [...ranked.filter((name) => !name.includes('/')).filter(isPrivate), ...ranked.filter((name) => name.endsWith('/')), ...shared, ...order];
const throughEntry = (one, other) => isPrivate(other) && (doors[one.replace('/', '')]?.may.includes(other) ?? false);
const isForeign = (one, other) => other.endsWith('/') && other !== `${one}/`;
const isUp = (one, other) => isForeign(one, other) || (stands.indexOf(other) <= stands.indexOf(one) && !throughEntry(one, other));

/** The nodes that reach themselves, in the order in which one comes back. */
function findCircles(graph) {
  const circles = [];
  const done = new Set();
  function follow(node, trail) {
    if (trail.includes(node)) circles.push([...trail.slice(trail.indexOf(node)), node].join(' → '));
    if (done.has(node) || trail.includes(node)) return;
    for (const next of graph.get(node) ?? []) follow(next, [...trail, node]);
    done.add(node);
  }
  for (const node of graph.keys()) follow(node, []);
  return circles;
}

const problems = [];
for (const file of files.keys()) {
  if (!names.includes(file.split('/')[0]) || file.split('/').length > 2) problems.push(`lib/${file}.ts has no place in scripts/layout.mjs`);
}
for (const [file, targets] of files) {
  for (const target of targets) if (!files.has(target)) problems.push(`lib/${file}.ts imports ${target}, which is no file of lib/`);
}
for (const [one, targets] of places) {
  for (const [other, imports] of targets) if (isUp(one, other)) problems.push(`arrow up, ${one} → ${other}: ${imports.join(', ')}`);
}
const folderGraph = new Map([...places].map(([name, targets]) => [name, [...targets.keys()]]));
problems.push(...findCircles(folderGraph).map((circle) => `circle of folders: ${circle}`));
problems.push(...findCircles(files).map((circle) => `circle of files: ${circle}`));

for (const name of stands) {
  const targets = stands.filter((other) => places.get(name)?.has(other));
  if (targets.length > 0) console.log(`${name} → ${targets.join(', ')}`);
}
if (problems.length > 0) {
  console.error(`\n${problems.join('\n')}`);
  process.exitCode = 1;
} else {
  console.log(`import graph: ${files.size} files, no arrow up, no circle`);
}
