// The one list of what the package consists of: the lint rules, the import graph, the build and package.json follow it.
// After a change of the first list run `npm run entry-points`.

/**
 * What package.json exports: `lib/<name>.ts`, which may have a folder of the same name to itself.
 * `node`: runs on Node alone, so it may import Node's built-ins. `hasDefault`: may have a default export.
 */
export const entryPoints = [
  { name: 'index' },
  { name: 'cockatiel' },
  { name: 'simulate' },
  { name: 'opentelemetry' },
  { name: 'prometheus' },
  { name: 'explain' },
  { name: 'diagnostics', node: true },
  { name: 'redis' },
  { name: 'axios-retry', hasDefault: true },
  { name: 'retry-axios' },
];

/** What package.json has in `bin`: `lib/<name>.ts` with `lib/<name>/`, on Node, bundled with the packages it uses; `page` is the script of the page that it writes. */
export const commands = ['cli', 'page'];

/** From top to bottom: files and folders of lib/, each of which may import those below it. */
export const order = ['attach', 'interceptors', 'retry', 'call', 'circuit', 'verdict', 'options', 'watch', 'policy', 'axios', 'time', 'checks'];

/** From top to bottom: code of several entry points that the core does without. It may import what is in `order`. */
export const shared = ['drop-in', 'telemetry', 'lab', 'chart'];

/** Folders that stand apart: which of their files (`undefined`: all) may import from outside, and what. */
export const doors = {
  simulate: { files: ['library'], may: order },
  cli: { files: undefined, may: ['simulate', 'lab', 'chart', 'explain'] },
  page: { files: undefined, may: ['simulate', 'lab', 'chart'] },
  lab: { files: undefined, may: ['simulate', 'chart'] },
};

/** Packages beside axios' types that may be imported, all of them optional peers, and where. */
export const packages = {
  circuit: ['cockatiel'],
  cockatiel: ['cockatiel'],
  opentelemetry: ['@opentelemetry/api'],
  prometheus: ['prom-client'],
  telemetry: ['@opentelemetry/api'],
};

const entryNames = entryPoints.map(({ name }) => name);
const heads = [...entryNames, ...commands];
/** What everybody has in the bundle, and the breaker. */
const core = ['index', 'cockatiel'];

/** All names that a file or folder directly under lib/ may have. */
export const names = [...heads, ...shared, ...order];
export const isCommand = (name) => commands.includes(name);
export const isNode = (name) => isCommand(name) || entryPoints.some((entry) => entry.name === name && entry.node === true);
export const hasDefault = (name) => entryPoints.some((entry) => entry.name === name && entry.hasDefault === true);
/** Private to the entry point of the same name, or in `shared` or `order`. */
export const isPrivate = (name) => heads.includes(name);

/** Names directly under lib/ below the given one. */
function below(name) {
  if (core.includes(name)) return order;
  if (heads.includes(name)) return [...shared, ...order];
  const all = [...shared, ...order];
  return all.slice(all.indexOf(name) + 1);
}

/**
 * What a file may import from outside its own folder.
 * @param name of the file or folder directly under lib/ @param file the name of a file in that folder; without: lib/<name>.ts
 */
export function mayImport(name, file) {
  const door = doors[name];
  if (door === undefined) return below(name);
  const isDoor = file !== undefined && (door.files === undefined || door.files.includes(file));
  return isDoor ? door.may : [];
}
