// Where Electron's program is.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const PROGRAMS = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' };

/** The folder of Electron's npm package, which comes without the program. */
export const packageFolder = () => dirname(createRequire(import.meta.url).resolve('electron/package.json'));

/** The path of Electron's program, in the folder that ELECTRON_OVERRIDE_DIST_PATH names, if set. Undefined when it isn't there. */
export function installedElectron(folder = packageFolder()) {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const program = join(override || join(folder, 'dist'), PROGRAMS[process.platform] ?? 'electron');
  // Electron's installer writes path.txt once everything is unpacked.
  return existsSync(program) && (override || existsSync(join(folder, 'path.txt'))) ? program : undefined;
}
