// `npm start`: the desktop app where Electron and a display are available, else the same service headless.
import { spawn } from 'node:child_process';
import { bootstrap, forwardSignals, root } from './bootstrap.mjs';
import { ensureBuilt } from './build.mjs';
import { findElectron } from './electron.mjs';
import { serve } from './serve.mjs';

await bootstrap(import.meta.url);
await ensureBuilt();
const electron = findElectron();
if (electron.reason) {
  console.error(`The desktop app cannot open here: ${electron.reason}. Starting the service without it.`);
  process.exit(await serve());
}
const child = spawn(electron.binary, [root, ...process.argv.slice(2)], { stdio: 'inherit' });
forwardSignals(child);
process.exit(await new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ? 1 : code))));
