/** Draws the pictures of the docs from the simulator: `npm run pictures`. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { drawContention, drawHerd, runContention } from './pictures';

for (const [name, svg] of Object.entries({ 'herd.svg': drawHerd(), ...drawContention(runContention()) })) {
  writeFileSync(path.join(import.meta.dirname, name), svg);
  console.log(`${name}: ${svg.length} bytes`);
}
