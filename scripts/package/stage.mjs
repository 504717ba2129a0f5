// Assembles everything that a package contains besides Electron, for one target.
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { writeServiceFolder } from '../service-folder.mjs';
import { writeAppFolder } from './app-folder.mjs';
import { requireTarget } from './binaries.mjs';
import { modulesFor, nodePackage } from './natives.mjs';
import { stripSymbols } from './strip.mjs';

/** Where the deb's files are on the system that installs it. */
const INSTALLED = '/opt/Pixdock';

/** Writes the folder, replacing what is there. Throws when a native module for the target is missing or one of another system is in it. */
export function writeStage(folder, target) {
  rmSync(folder, { recursive: true, force: true });
  writeAppFolder(join(folder, 'app'));
  writeServiceFolder(join(folder, 'service'), target);
  const node = nodePackage(target);
  if (node) {
    mkdirSync(join(folder, 'node'));
    const program = join(folder, 'node/node');
    cpSync(join(modulesFor(target), node, 'bin/node'), program);
    stripSymbols(program);
    mkdirSync(join(folder, 'deb/usr/bin'), { recursive: true });
    symlinkSync(`${INSTALLED}/resources/service/pixdock`, join(folder, 'deb/usr/bin/pixdock'));
  }
  requireTarget(folder, target);
}
