// `npm run package`: builds from scratch and packages the desktop app into release/, for this computer's system and processor. Other targets:
// `npm run package -- --linux --arm64`. Formats and options go to electron-builder: `npm run package -- deb`, `npm run package -- --dir`.
// `npm run package -- npm` makes the npm package, without the desktop app.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap, root } from './bootstrap.mjs';
import { ensureBuilt } from './build.mjs';

await bootstrap(import.meta.url);

// Only a recent Node can load these.
const { buildPackage } = await import('./package/build-package.mjs');
const { packForNpm } = await import('./package/npm-package.mjs');
const { requireRpmbuild } = await import('./package/rpmbuild.mjs');
const { readArguments } = await import('./package/target.mjs');

const { targets, npm, ...choices } = readArguments(process.argv.slice(2));
try {
  for (const target of targets) requireRpmbuild(target, choices);
  // The package must not contain anything from an earlier build.
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  await ensureBuilt({ force: true });
  if (npm) console.error(`Packed ${packForNpm(join(root, 'release'))}`);
  for (const target of targets) buildPackage(target, choices);
} catch (error) {
  console.error(`pixdock: ${error.message}`);
  process.exit(1);
}
