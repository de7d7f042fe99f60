// How long the functions of lib/ are, blank lines and comments left out; fails where the median is above the bar.
// That no file and no function is too long is a rule of eslint.config.mjs.
import ts from 'typescript';

import { readSources, walk } from './sources.mjs';

const BAR = 6;
const LONGEST = 10;

/** Functions that have a name of their own: a callback is part of the function that it stands in. */
function nameOf(node) {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isAccessor(node)) return node.body && node.name?.getText();
  if (ts.isConstructorDeclaration(node)) return node.body && 'constructor';
  const isValue = ts.isArrowFunction(node) || ts.isFunctionExpression(node);
  const isNamed = ts.isVariableDeclaration(node.parent) || ts.isPropertyAssignment(node.parent) || ts.isPropertyDeclaration(node.parent);
  return isValue && isNamed ? node.parent.name.getText() : undefined;
}

/** Lines of code: those on which a token begins or ends. */
function linesOf(node, source) {
  const lines = new Set();
  const lineAt = (position) => source.getLineAndCharacterOfPosition(position).line;
  function add(child) {
    if (child.kind >= ts.SyntaxKind.FirstJSDocNode && child.kind <= ts.SyntaxKind.LastJSDocNode) return;
    const children = child.getChildren(source);
    if (children.length === 0 && child.getWidth(source) > 0) lines.add(lineAt(child.getStart(source))).add(lineAt(child.getEnd()));
    children.forEach(add);
  }
  add(node);
  return lines.size;
}

const functions = [];
for (const [file, source] of readSources()) {
  walk(source, (node) => {
    const name = nameOf(node);
    if (name !== undefined) functions.push({ name: `${file}: ${name}`, lines: linesOf(node, source) });
  });
}
functions.sort((one, other) => one.lines - other.lines);
const median = functions[Math.floor(functions.length / 2)].lines;
const longest = functions.slice(-LONGEST).reverse().map(({ name, lines }) => `${name} (${lines})`);
console.log(`functions of lib/: ${functions.length}, median ${median} lines; the longest: ${longest.join(', ')}`);
if (median > BAR) {
  console.error(`The median function has ${median} lines, at most ${BAR} are allowed.`);
  process.exitCode = 1;
}
