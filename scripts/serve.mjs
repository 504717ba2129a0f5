// `npm run serve`: the headless service, installed and built first when needed.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, forwardSignals, root } from './bootstrap.mjs';
import { ensureBuilt } from './build.mjs';

/** Runs the built service until it ends; resolves with its exit code. */
export function serve() {
  const child = spawn(process.execPath, [join(root, 'dist/server/bin.js'), ...process.argv.slice(2)], { stdio: 'inherit' });
  forwardSignals(child);
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ? 1 : code)));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await bootstrap(import.meta.url);
  await ensureBuilt();
  process.exit(await serve());
}
