// `npm run package`: builds from scratch and packages the desktop app into release/. Arguments go to electron-builder, such as `--dir`.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { bootstrap, root } from './bootstrap.mjs';
import { ensureBuilt } from './build.mjs';
import { writeServiceFolder } from './service-folder.mjs';

await bootstrap(import.meta.url);
// The package must not contain anything from an earlier build.
rmSync(join(root, 'dist'), { recursive: true, force: true });
await ensureBuilt({ force: true });
writeServiceFolder(join(root, 'release/service'));

const manifest = createRequire(import.meta.url).resolve('electron-builder/package.json');
const cli = join(dirname(manifest), 'cli.js');
const run = spawnSync(process.execPath, [cli, '--publish', 'never', ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
process.exit(run.status ?? 1);
