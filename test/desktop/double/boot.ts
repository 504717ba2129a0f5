// Plays the Electron executable: `electron [-r module]… [--flags] <app folder> [arguments]`. In a package (ELECTRON_DOUBLE_PACKAGE names its
// resources), the app is the archive there, all arguments are the app's, and ELECTRON_DOUBLE_REQUIRE takes the place of `-r`.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startPanelIfHostile } from '#test/desktop/double/system/panel.ts';
import { powerMonitor } from '#test/desktop/double/system/power-monitor.ts';
import { startChromium } from '#test/desktop/double/windows/chromium.ts';
import { app } from './app.ts';
import { earlyEvents } from './early-events.ts';
import { DOUBLE_VERSION, describeApp } from './machine.ts';
import { unpackedApp } from './package.ts';

const given = process.argv.slice(2);
if (given.includes('--version')) {
  console.log(`v${DOUBLE_VERSION}`);
  process.exit(0);
}

const resources = process.env.ELECTRON_DOUBLE_PACKAGE;
const { modules, folder } = resources
  ? { modules: [process.env.ELECTRON_DOUBLE_REQUIRE ?? []].flat(), folder: unpackedApp(resources) }
  : readArguments(given);
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
describeApp({ root: folder, name: manifest.productName ?? manifest.name, version: manifest.version, isPackaged: resources !== undefined });
const early = earlyEvents(given, folder);
process.argv = [process.execPath, ...early.argv];
Object.defineProperty(process.versions, 'electron', { value: DOUBLE_VERSION, enumerable: true });
Object.assign(process, { type: 'browser', resourcesPath: resources ?? join(folder, 'resources') });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());

await startPanelIfHostile();
const require = createRequire(import.meta.url);
for (const module of modules) require(resolve(module));
// A second instance exits here, before it starts a browser.
await import(pathToFileURL(join(folder, manifest.main)).href);
early.emit(app);
await startChromium();
app.becomeReady();
powerMonitor.napIfHostile();

/** The modules of `-r`, and the app's folder: the first argument that isn't a flag. */
function readArguments(list: readonly string[]) {
  const required: string[] = [];
  for (let index = 0; index < list.length; index += 1) {
    const argument = list[index] ?? '';
    if (argument === '-r' || argument === '--require') {
      index += 1;
      required.push(list[index] ?? '');
    } else if (!argument.startsWith('-')) return { modules: required, folder: resolve(argument) };
  }
  return { modules: required, folder: process.cwd() };
}
