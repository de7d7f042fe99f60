// The sources of lib/, parsed.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import ts from 'typescript';

export const lib = path.resolve(import.meta.dirname, '../lib');

/** Files of lib/ by their path in it, without the extension: `call/report`. */
export function readSources() {
  const files = readdirSync(lib, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return new Map(
    files.sort().map((file) => {
      const text = readFileSync(path.join(lib, file), 'utf8');
      const name = file.slice(0, -'.ts'.length).replaceAll(path.sep, '/');
      return [name, ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)];
    }),
  );
}

/** Calls `visit` with every node below. */
export function walk(node, visit) {
  ts.forEachChild(node, (child) => {
    visit(child);
    walk(child, visit);
  });
}
