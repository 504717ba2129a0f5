// Assembles everything that a package contains besides Electron, for one target.
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { writeServiceFolder } from '../service-folder.mjs';
import { writeAppFolder } from './app-folder.mjs';
import { requireTarget } from './binaries.mjs';
import { modulesFor, nodePackage } from './natives.mjs';
import { stripSymbols } from './strip.mjs';

/** Where the files of deb and rpm are on the system that installs them. */
const INSTALLED = '/opt/Pixdock';
/** Programs on the path. In a deb, a script links the app. */
const LINKS = {
  deb: { pixdock: 'resources/service/pixdock' },
  rpm: { pixdock: 'resources/service/pixdock', 'pixdock-desktop': 'pixdock-desktop' },
};

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
    for (const [format, links] of Object.entries(LINKS)) {
      const programs = join(folder, format, 'usr/bin');
      mkdirSync(programs, { recursive: true });
      for (const [name, path] of Object.entries(links)) symlinkSync(`${INSTALLED}/${path}`, join(programs, name));
    }
  }
  requireTarget(folder, target);
}
