// Builds everything into dist/, when a source is newer than the last build. `node scripts/build.mjs --force` always builds.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, root } from './bootstrap.mjs';
import { compressTexts } from './compress.mjs';
import { gatherBundled, writeNotices } from './notices.mjs';

/** The inputs of a build, relative to the project's folder. */
export const SOURCES = [
  'api',
  'cli',
  'main',
  'renderer',
  'server',
  'texts',
  'transfer',
  'resources',
  'scripts/ascii-source.ts',
  'scripts/build.mjs',
  'scripts/compress.mjs',
  'scripts/later-styles.ts',
  'scripts/licenses',
  'scripts/lint/classes.ts',
  'scripts/lint/import-graph.ts',
  'scripts/mantine-css.ts',
  'scripts/notices.mjs',
  'scripts/package/natives.mjs',
  'scripts/package/target.mjs',
  'scripts/page-head.ts',
  'vite.config.ts',
  'vite.light.config.ts',
  'vite.node.config.ts',
  'vite.pages.config.ts',
  'vite.preload.config.ts',
  'tsconfig.base.json',
  'tsconfig.json',
  'package-lock.json',
  'package.json',
];
const STAMP = join(root, 'dist', '.built');
/** On a slow computer, a report about the plug-ins' time would look like a fault. */
const QUIET = { checks: { bundlerTimings: false } };

/** A hash of every source file's path, size and modification time. */
function fingerprint() {
  const hash = createHash('sha256');
  const visit = (path) => {
    const stat = statSync(join(root, path));
    if (!stat.isDirectory()) return hash.update(`${path}\0${stat.size}\0${stat.mtimeMs}\n`);
    for (const name of readdirSync(join(root, path)).sort()) visit(join(path, name));
  };
  for (const source of SOURCES) if (existsSync(join(root, source))) visit(source);
  return hash.digest('hex');
}

/** Builds everything when a source has changed since the last build. */
export async function ensureBuilt({ force = false } = {}) {
  const now = fingerprint();
  if (!force && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === now) return;
  console.error('Building…');
  process.chdir(root);
  const { build } = await import('vite');
  const { findUnknownClasses } = await import('./lint/classes.ts');
  const unknown = await findUnknownClasses(root);
  if (unknown.length > 0) throw new Error(`Unknown CSS classes:\n${unknown.join('\n')}`);
  await Promise.all(
    [
      ['vite.config.ts', 'vite.light.config.ts'],
      ['vite.node.config.ts'],
      ['vite.pages.config.ts', 'vite.pages.config.ts record'],
      ['vite.preload.config.ts'],
    ].map(
      // One that writes into another's folder waits until that one has emptied it.
      async (configFiles) => {
        for (const config of configFiles) {
          const [configFile, mode] = config.split(' ');
          await build({ configFile: join(root, configFile), mode, logLevel: 'warn', build: { rolldownOptions: QUIET } });
        }
      },
    ),
  );
  await compressTexts(join(root, 'dist/renderer'));
  gatherBundled();
  writeNotices();
  writeFileSync(STAMP, now);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await bootstrap(import.meta.url);
  await ensureBuilt({ force: process.argv.includes('--force') });
}
