// `npm start`: the desktop app where Electron and a display are available, else the same service headless.
import { spawn } from 'node:child_process';
import { bootstrap, forwardSignals, onStop, root } from './bootstrap.mjs';
import { ensureBuilt } from './build.mjs';
import { serve } from './serve.mjs';

await bootstrap(import.meta.url);
await ensureBuilt();
// Loaded only now: it needs the packages.
const { findElectron } = await import('./electron.mjs');
const args = process.argv.slice(2);
const stop = new AbortController();
const release = onStop(() => stop.abort());
const { program, reason } = await findElectron(args, { signal: stop.signal });
release();
if (stop.signal.aborted) {
  console.error(reason ?? 'Stopped.');
  process.exit(130);
}
if (reason) {
  const next = 'Starting the service without the desktop app.';
  console.error(reason.includes('\n') ? `\n${reason}\n\n${next}` : `${reason}\n${next}`);
  process.exit(await serve());
}
const child = spawn(program, [root, ...args], { stdio: 'inherit' });
forwardSignals(child);
process.exit(await new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ? 1 : code))));
