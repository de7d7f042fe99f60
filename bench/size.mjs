// `npm run check:size`: what `import { attachRetry }` and everything of dist/index.js come to in a bundle, without axios.
import { bundleSize, sizes } from './bundle.mjs';

for (const { what, source, limit, goal } of sizes) {
  const { minified, gzipped } = await bundleSize(source);
  const aim = goal === undefined ? '' : `, goal ${goal}`;
  console.log(`${what}: ${minified} bytes minified, ${gzipped} bytes gzipped (limit ${limit}${aim})`);
  if (gzipped > limit) {
    console.error(`Too big by ${gzipped - limit} bytes`);
    process.exitCode = 1;
  }
}
